//! The shape of every format the engine reads, said once. [`shape`] is the vocabulary, [`check`] holds a value against
//! a shape, [`json`] writes a shape as JSON Schema (draft 2020-12): what `ede check` refuses for its shape and what
//! the schemas refuse cannot drift apart, because they are the same table.

pub mod check;
mod components;
pub mod formats;
pub mod json;
pub mod patterns;
pub mod shape;
mod style;
mod theme;
