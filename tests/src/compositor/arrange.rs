//! Where layer surfaces stand on an output, and what they leave free.

use super::geometry::Rect;
use super::layer::{LayerPlace, Margin};
use super::output::OutputId;
use super::state::State;
use super::surface::SurfaceId;

impl State {
    /// Place every layer surface anew and send a configure to those whose size changed.
    pub fn arrange_layers(&mut self) {
        let outputs: Vec<_> = (self.outputs.iter())
            .map(|output| (output.id, output.reserved))
            .collect();
        for (output, reserved) in outputs {
            let whole = self.output_area(Some(output));
            let mut free = inside(whole, reserved);
            let mut order: Vec<_> = self.layers_of(output);
            // Those that reserve space come first, from the uppermost layer down.
            order.sort_by_key(|(_, place)| {
                (place.exclusive_zone <= 0, std::cmp::Reverse(place.layer))
            });
            for (id, place) in order {
                let room = if place.exclusive_zone == -1 {
                    whole
                } else {
                    free
                };
                self.put_layer(id, stand(place, room));
                free = reserve(place, free);
            }
            if let Some(output) = self
                .outputs
                .iter_mut()
                .find(|candidate| candidate.id == output)
            {
                output.usable = free;
            }
        }
    }

    /// The layer surfaces that have a place on an output, in the order of creation.
    fn layers_of(&self, output: OutputId) -> Vec<(SurfaceId, LayerPlace)> {
        let layers = self
            .surfaces
            .values()
            .filter_map(|surface| surface.layer().map(|layer| (surface.id, layer)));
        let there = layers
            .filter(|(_, layer)| layer.placed && !layer.closed && layer.output == Some(output));
        there.map(|(id, layer)| (id, layer.place)).collect()
    }

    fn put_layer(&mut self, id: SurfaceId, rect: Rect) {
        let size = (rect.width, rect.height);
        let Some(layer) = self.layer_mut(id) else {
            return;
        };
        layer.rect = rect;
        if layer.configured != Some(size) {
            self.configure_layer(id, size);
        }
    }
}

/// Where a layer surface stands in the room it is given.
fn stand(place: LayerPlace, room: Rect) -> Rect {
    let LayerPlace {
        anchor,
        margin,
        size,
        ..
    } = place;
    let across = (anchor.left, anchor.right, margin.left, margin.right);
    let down = (anchor.top, anchor.bottom, margin.top, margin.bottom);
    let (x, width) = along(room.x, room.width, size.0 as i32, across);
    let (y, height) = along(room.y, room.height, size.1 as i32, down);
    Rect::new(x, y, width, height)
}

/// One direction of [`stand`]: (anchored at the start, at the end, margin there, margin here).
fn along(
    from: i32,
    room: i32,
    size: i32,
    (start, end, before, after): (bool, bool, i32, i32),
) -> (i32, i32) {
    match (start, end) {
        (true, true) if size == 0 => (from + before, room - before - after),
        (true, false) => (from + before, size),
        (false, true) => (from + room - size - after, size),
        _ => (from + (room - size) / 2, size),
    }
}

/// What is left inside a margin.
fn inside(area: Rect, margin: Margin) -> Rect {
    Rect::new(
        area.x + margin.left,
        area.y + margin.top,
        area.width - margin.left - margin.right,
        area.height - margin.top - margin.bottom,
    )
}

/// What is left of the free area when the surface has its zone.
fn reserve(place: LayerPlace, free: Rect) -> Rect {
    let LayerPlace {
        anchor,
        margin,
        exclusive_zone: zone,
        ..
    } = place;
    if zone <= 0 {
        return free;
    }
    let (across, down) = (anchor.left == anchor.right, anchor.top == anchor.bottom);
    let mut left = free;
    match (anchor.top, anchor.bottom, anchor.left, anchor.right) {
        (true, false, ..) if across => {
            left.y += zone + margin.top;
            left.height -= zone + margin.top;
        }
        (false, true, ..) if across => left.height -= zone + margin.bottom,
        (_, _, true, false) if down => {
            left.x += zone + margin.left;
            left.width -= zone + margin.left;
        }
        (_, _, false, true) if down => left.width -= zone + margin.right,
        _ => {}
    }
    left
}

#[cfg(test)]
mod tests {
    use super::super::layer::{Anchors, Interactivity, LayerKind};
    use super::*;

    fn panel() -> LayerPlace {
        LayerPlace {
            layer: LayerKind::Top,
            size: (0, 40),
            anchor: Anchors {
                top: true,
                left: true,
                right: true,
                bottom: false,
            },
            exclusive_zone: 40,
            margin: Margin {
                top: 8,
                right: 8,
                left: 8,
                bottom: 0,
            },
            interactivity: Interactivity::None,
        }
    }

    #[test]
    fn a_floating_panel_stands_off_its_edge_and_reserves_its_margin_too() {
        let output = Rect::new(100, 0, 800, 600);
        assert_eq!(stand(panel(), output), Rect::new(108, 8, 784, 40));
        assert_eq!(reserve(panel(), output), Rect::new(100, 48, 800, 552));
    }

    #[test]
    fn without_anchors_a_surface_is_in_the_middle_and_reserves_nothing() {
        let place = LayerPlace {
            size: (200, 100),
            anchor: Anchors::default(),
            ..panel()
        };
        let output = Rect::new(0, 0, 800, 600);
        assert_eq!(stand(place, output), Rect::new(300, 250, 200, 100));
        assert_eq!(reserve(place, output), output);
    }
}
