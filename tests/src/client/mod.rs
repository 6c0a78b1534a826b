//! A small Wayland client without a toolkit: it says exactly what a test wants said, right or wrong.
//!
//! Every event is kept until the test takes it, by the object it came for:
//!
//! ```no_run
//! use ede_tests::client::Client;
//! use ede_tests::compositor::{Compositor, Globals, OutputSpec};
//! use wayland_client::protocol::wl_seat::WlSeat;
//!
//! let compositor = Compositor::start(Globals::all());
//! compositor.add_output(OutputSpec::new("DP-1", 800, 600));
//! let mut client = Client::connect(compositor.socket());
//! let seat: WlSeat = client.bind(5);
//! let pointer = seat.get_pointer(&client.handle(), ede_tests::client::Plain);
//! let panel = client.show_layer("panel", (0, 40));
//! # let panel_id = compositor.scene().layer("panel").unwrap().id;
//! compositor.pointer().motion(panel_id, 10.0, 10.0);
//! client.roundtrip();
//! assert!(!client.take(&pointer).is_empty());
//! ```

mod canvas;
mod show;

use std::any::Any;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use wayland_client::backend::protocol::ProtocolError;
use wayland_client::backend::{ObjectData, ObjectId};
use wayland_client::protocol::wl_data_offer::WlDataOffer;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::{Connection, Dispatch, EventQueue, Proxy, QueueHandle};
use wayland_protocols::ext::foreign_toplevel_list::v1::client::ext_foreign_toplevel_handle_v1::ExtForeignToplevelHandleV1;
use wayland_protocols::ext::workspace::v1::client::ext_workspace_group_handle_v1::ExtWorkspaceGroupHandleV1;
use wayland_protocols::ext::workspace::v1::client::ext_workspace_handle_v1::ExtWorkspaceHandleV1;
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_offer_v1::ZwpPrimarySelectionOfferV1;
use wayland_protocols_wlr::foreign_toplevel::v1::client::zwlr_foreign_toplevel_handle_v1::ZwlrForeignToplevelHandleV1;

pub use canvas::Canvas;
pub use show::{LayerWindow, PopupWindow, Window, positioner};

/// The data of every object of the client: none.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// The events that came, each with the object it came for.
#[derive(Default)]
pub struct Events {
    seen: Vec<(ObjectId, Box<dyn Any>)>,
}

impl<I: Proxy + 'static> Dispatch<I, Plain> for Events
where
    I::Event: 'static,
{
    fn event(
        events: &mut Self,
        proxy: &I,
        event: I::Event,
        _: &Plain,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        events.seen.push((proxy.id(), Box::new(event)));
    }

    fn event_created_child(opcode: u16, queue: &QueueHandle<Self>) -> Arc<dyn ObjectData> {
        match (I::interface().name, opcode) {
            ("wl_data_device", _) => queue.make_data::<WlDataOffer, _>(Plain),
            ("zwp_primary_selection_device_v1", _) => {
                queue.make_data::<ZwpPrimarySelectionOfferV1, _>(Plain)
            }
            ("zwlr_foreign_toplevel_manager_v1", _) => {
                queue.make_data::<ZwlrForeignToplevelHandleV1, _>(Plain)
            }
            ("ext_foreign_toplevel_list_v1", _) => {
                queue.make_data::<ExtForeignToplevelHandleV1, _>(Plain)
            }
            ("ext_workspace_manager_v1", 0) => {
                queue.make_data::<ExtWorkspaceGroupHandleV1, _>(Plain)
            }
            ("ext_workspace_manager_v1", _) => queue.make_data::<ExtWorkspaceHandleV1, _>(Plain),
            (interface, opcode) => {
                panic!("event {opcode} of {interface} creates an object nobody expected")
            }
        }
    }
}

/// A connection and all that came over it.
pub struct Client {
    connection: Connection,
    queue: EventQueue<Events>,
    registry: WlRegistry,
    events: Events,
    globals: Vec<(u32, String, u32)>,
}

impl Client {
    /// Connect and learn the globals.
    ///
    /// # Panics
    /// When the other end is not there.
    pub fn connect(socket: UnixStream) -> Self {
        let connection = Connection::from_socket(socket)
            .unwrap_or_else(|error| panic!("no connection: {error}"));
        let queue = connection.new_event_queue();
        let registry = connection.display().get_registry(&queue.handle(), Plain);
        let mut client = Self {
            connection,
            queue,
            registry,
            events: Events::default(),
            globals: Vec::new(),
        };
        client.roundtrip();
        client
    }

    pub fn handle(&self) -> QueueHandle<Events> {
        self.queue.handle()
    }

    /// Send everything and wait until the compositor has done it and its events are here.
    ///
    /// # Panics
    /// When the compositor disconnected this client; [`try_roundtrip`](Self::try_roundtrip) is for tests that expect it.
    pub fn roundtrip(&mut self) {
        if !self.try_roundtrip() {
            panic!("disconnected: {:?}", self.protocol_error());
        }
    }

    /// As [`roundtrip`](Self::roundtrip), but false when the compositor has gone or closed the connection.
    pub fn try_roundtrip(&mut self) -> bool {
        let alive = self.queue.roundtrip(&mut self.events).is_ok();
        for event in self.take(&self.registry.clone()) {
            match event {
                wl_registry::Event::Global {
                    name,
                    interface,
                    version,
                } => self.globals.push((name, interface, version)),
                wl_registry::Event::GlobalRemove { name } => {
                    self.globals.retain(|(known, ..)| *known != name)
                }
                _ => {}
            }
        }
        alive
    }

    /// Send everything and wait for the next events, whichever they are.
    pub fn wait(&mut self) {
        let waited = self.queue.blocking_dispatch(&mut self.events);
        if let Err(error) = waited {
            panic!("disconnected: {error}, {:?}", self.protocol_error());
        }
    }

    /// Send everything without waiting for an answer.
    pub fn flush(&self) {
        let _ = self.connection.flush();
    }

    /// The error the compositor disconnected this client with.
    pub fn protocol_error(&self) -> Option<ProtocolError> {
        self.connection.protocol_error()
    }

    /// The interface and code of that error; nothing while the client is connected.
    pub fn error(&mut self) -> Option<(String, u32)> {
        self.try_roundtrip();
        self.protocol_error()
            .map(|error| (error.object_interface, error.code))
    }

    /// The globals of an interface that are there now: names and versions.
    pub fn globals<I: Proxy>(&self) -> Vec<(u32, u32)> {
        let named = self
            .globals
            .iter()
            .filter(|(_, interface, _)| interface == I::interface().name);
        named.map(|(name, _, version)| (*name, *version)).collect()
    }

    /// Bind the first global of an interface at a version or the one offered, whichever is less.
    ///
    /// # Panics
    /// When there is no such global.
    pub fn bind<I: Proxy + 'static>(&self, version: u32) -> I
    where
        I::Event: 'static,
    {
        let Some((name, offered)) = self.globals::<I>().first().copied() else {
            panic!("the compositor has no {}", I::interface().name)
        };
        self.bind_name(name, version.min(offered))
    }

    /// Bind one global of several.
    pub fn bind_name<I: Proxy + 'static>(&self, name: u32, version: u32) -> I
    where
        I::Event: 'static,
    {
        self.registry.bind(name, version, &self.handle(), Plain)
    }

    /// The events that came for an object, in their order; they are given once.
    pub fn take<I: Proxy>(&mut self, object: &I) -> Vec<I::Event>
    where
        I::Event: 'static,
    {
        let id = object.id();
        let (mine, rest) = std::mem::take(&mut self.events.seen)
            .into_iter()
            .partition(|(of, _)| *of == id);
        self.events.seen = rest;
        let events = Vec::<(ObjectId, Box<dyn Any>)>::into_iter(mine);
        events
            .filter_map(|(_, event)| event.downcast::<I::Event>().ok())
            .map(|event| *event)
            .collect()
    }
}
