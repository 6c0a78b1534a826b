//! All that stands on one output put together as the compositor would: wallpaper, desktop, panels. For a picture of the session, and for
//! the one window of a desktop without layer-shell.

use std::sync::Arc;

use ede_engine::documents::{Edge, OutputName};
use ede_renderer::color::Color;
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect, Size};

use super::board::Board;
use super::chrome::PLATE_SLOT;
use super::desk::Desk;
use super::offscreen::{self, ShotError};
use super::panel::Panel;

/// The part of an output of this size that `panels` leave free.
pub fn free<'a>(size: Size, panels: impl Iterator<Item = &'a Panel>) -> Rect {
    panels.fold(Rect::of_size(size), |free, p| {
        let taken = p.reserved();
        free.inset_sides(match p.place().edge {
            Edge::Top => [taken, 0.0, 0.0, 0.0],
            Edge::Right => [0.0, taken, 0.0, 0.0],
            Edge::Bottom => [0.0, 0.0, taken, 0.0],
            Edge::Left => [0.0, 0.0, 0.0, taken],
        })
    })
}

/// What stands on one output as one list, `over` each at a point on top of all before.
pub fn compose<'a>(
    size: Size,
    wallpaper: &Arc<DisplayList>,
    board: Option<&'a Board>,
    panels: impl Iterator<Item = &'a Panel>,
    over: impl Iterator<Item = (&'a Arc<DisplayList>, Point)>,
) -> DisplayList {
    let clip = Rect::of_size(size);
    let mut items = Vec::new();
    let mut put = |list: &Arc<DisplayList>, at: Point| {
        let key = Key {
            slot: PLATE_SLOT - 16 - items.len() as u32,
            over: false,
        };
        items.push(Item::Nested {
            key,
            list: list.clone(),
            at,
            clip,
            radii: Radii::NONE,
        });
    };
    put(wallpaper, Point::ZERO);
    if let Some(board) = board {
        put(board.list(), board.free().origin());
    }
    for p in panels {
        put(p.list(), p.shift());
    }
    for (list, at) in over {
        put(list, at);
    }
    DisplayList { items }
}

/// The same with the open overlays of all that stands there on top, for a picture; on a compositor they have surfaces of their own.
fn with_overlays<'a>(
    mut list: DisplayList,
    size: Size,
    board: Option<&'a Board>,
    panels: impl Iterator<Item = &'a Panel>,
) -> DisplayList {
    let docs = board
        .map(|b| (&b.doc, b.free().origin()))
        .into_iter()
        .chain(panels.map(|p| (&p.doc, Point::ZERO)));
    for (doc, origin) in docs {
        for (_, at, layer) in doc.layers() {
            let key = Key {
                slot: PLATE_SLOT - 16 - list.items.len() as u32,
                over: false,
            };
            list.items.push(Item::Nested {
                key,
                list: layer.list.clone(),
                at: origin + at,
                clip: Rect::of_size(size),
                radii: Radii::NONE,
            });
        }
    }
    list
}

/// The session at `size` logical px as PNG bytes.
pub fn picture(desk: &mut Desk, (w, h): (f32, f32), scale: f32) -> Result<Vec<u8>, ShotError> {
    let size = Size::new(w, h);
    // Asked for once, waited for, drawn.
    desk.wallpaper(size);
    desk.res.images.settle();
    let wallpaper = Arc::new(desk.wallpaper(size));
    let fonts = desk.res.text.generation();
    let output = OutputName::default();
    let mut panels: Vec<Panel> = desk
        .docs
        .panels_on(output)
        .into_iter()
        .map(|(d, place)| Panel::new(d, place, &desk.style).0)
        .collect();
    let mut board = desk
        .docs
        .board_on(output)
        .map(|(d, place)| Board::new(d, place.grid, &desk.style).0);
    let free = free(size, panels.iter());
    // Layout opens the widgets, values fill them, layout makes room for the values.
    for _ in 0..2 {
        for p in &mut panels {
            p.update(size, &mut desk.shelf, &mut desk.res, 0.0);
            desk.fill(&mut p.doc);
        }
        if let Some(b) = &mut board {
            b.update(free, &mut desk.shelf, &mut desk.res, 0.0);
            desk.fill(&mut b.doc);
        }
    }
    desk.res.text.settle();
    if desk.res.text.generation() != fonts {
        panels.iter_mut().for_each(|p| p.doc.refresh());
        if let Some(b) = &mut board {
            b.doc.refresh();
        }
    }
    for p in &mut panels {
        p.update(size, &mut desk.shelf, &mut desk.res, 0.0);
    }
    if let Some(b) = &mut board {
        b.update(free, &mut desk.shelf, &mut desk.res, 0.0);
    }
    let list = compose(
        size,
        &wallpaper,
        board.as_ref(),
        panels.iter(),
        std::iter::empty(),
    );
    let list = with_overlays(list, size, board.as_ref(), panels.iter());
    offscreen::png(&list, size, scale, Color::BLACK).map(|(_, _, bytes)| bytes)
}
