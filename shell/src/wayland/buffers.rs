//! The shared-memory buffers of one surface.
//!
//! A compositor may hold a buffer for as long as it likes, so there are up to [`MAX_BUFFERS`]. Each remembers what was
//! painted on the surface since it was last filled; painting just that makes it whole again. The memory is one sealed
//! memfd a buffer (it can grow, never shrink), given back with the surface.

use super::damage::Region;
use super::geometry::PixelSize;
use super::runtime::Runtime;
use smithay_client_toolkit::dispatch2::Dispatch2;
use smithay_client_toolkit::shm::raw::RawPool;
use smithay_client_toolkit::shm::{CreatePoolError, Shm};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayland_client::protocol::wl_buffer::{self, WlBuffer};
use wayland_client::protocol::wl_shm::Format;
use wayland_client::{Connection, QueueHandle};

/// One on screen, one queued, one to paint.
const MAX_BUFFERS: usize = 3;
/// A free buffer that this many frames did without goes.
const UNUSED_FRAMES: u64 = 60;
const BYTES_PER_PIXEL: u32 = 4;

/// Told by the compositor: whether it still reads the buffer.
struct Held(Arc<AtomicBool>);

impl Dispatch2<WlBuffer, Runtime> for Held {
    fn event(
        &self,
        _: &mut Runtime,
        _: &WlBuffer,
        event: wl_buffer::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        if let wl_buffer::Event::Release = event {
            self.0.store(false, Ordering::Relaxed);
        }
    }
}

/// One buffer and its memory.
pub(super) struct Buffer {
    pool: RawPool,
    wl: WlBuffer,
    held: Arc<AtomicBool>,
    size: PixelSize,
    missed: Region,
    last_used: u64,
}

fn byte_length(size: PixelSize) -> usize {
    size.width as usize * size.height as usize * BYTES_PER_PIXEL as usize
}

impl Buffer {
    fn new(size: PixelSize, shm: &Shm, qh: &QueueHandle<Runtime>) -> Result<Self, CreatePoolError> {
        let mut pool = RawPool::new(byte_length(size), shm)?;
        let (wl, held) = Buffer::wl(&mut pool, size, qh);
        Ok(Buffer {
            pool,
            wl,
            held,
            size,
            missed: Region::full(size),
            last_used: 0,
        })
    }

    fn wl(
        pool: &mut RawPool,
        size: PixelSize,
        qh: &QueueHandle<Runtime>,
    ) -> (WlBuffer, Arc<AtomicBool>) {
        let held = Arc::new(AtomicBool::new(false));
        let int = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        let stride = size.width * BYTES_PER_PIXEL;
        let tag = Held(held.clone());
        let wl = pool.create_buffer(
            0,
            int(size.width),
            int(size.height),
            int(stride),
            Format::Argb8888,
            tag,
            qh,
        );
        (wl, held)
    }

    /// Give a free buffer another size, in the memory it has where that is neither too small nor a great waste.
    fn resize(
        &mut self,
        size: PixelSize,
        shm: &Shm,
        qh: &QueueHandle<Runtime>,
    ) -> Result<(), CreatePoolError> {
        let needed = byte_length(size);
        if needed > self.pool.len() {
            // A window being resized asks again with each frame: grow by a quarter at once.
            let roomy = needed
                .saturating_add(needed / 4)
                .min(i32::MAX as usize)
                .max(needed);
            self.pool.resize(roomy).map_err(CreatePoolError::Create)?;
        } else if needed < self.pool.len() / 4 {
            *self = Buffer::new(size, shm, qh)?;
            return Ok(());
        }
        self.wl.destroy();
        (self.wl, self.held) = Buffer::wl(&mut self.pool, size, qh);
        self.size = size;
        self.missed = Region::full(size);
        Ok(())
    }

    fn free(&self) -> bool {
        !self.held.load(Ordering::Relaxed)
    }

    pub fn wl_buffer(&self) -> &WlBuffer {
        &self.wl
    }

    /// What has to be painted to make this buffer whole.
    pub fn missed(&self) -> &Region {
        &self.missed
    }

    pub fn stride(&self) -> usize {
        self.size.width as usize * BYTES_PER_PIXEL as usize
    }

    pub fn pixels(&mut self) -> &mut [u8] {
        let length = byte_length(self.size);
        &mut self.pool.mmap()[..length]
    }

    /// The buffer was painted and is about to be shown.
    fn filled(&mut self, frame: u64) {
        self.missed.clear();
        self.held.store(true, Ordering::Relaxed);
        self.last_used = frame;
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.wl.destroy();
    }
}

/// All buffers of one surface.
#[derive(Default)]
pub(super) struct Buffers {
    buffers: Vec<Buffer>,
    frame: u64,
}

impl Buffers {
    /// Can there be a buffer to paint into, or does the compositor hold them all?
    pub fn may_acquire(&self) -> bool {
        self.buffers.len() < MAX_BUFFERS || self.buffers.iter().any(Buffer::free)
    }

    /// A buffer of this size to paint into, by its place; `None` while the compositor holds them all.
    pub fn acquire(
        &mut self,
        size: PixelSize,
        shm: &Shm,
        qh: &QueueHandle<Runtime>,
    ) -> Result<Option<usize>, CreatePoolError> {
        let frame = self.frame;
        self.buffers
            .retain(|b| !b.free() || b.last_used + UNUSED_FRAMES > frame);
        // The one with the least to repaint, else any free one, else a new one.
        let fitting = (0..self.buffers.len())
            .filter(|i| self.buffers[*i].free() && self.buffers[*i].size == size);
        if let Some(at) = fitting.min_by_key(|i| area(&self.buffers[*i].missed)) {
            return Ok(Some(at));
        }
        if let Some(at) = self.buffers.iter().position(Buffer::free) {
            self.buffers[at].resize(size, shm, qh)?;
            return Ok(Some(at));
        }
        if self.buffers.len() == MAX_BUFFERS {
            return Ok(None);
        }
        let mut buffer = Buffer::new(size, shm, qh)?;
        buffer.last_used = frame;
        self.buffers.push(buffer);
        Ok(Some(self.buffers.len() - 1))
    }

    /// The surface changed in `region`: every buffer of this size misses that now.
    pub fn damage(&mut self, region: &Region, size: PixelSize) {
        for buffer in self.buffers.iter_mut().filter(|b| b.size == size) {
            buffer.missed.extend(region, size);
        }
    }

    pub fn get(&mut self, at: usize) -> &mut Buffer {
        &mut self.buffers[at]
    }

    /// The buffer at `at` is whole and on its way to the screen.
    pub fn filled(&mut self, at: usize) {
        self.frame += 1;
        self.buffers[at].filled(self.frame);
    }
}

fn area(region: &Region) -> u64 {
    region.rects().iter().map(|r| r.area()).sum()
}
