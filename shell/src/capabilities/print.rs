//! `print`: a PDF, a PNG or a JPEG of the app's to the portal's print dialog. A picture becomes a page of its own, since a portal takes
//! PDF. (`pdf`, which lays a document out, is the engine's own work.)

use std::fs::File;
use std::io::{Seek, Write};

use ashpd::desktop::print::{PrintOptions, PrintProxy};
use ede_engine::bridge::NativeAnswer;
use ede_engine::bridge::format;
use ede_engine::pdf::{Block, render};
use ede_engine::plain;
use serde_json::{Map, Value, json};

use super::dialogs::{self, Dialog, Turns};
use super::{Call, Provider, Ran, Stop, failed};
use crate::wayland::Platform;

/// The longest title of a print job (characters).
const TITLE: usize = 200;

#[derive(Default)]
pub(super) struct Print {
    turns: Turns,
}

impl Provider for Print {
    fn capability(&self) -> &'static str {
        "print"
    }

    /// The engine lays out documents everywhere; whether there is a dialog shows when it is asked for.
    fn is_there(&self, _: Option<&Platform>) -> bool {
        true
    }

    fn call(&mut self, call: Call<'_>, _: Option<&mut Platform>) -> Ran {
        let Some(turn) = self.turns.begin(call.package.id()) else {
            return Ran::Now(failed("Another dialog of the app's is open"));
        };
        let (arguments, later, stop) = (call.arguments, call.later, call.stop);
        let answer = later.clone();
        let started = std::thread::Builder::new()
            .name("ede-print".into())
            .spawn(move || {
                let printed = print(&arguments, &stop);
                drop(turn);
                answer.answer(printed);
            });
        if started.is_err() {
            later.answer(failed("The print dialog did not open"));
        }
        Ran::Later
    }
}

/// Show the dialog and hand the document over.
fn print(arguments: &Map<String, Value>, stop: &Stop) -> NativeAnswer {
    let text = |key: &str| {
        let said = arguments.get(key).and_then(Value::as_str);
        said.unwrap_or_default()
    };
    let title = plain::line(text("name"), TITLE);
    let Some(document) = format::bytes(text("data")).and_then(|bytes| as_pdf(&title, bytes)) else {
        return failed("The file cannot be printed");
    };
    let Ok(document) = in_memory(&document) else {
        return failed("The file cannot be handed to the printer");
    };
    let shown = dialogs::ask(stop, |bus| async move {
        let portal = PrintProxy::with_connection(bus).await?;
        // Without the token of an earlier one, this shows the dialog itself.
        let options = PrintOptions::default().set_modal(true);
        portal
            .print(None, &title, &document, options)
            .await?
            .response()
    });
    match shown {
        Dialog::Answered(()) => printed(true),
        Dialog::Cancelled => printed(false),
        Dialog::Failed => failed("The print dialog did not open"),
        Dialog::NoPortal => failed("unavailable"),
    }
}

fn printed(printed: bool) -> NativeAnswer {
    NativeAnswer::Result(json!({"structuredContent": {"printed": printed}}))
}

fn as_pdf(title: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
    if bytes.starts_with(b"%PDF-") {
        return Some(bytes);
    }
    let picture = Block::Image {
        file: "picture",
        caption: None,
    };
    let pdf = render(title, [picture], &mut |_| Ok(Some(bytes.clone())));
    pdf.ok().map(|pdf| pdf.bytes)
}

/// A file that is nowhere, for another process to read.
fn in_memory(bytes: &[u8]) -> std::io::Result<File> {
    let flags = rustix::fs::MemfdFlags::CLOEXEC | rustix::fs::MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(rustix::fs::memfd_create("ede-print", flags)?);
    file.write_all(bytes)?;
    file.rewind()?;
    use rustix::fs::SealFlags;
    let whole = SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
    rustix::fs::fcntl_add_seals(&file, whole)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Read;

    use super::*;

    #[test]
    fn a_pdf_goes_as_it_is_a_picture_becomes_a_page_and_anything_else_is_not_printed() {
        let pdf = b"%PDF-1.4 whatever".to_vec();
        assert_eq!(as_pdf("t", pdf.clone()), Some(pdf));
        let mut picture = Vec::new();
        let mut encoder = png::Encoder::new(&mut picture, 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[255, 0, 0, 0, 0, 255]).unwrap();
        writer.finish().unwrap();
        let page = as_pdf("A picture", picture).unwrap();
        assert!(page.starts_with(b"%PDF-"));
        assert_eq!(as_pdf("t", b"GIF89a".to_vec()), None);
    }

    #[test]
    fn what_is_handed_over_is_whole_and_changes_no_more() {
        let mut file = in_memory(b"%PDF-1.4").unwrap();
        let mut read = Vec::new();
        file.read_to_end(&mut read).unwrap();
        assert_eq!(read, b"%PDF-1.4");
        assert!(file.write_all(b"x").is_err());
    }
}
