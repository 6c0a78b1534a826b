//! What calls need of this host whoever makes them, the shell or the command line.

use std::fs::File;
use std::io::Read;

use ede_engine::bridge::files::NotificationIds;
use ede_engine::broker::audit::Client;
use ede_engine::broker::names::RunId;
use ede_engine::instances::Ids;

/// The system's own source of chance.
pub struct Chance;

impl NotificationIds for Chance {
    fn next(&mut self) -> std::io::Result<u128> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(u128::from_ne_bytes(bytes))
    }
}

impl Ids for Chance {
    fn next(&mut self) -> std::io::Result<u128> {
        NotificationIds::next(self)
    }
}

/// Who the audit names for `ede call`: the app's own surface, or a run of an agent.
pub fn client(agent: bool) -> Client {
    match RunId::parse("ede-call").filter(|_| agent) {
        Some(run) => Client::Run(run),
        None => Client::Ui,
    }
}
