//! The whole shell, as the person's process, on the fake compositor. What only the platform layer promises is tested below `tests/`,
//! what only a real compositor shows in `on_sway`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod automations;
mod cards;
mod consent;
mod documents;
mod errands;
mod fields;
mod file_sheet;
mod files;
mod handed;
mod harness;
mod hiding;
mod idle;
mod instances;
mod keyring;
mod launch;
mod lifetime;
mod messages;
mod notifications;
mod notifier;
mod one_window;
mod outputs;
mod popups;
mod portal;
mod readings;
mod remote_pictures;
mod stand_in;
mod tools;
mod touch;
mod uploads;
mod windows;
