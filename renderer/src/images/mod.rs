//! Decoded pictures. Bytes come from the host; decoding happens off the main thread, bounded in bytes, pixels and time.

mod data_url;
mod decode;
mod known;
mod svg;
mod worker;

use std::sync::Arc;
use std::time::Instant;

use known::{Entry, Key, Known, Whose};
use worker::{Answer, Job, Lanes, Workers};

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

/// Where a picture's bytes come from: the host, which decides what may be loaded at all. The renderer opens nothing itself. What loads is
/// called on a thread of the decoder, for at most `most` bytes; its error is one sentence for the log.
pub trait MediaSource: Send + Sync {
    /// Is `src`, spelled exactly so, on this machine and the same for everybody? Anything else is loaded for its owner alone.
    fn is_here(&self, src: &str) -> bool;

    /// The bytes of what is here.
    fn load_here(&self, src: &str, most: u64) -> Result<Vec<u8>, String>;

    /// The bytes of what is not, for `owner` (empty: nobody).
    fn load_for(&self, owner: &str, src: &str, most: u64) -> Result<Vec<u8>, String>;
}

/// Called, mostly on another thread, when a picture has arrived or failed: the owner should [`Images::poll`] and lay out again.
pub type PictureWaker = Arc<dyn Fn() + Send + Sync>;

/// What is here is decoded one by one; servers are waited for side by side, and no owner keeps all of them.
const HERE: Lanes = Lanes { all: 1, of_one: 1 };
const ELSEWHERE: Lanes = Lanes { all: 4, of_one: 2 };

/// The pictures of the surfaces of one thread. Those that are not here are each owner's own: what one may load, another may not show, and
/// they have threads of their own, so that no server keeps what is here waiting.
pub struct Images {
    known: Known,
    source: Option<Arc<dyn MediaSource>>,
    here: Workers,
    elsewhere: Workers,
    /// Whose pictures are asked for now.
    owner: Option<Arc<str>>,
    clock: u64,
    wishes: u64,
    generation: u64,
    forgotten: u64,
}

impl Default for Images {
    /// `data:` URLs alone.
    fn default() -> Images {
        Images {
            known: Known::default(),
            source: None,
            here: Workers::new(HERE, None, None),
            elsewhere: Workers::new(ELSEWHERE, None, None),
            owner: None,
            clock: 0,
            wishes: 0,
            generation: 0,
            forgotten: 0,
        }
    }
}

impl Images {
    /// Pictures from `source`; without one only `data:` URLs are drawn.
    pub fn new(source: Arc<dyn MediaSource>, waker: PictureWaker) -> Images {
        Images {
            here: Workers::new(HERE, Some(source.clone()), Some(waker.clone())),
            elsewhere: Workers::new(ELSEWHERE, Some(source.clone()), Some(waker)),
            source: Some(source),
            ..Images::default()
        }
    }

    /// The picture at `src` (`data:` URL or what the host allows), asked for if it is new.
    pub fn get(&mut self, src: &str) -> Picture {
        self.poll();
        self.clock += 1;
        let whose = self.whose(src);
        if let Some(entry) = self.known.get_mut(&whose, src) {
            entry.used = self.clock;
            return entry.picture.clone();
        }
        let src = src.into();
        let key = Key { whose, src };
        self.known.forget_some();
        let asked = self.ask(key.clone(), None);
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
            },
        );
        picture
    }

    /// Whose the picture at `src` is. This alone says so: what is not known to be here is its owner's, however it is spelled.
    fn whose(&self, src: &str) -> Whose {
        let here = || self.source.as_ref().is_some_and(|host| host.is_here(src));
        if data_url::is_one(src) || here() {
            Whose::Everybodys
        } else {
            Whose::Ones(self.owner.clone())
        }
    }

    /// Have it loaded; the number of the wish, if somebody takes it.
    fn ask(&mut self, key: Key, side: Option<u32>) -> Option<u64> {
        self.wishes += 1;
        let workers = match key.whose {
            Whose::Everybodys => &mut self.here,
            Whose::Ones(_) => &mut self.elsewhere,
        };
        let job = Job {
            key,
            side,
            owner: self.owner.clone().unwrap_or_default(),
            wish: self.wishes,
        };
        workers.ask(job).then_some(self.wishes)
    }

    /// [`Images::get`] for a place of `side` physical px (its longer side): a drawing (SVG) painted for a much smaller place is
    /// painted again, the present one serves until then.
    pub fn get_for(&mut self, src: &str, side: f32) -> Picture {
        let picture = self.get(src);
        let wanted = (side.clamp(1.0, 4096.0) as u32).next_power_of_two();
        let whose = self.whose(src);
        if let Some(entry) = self.known.get_mut(&whose, src)
            && matches!(entry.picture, Picture::Ready(_))
            && entry.drawn_for > 0
            && wanted > entry.drawn_for
            && !entry.sharpening
        {
            let key = Key {
                whose: whose.clone(),
                src: src.into(),
            };
            let asked = self.ask(key, Some(wanted));
            if let Some(entry) = self.known.get_mut(&whose, src) {
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
        while let Some(answer) = self.here.answer().or_else(|| self.elsewhere.answer()) {
            let Answer { key, wish, result } = answer;
            any = true;
            let entry = self.known.get_mut(&key.whose, &key.src);
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
                    tracing::warn!(whose = ?key.whose, src = short(&key), %error, "picture refused");
                    // A drawing that could not be painted larger stays as it is.
                    if entry.picture == Picture::Loading {
                        entry.picture = Picture::Failed;
                    }
                }
            }
        }
        if any {
            self.generation += 1;
            self.known.forget_some();
        }
        any
    }

    /// When to [`Images::poll`] although no picture has come: one has been waited for long enough then.
    pub fn next_wake(&self) -> Option<Instant> {
        let deadlines = [self.here.deadline(), self.elsewhere.deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// [`Images::poll`] until nothing is being decoded. For pictures made once (previews, tests).
    pub fn settle(&mut self) -> bool {
        let mut any = false;
        while self.here.wait() || self.elsewhere.wait() {
            any |= self.poll();
        }
        any | self.poll()
    }

    /// Who may load what from other machines has changed: all of it is asked for anew.
    pub fn forget_remote(&mut self) {
        self.known.forget_ones_own();
        self.generation += 1;
        self.forgotten += 1;
    }

    /// Grows whenever pictures that may be shown have been forgotten: what shows any asks again.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// A picture's source for a log line: never a whole `data:` URL, and of what is not here no more than the machine it may be on.
fn short(key: &Key) -> &str {
    let src = &*key.src;
    let end = match (&key.whose, src.split_once("://")) {
        (Whose::Everybodys, _) => src.len(),
        (Whose::Ones(_), Some((scheme, rest))) => {
            let host = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
            scheme.len() + 3 + host
        }
        (Whose::Ones(_), None) => src.find(['/', '\\', '?', '#']).unwrap_or(src.len()),
    };
    &src[..src.floor_char_boundary(end.min(80))]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Shelf;

    impl MediaSource for Shelf {
        fn is_here(&self, src: &str) -> bool {
            ["dot.png", "huge", "text"].contains(&src)
        }

        fn load_here(&self, src: &str, most: u64) -> Result<Vec<u8>, String> {
            match src {
                "dot.png" => Ok(dot()),
                "huge" => Ok(vec![0; most as usize + 1]),
                _ => Ok(b"no picture".to_vec()),
            }
        }

        // A host that mends what it is asked for, as browsers do.
        fn load_for(&self, owner: &str, src: &str, _: u64) -> Result<Vec<u8>, String> {
            let mended = src.trim().replace('\t', "");
            match owner == "acme.one" && mended == "https://one.example/dot.png?token" {
                true => Ok(dot()),
                false => Err("no such picture".into()),
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
        for i in 0..2 * known::MOST_SOURCES {
            images.get(&format!("missing {i}"));
            if i % 200 == 0 {
                images.settle();
            }
        }
        images.settle();
        assert_eq!(images.get("dot.png"), shown);
        assert!(images.known.len() <= known::MOST_SOURCES + 200);
    }

    /// What comes of `src` for somebody.
    fn shown(images: &mut Images, owner: Option<&str>, src: &str) -> Picture {
        images.set_owner(owner.map(Arc::from));
        images.get(src);
        images.settle();
        images.get(src)
    }

    #[test]
    fn what_one_may_load_from_elsewhere_no_other_shows_however_it_is_spelled() {
        for src in [
            "https://one.example/dot.png?token",
            " https://one.example/dot.png?token",
            "\nhttps://one.example/dot.png?token",
            "ht\ttps://one.example/dot.png?token",
        ] {
            let (mut images, _woken) = shelf();
            let own = shown(&mut images, Some("acme.one"), src);
            assert!(matches!(own, Picture::Ready(_)), "{src:?}");
            for other in [Some("acme.two"), Some(""), None] {
                assert_eq!(shown(&mut images, other, src), Picture::Failed, "{src:?}");
            }
            // What is here is everybody's.
            images.get("dot.png");
            images.settle();
            images.forget_remote();
            images.set_owner(Some("acme.one".into()));
            assert_eq!(images.get(src), Picture::Loading, "it is asked for anew");
            assert!(matches!(images.get("dot.png"), Picture::Ready(_)));
        }
    }

    #[test]
    fn nobody_reaches_another_owners_picture_by_spelling_the_owner() {
        let (mut images, _woken) = shelf();
        let src = "https://one.example/dot.png?token";
        shown(&mut images, Some("acme.one"), src);
        let spelled = format!("acme.one {src}");
        for owner in [Some("acme.two"), None] {
            assert_eq!(shown(&mut images, owner, &spelled), Picture::Failed);
        }
    }

    #[test]
    fn an_answer_to_what_was_asked_before_is_none() {
        let (mut images, _woken) = shelf();
        let src = "https://one.example/dot.png?token";
        images.set_owner(Some("acme.one".into()));
        images.get(src);
        // Meanwhile it is not allowed any more.
        images.forget_remote();
        let whose = images.whose(src);
        images.get(src);
        let entry = images.known.get_mut(&whose, src).unwrap();
        entry.asked += 1;
        images.settle();
        assert_eq!(images.get(src), Picture::Loading);
    }

    #[test]
    fn a_log_holds_no_more_of_a_picture_elsewhere_than_where_that_is() {
        let of = |whose: Whose, src: &str| {
            let src = src.into();
            short(&Key { whose, src }).to_owned()
        };
        let ones = |src: &str| of(Whose::Ones(Some("acme.one".into())), src);
        let machine = "https://one.example:8443";
        assert_eq!(ones("https://one.example:8443/a?token=b"), machine);
        assert_eq!(ones("https://one.example?token"), "https://one.example");
        assert_eq!(ones("https:/one.example/a?token"), "https:");
        assert_eq!(of(Whose::Everybodys, "dot.png"), "dot.png");
        let long = of(Whose::Everybodys, &"é".repeat(100));
        assert_eq!(long.chars().count(), 40);
    }
}
