//! `ede-renderer`: an eui-core surface to frames, and input back to surface events.
//!
//! Surface → [`scene`] (node cache, patched from deltas) → [`display`] list (plain data) → a backend ([`software`]; `gpu` behind the
//! `wgpu` feature). The renderer knows no package and no component: [`component`] is the trait a component implements, `ede-widgets`
//! brings the components. It reads no file and no network; pictures come in through the host.

pub mod color;
pub mod component;
pub mod damage;
pub mod display;
pub mod geometry;
#[cfg(feature = "wgpu")]
pub mod gpu;
mod grid;
pub mod icons;
pub mod images;
pub mod input;
pub mod look;
mod measure;
pub mod nested;
pub mod png;
pub mod recipes;
pub mod resources;
pub mod scene;
pub mod software;
pub mod text;
pub mod view;

pub use view::View;
