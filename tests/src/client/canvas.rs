//! A buffer a test paints by hand.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_shm::{Format, WlShm};

use super::{Client, Plain};

/// Shared memory with one buffer in it. Colours are premultiplied blue, green, red, alpha.
pub struct Canvas {
    pub buffer: WlBuffer,
    file: File,
    width: i32,
}

impl Canvas {
    /// Fill a rectangle, which must lie in the buffer.
    pub fn fill(&self, x: i32, y: i32, width: i32, height: i32, colour: [u8; 4]) {
        let line = colour.repeat(width as usize);
        for row in y..y + height {
            let at = (row * self.width + x) as u64 * 4;
            self.file
                .write_all_at(&line, at)
                .unwrap_or_else(|error| panic!("shared memory: {error}"));
        }
    }
}

impl Client {
    /// A buffer of one colour.
    ///
    /// # Panics
    /// When the compositor has no `wl_shm` or the system no memory.
    pub fn canvas(&self, width: i32, height: i32, colour: [u8; 4]) -> Canvas {
        let memory = rustix::fs::memfd_create("canvas", rustix::fs::MemfdFlags::CLOEXEC);
        let file = File::from(memory.unwrap_or_else(|error| panic!("shared memory: {error}")));
        let size = width * height * 4;
        file.set_len(size as u64)
            .unwrap_or_else(|error| panic!("shared memory: {error}"));
        let shm: WlShm = self.bind(1);
        let pool = shm.create_pool(file.as_fd(), size, &self.handle(), Plain);
        let buffer = pool.create_buffer(
            0,
            width,
            height,
            width * 4,
            Format::Argb8888,
            &self.handle(),
            Plain,
        );
        pool.destroy();
        let canvas = Canvas {
            buffer,
            file,
            width,
        };
        canvas.fill(0, 0, width, height, colour);
        canvas
    }
}
