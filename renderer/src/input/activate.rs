//! What a whole press comes to, of a pointer, a finger or a key: the component that knows the place says what it wants, and the engine is told.

use eui_core::surface::OutEvent;

use super::cx::InputCx;
use super::hit::Found;
use super::intent::Intent;
use super::timers::Timer;
use super::{Input, role};

/// A copy button shows its mark this long.
const COPIED: f64 = 2000.0;

impl Input {
    /// A whole press on the path up to `until`: the first component that knows the place, else the node itself.
    pub(crate) fn activate(&mut self, cx: &mut InputCx<'_>, found: &Found, until: u32) {
        // What is typed counts before what is pressed.
        self.flush_change(cx);
        for step in &found.path {
            let Some(node) = cx.scene.node(step.slot) else {
                continue;
            };
            let n = &node.placed;
            let component = cx.res.registry.of(n);
            let pressable = role::pressable(n);
            if !role::disabled(n) {
                let intent = component.press(
                    n,
                    &node.look,
                    node.frame.size(),
                    step.at,
                    cx.recipes,
                    &mut cx.res.text,
                );
                if let Some(intent) = intent {
                    self.tell(cx, step.slot, intent);
                    cx.out.taken = true;
                    return;
                }
            }
            if pressable {
                self.copied_later(cx, step.slot);
                cx.fire(step.slot, "press", None);
                cx.out.taken = true;
                return;
            }
            if step.slot == until {
                return;
            }
        }
    }

    /// Tell the engine what a component wants.
    pub(crate) fn tell(&mut self, cx: &mut InputCx<'_>, slot: u32, intent: Intent) {
        let editing = self
            .editor()
            .is_some_and(|e| cx.id(slot).as_deref() == Some(e.id.as_str()));
        let url = intent
            .payload
            .as_ref()
            .and_then(|p| p.get("url"))
            .and_then(|u| u.as_str());
        match (intent.event, url) {
            ("openUrl", Some(url)) => cx.absorb(vec![OutEvent::OpenUrl { url: url.into() }]),
            ("submit", _) if editing => self.submit(cx),
            _ => {
                cx.fire(slot, intent.event, intent.payload);
            }
        }
    }

    /// A copy button's mark goes after a while.
    pub(crate) fn copied_later(&mut self, cx: &mut InputCx<'_>, slot: u32) {
        if let Some(n) = cx
            .node(slot)
            .filter(|n| role::is_part(&n.placed, "CodeBlock", "copy"))
        {
            let id = n.placed.id.clone();
            self.timers.set(Timer::Copied { id }, cx.now + COPIED);
        }
    }
}
