//! App packages: read, checked, and asked for what a shell needs.
pub mod shape;
