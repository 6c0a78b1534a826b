//! What a `wl_surface.commit` does: role, buffer, damage, frame callbacks, in this order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use wayland_server::Resource;
use wayland_server::protocol::wl_buffer::WlBuffer;
use wayland_server::protocol::wl_callback::WlCallback;
use wayland_server::protocol::wl_surface;

use super::geometry::Rect;
use super::log::{Commit, FaultKind};
use super::output::OutputId;
use super::shm::{self, Buffer, Pixels};
use super::state::{Release, State};
use super::surface::{Pending, Surface, SurfaceId};

impl State {
    /// Apply what the client asked for, or keep it where a synchronized subsurface waits for its parent.
    pub fn commit(&mut self, id: SurfaceId) {
        let waits = self.is_synchronized(id);
        let Some(surface) = self.surface_mut(id) else {
            return;
        };
        let pending = std::mem::take(&mut surface.pending);
        if waits {
            surface.cached.get_or_insert_default().merge(pending);
        } else if self.allows_commit(id, &pending) {
            self.apply(id, pending);
        }
    }

    /// Apply a set of changes, then those of the subsurfaces that waited for it.
    pub fn apply(&mut self, id: SurfaceId, pending: Pending) {
        let was_mapped = self.surface(id).is_some_and(Surface::mapped);
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return;
        };
        let current = &mut surface.current;
        current.scale = pending.scale.unwrap_or(current.scale);
        current.transform = pending.transform.unwrap_or(current.transform);
        current.source = pending.source.unwrap_or(current.source);
        current.destination = pending.destination.unwrap_or(current.destination);
        if let Some(input) = pending.input {
            current.input = input;
        }
        if let Some(opaque) = pending.opaque {
            current.opaque = opaque;
        }
        let before = current.pixels.clone();
        let attached = pending
            .buffer
            .as_ref()
            .and_then(Option::as_ref)
            .and_then(|buffer| buffer.data::<Buffer>());
        let buffer = attached.map(|data| (data.width, data.height));
        if let Some(next) = pending.buffer {
            self.attach(id, next);
        }
        let damage = self.damage(id, &pending.buffer_damage, &pending.surface_damage);
        self.check_buffer(id, buffer.is_some());
        if let (Some(_), Some(before)) = (buffer, before) {
            self.check_damage(id, &before, &damage);
        }
        self.note_commit(id, buffer, damage, pending.callbacks);
        self.after_commit(id, was_mapped);
        for child in self.synchronized_children(id) {
            if let Some(cached) = self
                .surface_mut(child)
                .and_then(|child| child.cached.take())
            {
                self.apply(child, cached);
            }
        }
    }

    /// Put a buffer on the surface, or none, and give the old one back.
    fn attach(&mut self, id: SurfaceId, next: Option<WlBuffer>) {
        let release = self.settings.release;
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return;
        };
        let mut in_use = false;
        let pixels = next.as_ref().and_then(|buffer| {
            let data = buffer.data::<Buffer>()?;
            in_use = data.busy.swap(true, Ordering::Relaxed);
            data.read().map(Arc::new)
        });
        surface.current.pixels = pixels;
        let old = std::mem::replace(&mut surface.current.buffer, next.clone());
        if let Some(old) = old.filter(|old| Some(old) != next.as_ref()) {
            shm::release(&old);
        }
        if let (Release::AtOnce, Some(buffer)) = (release, &next) {
            shm::release(buffer);
        }
        if in_use {
            self.fault(
                FaultKind::BufferInUse,
                format!("{id:?}: a buffer was committed before the compositor gave it back"),
            );
        }
    }

    /// The commit's damage in buffer pixels.
    fn damage(&mut self, id: SurfaceId, buffer: &[Rect], surface: &[Rect]) -> Vec<Rect> {
        let Some(current) = self.surface(id).map(|surface| &surface.current) else {
            return Vec::new();
        };
        let Some(pixels) = current.pixels.clone() else {
            return Vec::new();
        };
        let (all, scale) = (
            Rect::new(0, 0, pixels.width as i32, pixels.height as i32),
            current.scale(),
        );
        let outside = |rect: &Rect| !all.encloses(rect) && !rect.encloses(&all);
        let scaled = surface.iter().map(|rect| {
            let grow = |value: i32| (f64::from(value) * scale).clamp(-1e9, 1e9);
            let (x, y) = (grow(rect.x).floor() as i32, grow(rect.y).floor() as i32);
            Rect::new(
                x,
                y,
                grow(rect.right()).ceil() as i32 - x,
                grow(rect.bottom()).ceil() as i32 - y,
            )
        });
        let mut damage: Vec<Rect> = buffer.to_vec();
        if let Some(rect) = damage.iter().find(|rect| outside(rect)) {
            let message = format!(
                "{id:?}: damage {rect:?} leaves the buffer of {}×{}",
                pixels.width, pixels.height
            );
            self.fault(FaultKind::DamageOutside, message);
        }
        damage.extend(scaled);
        damage
            .iter()
            .map(|rect| rect.intersection(&all))
            .filter(|rect| !rect.is_empty())
            .collect()
    }

    fn check_damage(&mut self, id: SurfaceId, before: &Pixels, damage: &[Rect]) {
        let Some(after) = self
            .surface(id)
            .and_then(|surface| surface.current.pixels.clone())
        else {
            return;
        };
        if let Some((x, y)) = after.undamaged_change(before, damage) {
            self.fault(
                FaultKind::UndamagedChange,
                format!("{id:?}: buffer pixel {x}, {y} changed outside of the damage {damage:?}"),
            );
        }
    }

    /// Buffer against scale and viewport.
    fn check_buffer(&mut self, id: SurfaceId, attached: bool) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let (wl, current, viewport) = (
            surface.wl.clone(),
            &surface.current,
            surface.viewport.clone(),
        );
        let Some(pixels) = current.pixels.as_ref() else {
            return;
        };
        let (width, height, scale) = (pixels.width as i32, pixels.height as i32, current.scale);
        if attached && (width % scale != 0 || height % scale != 0) {
            let message =
                format!("a buffer of {width}×{height} is no multiple of the buffer scale {scale}");
            return self.protocol_error(&wl, wl_surface::Error::InvalidSize, message);
        }
        let (Some(source), Some(viewport)) = (current.source, viewport) else {
            return;
        };
        self.check_source(&viewport, source, id);
    }

    fn note_commit(
        &mut self,
        id: SurfaceId,
        buffer: Option<(i32, i32)>,
        damage: Vec<Rect>,
        callbacks: Vec<WlCallback>,
    ) {
        let (time, record) = (self.started.elapsed(), self.settings.record_pixels);
        let Some(surface) = self.surface_mut(id) else {
            return;
        };
        surface.commits += 1;
        let unpaced = buffer.is_some() && !surface.waiting.is_empty();
        let callback = !callbacks.is_empty();
        if callback && surface.waiting.is_empty() {
            surface.asked = Instant::now();
        }
        surface.waiting.extend(callbacks);
        let commit = Commit {
            surface: id,
            number: surface.commits,
            buffer,
            size: surface.current.size(),
            scale: surface.current.scale(),
            damage,
            callback,
            unpaced,
            pixels: surface
                .current
                .pixels
                .clone()
                .filter(|_| record && buffer.is_some()),
            time,
        };
        self.log.commits.push(commit);
    }

    /// Whether the surface is to be seen: hidden ones and those on dead outputs get no frame callbacks.
    pub fn shown(&self, surface: &Surface) -> bool {
        let dead = |id: &OutputId| self.output(*id).is_none_or(|output| !output.powered);
        surface.visible && (surface.outputs.is_empty() || !surface.outputs.iter().all(dead))
    }

    /// Answer the frame callbacks of a surface.
    pub fn answer_callbacks(&mut self, id: SurfaceId) {
        let time = self.time();
        let waiting = self
            .surface_mut(id)
            .map(|surface| std::mem::take(&mut surface.waiting));
        for callback in waiting
            .unwrap_or_default()
            .into_iter()
            .filter(Resource::is_alive)
        {
            callback.done(time);
        }
    }

    pub fn surface_gone(&mut self, id: SurfaceId) {
        self.unmapped(id);
        if let Some(surface) = self.surfaces.remove(&id) {
            surface.current.buffer.iter().for_each(shm::release);
        }
        self.arrange_layers();
    }
}
