//! Drag and drop from other programs: text into fields, files onto whatever takes files.

use std::path::PathBuf;

use ede_renderer::geometry::Point;
use ede_renderer::input::{DropOffer, Dropped, FileInfo};

use super::routes::Target;
use super::uploads::{Upload, infos_of};
use super::{News, Shell, at};
use crate::wayland::{DragActions, DragEvent, Platform, SurfaceId, TEXT_MIMES, TransferId};

/// How files are offered.
const FILES: &str = "text/uri-list";

/// The longest list of files or text that is taken (bytes).
const MOST: usize = 1 << 20;

/// What is dragged over one of our surfaces.
#[derive(Clone, Debug)]
pub(super) struct Dragged {
    offer: DropOffer,
    text: Option<&'static str>,
    over: Option<Target>,
}

/// Where files were dropped.
pub struct Landing(pub(super) Target);

/// A drop whose content is on its way.
pub(super) struct Dropping {
    target: Target,
    files: bool,
}

impl Shell {
    pub(super) fn drag(&mut self, platform: &mut Platform, id: SurfaceId, event: DragEvent) {
        match event {
            DragEvent::Enter { position, mimes } => {
                let text = TEXT_MIMES
                    .into_iter()
                    .find(|t| mimes.iter().any(|m| m == t));
                let offer = DropOffer {
                    text: text.is_some(),
                    files: mimes.iter().any(|m| m == FILES),
                };
                self.dragged = Some(Dragged {
                    offer,
                    text,
                    over: None,
                });
                self.drag_to(platform, id, at(position));
            }
            DragEvent::Motion { position, .. } => self.drag_to(platform, id, at(position)),
            DragEvent::Leave => {
                self.drag_out(platform);
                self.dragged = None;
            }
            DragEvent::Drop { position } => self.dropped(platform, id, at(position)),
        }
    }

    fn drag_to(&mut self, platform: &mut Platform, id: SurfaceId, p: Point) {
        let Some(dragged) = self.dragged.clone() else {
            return;
        };
        let here = self.view_at(id, p);
        let moved_on = dragged.over.as_ref().is_some_and(|o| {
            here.as_ref()
                .is_none_or(|h| h.doc != o.doc || h.widget != o.widget)
        });
        if moved_on {
            self.drag_out(platform);
        }
        let now = self.now_ms();
        let taken = here.as_ref().and_then(|t| {
            self.with_view(t.doc, t.widget.as_deref(), |view, res| {
                view.drag_over(t.at, dragged.offer, res, now)
            })
        });
        let (takes, response) = taken.unwrap_or_default();
        let mime = if dragged.offer.files {
            Some(FILES)
        } else {
            dragged.text
        };
        platform.accept_drop(mime.filter(|_| takes), DragActions::COPY);
        if let Some(t) = &here {
            self.answer(platform, t.doc, t.widget.as_deref(), response);
        }
        if let Some(d) = &mut self.dragged {
            d.over = here;
        }
    }

    fn drag_out(&mut self, platform: &mut Platform) {
        let Some(t) = self.dragged.as_mut().and_then(|d| d.over.take()) else {
            return;
        };
        let now = self.now_ms();
        if let Some(r) = self.with_view(t.doc, t.widget.as_deref(), |view, res| {
            view.drag_leave(res, now)
        }) {
            self.answer(platform, t.doc, t.widget.as_deref(), r);
        }
    }

    fn dropped(&mut self, platform: &mut Platform, id: SurfaceId, p: Point) {
        let Some(dragged) = self.dragged.take() else {
            return;
        };
        let Some(target) = self.view_at(id, p) else {
            return;
        };
        let files = dragged.offer.files;
        let mime = if files { Some(FILES) } else { dragged.text };
        if let Some(transfer) = mime.and_then(|m| platform.read_drop(m)) {
            self.drops.insert(transfer, Dropping { target, files });
        }
    }

    /// What was dropped is here. False when the transfer was no drop.
    pub(super) fn drop_arrived(
        &mut self,
        platform: &mut Platform,
        id: TransferId,
        bytes: Option<&[u8]>,
    ) -> bool {
        let Some(Dropping { target, files }) = self.drops.remove(&id) else {
            return false;
        };
        let text = String::from_utf8_lossy(bytes.map_or(&[][..], |b| b.get(..MOST).unwrap_or(b)))
            .into_owned();
        if files {
            let tell = self.tell.clone();
            let thread = std::thread::Builder::new().name("ede-drop".into());
            let read = move || {
                let files = infos_of(listed(&text));
                tell(News::Upload(Upload::Dropped(Landing(target), files)));
            };
            if let Err(error) = thread.spawn(read) {
                tracing::warn!("what was dropped is not looked at: {error}");
            }
        } else {
            self.drop_on(platform, &target, &Dropped::Text(text), Vec::new());
        }
        true
    }

    /// What is known of the files that were dropped is here.
    pub(super) fn drop_files(
        &mut self,
        platform: &mut Platform,
        target: &Target,
        files: Vec<(PathBuf, FileInfo)>,
    ) {
        let infos = files.iter().map(|(_, info)| info.clone()).collect();
        self.drop_on(platform, target, &Dropped::Files(infos), files);
    }

    fn drop_on(
        &mut self,
        platform: &mut Platform,
        target: &Target,
        what: &Dropped,
        files: Vec<(PathBuf, FileInfo)>,
    ) {
        let (doc, widget, now) = (target.doc, target.widget.as_deref(), self.now_ms());
        if let Some(r) = self.with_view(doc, widget, |view, res| {
            view.drop(target.at, what, res, now)
        }) {
            self.keep_listed(doc, widget, files, &r);
            self.answer(platform, doc, widget, r);
        }
    }
}

/// The files of a `text/uri-list` that would be on this machine.
fn listed(text: &str) -> impl Iterator<Item = PathBuf> {
    let uris = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    uris.filter_map(|u| u.strip_prefix("file://"))
        .filter_map(|p| p.find('/').map(|i| unescaped(&p[i..]).into()))
}

/// `%20` and its like as bytes; what is no UTF-8 then names no file here.
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(b) = rest.next() {
        let hex = |b: Option<u8>| b.and_then(|b| (b as char).to_digit(16));
        if b == b'%' {
            let mut ahead = rest.clone();
            if let (Some(high), Some(low)) = (hex(ahead.next()), hex(ahead.next())) {
                bytes.push((high * 16 + low) as u8);
                rest = ahead;
                continue;
            }
        }
        bytes.push(b);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::capabilities::files::PICK_MAX_FILES;

    #[test]
    fn dropped_files_are_found_by_their_escaped_names_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a b.png"), b"12345").unwrap();
        let base = dir.path().display();
        let text = format!(
            "# a comment\r\nfile://{base}/a%20b.png\r\nfile://host{base}/none.txt\r\nhttps://example.org/x.png\r\nfile://{base}\r\n"
        );
        assert_eq!(
            infos_of(listed(&text)),
            vec![(
                dir.path().join("a b.png"),
                FileInfo {
                    name: "a b.png".into(),
                    size: 5,
                    kind: "image/png".into()
                }
            )]
        );
        assert_eq!(unescaped("/100%/a%zz"), "/100%/a%zz");
    }

    #[test]
    fn of_a_list_without_end_no_more_is_looked_at_than_is_needed_to_refuse_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.png");
        std::fs::write(&file, b"1").unwrap();
        let text = format!("file://{}\r\n", file.display()).repeat(5000);
        assert_eq!(infos_of(listed(&text)).len(), PICK_MAX_FILES + 1);
    }
}
