//! One screen or widget of an app on a surface of its own: the template's messages inside the frame it stands in, its bindings,
//! and the painter's view of it. It knows no Wayland and no store; values are handed in, events are handed out.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::binding::{self, BindError, BindingSet, Host};
use ede_engine::package::{Access, Binding, EDE_SOURCES, Package};
use ede_engine::upstreams::{Outcome, Reading, Refusal, ServerName, Unread, reading};
use ede_renderer::View;
use ede_renderer::geometry::Size;
use ede_renderer::nested::NoNested;
use ede_renderer::resources::Resources;
use eui_core::host::{normalize_path, parse_source};
use eui_core::surface::Insets;
use eui_core::types::ReduceIssue;
use serde_json::{Map, Value, json};

use super::feed::{self, Bound, Feed};
use super::reads::Read;
use super::style::Style;

/// The id the template's own root gets inside a frame.
pub const APP_ROOT: &str = "app.root";

/// Long enough that nothing in a panel wraps or shrinks while its natural length is asked.
const PROBE: f32 = 16_384.0;

/// Where an app's template stands, which decides the box around its root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    /// On its own, as tall as its content (snapshots, previews).
    Bare,
    /// A window's content: fills it, scrolls when it is taller.
    Window,
    /// A desktop widget or a popup: fills it inside this padding (px).
    Widget { padding: f32 },
    /// In a panel: as wide as its content, as high as the panel's items.
    Panel,
    /// In a panel along a side: as high as its content, as wide as the panel's items.
    SidePanel,
}

impl Frame {
    /// The components around the template's root; `None` leaves the template alone.
    fn around(self) -> Option<Value> {
        Some(match self {
            Frame::Bare => return None,
            Frame::Window => {
                json!({"display": "flex", "flexDirection": "column", "width": "100%", "height": "100%", "overflowY": "auto"})
            }
            Frame::Widget { padding } => {
                json!({"display": "flex", "flexDirection": "column", "width": "100%", "height": "100%", "padding": padding, "overflow": "hidden"})
            }
            Frame::Panel => {
                json!({"display": "flex", "flexDirection": "row", "alignItems": "stretch", "height": "100%"})
            }
            Frame::SidePanel => {
                json!({"display": "flex", "flexDirection": "column", "alignItems": "stretch", "width": "100%"})
            }
        })
    }

    /// The template's components in this frame: its `root` becomes [`APP_ROOT`] under the frame's box.
    fn wrap(self, components: &mut Vec<Value>) {
        let Some(style) = self.around() else { return };
        for c in components.iter_mut().filter_map(Value::as_object_mut) {
            if c.get("id").and_then(Value::as_str) != Some("root") {
                continue;
            }
            c.insert("id".into(), APP_ROOT.into());
            if !matches!(self, Frame::Panel | Frame::SidePanel) {
                // The page fills its frame unless its author says how it grows.
                let own = c
                    .entry("style")
                    .or_insert_with(|| Value::Object(Map::new()));
                if let Some(own) = own.as_object_mut() {
                    own.entry("flexGrow").or_insert_with(|| json!(1));
                }
            }
        }
        components.insert(
            0,
            json!({"id": "root", "component": "Box", "style": style, "children": [APP_ROOT]}),
        );
    }
}

/// Whose content a surface shows.
#[derive(Clone, Debug)]
pub enum Owner {
    App(Arc<Package>),
    /// The shell's own: its events never reach an app, its bindings may name the shell's own sources.
    Shell,
}

/// What a binding waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitsFor {
    /// The person's word about a scope.
    Scope(&'static str),
    /// The person's word about reading from a server of theirs; the first reading that needs it.
    Word(Box<Reading>),
    /// A server of this name.
    Server(ServerName),
}

impl WaitsFor {
    /// Do both wait for the same? Of one server all readings do.
    fn is_same(&self, other: &WaitsFor) -> bool {
        match (self, other) {
            (WaitsFor::Word(one), WaitsFor::Word(other)) => one.server == other.server,
            (one, other) => one == other,
        }
    }
}

pub struct AppView {
    pub owner: Owner,
    pub screen: String,
    pub view: View,
    /// What its data follows; answered by the desk.
    pub bound: Option<Bound>,
    declared: Vec<Binding>,
    /// What actions have bound since, beside what is declared or in its place.
    added: Vec<Binding>,
    /// What its template says at the paths of bindings that need the person's word.
    blanks: Vec<(String, Value)>,
    /// What its bindings need and do not have.
    waits_for: Vec<WaitsFor>,
    frame: Frame,
    /// What the surface needs of its own accord: measured for panels, the frame's size else.
    natural: Size,
    probed: Option<Along>,
    viewport: (f32, f32),
}

/// The direction a panel runs in, and its thickness inside its padding (px).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Along {
    Row(f32),
    Column(f32),
}

impl AppView {
    /// A surface showing `messages` (createSurface, updateComponents, updateDataModel, bindDataModel) in `frame`.
    /// What the engine has against them comes back beside it; the surface shows what it could make of the rest.
    pub fn open(
        owner: Owner,
        screen: &str,
        messages: &[Value],
        frame: Frame,
        style: &Style,
    ) -> (AppView, Vec<ReduceIssue>) {
        let catalog = messages
            .iter()
            .find_map(|m| m.pointer("/createSurface/catalogId")?.as_str())
            .map_or(eui_core::CORE_CATALOG_ID, |wire| {
                // One catalog goes by several names on the wire.
                ede_engine::stream::catalog_of(wire).unwrap_or(wire)
            });
        let mut surface = style.surface(screen, catalog, Vec::new());
        let mut issues = Vec::new();
        for message in messages {
            if message.get("bindDataModel").is_some() {
                continue;
            }
            let mut message = message.clone();
            if message.get("createSurface").is_some() {
                continue;
            }
            for key in ["updateComponents", "updateDataModel"] {
                if let Some(o) = message.get_mut(key).and_then(Value::as_object_mut) {
                    o.insert("surfaceId".into(), screen.into());
                }
            }
            if let Some(list) = message
                .pointer_mut("/updateComponents/components")
                .and_then(Value::as_array_mut)
            {
                frame.wrap(list);
            }
            match surface.apply(&message) {
                Ok(outcome) => issues.extend(outcome.issues),
                Err(message) => issues.push(ReduceIssue {
                    id: String::new(),
                    message,
                }),
            }
        }
        let tree: Vec<ReduceIssue> = surface
            .issues()
            .iter()
            .filter(|i| !issues.contains(i))
            .cloned()
            .collect();
        issues.extend(tree);
        let mut view = View::new(surface);
        if let Owner::App(package) = &owner {
            view.set_owner(Some(package.id().as_str().into()));
        }
        (
            AppView {
                owner,
                screen: screen.into(),
                view,
                bound: None,
                declared: Vec::new(),
                added: Vec::new(),
                blanks: Vec::new(),
                waits_for: Vec::new(),
                frame,
                natural: Size::default(),
                probed: None,
                viewport: (0.0, 0.0),
            },
            issues,
        )
    }

    /// Follow these sources from now on.
    pub fn follow(&mut self, declared: Vec<Binding>) {
        let data = self.view.surface();
        let gated = declared.iter().filter(|b| is_gated(&b.source));
        let blank = |b: &Binding| {
            (
                b.path.clone(),
                data.get_data(&b.path).cloned().unwrap_or_default(),
            )
        };
        self.blanks = gated.map(blank).collect();
        self.declared = declared;
        self.added.clear();
        self.bound = None;
    }

    /// The person decided otherwise: what it may follow is decided again.
    pub fn rebind(&mut self) {
        if !self.blanks.is_empty() {
            self.bound = None;
        }
    }

    /// Follow one more source, or another one at a path: what an action does.
    pub fn follow_also(
        &mut self,
        feed: &mut Feed,
        host: &dyn Host,
        path: &str,
        source: &str,
    ) -> Result<(), BindError> {
        let path = normalize_path(Some(path));
        let stood = self.view.surface().get_data(&path).cloned();
        let Some((bound, _)) = self.bind(feed, host) else {
            return Ok(());
        };
        bound.set.bind(&path, source, host)?;
        // What stood there before anything that the person may take back.
        if is_gated(source) && !self.blanks.iter().any(|(of, _)| *of == path) {
            self.blanks.push((path.clone(), stood.unwrap_or_default()));
        }
        self.added.retain(|b| b.path != path);
        self.added.push(Binding {
            path,
            source: source.to_owned(),
        });
        Ok(())
    }

    /// What its bindings need and do not have.
    pub fn waits_for(&self) -> &[WaitsFor] {
        &self.waits_for
    }

    /// Its bindings as the engine allows them, made when they are first asked for.
    pub fn bind(&mut self, feed: &mut Feed, host: &dyn Host) -> Option<(&mut Bound, &mut View)> {
        if self.bound.is_none() {
            let owner = match &self.owner {
                Owner::App(package) => binding::Owner::App(package.clone()),
                Owner::Shell => binding::Owner::Shell,
            };
            let replaced = |b: &&Binding| self.added.iter().any(|a| a.path == b.path);
            let stay = self.declared.iter().filter(|b| !replaced(b));
            let all: Vec<Binding> = stay.chain(&self.added).cloned().collect();
            let (set, refused) = BindingSet::of(owner, &all, host);
            self.waits_for.clear();
            for r in refused {
                // Its template's own data stands there until it may follow more.
                self.blank(&r.path);
                match waits(&r.error) {
                    Some(waits) if self.waits_for.iter().any(|w| w.is_same(&waits)) => {}
                    Some(waits) => self.waits_for.push(waits),
                    None => tracing::warn!(
                        screen = self.screen,
                        source = r.source,
                        "not followed: {}",
                        r.error
                    ),
                }
            }
            self.bound = Some(feed.bind(set));
        }
        self.bound.as_mut().map(|b| (b, &mut self.view))
    }

    /// What was read of a server has come. After a refusal its template's own data stands there again; a server that gives no answer
    /// changes nothing.
    pub fn take_read(&mut self, read: Read) {
        let Some(bound) = &mut self.bound else { return };
        match read.outcome {
            Outcome::Kept(value) | Outcome::Answered(value) => {
                feed::land(bound, &mut self.view, read.ticket, value);
            }
            Outcome::Unread(Unread::Refused(_)) => {
                if let Some(path) = bound.set.refused(read.ticket).map(str::to_owned) {
                    self.blank(&path);
                }
            }
            Outcome::Unread(_) => bound.set.missed(read.ticket),
        }
    }

    /// What the template says at the path of a binding that needs more than the package's own word.
    fn blank(&mut self, path: &str) {
        let blank = self.blanks.iter().find(|(of, _)| of == path);
        if let Some((path, value)) = blank.cloned() {
            self.set(&path, value);
        }
    }

    /// The app it belongs to; `None` for the shell's own.
    pub fn app(&self) -> Option<&AppId> {
        match &self.owner {
            Owner::App(package) => Some(package.id()),
            Owner::Shell => None,
        }
    }

    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// A bound value arrived, or moved.
    pub fn set(&mut self, path: &str, value: Value) {
        // A path the engine refuses changes nothing: the template was checked when it was read.
        if self.view.surface().get_data(path) != Some(&value) {
            let _ = self.view.surface_mut().set_data(path, Some(value));
        }
    }

    /// The size it wants along a panel, or down a popup. True when it moved since the last call.
    pub fn probe(&mut self, along: Along, res: &mut Resources, now_ms: f64) -> bool {
        if !self.view.is_dirty() && self.probed == Some(along) {
            return false;
        }
        // Without a frame nothing stands around the template's root: the surface is as tall as its content.
        let bare = self.frame == Frame::Bare;
        let (w, h) = match along {
            Along::Row(height) => (PROBE, height),
            Along::Column(width) => (width, if bare { 0.0 } else { PROBE }),
        };
        self.view.surface_mut().set_viewport(w, h, None);
        self.view.update(res, &mut NoNested, now_ms);
        let surface = self.view.surface();
        let root = surface.index_of(APP_ROOT);
        let wants = match root.and_then(|i| surface.last_frame(i)) {
            _ if bare => self.view.scene().size(),
            Some(frame) => Size::new(frame.w, frame.h),
            None => Size::default(),
        };
        let natural = match along {
            Along::Row(height) => Size::new(wants.w.ceil(), height),
            Along::Column(width) => Size::new(width, wants.h.ceil()),
        };
        let moved = natural != self.natural;
        (self.natural, self.probed) = (natural, Some(along));
        // The size it is shown at is set again by the update that follows.
        self.viewport = (w, h);
        moved
    }

    pub fn natural(&self) -> Size {
        self.natural
    }

    /// Lay out and paint at `size` px; a height of 0 is as tall as the content. `insets` is the room around the surface that its
    /// popups may use. Answers what it takes.
    pub fn update(&mut self, size: Size, insets: Insets, res: &mut Resources, now_ms: f64) -> Size {
        let settled =
            self.viewport == (size.w, size.h) && self.view.surface().settings().insets == insets;
        if settled && !self.view.is_dirty() {
            return self.view.scene().size();
        }
        if self.viewport != (size.w, size.h) {
            self.viewport = (size.w, size.h);
            self.view.surface_mut().set_viewport(size.w, size.h, None);
        }
        if self.view.surface().settings().insets != insets {
            self.view.surface_mut().set_insets(insets);
        }
        self.view.update(res, &mut NoNested, now_ms);
        self.view.scene().size()
    }
}

/// What would make up for it; nothing where the package asks for what it may never have, or the person has denied it.
fn waits(error: &BindError) -> Option<WaitsFor> {
    match error {
        BindError::NotAllowed(_, scope) => Some(WaitsFor::Scope(scope)),
        BindError::Unread(reading, Refusal::Undecided) => Some(WaitsFor::Word(reading.clone())),
        BindError::Unread(reading, Refusal::NoServer) => {
            Some(WaitsFor::Server(reading.server.clone()))
        }
        _ => None,
    }
}

/// Does a source need a scope that the person allows, or a server of theirs?
fn is_gated(source: &str) -> bool {
    if parse_source(source).is_some_and(|parsed| parsed.scheme == reading::SCHEME) {
        return true;
    }
    let name = source.strip_prefix("ede:").unwrap_or_default();
    let name = name.split('?').next().unwrap_or_default();
    let gated = |(n, access): &&(&str, Access)| *n == name && matches!(access, Access::Scope(_));
    EDE_SOURCES.iter().any(|s| gated(&s))
}
