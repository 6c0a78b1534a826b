//! A Wayland compositor inside the test process.
//!
//! It stands at one end of a socket pair; the client under test, all of its platform layer included, at the other. The
//! test sees every committed pixel, moves the mouse, plugs monitors, and is told of everything the client does wrong.
//!
//! Principles
//! - **Strict.** What the protocol calls an error is posted as one. What real compositors let pass but a careful client
//!   does not do (damage that misses a changed pixel, a buffer reused before its release, a stale serial) is written
//!   down as a [`Fault`]. A test that does not take the faults fails when the compositor is dropped.
//! - **One lock.** A thread serves the socket, so a client may block on its round trips. The state is behind one lock
//!   that a test takes to look or to act; events a test sends are flushed before its call returns.
//! - **No clock.** Waiting is for a state of the [`Scene`], never for a time. The patience only bounds a failing test.
//!
//! ```no_run
//! use ede_tests::compositor::{Compositor, Globals, LEFT, OutputSpec};
//!
//! let compositor = Compositor::start(Globals::all());
//! let monitor = compositor.add_output(OutputSpec::new("DP-1", 1280, 800).scaled(1.5));
//! // Hand the socket to the client, which runs on a thread of its own here.
//! let socket = compositor.socket();
//! let client = std::thread::spawn(move || drop(wayland_client::Connection::from_socket(socket)));
//!
//! let panel = compositor.wait_for("the panel", |scene| scene.layer("panel").cloned());
//! assert!(panel.is_sharp());
//! compositor.pointer().motion(panel.id, 20.0, 20.0).click(LEFT);
//! let popup = compositor.wait_for("its popup", |scene| scene.popup().cloned());
//! popup.picture().save("popup.png").unwrap();
//!
//! compositor.remove_output(monitor);
//! compositor.wait_for("an empty desk", |scene| scene.layers().next().is_none().then_some(()));
//! assert_eq!(compositor.take_faults(), []);
//! compositor.kill();
//! client.join().unwrap();
//! ```
//!
//! A client that runs on the test's own thread is pumped instead: [`Compositor::pump_until`].

mod activation;
mod advertise;
mod arrange;
mod commit;
mod configure;
mod dispatch;
mod drag;
mod fixture;
mod foreign_ext;
mod foreign_wlr;
mod geometry;
mod globals;
mod input;
mod keyboard;
pub(crate) mod keys;
mod layer;
mod lock;
mod log;
mod output;
mod place;
mod pointer;
mod popup;
mod positioner;
mod role;
mod scale;
mod scene;
mod screenshot;
mod seat;
mod selection;
mod serve;
mod shm;
mod state;
mod subsurface;
mod surface;
mod text_input;
mod toplevel;
mod touch;
mod windows;
mod workspaces;
mod xdg_surface;

pub use fixture::Compositor;
pub use geometry::{Rect, Region};
pub use globals::{Global, Globals};
pub use input::{InputMethod, KeyboardHand, LEFT, MIDDLE, PointerHand, RIGHT, TouchHand};
pub use layer::{Anchors, Interactivity, LayerKind, LayerPlace, Margin};
pub use log::{Commit, Edges, Fault, FaultKind, Request, WindowRequest, WorkspaceRequest};
pub use output::{OutputId, OutputSpec};
pub use pointer::Scroll;
pub use positioner::{Positioner, Side};
pub use scene::{LayerView, PopupView, RoleView, Scene, SurfaceView, ToplevelView};
pub use selection::Transfer;
pub use shm::Pixels;
pub use state::{Frames, Release};
pub use surface::SurfaceId;
pub use text_input::TextInputState;
pub use toplevel::{Decoration, ToplevelConfigure, WindowState};
pub use wayland_server::protocol::wl_output::Transform;
pub use wayland_server::protocol::wl_seat::Capability;
pub use windows::{Window, WindowId};
pub use workspaces::Workspace;
