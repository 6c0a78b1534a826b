//! The engine of eDE: packages, documents and records, and every decision about them. It knows no window, no D-Bus and no
//! network, and it never reads the clock itself: who calls it says what time it is.
//!
//! - [`source`] reads JSON text and remembers where each part stands; [`issue`] says what is wrong with it
//! - [`schema`] holds the shape of every format once: the checker and the JSON Schemas both come from it
//! - [`package`] is an app, [`documents`] the desktop as data, [`theme`] how it looks, [`stream`] A2UI messages; [`check`] tells
//!   them apart, [`surface`] holds component lists against their catalog
//! - [`app_file`] is what an app travels in, its package with or without records
//! - [`apps`] are the installed packages, [`records`] what their people write: one database, one thread, one transaction per action
//! - [`blobs`] are the files of apps, [`attachments`] how records refer to them
//! - [`broker`] decides what apps and agents may call, [`bridge`] stands between a call and the native that makes it; [`pdf`] lays
//!   out what an app prints
//! - [`automations`] are what apps do by themselves, [`exposes`] the tools they offer to agents
//! - [`instances`] are the running apps: their states, the focus, what survives a restart
//! - [`interactions`] are what agents ask the person, [`artifacts`] what they hand over
//! - [`outbox`] is the queue of a host whose records live on a server; this desktop writes through
//! - [`upstreams`] are the person's MCP servers, as far as apps read from them
//! - [`plain`] is what apps and agents say, as plain text
//! - [`contract`] replays the cases all that must keep
//! - [`binding`] says which part of a surface follows which source, [`actions`] what a press may do

pub mod actions;
pub mod app_file;
pub mod app_id;
pub mod apps;
pub mod artifacts;
pub mod attachments;
pub mod automations;
pub mod binding;
pub mod blobs;
pub mod bridge;
pub mod broker;
pub mod check;
pub mod clock;
pub mod contract;
pub mod documents;
mod dotted;
pub mod exposes;
pub mod files;
pub mod instances;
pub mod interactions;
pub mod issue;
pub mod layout;
pub mod outbox;
pub mod package;
pub mod pdf;
pub mod plain;
pub mod pointer;
pub mod records;
mod runs;
pub mod schema;
pub mod source;
pub mod stream;
pub mod surface;
pub mod theme;
pub mod upstreams;
mod uuid;
