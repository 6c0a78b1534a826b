//! The person's MCP servers: the only network an app's binding reaches, and only through what the person has set up. What may be read,
//! and what an answer is worth, is the engine's ([`ede_engine::upstreams`]); here are the file, the keyring and the connections.
//!
//! - [`file`](mod@file) is the list of servers, [`keyring`] holds their tokens
//! - [`hub`] runs on a thread of its own, which starts when one is first asked: one connection a server, opened when it is first
//!   needed, closed when nothing has been asked for a while; [`line`] is one server's
//! - [`listing`] is what a server says of its tools, for the person
//! - [`connection`] speaks MCP over a program's pipes ([`program`]) or over HTTP ([`http`]); [`gauge`] counts what a server sends
//!
//! A server is not trusted: what it sends is bounded in size and time, its tools are looked at before every call, and nothing it says
//! reaches the log.

mod connection;
pub mod file;
mod gauge;
mod http;
pub mod hub;
pub mod keyring;
mod line;
pub mod listing;
mod program;

pub use hub::{Then, Upstreams};
pub use line::PATIENCE;
