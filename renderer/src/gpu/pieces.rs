//! What the software painter draws for the GPU: icons, paths, dashed and uneven borders, as pictures kept while they are shown.

use std::collections::HashMap;
use std::sync::Arc;

use iced_core::image::Handle;

use crate::display::{Op, Ops};
use crate::grid::{IRect, Map};
use crate::images::Bitmap;
use crate::png::Rgba;
use crate::software::Painter;

/// Frames a picture is kept without being shown.
const KEPT_FRAMES: u64 = 60;

/// Which op, and how it lies between the pixels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    ops: usize,
    index: usize,
    scale: u32,
    dx: u32,
    dy: u32,
}

struct Piece {
    handle: Handle,
    /// Where the picture lies when the map's whole pixels are taken away.
    area: IRect,
    /// Keeps the op's address its own.
    _ops: Arc<Ops>,
    used: u64,
}

struct Picture {
    handle: Handle,
    _bitmap: Arc<Bitmap>,
    used: u64,
}

#[derive(Default)]
pub(super) struct Pieces {
    painter: Painter,
    pieces: HashMap<Key, Piece>,
    pictures: HashMap<usize, Picture>,
    frame: u64,
}

impl Pieces {
    /// The picture of op `index` of `ops` and where it belongs. `None` when there is nothing to see.
    pub fn piece(&mut self, ops: &Arc<Ops>, index: usize, map: &Map) -> Option<(Handle, IRect)> {
        let (x, y) = (map.dx.floor(), map.dy.floor());
        let near = Map {
            scale: map.scale,
            dx: map.dx - x,
            dy: map.dy - y,
        };
        let key = Key {
            ops: Arc::as_ptr(ops) as usize,
            index,
            scale: near.scale.to_bits(),
            dx: near.dx.to_bits(),
            dy: near.dy.to_bits(),
        };
        let moved = |r: IRect| IRect {
            x: r.x + x as i32,
            y: r.y + y as i32,
            ..r
        };
        if let Some(p) = self.pieces.get_mut(&key) {
            p.used = self.frame;
            return Some((p.handle.clone(), moved(p.area)));
        }
        let (pixels, area) = self.painter.piece(ops.list.get(index)?, &near)?;
        let straight = Rgba::from_painted(area.w as u32, area.h as u32, &pixels);
        let handle = Handle::from_rgba(straight.width, straight.height, straight.pixels);
        self.pieces.insert(
            key,
            Piece {
                handle: handle.clone(),
                area,
                _ops: ops.clone(),
                used: self.frame,
            },
        );
        Some((handle, moved(area)))
    }

    /// A bitmap as iced takes it.
    pub fn picture(&mut self, bitmap: &Arc<Bitmap>) -> Handle {
        let frame = self.frame;
        let entry = self
            .pictures
            .entry(Arc::as_ptr(bitmap) as usize)
            .or_insert_with(|| {
                let straight = Rgba::from_painted(bitmap.width, bitmap.height, &bitmap.pixels);
                Picture {
                    handle: Handle::from_rgba(bitmap.width, bitmap.height, straight.pixels),
                    _bitmap: bitmap.clone(),
                    used: frame,
                }
            });
        entry.used = frame;
        entry.handle.clone()
    }

    pub fn end_frame(&mut self) {
        let oldest = self.frame.saturating_sub(KEPT_FRAMES);
        self.pieces.retain(|_, p| p.used >= oldest);
        self.pictures.retain(|_, p| p.used >= oldest);
        self.frame += 1;
    }
}

/// Is this op drawn as a picture?
pub(super) fn is_piece(op: &Op) -> bool {
    match op {
        Op::Icon { .. } | Op::Path { .. } => true,
        Op::Border { widths, style, .. } => {
            *style != crate::display::BorderStyle::Solid || widths.iter().any(|w| *w != widths[0])
        }
        _ => false,
    }
}
