//! The one broker between apps, agents and what the host can do. Pure: it knows no window, no bus, no network, no clock and keeps
//! nothing; who asks says how things stand, and stores what is answered.
//!
//! - [`catalog`] is every capability, scope and tool; [`names`], [`origin`], [`providers`] and [`grants`] are what decisions are made of
//! - [`decide`] is the decision and an agent's list of tools
//! - [`audit`] is the row every call leaves
//! - [`state`] is how far a call is, for the app that made it; [`trouble`] is what went wrong, in words for a person
//! - [`call`] is one call from its request to its answer, over [`crate::bridge`]

pub mod audit;
pub mod call;
pub mod catalog;
pub mod decide;
pub mod grants;
pub mod names;
pub mod origin;
pub mod providers;
pub mod state;
pub mod trouble;
