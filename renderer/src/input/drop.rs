//! Drag and drop from outside: files onto a FileUpload, text onto a field.

use serde_json::{Value, json};

use super::cx::InputCx;
use super::focus::By;
use super::hit::{self, Found};
use super::{Input, role};
use crate::geometry::Point;

/// A file that was dropped or picked. Its bytes stay with the host, which knows it by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct FileInfo {
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// The media type, empty when unknown.
    pub kind: String,
}

/// What is dragged over the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DropOffer {
    pub text: bool,
    pub files: bool,
}

/// What was dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Dropped {
    Text(String),
    Files(Vec<FileInfo>),
}

impl Input {
    /// Something is dragged over `at`. True when it may be dropped there.
    pub(crate) fn drag_over(&mut self, cx: &mut InputCx<'_>, at: Point, offer: DropOffer) -> bool {
        let found = hit::test(cx.scene, at);
        let target = if offer.files {
            upload_at(cx, &found)
        } else {
            None
        };
        let zone = target.and_then(|owner| zone_of(cx, owner));
        self.mark_zone(cx, zone);
        target.is_some() || (offer.text && field_at(cx, &found).is_some())
    }

    /// What was dragged has left, or was dropped.
    pub(crate) fn drag_leave(&mut self, cx: &mut InputCx<'_>) {
        self.mark_zone(cx, None);
    }

    pub(crate) fn drop_at(&mut self, cx: &mut InputCx<'_>, at: Point, what: &Dropped) {
        self.mark_zone(cx, None);
        let found = hit::test(cx.scene, at);
        match what {
            Dropped::Files(files) => {
                if let Some(owner) = upload_at(cx, &found) {
                    self.give_files(cx, owner, files);
                }
            }
            Dropped::Text(text) => {
                if let Some(slot) = field_at(cx, &found) {
                    self.focus_on(cx, Some(slot), By::Pointer);
                    self.field_press(cx, at, 1, false);
                    self.paste(cx, text);
                }
            }
        }
    }

    /// Hand files to a FileUpload: those it accepts are attached.
    pub(crate) fn give_files(&mut self, cx: &mut InputCx<'_>, owner: u32, files: &[FileInfo]) {
        let accept = cx
            .node(owner)
            .and_then(|n| n.placed.props.get("accept"))
            .and_then(Value::as_str)
            .unwrap_or("")
            .to_string();
        let taken: Vec<Value> = files
            .iter()
            .filter(|f| accepts(&accept, f))
            .map(|f| json!({ "name": f.name, "size": f.size, "type": f.kind }))
            .collect();
        if !taken.is_empty() {
            cx.fire(owner, "upload", Some(json!({ "files": taken })));
        }
        cx.out.taken = true;
    }

    fn mark_zone(&mut self, cx: &mut InputCx<'_>, zone: Option<u32>) {
        let id = zone.and_then(|z| cx.id(z));
        if id == self.drop_zone {
            return;
        }
        if let Some(old) = self.drop_zone.take() {
            cx.flag(&old, &["dragover"], false);
        }
        if let Some(id) = id {
            cx.flag(&id, &["dragover"], true);
            self.drop_zone = Some(id);
        }
    }
}

/// The FileUpload around a point, unless it is switched off.
fn upload_at(cx: &InputCx<'_>, found: &Found) -> Option<u32> {
    found.path.iter().find_map(|s| {
        let n = &cx.scene.node(s.slot)?.placed;
        (n.component == "FileUpload" && n.part.is_none() && !role::disabled(n)).then_some(s.slot)
    })
}

fn zone_of(cx: &InputCx<'_>, owner: u32) -> Option<u32> {
    let id = cx.id(owner)?;
    cx.slot(&format!("{id}.dropzone"))
}

fn field_at(cx: &InputCx<'_>, found: &Found) -> Option<u32> {
    found.path.iter().map(|s| s.slot).find(|s| {
        cx.scene.node(*s).is_some_and(|n| {
            cx.res.registry.of(&n.placed).field(&n.placed).is_some() && !role::disabled(&n.placed)
        })
    })
}

/// Does an `accept` list (`image/*,.pdf,text/plain`) let the file in? An empty one takes all.
fn accepts(accept: &str, file: &FileInfo) -> bool {
    let name = file.name.to_lowercase();
    let kind = file.kind.to_lowercase();
    let mut rules = accept
        .split(',')
        .map(|r| r.trim().to_lowercase())
        .filter(|r| !r.is_empty())
        .peekable();
    rules.peek().is_none()
        || rules.any(|r| match r.strip_suffix("/*") {
            Some("*") => true,
            Some(family) => kind.split('/').next() == Some(family),
            None if r.starts_with('.') => name.ends_with(&r),
            None => kind == r,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accept_list_goes_by_ending_and_media_type() {
        let file = |name: &str, kind: &str| FileInfo {
            name: name.into(),
            size: 1,
            kind: kind.into(),
        };
        let list = "image/*, .PDF";
        assert!(accepts(list, &file("a.png", "image/png")));
        assert!(accepts(list, &file("B.Pdf", "")));
        assert!(!accepts(list, &file("c.txt", "text/plain")));
        assert!(accepts("", &file("c.txt", "")));
    }
}
