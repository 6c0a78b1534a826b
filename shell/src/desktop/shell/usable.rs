//! How much of an output all panels leave, those of other programs too. Only the compositor knows: it tells a layer surface that keeps
//! out of what others reserve how large it may be. Each output has one of these that is never shown.

use ede_renderer::geometry::Size;

use super::{BOARDS_LATEST, Shell};
use crate::wayland::{self, Platform, SurfaceId};

/// What is known of one output.
#[derive(Default)]
pub(super) struct Usable {
    surface: Option<SurfaceId>,
    /// Its size, as the compositor said it last.
    size: Option<Size>,
    /// The widgets of the output wait for that until then (ms of the shell's clock).
    until: Option<f64>,
}

impl Usable {
    /// The part of `own`, the room our panels leave, that the panels of others leave too.
    pub fn of(&self, own: Size) -> Size {
        let said = self.size.unwrap_or(own);
        Size::new(own.w.min(said.w), own.h.min(said.h))
    }

    /// May the widgets be laid out in it? Not before the compositor has counted our own panels in, or has let us wait for too long: they
    /// would move at once.
    pub fn is_known(&mut self, own: Size, now: f64) -> bool {
        let counted = self.size.is_some_and(|s| s.w <= own.w && s.h <= own.h);
        self.until.take_if(|until| counted || *until <= now);
        self.until.is_none()
    }

    /// When waiting ends (ms of the shell's clock).
    pub fn waits_until(&self) -> Option<f64> {
        self.until
    }

    pub fn surface_gone(&mut self, id: SurfaceId) {
        if self.surface == Some(id) {
            *self = Usable::default();
        }
    }
}

impl Shell {
    /// Ask the compositor how much of an output can be used, and go on asking.
    pub(super) fn learn_usable(&mut self, platform: &mut Platform, output: wayland::OutputId) {
        let now = self.now_ms();
        let Some(on) = self.outputs.get_mut(&Some(output)) else {
            return;
        };
        let usable = &mut on.usable;
        if usable.surface.is_none() {
            usable.surface = platform.create_gauge(output);
            usable.until = usable.surface.map(|_| now + BOARDS_LATEST);
        }
    }

    /// The compositor has said how large a surface is. True when that was all the surface is for.
    pub(super) fn usable_learnt(&mut self, id: SurfaceId, size: wayland::Size) -> bool {
        let usable = self.outputs.values_mut().map(|on| &mut on.usable);
        let mut of_it = usable.filter(|u| u.surface == Some(id));
        let Some(usable) = of_it.next() else {
            return false;
        };
        usable.size = Some(Size::new(size.width as f32, size.height as f32));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usable(size: Option<Size>) -> Usable {
        Usable {
            size,
            until: Some(400.0),
            ..Usable::default()
        }
    }

    #[test]
    fn widgets_wait_until_our_own_panels_are_counted_in_but_not_for_ever() {
        let own = Size::new(1280.0, 752.0);
        let mut late = usable(None);
        assert!(!late.is_known(own, 399.0));
        assert!(late.is_known(own, 400.0) && late.waits_until().is_none());
        // Only the other program's panel is counted in, then ours too.
        let mut partly = usable(Some(Size::new(1280.0, 770.0)));
        assert!(!partly.is_known(own, 0.0));
        partly.size = Some(Size::new(1280.0, 722.0));
        assert!(partly.is_known(own, 0.0));
        // From then on nothing waits: what is shown follows.
        partly.size = Some(Size::new(1280.0, 800.0));
        assert!(partly.is_known(own, 0.0));
        assert_eq!(partly.of(own), own);
    }
}
