//! PDFs: the golden files of the contract cases, byte for byte; what another program (poppler) reads in them; and that any document at
//! all becomes a file whose table is right. `EDE_BLESS=1` rewrites the golden files: open them before committing them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod pdfs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ede_engine::bridge::files::FileId;
use ede_engine::pdf::room::LARGEST;
use ede_engine::pdf::{Block, Pdf, PdfError, render};
use pdfs::cases::{Case, cases, golden_folder};
use pdfs::poppler;
use pdfs::structure::Structure;
use proptest::prelude::*;

#[test]
fn every_case_gives_its_golden_file() {
    let folder = golden_folder();
    let bless = std::env::var_os("EDE_BLESS").is_some_and(|wish| wish == "1");
    let mut expected = BTreeSet::new();
    for case in cases() {
        let pdf = case.print();
        let file = case.golden();
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &pdf.bytes).unwrap();
        }
        let golden = std::fs::read(&file).unwrap_or_default();
        assert!(
            pdf.bytes == golden,
            "{}: not the bytes of {}",
            case.name,
            file.display()
        );
        expected.insert(file);
    }
    let there = std::fs::read_dir(&folder).unwrap();
    let there: BTreeSet<_> = there.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(there, expected, "every golden file is a case's");
}

#[test]
fn poppler_reads_the_pages_the_title_and_the_text_of_every_golden_file() {
    for case in cases() {
        let (name, file) = (&case.name, case.golden());
        let info = poppler::info(&file);
        assert_eq!(info["Pages"], case.pages.to_string(), "{name}");
        // It says each line of a title on one of its own.
        let first = case.title.lines().next().unwrap();
        assert_eq!(info["Title"], first, "{name}");
        assert_eq!(info["Producer"], "Exponential Engine", "{name}");
        assert_eq!(info["Page size"], "595 x 842 pts (A4)", "{name}");
        let text = poppler::text(&file);
        assert_eq!(letters(&text), letters(&case.text()), "{name}");
    }
}

#[test]
fn poppler_draws_every_image_of_every_golden_file() {
    let mut kinds = BTreeSet::new();
    for case in cases() {
        let images = poppler::images(&case.golden());
        assert_eq!(images.len(), case.images(), "{}", case.name);
        kinds.extend(images);
        poppler::draw(&case.golden());
    }
    let seen = |colour: &str, packing: &str| kinds.contains(&(colour.into(), packing.into()));
    assert!(seen("rgb", "jpeg") && seen("gray", "jpeg") && seen("cmyk", "jpeg"));
    assert!(seen("rgb", "image") && seen("gray", "image"));
}

/// A text without what sets it apart: spaces, lines, pages.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Documents, their images out of a few files: whole, mutilated, and missing.
#[derive(Debug, Clone)]
enum Part {
    Heading(String),
    Text(String),
    Image(String, Option<String>),
    PageBreak,
}

impl Part {
    fn block(&self) -> Block<'_> {
        match self {
            Part::Heading(text) => Block::Heading(text),
            Part::Text(text) => Block::Text(text),
            Part::Image(file, caption) => Block::Image {
                file,
                caption: caption.as_deref(),
            },
            Part::PageBreak => Block::PageBreak,
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ a-zA-ZäöüßÄÖÜ€“”()\\\\.,-]{0,400}",
        1 => "(\\PC|[\\x00-\\x1f]){0,200}",
        1 => "[\n \t]{0,120}",
        1 => "[a-zW]{100,600}",
    ]
}

fn any_part(files: Vec<String>) -> impl Strategy<Value = Part> {
    let file = prop::sample::select(files);
    let caption = prop::option::of("[a-z ]{1,200}");
    prop_oneof![
        2 => any_text().prop_map(Part::Heading),
        4 => any_text().prop_map(Part::Text),
        3 => (file, caption).prop_map(|(file, caption)| Part::Image(file, caption)),
        1 => Just(Part::PageBreak),
    ]
}

/// The images of all cases by a name of their own.
fn images() -> &'static BTreeMap<String, Vec<u8>> {
    static ALL: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
        let all = cases().into_iter().flat_map(|case: Case| case.files);
        all.enumerate()
            .map(|(index, (id, bytes))| (format!("{id}-{index}"), bytes))
            .collect()
    });
    &ALL
}

fn print(title: &str, parts: &[Part], files: &BTreeMap<String, Vec<u8>>) -> Result<Pdf, PdfError> {
    let blocks = parts.iter().map(Part::block);
    render(title, blocks, &mut |id: &FileId| {
        Ok(files.get(id.as_str()).cloned())
    })
}

proptest! {
    #[test]
    fn any_document_is_a_file_whose_table_is_right(
        title in "\\PC{0,40}", parts in prop::collection::vec(any_part(images().keys().cloned().collect()), 0..30),
    ) {
        let pdf = print(&title, &parts, images()).unwrap();
        let structure = Structure::of(&pdf.bytes);
        prop_assert_eq!(structure.pages, pdf.pages);
        prop_assert!(pdf.pages >= 1);
        prop_assert!(structure.lowest >= 56.0 && structure.highest <= 786.0, "nothing is set outside the margins");
        let used: BTreeSet<&String> = parts.iter().filter_map(|part| match part {
            Part::Image(file, _) => Some(file),
            _ => None,
        }).collect();
        prop_assert_eq!(structure.images, used.len());
        prop_assert_eq!(print(&title, &parts, images()), Ok(pdf), "the same document gives the same bytes");
    }

    #[test]
    fn a_mutilated_image_is_refused_or_goes_through(
        which in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        to in any::<[u8; 4]>(), bytes in prop::collection::vec(any::<u8>(), 0..64), whole in any::<bool>(),
    ) {
        let mut image = images().values().nth(which.index(images().len())).unwrap().clone();
        let from = at.index(image.len().min(64));
        for (byte, to) in image.iter_mut().skip(from).zip(to) {
            *byte = to;
        }
        if !whole {
            image.truncate(cut.index(image.len()));
        }
        for image in [image, bytes] {
            let files = BTreeMap::from([("f".to_owned(), image)]);
            let parts = [Part::Text("x".into()), Part::Image("f".into(), None), Part::Text("y".into())];
            match print("t", &parts, &files) {
                Ok(pdf) => prop_assert_eq!(Structure::of(&pdf.bytes).images, 1),
                Err(error) => prop_assert_eq!(error, PdfError::UnsupportedImage("f".into())),
            }
        }
    }
}

#[test]
fn what_would_be_too_large_is_refused_before_it_is_made() {
    // Every image is asked for once, and the one that is too much is not kept.
    let mut image = images().values().next().unwrap().clone();
    image.resize(LARGEST / 4, 0);
    let names: Vec<String> = (0..5).map(|n| n.to_string()).collect();
    let shown = |images: usize| {
        let mut asked = 0;
        let blocks = names[..images].iter().chain(&names[..images]);
        let blocks = blocks.map(|file| Block::Image {
            file,
            caption: None,
        });
        let pdf = render("t", blocks, &mut |_| {
            asked += 1;
            Ok(Some(image.clone()))
        });
        (pdf, asked)
    };
    let (three, asked) = shown(3);
    assert!(three.unwrap().bytes.len() < LARGEST);
    assert_eq!(asked, 3);
    let (five, asked) = shown(5);
    assert_eq!(five.unwrap_err().to_string(), "tooLarge");
    assert_eq!(asked, 4);
}

#[test]
fn long_words_and_many_blocks_are_no_trouble() {
    let mut parts = vec![Part::Text("x".repeat(20_000)); 200];
    parts.extend(vec![Part::Heading("(".repeat(500)); 1800]);
    let pdf = print("t", &parts, &BTreeMap::new()).unwrap();
    let structure = Structure::of(&pdf.bytes);
    assert_eq!(structure.pages, pdf.pages);
    assert_eq!(structure.images, 0);
}
