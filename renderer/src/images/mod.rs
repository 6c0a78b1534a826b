//! Decoded pictures. Bytes come from the host; decoding happens off the main thread, bounded in bytes, pixels and time.

mod data_url;
mod decode;
mod svg;
mod worker;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use worker::{Answer, Job, Workers};

use crate::geometry::{Rect, Size};

/// Premultiplied RGBA pixels.
#[derive(Debug)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    /// `width * height * 4` bytes.
    pub pixels: Vec<u8>,
    /// The picture's own size in CSS px, which a large photo or a scaled drawing does not have in pixels.
    pub natural: (u32, u32),
}

impl Bitmap {
    /// A picture that is as large as its pixels.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Bitmap {
        Bitmap {
            width,
            height,
            pixels,
            natural: (width, height),
        }
    }

    /// The picture's own size in CSS px.
    pub fn size(&self) -> Size {
        Size::new(self.natural.0 as f32, self.natural.1 as f32)
    }

    /// A part of the picture given in CSS px of its own size, in pixels: what `Op::Image` takes as its source.
    pub fn pixels_of(&self, part: Rect) -> Rect {
        let kx = self.width as f32 / (self.natural.0.max(1)) as f32;
        let ky = self.height as f32 / (self.natural.1.max(1)) as f32;
        Rect::new(part.x * kx, part.y * ky, part.w * kx, part.h * ky)
    }
}

impl PartialEq for Bitmap {
    fn eq(&self, other: &Bitmap) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What is known of a picture's source.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// Asked for; the surface is laid out again when it is there.
    Loading,
    Ready(Arc<Bitmap>),
    /// Refused or broken: the fallback is drawn.
    Failed,
}

/// Where a picture's bytes come from: the host, which decides what may be loaded at all. The renderer opens nothing itself.
pub trait MediaSource: Send + Sync {
    /// The bytes at `src`, at most `most` of them, for `owner` (empty: nobody's); asked for on a thread of the decoder. The error is one
    /// sentence for the log.
    fn load(&self, owner: &str, src: &str, most: u64) -> Result<Vec<u8>, String>;
}

/// Called, mostly on another thread, when a picture has arrived or failed: the owner should [`Images::poll`] and lay out again.
pub type PictureWaker = Arc<dyn Fn() + Send + Sync>;

/// Decoded bytes kept when nothing shows them any more.
const KEPT_BYTES: usize = 24 * 1024 * 1024;
/// Sources known at once; beyond it the longest unused are forgotten.
const MOST_SOURCES: usize = 1024;

struct Entry {
    picture: Picture,
    used: u64,
    /// Longest side a drawing was painted for, px; 0 for what has pixels of its own.
    drawn_for: u32,
    /// A sharper version of a drawing is being painted.
    sharpening: bool,
    /// The newest time it was asked for: an answer to an older one is none.
    asked: u64,
    remote: bool,
}

/// The pictures of the surfaces of one thread, by source. Those on other machines are each owner's own: what one may load, another may not
/// show, and they have a thread of their own, so that no server keeps what is here waiting.
#[derive(Default)]
pub struct Images {
    known: HashMap<Arc<str>, Entry>,
    workers: Workers,
    remote: Workers,
    /// Whose pictures are asked for now.
    owner: Option<Arc<str>>,
    clock: u64,
    wishes: u64,
    generation: u64,
    forgotten: u64,
}

impl Images {
    /// Pictures from `source`; without one only `data:` URLs are drawn.
    pub fn new(source: Arc<dyn MediaSource>, waker: PictureWaker) -> Images {
        Images {
            workers: Workers::new(Some(source.clone()), Some(waker.clone())),
            remote: Workers::new(Some(source), Some(waker)),
            ..Images::default()
        }
    }

    /// The picture at `src` (`data:` URL or a URL the host allows), asked for if it is new.
    pub fn get(&mut self, src: &str) -> Picture {
        self.poll();
        self.clock += 1;
        let key = self.key(src);
        if let Some(entry) = self.known.get_mut(&*key) {
            entry.used = self.clock;
            return entry.picture.clone();
        }
        let key: Arc<str> = key.into();
        self.forget_some();
        let asked = self.ask(key.clone(), src.into(), None);
        let picture = if asked.is_some() {
            Picture::Loading
        } else {
            Picture::Failed
        };
        self.known.insert(
            key,
            Entry {
                picture: picture.clone(),
                used: self.clock,
                drawn_for: 0,
                sharpening: false,
                asked: asked.unwrap_or_default(),
                remote: is_remote(src),
            },
        );
        picture
    }

    /// What a source is known by.
    fn key<'a>(&self, src: &'a str) -> Cow<'a, str> {
        match (&self.owner, is_remote(src)) {
            (Some(owner), true) => format!("{owner} {src}").into(),
            _ => src.into(),
        }
    }

    /// Have it loaded; the number of the wish, if somebody takes it.
    fn ask(&mut self, key: Arc<str>, src: Arc<str>, side: Option<u32>) -> Option<u64> {
        self.wishes += 1;
        let workers = if is_remote(&src) {
            &mut self.remote
        } else {
            &mut self.workers
        };
        let owner = self.owner.clone().unwrap_or_default();
        let job = Job {
            key,
            src,
            side,
            owner,
            wish: self.wishes,
        };
        workers.ask(job).then_some(self.wishes)
    }

    /// [`Images::get`] for a place of `side` physical px (its longer side): a drawing (SVG) painted for a much smaller place is
    /// painted again, the present one serves until then.
    pub fn get_for(&mut self, src: &str, side: f32) -> Picture {
        let picture = self.get(src);
        let wanted = (side.clamp(1.0, 4096.0) as u32).next_power_of_two();
        let key = self.key(src);
        if let Some((key, entry)) = self.known.get_key_value(&*key)
            && matches!(entry.picture, Picture::Ready(_))
            && entry.drawn_for > 0
            && wanted > entry.drawn_for
            && !entry.sharpening
        {
            let key = key.clone();
            let asked = self.ask(key.clone(), src.into(), Some(wanted));
            if let Some(entry) = self.known.get_mut(&key) {
                entry.sharpening = asked.is_some();
                entry.asked = asked.unwrap_or(entry.asked);
                // A refused wish is not repeated on every frame.
                entry.drawn_for = if asked.is_some() {
                    entry.drawn_for
                } else {
                    wanted
                };
            }
        }
        picture
    }

    /// Whose pictures are asked for from now on (an app); what hangs or costs too much is counted for them alone. Gives back who it was.
    pub fn set_owner(&mut self, owner: Option<Arc<str>>) -> Option<Arc<str>> {
        std::mem::replace(&mut self.owner, owner)
    }

    /// Grows whenever some picture has come or failed.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Take what has been decoded meanwhile. True when some picture came or failed.
    pub fn poll(&mut self) -> bool {
        let mut any = false;
        while let Some(answer) = self.workers.answer().or_else(|| self.remote.answer()) {
            let Answer {
                key, wish, result, ..
            } = answer;
            any = true;
            let entry = self.known.get_mut(&key);
            let Some(entry) = entry.filter(|entry| entry.asked == wish) else {
                continue;
            };
            entry.sharpening = false;
            match result {
                Ok(decoded) => {
                    entry.drawn_for = decoded.drawn_for;
                    entry.picture = Picture::Ready(Arc::new(decoded.bitmap));
                }
                Err(error) => {
                    tracing::warn!(src = short(&key), %error, "picture refused");
                    // A drawing that could not be painted larger stays as it is.
                    if entry.picture == Picture::Loading {
                        entry.picture = Picture::Failed;
                    }
                }
            }
        }
        if any {
            self.generation += 1;
            self.forget_some();
        }
        any
    }

    /// When to [`Images::poll`] although no picture has come: one has been waited for long enough then.
    pub fn next_wake(&self) -> Option<Instant> {
        let deadlines = [self.workers.deadline(), self.remote.deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// [`Images::poll`] until nothing is being decoded. For pictures made once (previews, tests).
    pub fn settle(&mut self) -> bool {
        let mut any = false;
        while self.workers.wait() || self.remote.wait() {
            any |= self.poll();
        }
        any | self.poll()
    }

    /// Ask anew for what failed (the network is back, a file was repaired).
    pub fn retry_failed(&mut self) {
        self.known.retain(|_, e| e.picture != Picture::Failed);
    }

    /// Who may load what from other machines has changed: all of it is asked for anew.
    pub fn forget_remote(&mut self) {
        self.known.retain(|_, e| !e.remote);
        self.generation += 1;
        self.forgotten += 1;
    }

    /// Grows whenever pictures that may be shown have been forgotten: what shows any asks again.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Forget the longest unused that nothing shows, down to the bounds.
    fn forget_some(&mut self) {
        let bytes = |e: &Entry| match &e.picture {
            Picture::Ready(b) => b.pixels.len(),
            _ => 0,
        };
        let mut total: usize = self.known.values().map(bytes).sum();
        if total <= KEPT_BYTES && self.known.len() < MOST_SOURCES {
            return;
        }
        let mut idle: Vec<(u64, Arc<str>, usize)> = self
            .known
            .iter()
            .filter(|(_, e)| match &e.picture {
                Picture::Ready(b) => Arc::strong_count(b) == 1,
                Picture::Loading => false,
                Picture::Failed => true,
            })
            .map(|(src, e)| (e.used, src.clone(), bytes(e)))
            .collect();
        idle.sort_unstable_by_key(|e| e.0);
        for (_, src, bytes) in idle {
            if total <= KEPT_BYTES && self.known.len() < MOST_SOURCES {
                break;
            }
            total -= bytes;
            self.known.remove(&src);
        }
    }
}

/// Is a picture on another machine?
fn is_remote(src: &str) -> bool {
    let scheme = |s: &str| {
        src.get(..s.len())
            .is_some_and(|p| p.eq_ignore_ascii_case(s))
    };
    scheme("https:") || scheme("http:")
}

/// What a picture is known by, for a log line: never a whole `data:` URL, and of one on another machine no more than where that is.
fn short(key: &str) -> &str {
    let end = match key.split_once("://") {
        Some((scheme, rest)) => scheme.len() + 3 + rest.find(['/', '?', '#']).unwrap_or(rest.len()),
        None => key.len(),
    };
    &key[..key.floor_char_boundary(end.min(80))]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Shelf;

    impl MediaSource for Shelf {
        fn load(&self, owner: &str, src: &str, most: u64) -> Result<Vec<u8>, String> {
            match src {
                "dot.png" => Ok(dot()),
                "https://one.example/dot.png?token" if owner == "acme.one" => Ok(dot()),
                "huge" => Ok(vec![0; most as usize + 1]),
                "text" => Ok(b"no picture".to_vec()),
                _ => Err("no such picture".into()),
            }
        }
    }

    fn dot() -> Vec<u8> {
        crate::png::Rgba {
            width: 1,
            height: 1,
            pixels: vec![200, 100, 50, 128],
        }
        .encode()
        .unwrap()
    }

    fn shelf() -> (Images, mpsc::Receiver<()>) {
        let (tx, rx) = mpsc::channel();
        let wake = move || {
            let _ = tx.send(());
        };
        (Images::new(Arc::new(Shelf), Arc::new(wake)), rx)
    }

    #[test]
    fn a_picture_arrives_with_a_wake_up_and_is_premultiplied() {
        let (mut images, woken) = shelf();
        assert_eq!(images.get("dot.png"), Picture::Loading);
        woken.recv().unwrap();
        assert!(images.poll());
        let Picture::Ready(bitmap) = images.get("dot.png") else {
            panic!("not there");
        };
        assert_eq!(bitmap.pixels, [100, 50, 25, 128]);
        assert_eq!(images.generation(), 1);
    }

    #[test]
    fn what_cannot_be_shown_fails() {
        let (mut images, _woken) = shelf();
        for src in ["missing", "huge", "text", "", "data:image/png;base64,####"] {
            images.get(src);
            images.settle();
            assert_eq!(images.get(src), Picture::Failed, "{src}");
        }
    }

    #[test]
    fn without_a_source_only_data_urls_are_drawn() {
        let mut images = Images::default();
        let svg = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='2' height='2'%3E%3Crect width='2' height='2' fill='red'/%3E%3C/svg%3E";
        images.get("dot.png");
        images.get(svg);
        images.settle();
        assert_eq!(images.get("dot.png"), Picture::Failed);
        assert!(matches!(images.get(svg), Picture::Ready(_)));
    }

    #[test]
    fn a_drawing_is_painted_again_for_a_larger_place() {
        let mut images = Images::default();
        let svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='8' height='4'><rect width='8' height='4' fill='red'/></svg>";
        images.get(svg);
        images.settle();
        let Picture::Ready(small) = images.get_for(svg, 300.0) else {
            panic!("not there");
        };
        images.settle();
        let Picture::Ready(large) = images.get_for(svg, 300.0) else {
            panic!("gone");
        };
        assert!(large.width >= 300 && large.width > small.width);
        assert_eq!(large.natural, (8, 4));
    }

    #[test]
    fn what_is_shown_is_never_forgotten_and_the_rest_is_bounded() {
        let (mut images, _woken) = shelf();
        images.get("dot.png");
        images.settle();
        let shown = images.get("dot.png");
        for i in 0..2 * MOST_SOURCES {
            images.get(&format!("missing {i}"));
            if i % 200 == 0 {
                images.settle();
            }
        }
        images.settle();
        assert_eq!(images.get("dot.png"), shown);
        assert!(images.known.len() <= MOST_SOURCES + 200);
    }

    #[test]
    fn what_one_may_load_from_another_machine_no_other_shows() {
        let (mut images, _woken) = shelf();
        let src = "https://one.example/dot.png?token";
        let of = |images: &mut Images, owner: Option<&str>| {
            images.set_owner(owner.map(Arc::from));
            images.get(src);
            images.settle();
            images.get(src)
        };
        assert!(matches!(
            of(&mut images, Some("acme.one")),
            Picture::Ready(_)
        ));
        assert_eq!(of(&mut images, Some("acme.two")), Picture::Failed);
        assert_eq!(of(&mut images, None), Picture::Failed);
        // What is here is everybody's.
        images.get("dot.png");
        images.settle();
        images.forget_remote();
        images.set_owner(Some("acme.one".into()));
        assert_eq!(images.get(src), Picture::Loading, "it is asked for anew");
        assert!(matches!(images.get("dot.png"), Picture::Ready(_)));
    }

    #[test]
    fn an_answer_to_what_was_asked_before_is_none() {
        let (mut images, _woken) = shelf();
        let src = "https://one.example/dot.png?token";
        images.set_owner(Some("acme.one".into()));
        images.get(src);
        // Meanwhile it is not allowed any more.
        images.forget_remote();
        let key: Arc<str> = images.key(src).into();
        images.get(src);
        let entry = images.known.get_mut(&key).unwrap();
        entry.asked += 1;
        images.settle();
        assert_eq!(images.get(src), Picture::Loading);
    }

    #[test]
    fn a_log_holds_no_more_of_a_picture_elsewhere_than_where_that_is() {
        assert_eq!(
            short("acme.one https://one.example:8443/a?token=b"),
            "acme.one https://one.example:8443"
        );
        assert_eq!(short("https://one.example?token"), "https://one.example");
        assert_eq!(short("dot.png"), "dot.png");
        assert_eq!(short(&"é".repeat(100)).chars().count(), 40);
    }
}
