//! The clipboard: what Ctrl+C and Ctrl+V mean.

use super::platform::Platform;
use super::runtime::Runtime;
use super::transfer::TransferId;
use super::words;
use smithay_client_toolkit::data_device_manager::WritePipe;
use smithay_client_toolkit::data_device_manager::data_device::DataDevice;
use smithay_client_toolkit::data_device_manager::data_source::{
    CopyPasteSource, DataSourceHandler,
};
use std::sync::Arc;
use wayland_client::protocol::wl_data_device_manager::DndAction;
use wayland_client::protocol::wl_data_source::WlDataSource;
use wayland_client::{Connection, QueueHandle};

pub(super) type ClipboardDevice = DataDevice;

/// The names plain text goes by, best first.
pub const TEXT_MIMES: [&str; 5] = [
    "text/plain;charset=utf-8",
    "UTF8_STRING",
    "text/plain",
    "STRING",
    "TEXT",
];

/// Something to copy or drag, in as many forms as it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    forms: Vec<(String, Arc<[u8]>)>,
}

impl Payload {
    /// Plain text, under every name programs look for.
    pub fn text(text: &str) -> Self {
        let bytes: Arc<[u8]> = text.as_bytes().into();
        Payload {
            forms: TEXT_MIMES
                .iter()
                .map(|mime| ((*mime).to_owned(), bytes.clone()))
                .collect(),
        }
    }

    /// One more form of the same thing. The first form under a name counts.
    pub fn with(mut self, mime: &str, bytes: &[u8]) -> Self {
        self.forms
            .push((words::name(mime).into_owned(), bytes.into()));
        self
    }

    pub fn mimes(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(|(mime, _)| mime.as_str())
    }

    /// The bytes of one form.
    pub fn get(&self, mime: &str) -> Option<Arc<[u8]>> {
        self.forms
            .iter()
            .find(|(name, _)| name == mime)
            .map(|(_, bytes)| bytes.clone())
    }
}

/// What we have copied, for as long as nobody copies something else.
#[derive(Default)]
pub(super) struct Clipboard {
    source: Option<(CopyPasteSource, Payload)>,
}

/// The first of the wanted forms that is offered; an empty wish list stands for text.
pub(super) fn best_mime(offered: &[String], wanted: &[&str]) -> Option<String> {
    let wanted = if wanted.is_empty() {
        &TEXT_MIMES[..]
    } else {
        wanted
    };
    wanted
        .iter()
        .find(|mime| offered.iter().any(|o| o == *mime))
        .map(|mime| (*mime).to_owned())
}

impl Platform {
    /// Copy. `false` if there is no clipboard, or nobody has pressed anything yet that would allow it.
    pub fn set_clipboard(&mut self, payload: Payload) -> bool {
        let Some(manager) = &self.globals.data else {
            return false;
        };
        let Some((device, serial)) = self
            .seats
            .current()
            .and_then(|seat| seat.clipboard.as_ref().zip(seat.last))
        else {
            return false;
        };
        let source = manager.create_copy_paste_source(&self.qh, payload.mimes());
        source.set_selection(device, serial);
        self.clipboard.source = Some((source, payload));
        true
    }

    /// The forms what is on the clipboard now comes in; empty if nothing is, or no surface of ours has the keys.
    pub fn clipboard_mimes(&self) -> Vec<String> {
        let offer = self
            .seats
            .current()
            .and_then(|seat| seat.clipboard.as_ref())
            .and_then(|d| d.data().selection_offer());
        offer
            .map(|offer| offer.with_mime_types(<[String]>::to_vec))
            .unwrap_or_default()
    }

    /// Start to paste the first of these forms that is offered; no forms: text. The bytes come to `transferred`.
    /// `None` if the clipboard has none of them.
    pub fn read_clipboard(&mut self, wanted: &[&str]) -> Option<TransferId> {
        let offer = self
            .seats
            .current()?
            .clipboard
            .as_ref()?
            .data()
            .selection_offer()?;
        let mime = offer.with_mime_types(|offered| best_mime(offered, wanted))?;
        let pipe = offer.receive(mime).ok()?;
        Some(self.read_pipe(pipe))
    }
}

impl DataSourceHandler for Runtime {
    fn accept_mime(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &WlDataSource,
        _: Option<String>,
    ) {
    }

    fn send_request(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        source: &WlDataSource,
        mime: String,
        pipe: WritePipe,
    ) {
        let platform = &mut self.platform;
        let copied = platform
            .clipboard
            .source
            .as_ref()
            .filter(|(ours, _)| ours.inner() == source);
        let payload = copied
            .map(|(_, payload)| payload)
            .or_else(|| platform.drags.payload_of(source));
        if let Some(bytes) = payload.and_then(|payload| payload.get(&mime)) {
            platform.write_pipe(pipe, bytes);
        }
    }

    fn cancelled(&mut self, _: &Connection, _: &QueueHandle<Self>, source: &WlDataSource) {
        let platform = &mut self.platform;
        if platform
            .clipboard
            .source
            .as_ref()
            .is_some_and(|(ours, _)| ours.inner() == source)
        {
            platform.clipboard.source = None;
        } else {
            platform.end_drag(source, false);
        }
    }

    fn dnd_dropped(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource) {}

    fn dnd_finished(&mut self, _: &Connection, _: &QueueHandle<Self>, source: &WlDataSource) {
        self.platform.end_drag(source, true);
    }

    fn action(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource, _: DndAction) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_form_of_text_is_pasted() {
        let offered = ["TEXT", "text/html", "UTF8_STRING"].map(String::from);
        assert_eq!(best_mime(&offered, &[]).as_deref(), Some("UTF8_STRING"));
        assert_eq!(
            best_mime(&offered, &["text/uri-list", "text/html"]).as_deref(),
            Some("text/html")
        );
        assert_eq!(best_mime(&offered, &["image/png"]), None);
    }

    #[test]
    fn every_name_of_text_gives_the_text() {
        let payload = Payload::text("ä").with("text/html", b"<b>");
        assert!(TEXT_MIMES.iter().all(|mime| {
            payload
                .get(mime)
                .is_some_and(|bytes| &bytes[..] == "ä".as_bytes())
        }));
        assert_eq!(payload.get("text/html").as_deref(), Some(&b"<b>"[..]));
        assert_eq!(payload.get("image/png"), None);
    }
}
