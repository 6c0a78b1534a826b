//! The one primitive of our own: a box filled with a blurred shadow, a gradient, or a texture through a rounded mask.

use std::sync::OnceLock;

use iced_core::Rectangle;
use iced_graphics::Viewport;
use iced_wgpu::primitive::{self, Primitive};

use crate::color::Color;
use crate::display::LinearGradient;
use crate::geometry::Radii;
use crate::grid::IRect;

/// Stops of a gradient that are drawn; themes use two or three.
const MOST_STOPS: usize = 8;
/// Floats of the uniform block, as the shader lays it out.
const FLOATS: usize = 4 * 7 + MOST_STOPS * 4 + MOST_STOPS;

/// What to draw. Lengths are physical pixels.
#[derive(Debug)]
pub(super) struct Shape {
    uniform: [f32; FLOATS],
    view: Option<wgpu::TextureView>,
    bound: OnceLock<wgpu::BindGroup>,
}

/// A texture to lay down.
pub(super) struct Layer {
    pub view: wgpu::TextureView,
    /// In the texture's pixels.
    pub mask: (IRect, Radii),
    pub opacity: f32,
    /// From the target's pixels to the texture's.
    pub back: ([f32; 4], [f32; 2]),
}

const GRADIENT: f32 = 0.0;
const SHADOW: f32 = 1.0;
const LAYER: f32 = 2.0;

fn sides(r: &IRect) -> [f32; 4] {
    [r.x as f32, r.y as f32, r.w as f32, r.h as f32]
}

fn premultiplied(c: Color) -> [f32; 4] {
    let a = f32::from(c.a) / 255.0;
    let part = |v: u8| f32::from(v) / 255.0 * a;
    [part(c.r), part(c.g), part(c.b), a]
}

impl Shape {
    fn new(rows: [[f32; 4]; 7], view: Option<wgpu::TextureView>) -> Shape {
        let mut uniform = [0.0; FLOATS];
        uniform[..28].copy_from_slice(rows.as_flattened());
        Shape {
            uniform,
            view,
            bound: OnceLock::new(),
        }
    }

    pub fn gradient(at: IRect, radii: Radii, spec: &LinearGradient) -> Shape {
        let (sin, cos) = spec.angle.to_radians().sin_cos();
        let (w, h) = (at.w as f32, at.h as f32);
        let length = ((w * sin).abs() + (h * cos).abs()).max(1.0e-3);
        let (cx, cy) = (at.x as f32 + w / 2.0, at.y as f32 + h / 2.0);
        let start = 0.5 - (cx * sin - cy * cos) / length;
        let count = spec.stops.len().min(MOST_STOPS);
        let line = [start, sin / length, -cos / length, count as f32];
        let none = [0.0; 4];
        let kind = [GRADIENT, 0.0, 0.0, 1.0];
        let mut shape = Shape::new([sides(&at), radii.0, none, none, none, line, kind], None);
        for (i, (offset, color)) in spec.stops.iter().take(MOST_STOPS).enumerate() {
            let from = 28 + i * 4;
            shape.uniform[from..from + 4].copy_from_slice(&premultiplied(*color));
            shape.uniform[28 + MOST_STOPS * 4 + i] = *offset;
        }
        shape
    }

    pub fn shadow(
        (at, radii): (IRect, Radii),
        deviation: f32,
        color: Color,
        (hole, hole_radii): (IRect, Radii),
    ) -> Shape {
        let kind = [SHADOW, deviation, 0.0, 1.0];
        Shape::new(
            [
                sides(&at),
                radii.0,
                sides(&hole),
                hole_radii.0,
                premultiplied(color),
                [0.0; 4],
                kind,
            ],
            None,
        )
    }

    pub fn layer(layer: Layer) -> Shape {
        let (matrix, [x, y]) = layer.back;
        let none = [0.0; 4];
        Shape::new(
            [
                sides(&layer.mask.0),
                layer.mask.1.0,
                none,
                none,
                matrix,
                [x, y, 0.0, 0.0],
                [LAYER, 0.0, 0.0, layer.opacity],
            ],
            Some(layer.view),
        )
    }
}

/// The pipeline all shapes share.
pub(super) struct Pipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    /// Bound where a shape has no texture.
    blank: wgpu::TextureView,
}

impl primitive::Pipeline for Pipeline {
    fn new(device: &wgpu::Device, _: &wgpu::Queue, format: wgpu::TextureFormat) -> Pipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("ede shape"),
            source: wgpu::ShaderSource::Wgsl(include_str!("shape.wgsl").into()),
        });
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("ede shape"),
            entries: &[entry(0, uniform), entry(1, texture), entry(2, sampler)],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("ede shape"),
            bind_group_layouts: &[&layout],
            push_constant_ranges: &[],
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("ede shape"),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                buffers: &[],
                compilation_options: wgpu::PipelineCompilationOptions::default(),
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("pixel"),
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
                compilation_options: wgpu::PipelineCompilationOptions::default(),
            }),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            multiview: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        Pipeline {
            pipeline,
            layout,
            sampler,
            blank: texture_view(device, format, 1, 1),
        }
    }
}

/// A texture that is drawn to and sampled.
pub(super) fn texture_view(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    width: u32,
    height: u32,
) -> wgpu::TextureView {
    device
        .create_texture(&wgpu::TextureDescriptor {
            label: Some("ede layer"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
        .create_view(&wgpu::TextureViewDescriptor::default())
}

impl Primitive for Shape {
    type Pipeline = Pipeline;

    fn prepare(
        &self,
        pipeline: &mut Pipeline,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _: &Rectangle,
        _: &Viewport,
    ) {
        self.bound.get_or_init(|| {
            let bytes: Vec<u8> = self.uniform.iter().flat_map(|f| f.to_le_bytes()).collect();
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("ede shape"),
                size: bytes.len() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, &bytes);
            let view = self.view.as_ref().unwrap_or(&pipeline.blank);
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("ede shape"),
                layout: &pipeline.layout,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: buffer.as_entire_binding(),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::TextureView(view),
                    },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::Sampler(&pipeline.sampler),
                    },
                ],
            })
        });
    }

    fn draw(&self, pipeline: &Pipeline, pass: &mut wgpu::RenderPass<'_>) -> bool {
        if let Some(bound) = self.bound.get() {
            pass.set_pipeline(&pipeline.pipeline);
            pass.set_bind_group(0, bound, &[]);
            pass.draw(0..3, 0..1);
        }
        true
    }
}
