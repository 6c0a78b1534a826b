//! Fingers. Each belongs to the view it went down on until it is lifted, however many there are at a time.

use super::routes::Pressed;
use super::{Shell, at};
use crate::wayland::{Button, Platform, SurfaceId, TouchEvent};
use ede_renderer::input::TouchEvent as ViewTouch;

impl Shell {
    pub(super) fn touch(&mut self, platform: &mut Platform, id: SurfaceId, event: TouchEvent) {
        match event {
            TouchEvent::Down {
                id: finger,
                position,
                serial,
                dismissed,
                ..
            } => {
                self.serial = Some(serial);
                let Some(t) = self.view_at(id, at(position)) else {
                    return self.focus_leaves_all_but(platform, None);
                };
                if self.beside_sheet(&t) {
                    return;
                }
                // A second finger on a widget is part of what the first one does there.
                let second =
                    (self.fingers.values()).any(|f| f.doc == t.doc && f.widget == t.widget);
                let pressed = Pressed {
                    surface: id,
                    doc: t.doc,
                    widget: t.widget.clone(),
                    button: Button::Left,
                    taken: dismissed || second,
                    own_item: false,
                };
                self.focus_leaves_all_but(platform, Some(t.doc));
                self.keys_follow(id, t.doc);
                if let Some(widget) = &t.widget {
                    self.app_pressed(t.doc, widget);
                }
                self.focus_to(platform, t.doc, t.widget);
                let down = ViewTouch::Down {
                    id: finger,
                    at: t.at,
                };
                self.send_touch(platform, &pressed, down);
                self.fingers.insert(finger, pressed);
            }
            TouchEvent::Motion {
                id: finger,
                position,
                ..
            } => {
                let Some(pressed) = self.fingers.get(&finger).cloned() else {
                    return;
                };
                if let Some(t) = self.held_by(&pressed, at(position)) {
                    let moved = ViewTouch::Move {
                        id: finger,
                        at: t.at,
                    };
                    self.send_touch(platform, &pressed, moved);
                }
            }
            TouchEvent::Up { id: finger, .. } => {
                let Some(pressed) = self.fingers.remove(&finger) else {
                    return;
                };
                if let Some(widget) = &pressed.widget {
                    self.ask_for_bindings(platform, pressed.doc, widget);
                }
                let taken = self.send_touch(platform, &pressed, ViewTouch::Up { id: finger });
                if let Some(widget) = pressed.widget.filter(|_| !taken && !pressed.taken) {
                    self.widget_pressed(platform, pressed.doc, &widget);
                }
            }
            TouchEvent::Cancel => {
                let on_it = |_: &i32, p: &mut Pressed| p.surface == id;
                for (_, pressed) in self.fingers.extract_if(.., on_it).collect::<Vec<_>>() {
                    self.send_touch(platform, &pressed, ViewTouch::Cancel);
                }
            }
        }
    }

    /// Tell the view a finger is on. True when something there took it.
    fn send_touch(&mut self, platform: &mut Platform, on: &Pressed, event: ViewTouch) -> bool {
        let now = self.now_ms();
        let Some(response) = self.with_view(on.doc, on.widget.as_deref(), |view, res| {
            view.touch(event, res, now)
        }) else {
            return false;
        };
        let taken = response.taken;
        self.answer(platform, on.doc, on.widget.as_deref(), response);
        taken
    }
}
