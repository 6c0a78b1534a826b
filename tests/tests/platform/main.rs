//! The platform layer (`ede::wayland`) against the fake compositor: no painter, no document, only a small client that
//! writes down what it is told and paints a pattern whose every pixel is known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod desk;

mod data;
mod failures;
mod input;
mod lists;
mod outputs;
mod painting;
mod popups;
mod toplevels;
