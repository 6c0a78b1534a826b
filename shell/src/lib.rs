//! `ede`, the shell of the Exponential Desktop Environment: one process that paints eUI packages and desktop documents, and
//! the command line around it. The engine (`ede-engine`) decides and stores, the painter (`ede-renderer`, `ede-widgets`) draws;
//! what talks to the session (Wayland, D-Bus, files, the clock) lives here.

pub mod capabilities;
pub mod cli;
pub mod clock;
pub mod desktop;
pub mod desktop_entries;
pub mod formatter;
pub mod installs;
pub mod ipc;
pub mod packages;
pub mod paths;
pub mod portal;
pub mod processes;
pub mod signals;
pub mod sources;
pub mod themes;
pub mod tls;
pub mod upstreams;
pub mod watch;
pub mod wayland;
