//! The open windows as items of a panel. What does not fit folds into one more item with a count, whose press opens the rest as a
//! list: nothing is cut in half, nothing is off screen, and nobody else in the panel has to move. The window with the keyboard is
//! always among those shown.
//!
//! Titles come from other programs: they are data in a text, never markup.

use ede_renderer::View;
use ede_renderer::geometry::Rect;
use ede_renderer::resources::Resources;
use serde_json::{Value, json};

use super::app_view::{Along, AppView};
use super::native::{item_style, messages};

/// A window was pressed; its id is in the context.
pub const WINDOW_PRESS: &str = "shell.window";
/// The item for the windows that did not fit was pressed.
pub const MORE_PRESS: &str = "shell.windows.more";

/// Where the values from `ede:windows` land.
pub const WINDOWS: &str = "/windows";

/// The widest title (mocks: "Panel"), and the widest item: icon, gap and title inside its padding.
const TITLE: f32 = 144.0;
const WIDEST: f32 = TITLE + 16.0 + 8.0 + 16.0;
/// No item is narrower than this for want of room: less of a title says nothing.
const NARROWEST: f32 = 96.0;
/// Between two items, the length of the item that stands for the rest, an item's length in a panel along a side.
const GAP: f32 = 4.0;
const MORE: f32 = 56.0;
const ITEM: f32 = 32.0;
/// The nodes of the items and of the one for the rest.
const LIST: &str = "list";
const MORE_ITEM: &str = "more";
/// Up to this width (px) a panel along a side shows a letter in place of a title.
const LETTER: f32 = 96.0;

/// Which windows a list shows, by their position among all of them.
#[derive(Clone, Debug, PartialEq)]
struct Fit {
    shown: Vec<usize>,
    /// The longest an item may be.
    longest: f32,
}

/// As many of these items as `room` has place for, in their order. `least` is what each may shrink to, `more` the length of the item
/// for the rest.
fn fit(lengths: &[f32], least: f32, more: f32, room: f32, focused: Option<usize>) -> Fit {
    let gaps = |n: usize| n.saturating_sub(1) as f32 * GAP;
    let shrunk = |i: &usize| lengths.get(*i).map_or(0.0, |l| l.min(least));
    let all: Vec<usize> = (0..lengths.len()).collect();
    if all.iter().map(shrunk).sum::<f32>() + gaps(all.len()) <= room {
        return Fit {
            longest: level(lengths, &all, room - gaps(all.len())),
            shown: all,
        };
    }
    let room = room - more - GAP;
    let takes = |shown: &[usize]| shown.iter().map(shrunk).sum::<f32>() + gaps(shown.len());
    let mut shown: Vec<usize> = Vec::new();
    for i in all {
        shown.push(i);
        if takes(&shown) > room {
            shown.pop();
            break;
        }
    }
    if let Some(focused) = focused.filter(|f| *f < lengths.len() && !shown.contains(f)) {
        shown.push(focused);
        // It takes the place of the last ones that are shown.
        while takes(&shown) > room && shown.len() > 1 {
            shown.remove(shown.len() - 2);
        }
        if takes(&shown) > room {
            shown.clear();
        }
    }
    Fit {
        longest: level(lengths, &shown, room - gaps(shown.len())),
        shown,
    }
}

/// How long an item may be so that these fill `room` at most: short ones keep their length, long ones share what is left.
fn level(lengths: &[f32], shown: &[usize], room: f32) -> f32 {
    let mut rest: Vec<f32> = shown
        .iter()
        .filter_map(|i| lengths.get(*i).copied())
        .collect();
    rest.sort_by(f32::total_cmp);
    let mut room = room;
    for (n, length) in rest.iter().enumerate() {
        let share = room / (rest.len() - n) as f32;
        if *length > share {
            return share.floor();
        }
        room -= length;
    }
    WIDEST
}

/// The state of one list: what was measured, and what is shown of it.
#[derive(Debug, Default)]
pub struct WindowList {
    windows: Vec<Value>,
    /// Each window's own length along the panel; empty until it is measured.
    lengths: Vec<f32>,
    along: Option<Along>,
    measured: bool,
    room: f32,
    shown: Option<Fit>,
    open: bool,
}

impl WindowList {
    /// The size it wants along a panel, with every window shown. True when it moved since the last call.
    pub fn probe(
        &mut self,
        content: &mut AppView,
        along: Along,
        res: &mut Resources,
        now_ms: f64,
    ) -> bool {
        let windows = windows_of(&content.view);
        if self.measured && self.along == Some(along) && windows == self.windows {
            return false;
        }
        (self.windows, self.along) = (windows, Some(along));
        let all: Vec<usize> = (0..self.windows.len()).collect();
        self.show(&mut content.view, &all, WIDEST);
        let moved = content.probe(along, res, now_ms);
        self.lengths = lengths(&content.view, along);
        (self.measured, self.shown) = (true, None);
        moved
    }

    /// Show what `room` px along the panel have place for.
    pub fn stand_in(&mut self, view: &mut View, room: f32) {
        if self.shown.is_some() && self.room == room {
            return;
        }
        self.room = room;
        let along = matches!(self.along, Some(Along::Row(_)) | None);
        let (least, more) = if along {
            (NARROWEST, MORE)
        } else {
            (ITEM, ITEM)
        };
        let focused = self.windows.iter().position(|w| w["focused"] == true);
        let fit = fit(&self.lengths, least, more, room, focused);
        if self.shown.as_ref() != Some(&fit) {
            self.show(view, &fit.shown, fit.longest);
            self.shown = Some(fit);
        }
    }

    /// Measure again: fonts came in.
    pub fn refresh(&mut self) {
        self.measured = false;
    }

    /// The windows that did not fit.
    pub fn rest(&self) -> Vec<Value> {
        let Some(fit) = &self.shown else {
            return Vec::new();
        };
        let folded = |(i, w): (usize, &Value)| (!fit.shown.contains(&i)).then(|| w.clone());
        self.windows.iter().enumerate().filter_map(folded).collect()
    }

    /// Its item for the rest stays lit while their list is open.
    pub fn set_open(&mut self, view: &mut View, open: bool) {
        if std::mem::replace(&mut self.open, open) != open
            && let Some(fit) = self.shown.clone()
        {
            self.show(view, &fit.shown, fit.longest);
        }
    }

    fn show(&self, view: &mut View, shown: &[usize], longest: f32) {
        let items: Vec<Value> = shown
            .iter()
            .filter_map(|i| self.windows.get(*i))
            .map(|w| {
                let mut item = w.clone();
                item["longest"] = json!(longest);
                item
            })
            .collect();
        let count = self.windows.len() - items.len();
        let more = if count == 0 {
            json!([])
        } else {
            json!([{"id": MORE_ITEM, "count": format!("+{count}"), "label": format!("{count} more windows"), "open": self.open}])
        };
        for (path, value) in [("/items", Value::Array(items)), ("/more", more)] {
            if view.surface().get_data(path) != Some(&value)
                && let Err(error) = view.surface_mut().set_data(path, Some(value))
            {
                tracing::warn!("the list of windows was not updated: {error}");
            }
        }
    }
}

fn windows_of(view: &View) -> Vec<Value> {
    let windows = view.surface().get_data(WINDOWS);
    windows
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}

/// The length along the panel of every item that is laid out.
fn lengths(view: &View, along: Along) -> Vec<f32> {
    let scene = view.scene();
    let list = view.surface().index_of(LIST).and_then(|i| scene.node(i));
    let children = list.map_or(&[][..], |l| &l.placed.children);
    children
        .iter()
        .filter_map(|slot| scene.node(*slot))
        .map(|n| match along {
            Along::Row(_) => n.frame.w.ceil(),
            Along::Column(_) => n.frame.h.ceil(),
        })
        .collect()
}

/// The list's template. `/items` holds `{id, title, letter, icon, focused, longest}`, `/more` nothing or the one item for the rest.
pub fn template(standing: bool) -> Vec<Value> {
    let direction = if standing { "column" } else { "row" };
    let run = json!({"display": "flex", "flexDirection": direction, "alignItems": "stretch", "gap": GAP, "flexShrink": 0});
    let mut root = run.clone();
    root["minWidth"] = json!(0);
    root["overflow"] = json!("hidden");
    let (mut item, mut more) = (item_style("focused"), item_style("open"));
    let narrow = format!("@media (max-width: {LETTER}px)");
    let wide = format!("@media (min-width: {}px)", LETTER + 0.5);
    if standing {
        item["height"] = json!(ITEM);
        more["height"] = json!(ITEM);
        item[&wide] = json!({"paddingHorizontal": 8, "justifyContent": "flex-start"});
    } else {
        item["paddingHorizontal"] = json!(8);
        // Of its own an item would be as wide as its whole title, cut or not.
        item["maxWidth"] = json!({"path": "longest"});
        more["width"] = json!(MORE);
    }
    more["gap"] = json!(2);
    let mut title = json!({"maxWidth": TITLE, "minWidth": 0, "flexShrink": 1});
    let mut letter = json!({"display": "none"});
    let mut icon = json!({});
    let mut more_icon = json!({"color": "$color.mutedForeground"});
    if standing {
        title = json!({"minWidth": 0, "flexShrink": 1, &narrow: {"display": "none"}});
        letter = json!({"fontWeight": 600, &wide: {"display": "none"}});
        icon[&narrow] = json!({"display": "none"});
        more_icon[&narrow] = json!({"display": "none"});
    }
    messages(json!([
        {"id": "root", "component": "Box", "style": root, "children": [LIST, "rest"]},
        {"id": LIST, "component": "Box", "accessibility": {"role": "list", "label": "Windows"}, "style": run,
         "children": {"componentId": "item", "path": "/items", "key": "/id"}},
        {"id": "item", "component": "Box", "pressable": true, "style": item, "children": ["icon", "letter", "title"],
         "accessibility": {"role": "button", "label": {"path": "title"}},
         "on": {"press": {"event": {"name": WINDOW_PRESS, "context": {"id": {"path": "id"}}}}}},
        {"id": "icon", "component": "Icon", "name": {"path": "icon"}, "size": "sm", "style": icon},
        {"id": "letter", "component": "Text", "text": {"path": "letter"}, "lines": 1, "style": letter},
        {"id": "title", "component": "Text", "text": {"path": "title"}, "lines": 1, "style": title},
        {"id": "rest", "component": "Box", "style": run, "children": {"componentId": MORE_ITEM, "path": "/more", "key": "/id"}},
        {"id": MORE_ITEM, "component": "Box", "pressable": true, "style": more, "children": ["count", "chevron"],
         "accessibility": {"role": "button", "label": {"path": "label"}},
         "on": {"press": {"event": {"name": MORE_PRESS}}}},
        {"id": "count", "component": "Text", "text": {"path": "count"}, "lines": 1, "style": {"fontWeight": 500}},
        {"id": "chevron", "component": "Icon", "name": "chevron-down", "size": "sm", "style": more_icon},
    ]))
}

/// Where the item for the rest stands (the list's own coordinates).
pub fn more_frame(view: &View) -> Option<Rect> {
    let rest = view.surface().index_of("rest")?;
    view.scene().shown_frame(rest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const LENGTHS: [f32; 5] = [184.0, 60.0, 184.0, 150.0, 184.0];

    fn of(room: f32, focused: Option<usize>) -> Fit {
        fit(&LENGTHS, NARROWEST, MORE, room, focused)
    }

    /// What the shown items take of the room, the one for the rest included.
    fn taken(fit: &Fit) -> f32 {
        let items: f32 = fit.shown.iter().map(|i| LENGTHS[*i].min(fit.longest)).sum();
        let rest = fit.shown.len() < LENGTHS.len();
        items + fit.shown.len().saturating_sub(1) as f32 * GAP + if rest { MORE + GAP } else { 0.0 }
    }

    #[test]
    fn windows_that_have_room_keep_their_titles() {
        let fit = of(778.0, None);
        assert_eq!((fit.shown.len(), fit.longest), (5, WIDEST));
    }

    #[test]
    fn crowded_items_share_the_room_and_short_ones_stay_as_they_are() {
        let fit = of(600.0, None);
        assert_eq!(fit.shown.len(), 5);
        assert!(fit.longest < 150.0 && fit.longest > NARROWEST);
        assert!(taken(&fit) <= 600.0 && taken(&fit) > 596.0);
    }

    #[test]
    fn what_does_not_fit_is_folded_and_nothing_is_wider_than_the_room() {
        for room in 0..800 {
            let fit = of(room as f32, None);
            assert!(fit.shown.is_empty() || taken(&fit) <= room as f32, "{room}");
            assert!(fit.longest >= NARROWEST.min(WIDEST) || fit.shown.is_empty());
            assert!(
                fit.shown.iter().enumerate().all(|(n, i)| n == *i),
                "in order, from the first"
            );
        }
        assert_eq!(of(400.0, None).shown, [0, 1, 2]);
    }

    #[test]
    fn the_window_with_the_keyboard_is_always_shown() {
        for focused in 0..LENGTHS.len() {
            for room in 160..800 {
                let fit = of(room as f32, Some(focused));
                assert!(fit.shown.contains(&focused), "{focused} in {room}");
                assert!(taken(&fit) <= room as f32);
            }
        }
    }
}
