//! The GPU backend: the same display list through `iced_wgpu`.
//!
//! iced's renderer draws boxes, borders, text (the very buffers that were measured) and pictures. What it cannot draw the way the
//! list means it (shadows with spread and a hole, gradients between translucent colours, rounded clips, group opacity, turned
//! groups) is one primitive of ours ([`shape`]); paths and dashes are painted by the software painter once and kept as pictures.
//! Everything is placed on the physical pixel grid by the same rules as in software, so a surface may move from one backend to the
//! other without a jump.

mod frame;
mod pieces;
mod shape;

use iced_core::{Color as IcedColor, Font, Pixels, Rectangle, Size};
use iced_graphics::{Antialiasing, Shell, Viewport};
use iced_wgpu::{Engine, Renderer};
use thiserror::Error;

use crate::color::Color;
use crate::display::DisplayList;
use crate::grid::{IRect, Map};
use crate::text::TextEngine;
use pieces::Pieces;

/// Why there is no GPU to draw with.
#[derive(Debug, Error)]
pub enum GpuError {
    #[error("no graphics adapter: {0}")]
    Adapter(#[from] wgpu::RequestAdapterError),
    #[error("the graphics device cannot be opened: {0}")]
    Device(#[from] wgpu::RequestDeviceError),
}

/// The format lists are drawn in: colours are mixed as bytes, like in browsers and in software.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// One device and the renderer on it. One a thread.
pub struct Gpu {
    device: wgpu::Device,
    engine: Engine,
    renderer: Renderer,
    /// Renderers for groups, reused between frames.
    spare: Vec<Renderer>,
    pieces: Pieces,
    fonts: Option<u64>,
}

impl Gpu {
    /// On a device of the caller's. Textures are drawn to in [`FORMAT`].
    pub fn new(adapter: &wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Gpu {
        let engine = Engine::new(
            adapter,
            device.clone(),
            queue,
            FORMAT,
            Some(Antialiasing::MSAAx4),
            Shell::headless(),
        );
        Gpu {
            device,
            renderer: renderer(&engine),
            engine,
            spare: Vec::new(),
            pieces: Pieces::default(),
            fonts: None,
        }
    }

    /// On any adapter there is, for pictures only. Blocks while the device is opened.
    pub fn headless() -> Result<Gpu, GpuError> {
        let instance = wgpu::Instance::new(&wgpu::InstanceDescriptor::default());
        let adapter = ready(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        let (device, queue) = ready(adapter.request_device(&wgpu::DeviceDescriptor {
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..wgpu::DeviceDescriptor::default()
        }))?;
        Ok(Gpu::new(&adapter, device, queue))
    }

    /// Draw texts with the engine's fonts. Call it before every frame; it does something only after the engine's fonts changed.
    /// iced keeps one font system for the whole process: the last engine shared is the one all devices draw with.
    pub fn share_fonts(&mut self, text: &TextEngine) {
        if self.fonts == Some(text.generation()) {
            return;
        }
        let fonts = text.fonts();
        let copy = cosmic_text::FontSystem::new_with_locale_and_db(
            fonts.locale().to_string(),
            fonts.database().clone(),
        );
        match iced_graphics::text::font_system().write() {
            Ok(mut shared) => {
                *shared.raw() = copy;
                self.fonts = Some(text.generation());
            }
            Err(error) => tracing::error!(%error, "texts keep their old fonts"),
        }
    }

    /// Draw `list` onto a texture of `width × height` physical pixels.
    pub fn present(
        &mut self,
        list: &DisplayList,
        view: &wgpu::TextureView,
        (width, height): (u32, u32),
        scale: f32,
        clear: Color,
    ) {
        self.record(list, (width, height), scale);
        self.renderer.present(
            Some(iced_color(clear)),
            FORMAT,
            view,
            &viewport(width, height),
        );
        self.pieces.end_frame();
    }

    /// Draw `list` and read the pixels back: premultiplied RGBA without gaps.
    pub fn screenshot(
        &mut self,
        list: &DisplayList,
        (width, height): (u32, u32),
        scale: f32,
        clear: Color,
    ) -> Vec<u8> {
        self.record(list, (width, height), scale);
        let pixels = self
            .renderer
            .screenshot(&viewport(width, height), iced_color(clear));
        self.pieces.end_frame();
        pixels
    }

    fn record(&mut self, list: &DisplayList, (width, height): (u32, u32), scale: f32) {
        let area = IRect::new(0, 0, side(width), side(height));
        let map = Map {
            scale,
            dx: 0.0,
            dy: 0.0,
        };
        let mut target = std::mem::replace(&mut self.renderer, renderer(&self.engine));
        if scale.is_finite() && scale > 0.0 {
            frame::record(self, &mut target, &list.items, &map, area);
        } else {
            iced_core::Renderer::reset(&mut target, rectangle(&area));
        }
        self.renderer = target;
    }

    fn texture(&self, width: u32, height: u32) -> wgpu::TextureView {
        shape::texture_view(&self.device, FORMAT, width, height)
    }

    /// A renderer for a group's content.
    fn borrow(&mut self) -> Renderer {
        self.spare.pop().unwrap_or_else(|| renderer(&self.engine))
    }

    fn give_back(&mut self, renderer: Renderer) {
        // More groups at once than this are rare; their renderers are made anew.
        if self.spare.len() < 4 {
            self.spare.push(renderer);
        }
    }
}

fn renderer(engine: &Engine) -> Renderer {
    Renderer::new(engine.clone(), Font::with_name("Inter"), Pixels(14.0))
}

fn side(v: u32) -> i32 {
    i32::try_from(v).unwrap_or(i32::MAX).min(1 << 20)
}

/// Lengths are physical already: iced scales nothing.
fn viewport(width: u32, height: u32) -> Viewport {
    Viewport::with_physical_size(Size::new(width.max(1), height.max(1)), 1.0)
}

fn iced_color(c: Color) -> IcedColor {
    IcedColor::from_rgba8(c.r, c.g, c.b, f32::from(c.a) / 255.0)
}

fn rectangle(r: &IRect) -> Rectangle {
    Rectangle {
        x: r.x as f32,
        y: r.y as f32,
        width: r.w as f32,
        height: r.h as f32,
    }
}

/// wgpu's native futures are done after a few turns.
fn ready<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        std::thread::yield_now();
    }
}
