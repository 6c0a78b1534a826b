//! Clipboard and primary selection: `wl_data_device_manager` and `zwp_primary_selection_device_manager_v1`.
//!
//! A selection comes from a client or from the test, which plays another program then.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use wayland_protocols::wp::primary_selection::zv1::server::zwp_primary_selection_device_manager_v1::{
    self, ZwpPrimarySelectionDeviceManagerV1,
};
use wayland_protocols::wp::primary_selection::zv1::server::zwp_primary_selection_device_v1::{self, ZwpPrimarySelectionDeviceV1};
use wayland_protocols::wp::primary_selection::zv1::server::zwp_primary_selection_offer_v1::{self, ZwpPrimarySelectionOfferV1};
use wayland_protocols::wp::primary_selection::zv1::server::zwp_primary_selection_source_v1::{self, ZwpPrimarySelectionSourceV1};
use wayland_server::protocol::wl_data_device::{self, WlDataDevice};
use wayland_server::protocol::wl_data_device_manager::{self, WlDataDeviceManager};
use wayland_server::protocol::wl_data_offer::WlDataOffer;
use wayland_server::protocol::wl_data_source::{self, WlDataSource};
use wayland_server::protocol::wl_surface::WlSurface;
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::drag::OfferData;
use super::log::{FaultKind, Request};
use super::state::{State, same_client};
use super::surface::SurfaceId;

/// The types a client's source offers, in its order.
#[derive(Default)]
pub(crate) struct SourceData(Mutex<Vec<String>>);

impl SourceData {
    fn push(&self, mime: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(mime);
    }

    fn list(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Where data comes from.
#[derive(Clone)]
pub(crate) enum Source {
    Client(WlDataSource),
    Primary(ZwpPrimarySelectionSourceV1),
    /// The test, which plays another program: bytes by type.
    Fake(Arc<BTreeMap<String, Vec<u8>>>),
}

impl Source {
    pub fn fake(content: &[(&str, &[u8])]) -> Self {
        Self::Fake(Arc::new(
            content
                .iter()
                .map(|(mime, bytes)| ((*mime).to_owned(), bytes.to_vec()))
                .collect(),
        ))
    }

    pub fn mimes(&self) -> Vec<String> {
        match self {
            Self::Client(source) => source
                .data::<SourceData>()
                .map(SourceData::list)
                .unwrap_or_default(),
            Self::Primary(source) => source
                .data::<SourceData>()
                .map(SourceData::list)
                .unwrap_or_default(),
            Self::Fake(content) => content.keys().cloned().collect(),
        }
    }

    /// Have the data of a type written into a file. A thread of its own writes what the test offers: pipes are short.
    pub fn send(&self, mime: String, into: OwnedFd) {
        match self {
            Self::Client(source) => source.send(mime, into.as_fd()),
            Self::Primary(source) => source.send(mime, into.as_fd()),
            Self::Fake(content) => {
                let content = content.clone();
                std::thread::spawn(move || {
                    let bytes = content.get(&mime).map(Vec::as_slice).unwrap_or_default();
                    let _ = File::from(into).write_all(bytes);
                });
            }
        }
    }

    fn cancelled(&self) {
        match self {
            Self::Client(source) => source.cancelled(),
            Self::Primary(source) => source.cancelled(),
            Self::Fake(_) => {}
        }
    }

    /// Ask for a type and read it on a thread of its own.
    pub fn read(&self, mime: &str) -> std::io::Result<Transfer> {
        let (mut reader, writer) = std::io::pipe()?;
        self.send(mime.to_owned(), writer.into());
        let (done, result) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = reader.read_to_end(&mut bytes).map(|_| bytes);
            let _ = done.send(read);
        });
        Ok(Transfer(result))
    }
}

/// Data on its way from the client. The client must go on running for it to arrive.
pub struct Transfer(mpsc::Receiver<std::io::Result<Vec<u8>>>);

impl Transfer {
    /// The bytes, if all of them are there.
    pub fn arrived(&self) -> Option<Vec<u8>> {
        self.0.try_recv().ok()?.ok()
    }

    /// Wait for the bytes; only for clients on another thread or in another process.
    pub fn wait(&self, patience: Duration) -> Option<Vec<u8>> {
        self.0.recv_timeout(patience).ok()?.ok()
    }
}

#[derive(Default)]
pub(crate) struct Selections {
    pub clipboard: Option<Source>,
    pub primary: Option<Source>,
    pub devices: Vec<WlDataDevice>,
    primary_devices: Vec<ZwpPrimarySelectionDeviceV1>,
}

impl Bind<WlDataDeviceManager> for Manager {}

impl Object<WlDataDeviceManager> for Manager {
    fn request(
        &self,
        _: &WlDataDeviceManager,
        request: wl_data_device_manager::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_data_device_manager::Request::CreateDataSource { id } => {
                init.init(id, SourceData::default());
            }
            wl_data_device_manager::Request::GetDataDevice { id, .. } => {
                let device = init.init(id, Self);
                let focused = state
                    .keyboard
                    .focus
                    .and_then(|focus| state.wl_surface(focus));
                if focused.is_some_and(|surface| same_client(&surface, &device)) {
                    state.offer_clipboard_to(&device);
                }
                state.selections.devices.push(device);
            }
            _ => {}
        }
    }
}

impl Object<WlDataSource> for SourceData {
    fn request(
        &self,
        _: &WlDataSource,
        request: wl_data_source::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        if let wl_data_source::Request::Offer { mime_type } = request {
            self.push(mime_type);
        }
    }

    fn destroyed(&self, source: &WlDataSource, state: &mut State) {
        if matches!(&state.selections.clipboard, Some(Source::Client(held)) if held == source) {
            state.set_clipboard(None);
        }
        state.drag_source_gone(source);
    }
}

impl Object<WlDataDevice> for Manager {
    fn request(
        &self,
        device: &WlDataDevice,
        request: wl_data_device::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_data_device::Request::SetSelection { source, serial } => {
                if !state.seat.is_input(serial) {
                    return state.fault(
                        FaultKind::StaleSerial,
                        format!("set_selection with serial {serial}, which is no input event"),
                    );
                }
                let source = source.map(Source::Client);
                state.request(Request::SetSelection(source.as_ref().map(Source::mimes)));
                state.set_clipboard(source);
            }
            wl_data_device::Request::StartDrag {
                source,
                origin,
                icon,
                serial,
            } => {
                let icon = icon.and_then(|icon| icon.data::<SurfaceId>().copied());
                if let Some(origin) = origin.data::<SurfaceId>().copied() {
                    state.start_drag(device, source, origin, icon, serial);
                }
            }
            _ => {}
        }
    }

    fn destroyed(&self, device: &WlDataDevice, state: &mut State) {
        state.selections.devices.retain(|kept| kept != device);
    }
}

impl Bind<ZwpPrimarySelectionDeviceManagerV1> for Manager {}

impl Object<ZwpPrimarySelectionDeviceManagerV1> for Manager {
    fn request(
        &self,
        _: &ZwpPrimarySelectionDeviceManagerV1,
        request: zwp_primary_selection_device_manager_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            zwp_primary_selection_device_manager_v1::Request::CreateSource { id } => {
                init.init(id, SourceData::default());
            }
            zwp_primary_selection_device_manager_v1::Request::GetDevice { id, .. } => {
                let device = init.init(id, Self);
                state.selections.primary_devices.push(device);
            }
            _ => {}
        }
    }
}

impl Object<ZwpPrimarySelectionSourceV1> for SourceData {
    fn request(
        &self,
        _: &ZwpPrimarySelectionSourceV1,
        request: zwp_primary_selection_source_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        if let zwp_primary_selection_source_v1::Request::Offer { mime_type } = request {
            self.push(mime_type);
        }
    }

    fn destroyed(&self, source: &ZwpPrimarySelectionSourceV1, state: &mut State) {
        if matches!(&state.selections.primary, Some(Source::Primary(held)) if held == source) {
            state.set_primary(None);
        }
    }
}

impl Object<ZwpPrimarySelectionDeviceV1> for Manager {
    fn request(
        &self,
        _: &ZwpPrimarySelectionDeviceV1,
        request: zwp_primary_selection_device_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let zwp_primary_selection_device_v1::Request::SetSelection { source, serial } = request
        else {
            return;
        };
        if !state.seat.is_input(serial) {
            let message =
                format!("primary set_selection with serial {serial}, which is no input event");
            return state.fault(FaultKind::StaleSerial, message);
        }
        let source = source.map(Source::Primary);
        state.request(Request::SetPrimarySelection(
            source.as_ref().map(Source::mimes),
        ));
        state.set_primary(source);
    }

    fn destroyed(&self, device: &ZwpPrimarySelectionDeviceV1, state: &mut State) {
        state
            .selections
            .primary_devices
            .retain(|kept| kept != device);
    }
}

impl Object<ZwpPrimarySelectionOfferV1> for OfferData {
    fn request(
        &self,
        _: &ZwpPrimarySelectionOfferV1,
        request: zwp_primary_selection_offer_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        if let zwp_primary_selection_offer_v1::Request::Receive { mime_type, fd } = request {
            self.source.send(mime_type, fd);
        }
    }
}

impl State {
    /// Replace the clipboard. The one who held it is told, the one who has the focus is offered the new one.
    pub fn set_clipboard(&mut self, next: Option<Source>) {
        let before = std::mem::replace(&mut self.selections.clipboard, next);
        before.iter().for_each(Source::cancelled);
        if let Some(surface) = self.keyboard.focus.and_then(|focus| self.wl_surface(focus)) {
            self.offer_clipboard(&surface);
        }
    }

    pub fn set_primary(&mut self, next: Option<Source>) {
        let before = std::mem::replace(&mut self.selections.primary, next);
        before.iter().for_each(Source::cancelled);
        if let Some(surface) = self.keyboard.focus.and_then(|focus| self.wl_surface(focus)) {
            self.offer_primary(&surface);
        }
    }

    /// Tell the client of a surface that gets the focus what there is to paste.
    pub fn offer_selections(&mut self, to: &WlSurface) {
        self.offer_clipboard(to);
        self.offer_primary(to);
    }

    fn offer_clipboard(&self, to: &WlSurface) {
        self.selections
            .devices
            .iter()
            .filter(|device| same_client(*device, to))
            .for_each(|device| self.offer_clipboard_to(device));
    }

    fn offer_clipboard_to(&self, device: &WlDataDevice) {
        let source = self.selections.clipboard.clone();
        let offer = source.and_then(|source| self.new_offer(device, source, false));
        device.selection(offer.as_ref());
    }

    /// A fresh offer object on a client's device, with its types announced.
    pub fn new_offer(
        &self,
        device: &WlDataDevice,
        source: Source,
        dragged: bool,
    ) -> Option<WlDataOffer> {
        let mimes = source.mimes();
        let client = device.client()?;
        let data = OfferData { source, dragged };
        let offer = client
            .create_resource::<WlDataOffer, _, Self>(&self.display, device.version(), data)
            .ok()?;
        device.data_offer(&offer);
        mimes.into_iter().for_each(|mime| offer.offer(mime));
        Some(offer)
    }

    fn offer_primary(&self, to: &WlSurface) {
        for device in self
            .selections
            .primary_devices
            .iter()
            .filter(|device| same_client(*device, to))
        {
            let offer = self.selections.primary.clone().and_then(|source| {
                let mimes = source.mimes();
                let data = OfferData {
                    source,
                    dragged: false,
                };
                let offer = device
                    .client()?
                    .create_resource::<ZwpPrimarySelectionOfferV1, _, Self>(&self.display, 1, data)
                    .ok()?;
                device.data_offer(&offer);
                mimes.into_iter().for_each(|mime| offer.offer(mime));
                Some(offer)
            });
            device.selection(offer.as_ref());
        }
    }
}
