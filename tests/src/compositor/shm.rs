//! `wl_shm`: pools, buffers and their pixels. The memory is a file, so it is read with `pread`; nothing is mapped.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use wayland_server::protocol::wl_buffer::{self, WlBuffer};
use wayland_server::protocol::wl_shm::{self, Format, WlShm};
use wayland_server::protocol::wl_shm_pool::{self, WlShmPool};
use wayland_server::{DataInit, Resource, WEnum};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::state::State;
use crate::picture::Picture;

/// The content of a buffer: rows of premultiplied B, G, R, A bytes without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// The size alone: a failing test shall be readable.
impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}×{} pixels", self.width, self.height)
    }
}

impl Pixels {
    /// The four bytes at a point, blue first, as the client wrote them. None outside.
    pub fn bgra(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.bytes.get(at..at + 4)?.try_into().ok()
    }

    /// As a picture with straight alpha.
    pub fn to_picture(&self) -> Picture {
        let mut rgba = Vec::with_capacity(self.bytes.len());
        for pixel in self.bytes.chunks_exact(4) {
            let alpha = u32::from(pixel[3]);
            let straight = |value: u8| match alpha {
                0 => 0,
                255 => value,
                _ => ((u32::from(value) * 255 + alpha / 2) / alpha).min(255) as u8,
            };
            rgba.extend([
                straight(pixel[2]),
                straight(pixel[1]),
                straight(pixel[0]),
                pixel[3],
            ]);
        }
        Picture::from_raw(self.width, self.height, rgba).unwrap_or_default()
    }

    /// The first pixel, if any, that differs from `before` and lies in no rectangle of `damage`. Sizes must agree.
    pub(crate) fn undamaged_change(&self, before: &Self, damage: &[Rect]) -> Option<(i32, i32)> {
        let row = self.width as usize * 4;
        if row == 0 || (self.width, self.height) != (before.width, before.height) {
            return None;
        }
        let rows = self
            .bytes
            .chunks_exact(row)
            .zip(before.bytes.chunks_exact(row));
        for (y, (now, then)) in rows.enumerate().filter(|(_, (now, then))| now != then) {
            let pixels = now.chunks_exact(4).zip(then.chunks_exact(4));
            for (x, _) in pixels.enumerate().filter(|(_, (now, then))| now != then) {
                let (x, y) = (x as i32, y as i32);
                if !damage.iter().any(|rect| rect.contains(x, y)) {
                    return Some((x, y));
                }
            }
        }
        None
    }
}

/// The memory behind a pool.
pub(crate) struct Pool {
    file: File,
    size: AtomicI32,
}

/// The data of a `wl_buffer`.
pub(crate) struct Buffer {
    pool: Arc<Pool>,
    offset: i32,
    pub width: i32,
    pub height: i32,
    stride: i32,
    opaque: bool,
    /// True from its commit to its release.
    pub busy: AtomicBool,
}

impl Buffer {
    /// Read what the client has drawn. None when the client's file is shorter than it said.
    pub fn read(&self) -> Option<Pixels> {
        let (row, stride) = (self.width as usize * 4, self.stride as usize);
        let mut raw = vec![0; stride * (self.height as usize - 1) + row];
        self.pool
            .file
            .read_exact_at(&mut raw, self.offset as u64)
            .ok()?;
        let mut bytes = if stride == row {
            raw
        } else {
            raw.chunks(stride)
                .flat_map(|line| &line[..row])
                .copied()
                .collect()
        };
        if self.opaque {
            bytes
                .iter_mut()
                .skip(3)
                .step_by(4)
                .for_each(|alpha| *alpha = 255);
        }
        Some(Pixels {
            width: self.width as u32,
            height: self.height as u32,
            bytes,
        })
    }
}

/// Hand a buffer back to the client.
pub(crate) fn release(buffer: &WlBuffer) {
    if let Some(data) = buffer
        .data::<Buffer>()
        .filter(|data| data.busy.swap(false, Ordering::Relaxed))
    {
        let _ = data;
        buffer.release();
    }
}

impl Bind<WlShm> for Manager {
    fn bound(&self, shm: &WlShm, _: &mut State) {
        shm.format(Format::Argb8888);
        shm.format(Format::Xrgb8888);
    }
}

impl Object<WlShm> for Manager {
    fn request(
        &self,
        shm: &WlShm,
        request: wl_shm::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        if let wl_shm::Request::CreatePool { id, fd, size } = request {
            state.log.pools += 1;
            let file = File::from(fd);
            let enough = file
                .metadata()
                .is_ok_and(|meta| size > 0 && meta.len() >= size as u64);
            init.init(
                id,
                Arc::new(Pool {
                    file,
                    size: AtomicI32::new(size),
                }),
            );
            if !enough {
                state.protocol_error(
                    shm,
                    wl_shm::Error::InvalidFd,
                    format!("the file behind a pool of {size} bytes is shorter"),
                );
            }
        }
    }
}

impl Object<WlShmPool> for Arc<Pool> {
    fn request(
        &self,
        pool: &WlShmPool,
        request: wl_shm_pool::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_shm_pool::Request::CreateBuffer {
                id,
                offset,
                width,
                height,
                stride,
                format,
            } => {
                let known = matches!(format, WEnum::Value(Format::Argb8888 | Format::Xrgb8888));
                let opaque = matches!(format, WEnum::Value(Format::Xrgb8888));
                let end = i64::from(offset) + i64::from(stride) * i64::from(height);
                let fits = offset >= 0
                    && width > 0
                    && height > 0
                    && i64::from(stride) >= i64::from(width) * 4;
                init.init(
                    id,
                    Buffer {
                        pool: self.clone(),
                        offset,
                        width,
                        height,
                        stride,
                        opaque,
                        busy: AtomicBool::new(false),
                    },
                );
                if !known {
                    state.protocol_error(
                        pool,
                        wl_shm::Error::InvalidFormat,
                        format!("buffer format {format:?} was not announced"),
                    );
                } else if !fits || end > i64::from(self.size.load(Ordering::Relaxed)) {
                    let what = format!(
                        "a buffer of {width}×{height}, stride {stride} at {offset} does not fit its pool"
                    );
                    state.protocol_error(pool, wl_shm::Error::InvalidStride, what);
                }
            }
            wl_shm_pool::Request::Resize { size }
                if self.size.fetch_max(size, Ordering::Relaxed) > size =>
            {
                let error = wl_shm::Error::InvalidFd;
                state.protocol_error(pool, error, "a pool cannot shrink".into());
            }
            _ => {}
        }
    }
}

impl Object<WlBuffer> for Buffer {
    fn request(
        &self,
        _: &WlBuffer,
        _: wl_buffer::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, _: &WlBuffer, _: &mut State) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(bytes: [u8; 16]) -> Pixels {
        Pixels {
            width: 2,
            height: 2,
            bytes: bytes.to_vec(),
        }
    }

    #[test]
    fn a_change_outside_the_damage_is_found() {
        let before = pixels([0; 16]);
        let mut after = before.clone();
        after.bytes[12] = 9;
        assert_eq!(
            after.undamaged_change(&before, &[Rect::new(1, 1, 1, 1)]),
            None
        );
        assert_eq!(
            after.undamaged_change(&before, &[Rect::new(0, 0, 1, 2)]),
            Some((1, 1))
        );
    }

    #[test]
    fn a_picture_has_straight_alpha_and_red_first() {
        let half_red = pixels([0, 0, 64, 128, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255]);
        let picture = half_red.to_picture();
        assert_eq!(picture.get_pixel(0, 0).0, [128, 0, 0, 128]);
        assert_eq!(picture.get_pixel(0, 1).0, [0, 0, 255, 255]);
    }
}
