//! Files that a component has listed and whose addresses are on their way. A list has names and sizes alone: which of its entries is whose
//! says the order they came in, since a component that lists a name again takes the earlier entry of that name off. Pure.

use ede_renderer::input::FileInfo;
use serde_json::Value;

/// Which upload it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number(u64);

/// The uploads under way, by the surface `W` and the place of the list in its data.
pub(super) struct Listings<W> {
    next: u64,
    all: Vec<(Number, Listing<W>)>,
}

/// The files of one upload.
pub(super) struct Listing<W> {
    pub of: W,
    pub path: String,
    /// `None` of one whose entry has gone for another of its name.
    files: Vec<Option<FileInfo>>,
}

impl<W> Default for Listings<W> {
    fn default() -> Listings<W> {
        let (next, all) = (0, Vec::new());
        Listings { next, all }
    }
}

impl<W: PartialEq> Listings<W> {
    /// A component has listed these at `path`.
    pub fn begin(&mut self, of: W, path: String, files: Vec<FileInfo>) -> Number {
        let earlier = self.all.iter_mut().map(|(_, listing)| listing);
        for listing in earlier.filter(|l| l.of == of && l.path == path) {
            for file in &mut listing.files {
                file.take_if(|file| files.iter().any(|new| new.name == file.name));
            }
        }
        let (number, files) = (Number(self.next), files.into_iter().map(Some).collect());
        self.next += 1;
        self.all.push((number, Listing { of, path, files }));
        number
    }

    /// An upload is over.
    pub fn end(&mut self, number: Number) -> Option<Listing<W>> {
        let at = self.all.iter().position(|(n, _)| *n == number)?;
        Some(self.all.remove(at).1)
    }
}

impl<W> Listing<W> {
    /// Write the addresses into the entries of the files, in their order.
    pub fn address(&self, list: &mut [Value], addresses: &[String]) {
        for (file, address) in self.files.iter().zip(addresses) {
            let entry = file.as_ref().and_then(|file| place(list, file));
            if let Some(Value::Object(entry)) = entry.and_then(|at| list.get_mut(at)) {
                entry.insert("url".into(), address.as_str().into());
            }
        }
    }

    /// Take the entries of the files off the list.
    pub fn take_off(&self, list: &mut Vec<Value>) {
        for file in self.files.iter().flatten() {
            if let Some(at) = place(list, file) {
                list.remove(at);
            }
        }
    }
}

/// Keep those of `files` that have an entry of their own in `list`, without an address.
pub(super) fn keep_listed<F>(files: &mut Vec<F>, list: &[Value], info: impl Fn(&F) -> &FileInfo) {
    let mut free = list.to_vec();
    files.retain(|file| {
        let at = place(&free, info(file));
        at.map(|at| free.remove(at)).is_some()
    });
}

/// The first entry of the file that has no address.
fn place(list: &[Value], file: &FileInfo) -> Option<usize> {
    let is = |entry: &Value| {
        let bare = entry.get("url").is_none_or(Value::is_null);
        bare && entry["name"] == file.name && entry["size"].as_f64() == Some(file.size as f64)
    };
    list.iter().position(is)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn file(name: &str, size: u64) -> FileInfo {
        let (name, kind) = (name.into(), "image/png".into());
        FileInfo { name, size, kind }
    }

    /// A component that takes several.
    #[derive(Default)]
    struct Component {
        uploads: Listings<&'static str>,
        list: Vec<Value>,
    }

    impl Component {
        /// As the component does it: a name that comes again takes the place of the earlier one.
        fn take(&mut self, files: &[FileInfo]) -> Number {
            let is_new = |entry: &Value| files.iter().any(|f| entry["name"] == f.name);
            self.list.retain(|entry| !is_new(entry));
            let entry = |f: &FileInfo| json!({"name": f.name, "size": f.size, "type": f.kind});
            self.list.extend(files.iter().map(entry));
            self.uploads
                .begin("surface", "/files".into(), files.to_vec())
        }

        fn kept(&mut self, number: Number, addresses: &[&str]) {
            let addresses: Vec<String> = addresses.iter().map(|a| (*a).to_owned()).collect();
            let listing = self.uploads.end(number).unwrap();
            listing.address(&mut self.list, &addresses);
        }

        fn failed(&mut self, number: Number) {
            let listing = self.uploads.end(number).unwrap();
            listing.take_off(&mut self.list);
        }

        fn shows(&self) -> Vec<(&str, u64, Option<&str>)> {
            let one = |e| (text(e, "name").unwrap(), size(e), text(e, "url"));
            self.list.iter().map(one).collect()
        }
    }

    fn text<'a>(entry: &'a Value, key: &str) -> Option<&'a str> {
        entry.get(key).and_then(Value::as_str)
    }

    fn size(entry: &Value) -> u64 {
        entry["size"].as_u64().unwrap()
    }

    #[test]
    fn two_uploads_that_end_in_the_other_order_have_each_their_own_address() {
        let mut c = Component::default();
        let first = c.take(&[file("a.png", 1), file("b.png", 1)]);
        let second = c.take(&[file("c.png", 1)]);
        c.kept(second, &["C"]);
        c.kept(first, &["A", "B"]);
        let all = [
            ("a.png", 1, Some("A")),
            ("b.png", 1, Some("B")),
            ("c.png", 1, Some("C")),
        ];
        assert_eq!(c.shows(), all);
    }

    #[test]
    fn a_file_listed_again_by_its_name_has_its_own_address_whichever_comes_first() {
        for first_ends_first in [true, false] {
            let mut c = Component::default();
            // The same name and size, and other bytes.
            let first = c.take(&[file("a.png", 1), file("b.png", 1)]);
            let second = c.take(&[file("a.png", 1)]);
            if first_ends_first {
                c.kept(first, &["old", "B"]);
                c.kept(second, &["new"]);
            } else {
                c.kept(second, &["new"]);
                c.kept(first, &["old", "B"]);
            }
            let all = [("b.png", 1, Some("B")), ("a.png", 1, Some("new"))];
            assert_eq!(c.shows(), all);
        }
    }

    #[test]
    fn an_upload_that_fails_takes_no_entry_of_another_off() {
        for first_fails in [true, false] {
            let mut c = Component::default();
            let first = c.take(&[file("a.png", 1)]);
            let second = c.take(&[file("a.png", 1), file("b.png", 2)]);
            if first_fails {
                c.failed(first);
                c.kept(second, &["A", "B"]);
                let all = [("a.png", 1, Some("A")), ("b.png", 2, Some("B"))];
                assert_eq!(c.shows(), all);
            } else {
                c.failed(second);
                c.kept(first, &["A"]);
                assert_eq!(c.shows(), [], "its entry went for the second one");
            }
        }
        // Two of one name from two folders, at once: they differ in size.
        let mut c = Component::default();
        let both = c.take(&[file("a.png", 1), file("a.png", 2)]);
        c.list.swap(0, 1);
        c.kept(both, &["one", "two"]);
        assert_eq!(
            c.shows(),
            [("a.png", 2, Some("two")), ("a.png", 1, Some("one"))]
        );
    }

    #[test]
    fn an_upload_elsewhere_changes_nothing_here() {
        let mut c = Component::default();
        let here = c.take(&[file("a.png", 1)]);
        for (of, path) in [("other", "/files"), ("surface", "/more")] {
            c.uploads.begin(of, path.into(), vec![file("a.png", 1)]);
        }
        c.kept(here, &["A"]);
        assert_eq!(c.shows(), [("a.png", 1, Some("A"))]);
    }

    #[test]
    fn what_a_component_did_not_take_is_not_uploaded() {
        let list = [
            json!({"name": "a.png", "size": 1}),
            json!({"name": "b.png", "size": 1, "url": "B"}),
        ];
        let mut files = vec![
            file("a.png", 1),
            file("a.png", 1),
            file("b.png", 1),
            file("a.png", 2),
        ];
        keep_listed(&mut files, &list, |f| f);
        assert_eq!(files, [file("a.png", 1)]);
    }
}
