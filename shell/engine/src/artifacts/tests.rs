//! What is kept is what was said of it, and only what is whole can be saved.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Zoned;
use jiff::tz::TimeZone;

use super::*;
use crate::clock::Clock;
use crate::interactions::{
    AgentId, Answer, CallError, ConversationId, Interaction, Matter, Request, Wanted,
};
use crate::records::StoreOptions;

/// A clock that is set by hand, in days.
#[derive(Default)]
struct Hand(AtomicI64);

impl Clock for Hand {
    fn now(&self) -> Zoned {
        let second = 1_796_040_000 + self.0.load(Ordering::Relaxed) * 86_400;
        Timestamp::from_second(second)
            .unwrap()
            .to_zoned(TimeZone::UTC)
    }
}

fn artifacts(folder: &Path, clock: &Arc<Hand>) -> Artifacts {
    let options = StoreOptions::new(folder.join("records.db"), clock.clone());
    Artifacts::new(Store::start(options).unwrap())
}

fn caller(conversation: &str) -> Caller {
    Caller {
        agent: AgentId::shell(),
        conversation: ConversationId::parse(conversation).unwrap(),
    }
}

fn offer(bytes: &[u8], hash: Option<Hash>) -> Offer {
    Offer {
        name: "report.pdf".into(),
        mime_type: "application/pdf".into(),
        size: bytes.len() as u64,
        hash,
    }
}

/// The offer that the arguments of `keep` spell.
fn read(given: &Value) -> Result<Offer, CallError> {
    Call::read("keep", given).map(|call| match call {
        Call::Keep(offer, None) => offer,
        other => panic!("{other:?}"),
    })
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("files")).map_or(0, Iterator::count)
}

#[test]
fn an_offer_is_read_strictly_and_its_name_is_no_path() {
    let given = json!({"name": "../../.bashrc", "mimeType": "Text/Plain", "size": 3.0, "sha256": Hash::of(b"abc").as_str()});
    let said = read(&given).unwrap();
    assert_eq!((said.name.as_str(), said.size), ("-..-.bashrc", 3));
    assert_eq!(said.mime_type, "text/plain");
    assert_eq!(said.hash, Some(Hash::of(b"abc")));
    let most = json!({"name": "n", "mimeType": "a/b", "size": MAX_BYTES});
    assert_eq!(read(&most).unwrap().size, MAX_BYTES);
    for (key, value, says) in [
        ("size", json!(MAX_BYTES + 1), "/size maximum"),
        ("size", json!(-1), "/size minimum"),
        ("size", json!(1.5), "/size type"),
        ("name", json!("x".repeat(256)), "/name maxLength"),
        ("name", json!(""), "/name minLength"),
        ("mimeType", json!("text"), "/mimeType format"),
        ("mimeType", json!("text/pl ain"), "/mimeType format"),
        ("sha256", json!("Z".repeat(64)), "/sha256 format"),
        (
            "localRef",
            json!("/tmp/secret.pdf"),
            "/localRef additionalProperties",
        ),
        (
            "integrity",
            json!("verified"),
            "/integrity additionalProperties",
        ),
    ] {
        let mut given = most.clone();
        given[key] = value;
        let why = read(&given).unwrap_err().to_string();
        assert_eq!(why, format!("invalidParams: {says}"));
    }
}

#[test]
fn what_is_whole_is_saved_as_it_was_by_its_own_agent_alone_after_a_restart_too() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(Hand::default());
    let first = artifacts(dir.path(), &clock);
    let bytes = b"%PDF-1.7 whole".to_vec();
    let said = offer(&bytes, Some(Hash::of(&bytes)));
    let kept = first.keep(caller("c"), said, Some(bytes.clone())).unwrap();
    assert_eq!(kept.integrity, Integrity::Verified);
    let told = kept.told().to_string();
    let place = kept.local_ref.as_ref().unwrap();
    assert!(!told.contains(place.as_str()), "{told}");
    drop(first);
    let again = artifacts(dir.path(), &clock);
    let saved = again.saveable(caller("c"), kept.id.clone()).unwrap();
    assert_eq!((saved.name.as_str(), &saved.bytes), ("report.pdf", &bytes));
    let other = again.saveable(caller("d"), kept.id.clone());
    assert_eq!(other, Err(Refused::Unknown));
    // Somebody changed its bytes on the disk.
    let file = dir.path().join("files").join(place.as_str());
    std::fs::write(file, b"%PDF-1.7 other").unwrap();
    let changed = again.saveable(caller("c"), kept.id);
    assert_eq!(changed, Err(Refused::NotVerified));
}

#[test]
fn what_is_not_known_to_be_whole_is_known_but_not_saved() {
    let dir = tempfile::tempdir().unwrap();
    let all = artifacts(dir.path(), &Arc::default());
    let bytes = b"some bytes".to_vec();
    let keep = |offer: Offer, bytes: Option<Vec<u8>>| all.keep(caller("c"), offer, bytes).unwrap();
    let plain = keep(offer(&bytes, None), Some(bytes.clone()));
    let absent = keep(offer(&bytes, Some(Hash::of(&bytes))), None);
    assert_eq!(files(dir.path()), 1);
    let wrong = keep(offer(&bytes, Some(Hash::of(b"x"))), Some(bytes.clone()));
    let short = keep(
        offer(&bytes, Some(Hash::of(b"some"))),
        Some(b"some".to_vec()),
    );
    assert_eq!(files(dir.path()), 1, "bytes that are others are not kept");
    for (one, integrity) in [
        (plain, Integrity::Unverified),
        (absent, Integrity::Unverified),
        (wrong, Integrity::Failed),
        (short, Integrity::Failed),
    ] {
        assert_eq!(one.integrity, integrity);
        let saved = all.saveable(caller("c"), one.id);
        assert_eq!(saved, Err(Refused::NotVerified));
    }
    let large = vec![0; FILE_MAX_BYTES + 1];
    let offer = offer(&large, None);
    let refused = all.keep(caller("c"), offer.clone(), Some(large));
    assert_eq!(refused, Err(Refused::TooLarge));
    assert_eq!(keep(offer, None).integrity, Integrity::Unverified);
}

#[test]
fn its_file_is_kept_as_long_as_it_is_known_and_goes_after_that() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(Hand::default());
    let all = artifacts(dir.path(), &clock);
    let bytes = b"kept".to_vec();
    let said = offer(&bytes, Some(Hash::of(&bytes)));
    let kept = all.keep(caller("c"), said, Some(bytes)).unwrap();
    let sweep = |day: i64| {
        clock.0.store(day, Ordering::Relaxed);
        all.store.sweep().wait().unwrap();
    };
    sweep(29);
    assert!(all.saveable(caller("c"), kept.id.clone()).is_ok());
    sweep(31);
    let gone = all.saveable(caller("c"), kept.id);
    assert_eq!((gone, files(dir.path())), (Err(Refused::Unknown), 0));
}

#[test]
fn bytes_come_as_base64_and_what_comes_otherwise_is_refused() {
    let given = |data: &str| json!({"name": "n", "mimeType": "a/b", "size": 3, "data": data});
    let read = |data: &str| Call::read("keep", &given(data));
    assert!(matches!(read("YWJj"), Ok(Call::Keep(_, Some(bytes))) if bytes == b"abc"));
    let why = read("YWJ").unwrap_err().to_string();
    assert_eq!(why, "invalidParams: /data format");
    assert_eq!(Call::read("save", &json!({})), Err(CallError::UnknownTool));
    let get = Call::read("get", &json!({"id": "7"}));
    assert_eq!(get, Ok(Call::Get(ArtifactId::new("7"))));
}

#[test]
fn what_is_whole_is_offered_and_its_offer_waits_over_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(Hand::default());
    let first = artifacts(dir.path(), &clock);
    let bytes = b"whole".to_vec();
    let said = offer(&bytes, Some(Hash::of(&bytes)));
    let kept = first.keep(caller("c"), said, Some(bytes)).unwrap();
    let request = Request::to_save(&kept);
    let wanted = Wanted::of(caller("c"), request.clone());
    let asked = first.store.ask_person(wanted).wait().unwrap().unwrap();
    drop(first);
    let again = artifacts(dir.path(), &clock);
    let waits = again.store.waiting_interactions().wait().unwrap();
    assert_eq!(waits, [asked]);
    let Interaction { request: read, .. } = &waits[0];
    assert_eq!(*read, request);
    assert!(matches!(&read.matter, Matter::Save { artifact, size: 5, .. } if *artifact == kept.id));
    let answers = |value: Value| Answer::read(read, &value).map(|answer| answer.to_json());
    let saved = json!({"saved": true});
    assert_eq!(answers(saved.clone()), Some(saved));
    assert_eq!(answers(json!({"saved": false})), None);
    assert_eq!(answers(json!({"approved": true})), None);
}

#[test]
fn one_more_than_an_agent_may_have_leaves_no_bytes_behind() {
    let dir = tempfile::tempdir().unwrap();
    let all = artifacts(dir.path(), &Arc::default());
    for _ in 0..crate::records::MOST_ARTIFACTS {
        all.keep(caller("c"), offer(b"x", None), None).unwrap();
    }
    let keep = |agent: &str| {
        let caller = Caller {
            agent: AgentId::parse(agent).unwrap(),
            ..caller("c")
        };
        let kept = all.keep(caller, offer(b"some", None), Some(b"some".to_vec()));
        kept.map(|_| ())
    };
    for _ in 0..3 {
        assert_eq!(keep("shell"), Err(Refused::Quota));
    }
    assert_eq!(files(dir.path()), 0);
    assert_eq!((keep("other"), files(dir.path())), (Ok(()), 1));
}
