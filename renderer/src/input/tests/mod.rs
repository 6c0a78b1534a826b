//! Input driven from outside, headless: a [`View`] over eUI JSON with the real engine, real text and plain components.

mod fields;
mod harness;
mod keyboard;
mod layers;
mod pointer;
mod random;
