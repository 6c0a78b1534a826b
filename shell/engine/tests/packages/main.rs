//! Every package in `fixtures/packages`: the good ones have nothing wrong; each bad one has what it is there for, and
//! the JSON Schema refuses it too where its shape is wrong.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod behaviour;
#[path = "../common/mod.rs"]
mod common;
mod manifest;
mod records;
mod templates;
mod text;

use common::folder;
use ede_engine::package::Package;
use ede_engine::schema::formats::Format;

#[test]
fn every_good_package_is_good_and_keeps_the_schema() {
    let schema = common::Schema::new(Format::Package);
    for (name, bytes) in folder("packages/good") {
        let parsed = Package::read(&bytes);
        assert_eq!(common::said(&parsed.issues), [""; 0], "{name}");
        assert!(parsed.package.is_some(), "{name}");
        assert_eq!(schema.refusals(&bytes), [""; 0], "{name}");
    }
}

#[test]
fn every_bad_package_says_what_is_wrong_and_where() {
    let bad = [
        text::BAD,
        manifest::BAD,
        templates::BAD,
        records::BAD,
        behaviour::BAD,
    ]
    .concat();
    let files = folder("packages/bad").into_iter().map(|(name, bytes)| {
        let parsed = Package::read(&bytes);
        assert!(parsed.package.is_none(), "{name}");
        (name, bytes, parsed.issues)
    });
    common::each_fault_is_found(Format::Package, files.collect(), &bad);
}
