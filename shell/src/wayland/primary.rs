//! The primary selection: what is selected can be pasted with the middle button.

use super::clipboard::{Payload, best_mime};
use super::platform::Platform;
use super::runtime::Runtime;
use super::transfer::TransferId;
use smithay_client_toolkit::data_device_manager::WritePipe;
use smithay_client_toolkit::primary_selection::device::{
    PrimarySelectionDevice, PrimarySelectionDeviceHandler,
};
use smithay_client_toolkit::primary_selection::selection::{
    PrimarySelectionSource, PrimarySelectionSourceHandler,
};
use wayland_client::{Connection, QueueHandle};
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_device_v1::ZwpPrimarySelectionDeviceV1;
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_source_v1::ZwpPrimarySelectionSourceV1;

pub(super) type PrimaryDevice = PrimarySelectionDevice;

/// What is selected here, for as long as nothing is selected elsewhere.
#[derive(Default)]
pub(super) struct Primary {
    source: Option<(PrimarySelectionSource, Payload)>,
}

impl Platform {
    /// Offer what is selected. `false` if the compositor has no primary selection or allows none yet.
    pub fn set_primary(&mut self, payload: Payload) -> bool {
        let Some(manager) = &self.globals.primary else {
            return false;
        };
        let Some((device, serial)) = self
            .seats
            .current()
            .and_then(|seat| seat.primary.as_ref().zip(seat.last))
        else {
            return false;
        };
        let source = manager.create_selection_source(&self.qh, payload.mimes());
        source.set_selection(device, serial);
        self.primary.source = Some((source, payload));
        true
    }

    /// As [`Platform::read_clipboard`], for the primary selection.
    pub fn read_primary(&mut self, wanted: &[&str]) -> Option<TransferId> {
        let offer = self
            .seats
            .current()?
            .primary
            .as_ref()?
            .data()
            .selection_offer()?;
        let mime = offer.with_mime_types(|offered| best_mime(offered, wanted))?;
        let pipe = offer.receive(mime).ok()?;
        Some(self.read_pipe(pipe))
    }
}

impl PrimarySelectionSourceHandler for Runtime {
    fn send_request(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        source: &ZwpPrimarySelectionSourceV1,
        mime: String,
        pipe: WritePipe,
    ) {
        let ours = self
            .platform
            .primary
            .source
            .as_ref()
            .filter(|(ours, _)| ours.inner() == source);
        if let Some(bytes) = ours.and_then(|(_, payload)| payload.get(&mime)) {
            self.platform.write_pipe(pipe, bytes);
        }
    }

    fn cancelled(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        source: &ZwpPrimarySelectionSourceV1,
    ) {
        let primary = &mut self.platform.primary;
        if primary
            .source
            .as_ref()
            .is_some_and(|(ours, _)| ours.inner() == source)
        {
            primary.source = None;
        }
    }
}

impl PrimarySelectionDeviceHandler for Runtime {
    fn selection(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &ZwpPrimarySelectionDeviceV1,
    ) {
    }
}
