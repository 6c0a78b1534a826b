//! App windows: opened, configured, resized by their edges, closed. Size is remembered by app.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::instances::InstanceId;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};
use serde_json::Value;

use super::{DocRef, Shell, Show, whole};
use crate::desktop::chrome::Plate;
use crate::desktop::own_window::OwnWindow;
use crate::desktop::pane::Pane;
use crate::desktop::preview::Preview;
use crate::desktop::screens::{Screens, Visit};
use crate::desktop::window::{Body, ChromeAction, RESIZE_EDGE, Window};
use crate::wayland::{
    self, Configured, Decorations, Edges, Insets, Platform, SurfaceId, ToplevelSpec,
};

/// A window's size where none is remembered, and its smallest (px).
const FIRST: Size = Size::new(864.0, 688.0);
const PREVIEW: Size = Size::new(1216.0, 720.0);
const LEAST: Size = Size::new(360.0, 240.0);

pub(super) struct OpenWindow {
    pub window: Window,
    /// Of an app's window: what it is among the running apps.
    pub instance: Option<InstanceId>,
    /// Inside the shadow.
    size: Size,
    frame: Insets,
    square: bool,
    pub maximized: bool,
    pub configured: bool,
    /// What the list was made of.
    parts: Vec<Arc<DisplayList>>,
    list: Arc<DisplayList>,
}

/// The least and the most a window can be; zero where nothing is said.
fn limits(window: &Window) -> (wayland::Size, wayland::Size) {
    let (least, most) = match &window.body {
        Body::Document(d) => (d.place.min_size, d.place.max_size),
        Body::Screens(_) | Body::Preview(_) => (None, None),
    };
    let limit = |l: Option<(f32, f32)>| l.map(|(w, h)| whole(Size::new(w, h)));
    (
        limit(least).unwrap_or(whole(LEAST)),
        limit(most).unwrap_or_default(),
    )
}

impl Shell {
    /// Open a screen of an app, in its window if it has one already.
    pub fn open_app(
        &mut self,
        platform: &mut Platform,
        app: &AppId,
        screen: Option<&str>,
        params: Value,
        token: Option<String>,
    ) -> Result<(), String> {
        let of_document = self.desk.shelf.get(app).is_none()
            && self.open_document(platform, app.as_str(), token.as_ref());
        if of_document {
            return Ok(());
        }
        let (title, nav, screen) = self.desk.window_of(app, screen)?;
        let visit = Visit { screen, params };
        let instance = self.launch(app)?;
        if let Some(id) = self.window_of_instance(&instance) {
            self.visit(platform, id, visit);
            self.raise(platform, id, token);
            return Ok(());
        }
        let window = Window::new(
            &title,
            Body::Screens(Screens::new(app.clone(), nav, visit)),
            &self.desk.style,
        );
        let size = self.sizes.get(app).unwrap_or(FIRST);
        self.show_window(platform, window, Some(instance), app.as_str(), size, token);
        Ok(())
    }

    /// Show another screen in an app's window. The one that is left goes, with the field that is typed into.
    pub(super) fn visit(&mut self, platform: &mut Platform, id: SurfaceId, to: Visit) {
        self.blur_docs(platform, |doc| doc == DocRef::Window(id));
        if let Some(w) = self.windows.get_mut(&id) {
            w.window.navigate(to);
        }
        self.instances.visited();
    }

    /// Bring an open window to the front: by the token of whoever asks from elsewhere, else by one for the person's newest press or key.
    fn raise(&mut self, platform: &mut Platform, id: SurfaceId, token: Option<String>) {
        if let Some(token) = token {
            platform.activate(id, token);
        } else if self.keyboard != Some(id)
            && let Some(serial) = self.grab_serial()
        {
            let request = platform.request_activation_token("ede", self.keyboard, Some(serial));
            self.raising.insert(request, id);
        }
    }

    /// The compositor has answered [`Shell::raise`].
    pub(super) fn may_raise(
        &mut self,
        platform: &mut Platform,
        request: u64,
        token: Option<String>,
    ) {
        if let Some((id, token)) = self.raising.remove(&request).zip(token) {
            platform.activate(id, token);
        }
    }

    /// The window of a document of the person's. False when there is no such document.
    fn open_document(&mut self, platform: &mut Platform, id: &str, token: Option<&String>) -> bool {
        let Some((document, place)) = self.desk.docs.window(id) else {
            return false;
        };
        let shows = |w: &OpenWindow| matches!(&w.window.body, Body::Document(d) if d.document().id() == document.id());
        let open = self.windows.iter().find(|(_, w)| shows(w));
        if let Some(id) = open.map(|(id, _)| *id) {
            self.raise(platform, id, token.cloned());
            return true;
        }
        let (title, place) = (document.title().to_string(), place.clone());
        let app_id = place.app_id.clone().unwrap_or_else(|| format!("ede.{id}"));
        let size = Size::new(place.size.0, place.size.1);
        let window = Window::new(
            &title,
            Body::Document(Box::new(OwnWindow::new(document.clone(), place))),
            &self.desk.style,
        );
        self.show_window(platform, window, None, &app_id, size, token.cloned());
        true
    }

    /// Windows of documents show what their documents say now; one whose document is gone closes.
    pub(super) fn reopen_documents(&mut self, platform: &mut Platform) {
        let old: Vec<SurfaceId> = (self.windows.iter())
            .filter(|(_, w)| match &w.window.body {
                Body::Document(d) => {
                    let now = self.desk.docs.window(d.document().id().as_str());
                    now.is_some_and(|(new, _)| new != d.document())
                }
                Body::Screens(_) | Body::Preview(_) => false,
            })
            .map(|(id, _)| *id)
            .collect();
        self.blur_docs(
            platform,
            |doc| matches!(doc, DocRef::Window(id) if old.contains(&id)),
        );
        let mut gone = Vec::new();
        for (id, w) in &mut self.windows {
            let Body::Document(d) = &w.window.body else {
                continue;
            };
            match self.desk.docs.window(d.document().id().as_str()) {
                Some((new, place)) if new != d.document() => {
                    w.window
                        .show_document(OwnWindow::new(new.clone(), place.clone()));
                    platform.set_title(*id, w.window.title());
                    let (least, most) = limits(&w.window);
                    platform.set_size_limits(*id, least, most);
                }
                Some(_) => {}
                None => gone.push(*id),
            }
        }
        for id in gone {
            self.close_window(platform, id);
        }
    }

    /// A preview, in a window of its own.
    pub(super) fn open_preview(&mut self, platform: &mut Platform, preview: Preview) {
        let title = preview.title();
        let window = Window::new(&title, Body::Preview(Box::new(preview)), &self.desk.style);
        self.show_window(platform, window, None, "ede-preview", PREVIEW, None);
    }

    fn show_window(
        &mut self,
        platform: &mut Platform,
        window: Window,
        instance: Option<InstanceId>,
        app_id: &str,
        size: Size,
        token: Option<String>,
    ) {
        let (least, most) = limits(&window);
        let id = platform.create_toplevel(ToplevelSpec {
            title: window.title().into(),
            app_id: app_id.into(),
            size: whole(size),
            min_size: least,
            max_size: most,
            decorations: Decorations::Client,
            activation_token: token,
            ..ToplevelSpec::default()
        });
        let frame = Insets::all(Plate::Window.room() as u32);
        platform.set_frame(id, frame);
        let open = OpenWindow {
            window,
            instance,
            size,
            frame,
            square: false,
            maximized: false,
            configured: false,
            parts: Vec::new(),
            list: Arc::default(),
        };
        self.windows.insert(id, open);
        self.panes.insert(id, (Show::Window, Pane::default()));
    }

    pub(super) fn window_configured(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        c: &Configured,
    ) {
        self.window_came(id);
        let Some(open) = self.windows.get_mut(&id) else {
            return;
        };
        let s = &c.states;
        let square = s.maximized || s.fullscreen || s.tiled != Edges::NONE || c.server_decorations;
        open.window.set_server_decorated(c.server_decorations);
        let frame = if square {
            Insets::default()
        } else {
            Insets::all(Plate::Window.room() as u32)
        };
        if frame != open.frame {
            open.frame = frame;
            platform.set_frame(id, frame);
        }
        let f = c.frame;
        open.size = Size::new(
            c.size.width.saturating_sub(f.left + f.right) as f32,
            c.size.height.saturating_sub(f.top + f.bottom) as f32,
        );
        open.configured = true;
        open.maximized = s.maximized;
        if open.square != square {
            open.square = square;
            open.parts.clear();
        }
        if !square {
            let (app, size) = (open.window.app().cloned(), open.size);
            if let Some(app) = app {
                self.sizes.set(&app, size);
            }
        }
        if let Some(open) = self.windows.get(&id) {
            let reach = RESIZE_EDGE as i32;
            let (l, t) = (open.frame.left as i32, open.frame.top as i32);
            let grip = if open.square { 0 } else { reach };
            let input = crate::wayland::Rect::new(
                l - grip,
                t - grip,
                open.size.w as i32 + 2 * grip,
                open.size.h as i32 + 2 * grip,
            );
            platform.set_input_region(id, Some(&[input]));
        }
    }

    /// Lay the windows out; put their pictures together where a part changed.
    pub(super) fn sync_windows(&mut self) {
        let now = self.now_ms();
        let Shell { windows, desk, .. } = self;
        for open in windows.values_mut().filter(|w| w.configured) {
            open.window
                .update(open.size, &mut desk.shelf, &mut desk.res, now);
            let doc = &open.window.doc;
            let layers = doc.layers();
            let parts: Vec<Arc<DisplayList>> = std::iter::once(doc.view.painted().main.clone())
                .chain(layers.iter().map(|(_, _, l)| l.list.clone()))
                .collect();
            let same = parts.len() == open.parts.len()
                && parts
                    .iter()
                    .zip(&open.parts)
                    .all(|(a, b)| Arc::ptr_eq(a, b));
            let surface = doc.view.surface();
            let Some(theme) = surface.effective_theme().cloned().filter(|_| !same) else {
                continue;
            };
            let recipes = desk.res.recipes(&theme, surface.mode());
            open.list = Arc::new(open.window.picture(open.size, open.square, &recipes));
            open.parts = parts;
        }
    }

    pub(super) fn window_picture(&self, id: SurfaceId) -> Option<(Arc<DisplayList>, Rect)> {
        let w = self.windows.get(&id).filter(|w| w.configured)?;
        let f = w.frame;
        let sides = [f.top, f.right, f.bottom, f.left].map(|n| -(n as f32));
        let all = Rect::new(
            sides[3],
            sides[0],
            w.size.w - sides[1] - sides[3],
            w.size.h - sides[0] - sides[2],
        );
        Some((w.list.clone(), all))
    }

    pub(super) fn close_window(&mut self, platform: &mut Platform, id: SurfaceId) {
        self.retire(platform, |doc| doc == DocRef::Window(id));
        let instance = self.windows.get(&id).and_then(|w| w.instance.clone());
        platform.destroy(id);
        self.forget(id);
        if let Some(instance) = instance {
            self.window_went(platform, &instance);
        }
        self.sizes.save();
        if self.solo && self.windows.is_empty() {
            platform.quit();
        }
    }

    pub(super) fn chrome(&mut self, platform: &mut Platform, id: SurfaceId, action: ChromeAction) {
        if matches!(action, ChromeAction::Back | ChromeAction::Navigate(_)) {
            // The screen that is left goes, with the field that is typed into.
            self.blur_docs(platform, |doc| doc == DocRef::Window(id));
            self.instances.visited();
        }
        match action {
            ChromeAction::Close => self.close_window(platform, id),
            ChromeAction::Back => {
                if let Some(w) = self.windows.get_mut(&id) {
                    w.window.back();
                }
            }
            ChromeAction::Preview(name, context) => {
                if let Some(w) = self.windows.get_mut(&id) {
                    w.window.preview_event(&name, &context);
                }
            }
            ChromeAction::Navigate(screen) => {
                if let Some(w) = self.windows.get_mut(&id) {
                    w.window.navigate(Visit {
                        screen,
                        params: Value::Null,
                    });
                }
            }
        }
    }

    /// The edges a point of a floating window's rim resizes (list coordinates); `None` inside.
    pub(super) fn rim(&self, id: SurfaceId, p: Point) -> Option<Edges> {
        let w = self.windows.get(&id).filter(|w| !w.square)?;
        // Corners are as long as they are easy to hit.
        const CORNER: f32 = 16.0;
        let outside = p.x < 0.0 || p.y < 0.0 || p.x >= w.size.w || p.y >= w.size.h;
        if !outside {
            return None;
        }
        let near = |x: f32, end: f32| (x < CORNER, x >= end - CORNER);
        let ((left, right), (top, bottom)) = (near(p.x, w.size.w), near(p.y, w.size.h));
        let beside = p.x < 0.0 || p.x >= w.size.w;
        let edges = if beside {
            Edges {
                top,
                bottom,
                left: p.x < 0.0,
                right: p.x >= w.size.w,
            }
        } else {
            Edges {
                left,
                right,
                top: p.y < 0.0,
                bottom: p.y >= w.size.h,
            }
        };
        Some(edges)
    }
}
