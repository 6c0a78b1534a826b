//! What stands on each output: the wallpaper, the panels, the desktop's widgets. Without layer-shell all of it stands in one window.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ede_engine::documents::{Document, OutputName};
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};

use super::panels::OnPanel;
use super::usable::Usable;
use super::{DocRef, Shell, Show, Where, whole};
use crate::desktop::board::Board;
use crate::desktop::doc_view::DocView;
use crate::desktop::pane::Pane;
use crate::desktop::stage;
use crate::wayland::{self, Edges, Insets, KeyboardMode, Layer, LayerSpec, Platform, SurfaceId};

#[derive(Default)]
pub(super) struct OnOutput {
    pub size: Size,
    /// Its documents changed: it is furnished again.
    pub stale: bool,
    /// The look is another one: everything on it is shown in it.
    pub restyled: bool,
    pub wallpaper: Option<SurfaceId>,
    pub wallpaper_list: Arc<DisplayList>,
    pub panels: Vec<OnPanel>,
    pub board: Option<Board>,
    pub usable: Usable,
    /// The surface of each desktop widget, by its id.
    pub widgets: BTreeMap<String, SurfaceId>,
    /// Widgets whose surface the compositor took away: they get another one when the outputs change, as the output may be going.
    lost: BTreeSet<String>,
    /// Where each widget's surface was last put: margin, size and the part that takes presses. Saying the same again would
    /// be a commit, whose answer brings the next turn of the loop.
    placed: BTreeMap<SurfaceId, (Insets, wayland::Size, wayland::Rect)>,
}

impl OnOutput {
    /// The part our panels leave.
    fn left(&self) -> Rect {
        stage::free(self.size, self.panels.iter().map(|p| &p.panel))
    }

    /// The part no panel stands on. Its corner counts our own panels only: where it is otherwise, layer surfaces do not ask.
    pub fn free(&self) -> Rect {
        let own = self.left();
        let size = self.usable.of(own.size());
        Rect::new(own.x, own.y, size.w, size.h)
    }

    /// May the desktop be laid out in [`OnOutput::free`]?
    pub fn is_free_known(&mut self, now: f64) -> bool {
        let own = self.left().size();
        self.usable.is_known(own, now)
    }

    pub fn surface_gone(&mut self, id: SurfaceId) {
        self.usable.surface_gone(id);
        if self.wallpaper == Some(id) {
            self.wallpaper = None;
        }
        for p in &mut self.panels {
            if p.surface == Some(id) {
                p.surface = None;
            }
        }
        let lost = self.widgets.extract_if(.., |_, s| *s == id);
        self.lost.extend(lost.map(|(widget, _)| widget));
        self.placed.remove(&id);
    }

    /// The whole output as one picture, for the stand-in window, with a message on it.
    pub fn composed<'a>(
        &'a self,
        over: impl Iterator<Item = (&'a Arc<DisplayList>, Point)>,
    ) -> DisplayList {
        stage::compose(
            self.size,
            &self.wallpaper_list,
            self.board.as_ref(),
            self.panels.iter().map(|p| &p.panel),
            over,
        )
    }
}

impl Shell {
    /// Build what is missing, drop what went, follow changed sizes.
    pub(super) fn sync_outputs(&mut self, platform: &mut Platform) {
        if self.solo {
            return;
        }
        if !platform.capabilities().layer_shell {
            self.open_stand_in(platform);
            return;
        }
        let infos = platform.outputs().to_vec();
        let unplugged: Vec<Where> = (self.outputs.keys().copied())
            .filter(|key| !infos.iter().any(|i| Some(i.id) == *key))
            .collect();
        if !unplugged.is_empty() {
            self.retire(
                platform,
                |doc| matches!(doc, DocRef::Panel(o, _) | DocRef::Board(o) if unplugged.contains(&o)),
            );
            self.outputs.retain(|key, _| !unplugged.contains(key));
        }
        for info in infos {
            let size = Size::new(info.rect.width as f32, info.rect.height as f32);
            if size.w < 1.0 || size.h < 1.0 {
                continue;
            }
            let key = Some(info.id);
            let fresh = self
                .outputs
                .get(&key)
                .is_none_or(|o| o.size != size || o.stale);
            if fresh {
                let output = OutputName {
                    name: &info.name,
                    make: &info.make,
                    model: &info.model,
                };
                self.furnish(platform, key, output, size);
            }
            self.surfaces_on(platform, info.id);
        }
    }

    /// Bring one output to what the documents say now. What stood on it before and stands on it still keeps its surface.
    pub(super) fn furnish(
        &mut self,
        platform: &mut Platform,
        key: Where,
        output: OutputName<'_>,
        size: Size,
    ) {
        let going = self.going(key, output);
        self.retire(platform, |doc| going.contains(&doc));
        let leaving = self.leaving(key, output);
        let leaves = |doc, widget: Option<&str>| {
            leaving
                .iter()
                .any(|(d, w)| *d == doc && Some(w.as_str()) == widget)
        };
        self.blur_views(platform, leaves);
        if (self.popup.as_ref()).is_some_and(|p| leaves(p.opener, Some(&p.popup.widget))) {
            self.close_popup(platform);
        }
        let mut on = self.outputs.remove(&key).unwrap_or_default();
        let restyled = std::mem::take(&mut on.restyled);
        on.stale = false;
        on.wallpaper_list = Arc::new(self.desk.wallpaper(size));
        if let Some(id) = on.wallpaper.filter(|_| on.size != size) {
            covers(platform, id, size);
        }
        on.size = size;
        self.furnish_panels(platform, key, output, &mut on, restyled);
        let style = &self.desk.style;
        on.board = self.desk.docs.board_on(output).map(|(doc, place)| {
            let old = on.board.take().filter(|b| b.document().id() == doc.id());
            let (mut board, mut issues) = match old {
                Some(board) => (board, Vec::new()),
                None => Board::new(doc, place.grid, style),
            };
            if restyled {
                board.doc.restyle(style);
            }
            issues.extend(board.show(doc, place.grid));
            self.desk.report(doc.id().as_str(), &issues);
            board
        });
        if on.board.is_none() {
            for id in std::mem::take(&mut on.widgets).into_values() {
                on.placed.remove(&id);
                platform.destroy(id);
                self.forget(id);
            }
        }
        self.outputs.insert(key, on);
    }

    /// The documents that stand on an output and will not, or by another number.
    fn going(&self, key: Where, output: OutputName<'_>) -> Vec<DocRef> {
        let Some(on) = self.outputs.get(&key) else {
            return Vec::new();
        };
        let stay = (self.desk.docs.panels_on(output).into_iter()).map(|(doc, _)| doc.id());
        let mut going = Vec::new();
        if !stay.eq(on.panels.iter().map(|p| p.panel.document().id())) {
            going.extend((0..on.panels.len()).map(|n| DocRef::Panel(key, n)));
        }
        let stays = self.desk.docs.board_on(output).map(|(doc, _)| doc.id());
        if on
            .board
            .as_ref()
            .is_some_and(|b| stays != Some(b.document().id()))
        {
            going.push(DocRef::Board(key));
        }
        going
    }

    /// The widgets of an output's documents that are opened afresh for what the documents say now, or go.
    fn leaving(&self, key: Where, output: OutputName<'_>) -> Vec<(DocRef, String)> {
        let Some(on) = self.outputs.get(&key) else {
            return Vec::new();
        };
        let mut leaving = Vec::new();
        let mut compare =
            |at: DocRef, view: &DocView, moved: bool, old: &Document, new: &Document| {
                let goes = |id: &str| moved || old.component(id) != new.component(id);
                let ids = view.widgets().map(|(id, _)| id).filter(|id| goes(id));
                leaving.extend(ids.map(|id| (at, id.to_string())));
            };
        let panels = self.desk.docs.panels_on(output).into_iter();
        for (n, ((new, place), p)) in panels.zip(&on.panels).enumerate() {
            let panel = &p.panel;
            let moved = *panel.place() != place;
            compare(
                DocRef::Panel(key, n),
                &panel.doc,
                moved,
                panel.document(),
                new,
            );
        }
        if let (Some((new, _)), Some(board)) = (self.desk.docs.board_on(output), &on.board) {
            compare(DocRef::Board(key), &board.doc, false, board.document(), new);
        }
        leaving
    }

    /// Make the wallpapers again: a picture has arrived.
    pub(super) fn redraw_wallpapers(&mut self) {
        for on in self.outputs.values_mut() {
            on.wallpaper_list = Arc::new(self.desk.wallpaper(on.size));
        }
    }

    /// Surfaces for the wallpaper and the panels of an output. Desktop widgets get theirs once they are laid out.
    fn surfaces_on(&mut self, platform: &mut Platform, output: wayland::OutputId) {
        let key = Some(output);
        self.place_panels(platform, output);
        self.learn_usable(platform, output);
        let Some(on) = self.outputs.get_mut(&key) else {
            return;
        };
        on.lost.clear();
        // After the panels, which are configured first then.
        if on.wallpaper.is_none()
            && let Some(id) = platform.create_layer(LayerSpec {
                output,
                layer: Layer::Background,
                anchor: Edges::ALL,
                size: wayland::Size::new(0, 0),
                exclusive_zone: -1,
                margin: Insets::default(),
                namespace: "ede-wallpaper".into(),
                keyboard: KeyboardMode::None,
            })
        {
            platform.set_input_region(id, Some(&[]));
            covers(platform, id, on.size);
            on.wallpaper = Some(id);
            self.panes
                .insert(id, (Show::Wallpaper(key), Pane::default()));
        }
    }

    /// Surfaces for the desktop's widgets, at the places the layout gave them.
    pub(super) fn sync_widgets(&mut self, platform: &mut Platform) {
        let keys: Vec<Where> = self.outputs.keys().copied().collect();
        for key in keys {
            let Some(output) = key else { continue };
            let Some(on) = self.outputs.get_mut(&key) else {
                continue;
            };
            let Some(board) = &on.board else { continue };
            let places = board.places();
            let gone: Vec<(String, SurfaceId)> = on
                .widgets
                .iter()
                .filter(|(id, _)| !places.iter().any(|p| p.0 == **id))
                .map(|(i, s)| (i.clone(), *s))
                .collect();
            let mut made = Vec::new();
            for (id, area, press) in &places {
                if area.is_empty() || on.lost.contains(id) {
                    continue;
                }
                // The area's corner may lie under a panel's reserve: margins count from the free area.
                let margin = Insets {
                    top: area.y.max(0.0) as u32,
                    left: area.x.max(0.0) as u32,
                    ..Insets::default()
                };
                let input = press.translate(Point::ZERO - area.origin());
                let input = wayland::Rect::new(
                    input.x as i32,
                    input.y as i32,
                    input.w.ceil() as i32,
                    input.h.ceil() as i32,
                );
                let size = whole(area.size());
                let place = (margin, size, input);
                if let Some(surface) = on.widgets.get(id) {
                    if on.placed.insert(*surface, place) == Some(place) {
                        continue;
                    }
                    platform.set_margin(*surface, margin);
                    platform.set_layer_size(*surface, size, Edges::TOP.and(Edges::LEFT));
                    platform.set_input_region(*surface, Some(&[input]));
                    continue;
                }
                let spec = LayerSpec {
                    output,
                    layer: Layer::Bottom,
                    anchor: Edges::TOP.and(Edges::LEFT),
                    size,
                    exclusive_zone: 0,
                    margin,
                    namespace: "ede-widget".into(),
                    keyboard: KeyboardMode::None,
                };
                if let Some(surface) = platform.create_layer(spec) {
                    platform.set_input_region(surface, Some(&[input]));
                    on.widgets.insert(id.clone(), surface);
                    on.placed.insert(surface, place);
                    made.push((surface, Show::Widget(key, id.clone())));
                }
            }
            for (id, surface) in &gone {
                on.widgets.remove(id);
                on.placed.remove(surface);
            }
            for (_, surface) in gone {
                platform.destroy(surface);
                self.forget(surface);
            }
            for (surface, show) in made {
                self.panes.insert(surface, (show, Pane::default()));
            }
        }
    }

    /// The list a surface shows and the part of it, from the documents as they are now.
    pub(super) fn picture(&self, id: SurfaceId, show: &Show) -> Option<(Arc<DisplayList>, Rect)> {
        match show {
            Show::Wallpaper(o) => {
                let on = self.outputs.get(o)?;
                Some((on.wallpaper_list.clone(), Rect::of_size(on.size)))
            }
            Show::Panel(o, n) => {
                let p = &self.outputs.get(o)?.panels.get(*n)?.panel;
                let moved = Point::ZERO - p.shift();
                Some((p.list().clone(), p.area().translate(moved)))
            }
            Show::Widget(o, widget) => self.outputs.get(o)?.board.as_ref()?.widget_picture(widget),
            Show::StandIn => {
                let on = self.outputs.get(&None)?;
                let over = [
                    self.card_in_window(),
                    self.message_in_window(),
                    self.sheet_in_window(),
                ];
                let list = on.composed(over.into_iter().flatten());
                Some((Arc::new(list), Rect::of_size(on.size)))
            }
            Show::Window => self.window_picture(id),
            Show::Popup => self.popup_picture(id),
            Show::Toast => self.toast_picture(),
            Show::Card => self.card_picture(),
            Show::Sheet => self.sheet_picture(),
            Show::Layer(doc, widget, root) => self.layer_picture(*doc, widget.as_deref(), *root),
        }
    }

    /// The document and the point of it under a point of a surface.
    pub(super) fn target(&self, id: SurfaceId, p: Point) -> Option<(DocRef, Point)> {
        let (show, pane) = self.panes.get(&id)?;
        let q = pane.to_list(p);
        match show {
            Show::Wallpaper(_) => None,
            Show::Toast => Some((DocRef::Toast, q)),
            Show::Card => Some((DocRef::Card, q)),
            Show::Sheet => Some((DocRef::Sheet, self.onto_sheet(q))),
            Show::Panel(o, n) => {
                let panel = &self.outputs.get(o)?.panels.get(*n)?.panel;
                let out = panel.is_out();
                out.then(|| (DocRef::Panel(*o, *n), panel.onto_items(q)))
            }
            Show::Widget(o, widget) => Some((
                DocRef::Board(*o),
                q + self
                    .outputs
                    .get(o)?
                    .board
                    .as_ref()?
                    .doc
                    .widget(widget)?
                    .frame()
                    .origin(),
            )),
            Show::Window => Some((DocRef::Window(id), q)),
            Show::Popup => Some((DocRef::Popup(id), q)),
            Show::Layer(doc, ..) => Some((*doc, q)),
            Show::StandIn => {
                let doc = self.in_window(q)?;
                Some((doc, self.onto_in_window(doc, q)?))
            }
        }
    }
}

/// A wallpaper hides what is below it.
fn covers(platform: &mut Platform, id: SurfaceId, size: Size) {
    let all = wayland::Rect::new(0, 0, size.w as i32, size.h as i32);
    platform.set_opaque_region(id, Some(&[all]));
}
