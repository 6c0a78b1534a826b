//! `wl_touch`: fingers.

use wayland_server::DataInit;
use wayland_server::protocol::wl_touch::{self, WlTouch};

use super::dispatch::{Manager, Object};
use super::state::{State, same_client};
use super::surface::SurfaceId;

#[derive(Default)]
pub(crate) struct Touch {
    pub resources: Vec<WlTouch>,
    /// The fingers that are down, each with the surface it came down on.
    pub points: Vec<(i32, SurfaceId)>,
}

impl Object<WlTouch> for Manager {
    fn request(
        &self,
        _: &WlTouch,
        _: wl_touch::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, touch: &WlTouch, state: &mut State) {
        state.touch.resources.retain(|kept| kept != touch);
    }
}

impl State {
    fn touched(&self, surface: SurfaceId) -> Vec<WlTouch> {
        let Some(surface) = self.surface(surface) else {
            return Vec::new();
        };
        self.touch
            .resources
            .iter()
            .filter(|touch| same_client(*touch, &surface.wl))
            .cloned()
            .collect()
    }

    fn finger(&self, finger: i32) -> Option<SurfaceId> {
        self.touch
            .points
            .iter()
            .find(|(down, _)| *down == finger)
            .map(|(_, surface)| *surface)
    }

    pub fn touch_down(&mut self, finger: i32, on: SurfaceId, x: f64, y: f64) {
        let Some(surface) = self.wl_surface(on) else {
            return;
        };
        self.focus_by_press(Some(on));
        let (serial, time) = (self.input_serial(true), self.time());
        self.touch.points.push((finger, on));
        for touch in self.touched(on) {
            touch.down(serial, time, &surface, finger, x, y);
            touch.frame();
        }
    }

    /// Surface-local on the surface the finger came down on.
    pub fn touch_motion(&mut self, finger: i32, x: f64, y: f64) {
        let time = self.time();
        let Some(on) = self.finger(finger) else {
            return;
        };
        for touch in self.touched(on) {
            touch.motion(time, finger, x, y);
            touch.frame();
        }
    }

    pub fn touch_up(&mut self, finger: i32) {
        let Some(on) = self.finger(finger) else {
            return;
        };
        let (serial, time) = (self.input_serial(false), self.time());
        self.touch.points.retain(|(down, _)| *down != finger);
        for touch in self.touched(on) {
            touch.up(serial, time, finger);
            touch.frame();
        }
    }

    /// The compositor took the gesture for itself: every finger is forgotten.
    pub fn touch_cancel(&mut self) {
        let mut surfaces: Vec<_> = self
            .touch
            .points
            .drain(..)
            .map(|(_, surface)| surface)
            .collect();
        surfaces.sort();
        surfaces.dedup();
        for touch in surfaces
            .into_iter()
            .flat_map(|surface| self.touched(surface))
            .collect::<Vec<_>>()
        {
            touch.cancel();
        }
    }
}
