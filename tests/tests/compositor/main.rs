//! The fake compositor itself under test: every protocol path is walked by the small client of `ede_tests::client`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod input;
mod layers;
mod lifetime;
mod lists;
mod outputs;
mod popups;
mod surfaces;
mod text;
mod toplevels;
mod transfers;

use ede_tests::client::Client;
use ede_tests::compositor::{Compositor, FaultKind, Globals, OutputId, OutputSpec};

/// A compositor with one output of 800×600 and a client.
fn desk() -> (Compositor, Client, OutputId) {
    let compositor = Compositor::start(Globals::all());
    let output = compositor.add_output(OutputSpec::new("DP-1", 800, 600));
    let client = Client::connect(compositor.socket());
    (compositor, client, output)
}

/// The client was disconnected with this error, and the compositor wrote it down.
fn assert_error(compositor: &Compositor, client: &mut Client, interface: &'static str, code: u32) {
    assert_eq!(client.error(), Some((interface.to_owned(), code)));
    let kinds: Vec<_> = compositor
        .take_faults()
        .into_iter()
        .map(|fault| fault.kind)
        .collect();
    assert_eq!(kinds, [FaultKind::Protocol { interface, code }]);
}

/// The client is connected, but this fault was written down.
fn assert_fault(compositor: &Compositor, client: &mut Client, kind: FaultKind) {
    assert!(client.try_roundtrip());
    let kinds: Vec<_> = compositor
        .take_faults()
        .into_iter()
        .map(|fault| fault.kind)
        .collect();
    assert_eq!(kinds, [kind]);
}
