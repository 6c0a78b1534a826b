//! The world around `ede`, for its tests: a fake compositor, a real one, golden pictures.
//!
//! Nothing here knows `ede`. A test under `tests/` brings the two together; the shell's own crate may use this one too.

pub mod bus;
pub mod client;
pub mod compositor;
pub mod golden;
pub mod picture;
pub mod program;
pub mod sway;
