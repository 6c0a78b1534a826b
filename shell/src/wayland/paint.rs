//! Painting, one surface at a time, each when its own frame is due.

use super::client::{Client, Target};
use super::damage::Damage;
use super::platform::Platform;
use super::runtime::guarded;
use super::spec::SurfaceId;
use super::surface::{Stage, Surface};
use smithay_client_toolkit::compositor::FrameCallbackData;
use wayland_client::Proxy;

impl Platform {
    /// Give every surface that has something to do, and may, its commit: the smallest first, each sent at once, so that a
    /// panel is not kept waiting by a wallpaper.
    pub(super) fn paint(&mut self, client: &mut dyn Client) {
        let busy = |s: &Surface| s.stage == Stage::New || s.wants_pixels() || s.commit;
        let area = |s: &Surface| {
            let pixels = s.pixels();
            u64::from(pixels.width) * u64::from(pixels.height)
        };
        let mut ids: Vec<_> = self
            .surfaces
            .iter()
            .filter(|(_, s)| busy(s))
            .map(|(id, s)| (area(s), *id))
            .collect();
        ids.sort();
        let several = ids.len() > 1;
        for (_, id) in ids {
            self.paint_surface(id, client);
            if several {
                // What breaks the connection is told at the end of the turn.
                let _ = self.connection.flush();
            }
        }
    }

    fn paint_surface(&mut self, id: SurfaceId, client: &mut dyn Client) {
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return;
        };
        match surface.stage {
            Stage::New => {
                surface.wl().commit();
                surface.stage = Stage::Waiting;
                surface.commit = false;
                return;
            }
            Stage::Waiting => return,
            Stage::Ready => {}
        }
        if !surface.frame_pending && surface.wants_pixels() && self.paint_pixels(id, client) {
            return;
        }
        if let Some(surface) = self.surfaces.get_mut(&id) {
            surface.commit_state();
        }
    }

    /// Paint and commit. `false` if nothing changed, no buffer is free or the client failed: the surface then keeps what
    /// it shows and what it has to do.
    fn paint_pixels(&mut self, id: SurfaceId, client: &mut dyn Client) -> bool {
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return false;
        };
        let (size, pixels, scale) = (surface.size(), surface.pixels(), surface.scale);
        if !surface.buffers.may_acquire() {
            // Some buffer's release wakes the loop, and this is tried again: what changed is asked for once.
            return false;
        }
        let Some(answer) = guarded("finding what changed", || client.damage(id, size, scale))
        else {
            surface.failed = true;
            return false;
        };
        surface.redraw = false;
        let damage = if surface.resized { Damage::All } else { answer }.region(pixels);
        if damage.is_empty() {
            return false;
        }
        let at = match surface.buffers.acquire(pixels, &self.globals.shm, &self.qh) {
            Ok(Some(at)) => at,
            unavailable => {
                if let Err(error) = unavailable {
                    let (width, height) = (pixels.width, pixels.height);
                    tracing::error!("no memory for {width} by {height} pixels: {error}");
                }
                // What the client had answered is lost: the next try is a whole one.
                surface.failed = true;
                surface.resized = true;
                return false;
            }
        };
        surface.buffers.damage(&damage, pixels);
        let buffer = surface.buffers.get(at);
        let clip = buffer.missed().rects().to_vec();
        let stride = buffer.stride();
        let target = Target {
            pixels: buffer.pixels(),
            size: pixels,
            stride,
            scale,
        };
        if guarded("painting", || client.paint(id, target, &clip)).is_none() {
            // What the client had answered is lost: the next try is a whole one.
            surface.failed = true;
            surface.resized = true;
            return false;
        }
        let wl = surface.wl().clone();
        if surface.resized {
            surface.apply_geometry();
        }
        wl.attach(Some(surface.buffers.get(at).wl_buffer()), 0, 0);
        let int = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        if wl.version() >= 4 {
            for r in damage.rects() {
                wl.damage_buffer(int(r.x), int(r.y), int(r.width), int(r.height));
            }
        } else {
            wl.damage(0, 0, i32::MAX, i32::MAX);
        }
        wl.frame(&self.qh, FrameCallbackData(wl.clone()));
        wl.commit();
        surface.buffers.filled(at);
        surface.resized = false;
        surface.commit = false;
        surface.frame_pending = true;
        true
    }
}
