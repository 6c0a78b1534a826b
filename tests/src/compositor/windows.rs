//! The windows a taskbar sees: those the test opens for other programs, and the client's own.
//!
//! Both protocols that list windows, `foreign_wlr` and `foreign_ext`, show this one list.

use super::foreign_ext::ExtList;
use super::foreign_wlr::WlrList;
use super::log::{Request, WindowRequest};
use super::output::OutputId;
use super::state::State;
use super::surface::{Surface, SurfaceId};
use super::toplevel::WindowState;

/// A window in the list. The numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowId(pub(crate) u32);

/// What the list says about a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub title: String,
    pub app_id: String,
    pub activated: bool,
    pub maximized: bool,
    pub minimized: bool,
    pub fullscreen: bool,
    pub outputs: Vec<OutputId>,
    pub parent: Option<WindowId>,
}

impl Window {
    pub fn new(title: &str, app_id: &str) -> Self {
        Self {
            title: title.into(),
            app_id: app_id.into(),
            ..Self::default()
        }
    }
}

pub(crate) struct Entry {
    pub id: WindowId,
    pub window: Window,
    /// The client's own surface, when it is no other program's.
    pub own: Option<SurfaceId>,
}

#[derive(Default)]
pub(crate) struct Windows {
    pub list: Vec<Entry>,
    pub wlr: WlrList,
    pub ext: ExtList,
}

impl Windows {
    pub fn get(&self, id: WindowId) -> Option<&Entry> {
        self.list.iter().find(|entry| entry.id == id)
    }
}

impl State {
    pub fn open_window(&mut self, window: Window) -> WindowId {
        self.push_window(window, None)
    }

    fn push_window(&mut self, window: Window, own: Option<SurfaceId>) -> WindowId {
        let id = WindowId(self.next_id());
        self.windows.list.push(Entry { id, window, own });
        self.wlr_opened(id);
        self.ext_opened(id);
        id
    }

    pub fn change_window(&mut self, id: WindowId, change: impl FnOnce(&mut Window)) {
        let Some(entry) = self.windows.list.iter_mut().find(|entry| entry.id == id) else {
            return;
        };
        let before = entry.window.clone();
        change(&mut entry.window);
        if entry.window != before {
            self.wlr_changed(id, &before);
            self.ext_changed(id, &before);
        }
    }

    pub fn close_window(&mut self, id: WindowId) {
        self.windows.list.retain(|entry| entry.id != id);
        self.wlr_closed(id);
        self.ext_closed(id);
    }

    /// Keep the list's entry for one of the client's own windows up to date.
    pub fn mirror_window(&mut self, id: SurfaceId) {
        let Some(surface) = self.surface(id).filter(|surface| surface.mapped()) else {
            return;
        };
        let Some(toplevel) = surface.toplevel() else {
            return;
        };
        let has = |state| toplevel.configured.states.contains(&state);
        let window = Window {
            title: toplevel.title.clone().unwrap_or_default(),
            app_id: toplevel.app_id.clone().unwrap_or_default(),
            activated: has(WindowState::Activated),
            maximized: has(WindowState::Maximized),
            minimized: false,
            fullscreen: has(WindowState::Fullscreen),
            outputs: surface.outputs.iter().copied().collect(),
            parent: toplevel.parent.and_then(|parent| self.own_window(parent)),
        };
        match self.own_window(id) {
            Some(known) => self.change_window(known, |entry| *entry = window),
            None => {
                self.push_window(window, Some(id));
            }
        }
    }

    pub fn unmirror_window(&mut self, id: SurfaceId) {
        if let Some(known) = self.own_window(id) {
            self.close_window(known);
        }
    }

    fn own_window(&self, id: SurfaceId) -> Option<WindowId> {
        self.windows
            .list
            .iter()
            .find(|entry| entry.own == Some(id))
            .map(|entry| entry.id)
    }

    /// Do what a taskbar asks of a window, as a compositor would.
    pub fn window_request(&mut self, id: WindowId, request: WindowRequest) {
        self.request(Request::Window(id, request));
        let Some(own) = self.windows.get(id).map(|entry| entry.own) else {
            return;
        };
        match (own, request) {
            (_, WindowRequest::Rectangle(..)) => {}
            (Some(own), WindowRequest::Activate) => self.focus(Some(own)),
            (Some(own), WindowRequest::Close) => self.close_toplevel(own),
            (Some(own), WindowRequest::SetMaximized(on)) => {
                self.set_window_state(own, WindowState::Maximized, on)
            }
            (Some(own), WindowRequest::SetFullscreen(on)) => {
                self.set_window_state(own, WindowState::Fullscreen, on)
            }
            (Some(_), WindowRequest::SetMinimized(_)) => {}
            (None, WindowRequest::Activate) => {
                let others: Vec<_> = self
                    .windows
                    .list
                    .iter()
                    .map(|entry| entry.id)
                    .filter(|other| *other != id)
                    .collect();
                others
                    .into_iter()
                    .for_each(|other| self.change_window(other, |window| window.activated = false));
                self.change_window(id, |window| {
                    window.activated = true;
                    window.minimized = false;
                });
            }
            (None, WindowRequest::Close) => self.close_window(id),
            (None, WindowRequest::SetMaximized(on)) => {
                self.change_window(id, |window| window.maximized = on)
            }
            (None, WindowRequest::SetMinimized(on)) => {
                self.change_window(id, |window| window.minimized = on)
            }
            (None, WindowRequest::SetFullscreen(on)) => {
                self.change_window(id, |window| window.fullscreen = on)
            }
        }
        if let Some(own) = own {
            self.mirror_window(own);
        }
    }

    /// Ask one of the client's windows to close.
    pub fn close_toplevel(&mut self, id: SurfaceId) {
        if let Some(toplevel) = self.surface(id).and_then(Surface::toplevel) {
            toplevel.resource.close();
        }
    }
}
