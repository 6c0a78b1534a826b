//! What a server says of its tools, for the person who writes or allows an app: asked once, by a connection of its own; nothing is called.

use std::io;
use std::time::Duration;

use ede_engine::upstreams::{Hints, Server, ServerName, Unread};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::connection::Connection;
use super::line::PATIENCE;

/// How long the end waits for a program to be gone.
const END: Duration = Duration::from_secs(2);

/// One tool, in the server's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub name: String,
    pub description: String,
    pub hints: Hints,
    /// What it takes, as JSON Schema.
    pub input: Value,
}

/// The tools of a server, in its order.
///
/// # Errors
/// The server gave no answer; or the system no thread of work, which counts as that.
pub fn tools(name: &ServerName, server: &Server) -> Result<Vec<Listed>, Unread> {
    let runtime = runtime().map_err(|_| Unread::Unreachable)?;
    runtime.block_on(async {
        let (alive, mut all_gone) = mpsc::channel::<()>(1);
        let asked = async {
            let connection = Connection::open(name, server, alive).await?;
            connection.tools().await
        };
        let listed = timeout(PATIENCE, asked).await;
        let _ = timeout(END, all_gone.recv()).await;
        listed.unwrap_or(Err(Unread::Timeout))
    })
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}
