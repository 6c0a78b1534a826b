//! Whose an app is: the first key it was signed with, or nobody's.

use std::fs;

use base64::Engine as _;
use ed25519_dalek::{Signer, SigningKey};
use ede_engine::apps::{Apps, AppsError, Origin};
use eui_core::host::package_file_signed_bytes;
use serde_json::{Value, json};

use super::{bring, id, install, package, scan, write};

/// `package`, signed with the key of this seed.
fn signed(mut package: Value, seed: u8) -> Value {
    let key = SigningKey::from_bytes(&[seed; 32]);
    let text = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let author = format!("ed25519:{}", text(key.verifying_key().as_bytes()));
    package["author"] = json!({"name": "Acme", "key": author});
    let bytes = package_file_signed_bytes(package.as_object().unwrap());
    package["signature"] = json!({"alg": "ed25519", "value": text(&key.sign(&bytes).to_bytes())});
    package
}

fn refused(apps: &mut Apps, package: &Value) -> String {
    bring(apps, package.to_string().as_bytes(), Origin::Person)
        .unwrap_err()
        .to_string()
}

#[test]
fn an_app_belongs_to_the_first_key_it_was_signed_with_until_it_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &signed(package("acme.app", "1.0.0"), 1));
    install(&mut apps, &signed(package("acme.app", "1.1.0"), 1));
    let stranger = signed(package("acme.app", "2.0.0"), 2);
    let said = refused(&mut apps, &stranger);
    assert!(
        said.contains("signed with another key") && said.contains("ede apps remove acme.app"),
        "{said}"
    );
    let bare = package("acme.app", "2.0.0");
    assert!(refused(&mut apps, &bare).contains("not signed"));
    // Neither gets in through the folder, and what is installed stays in use.
    for file in [&stranger, &bare] {
        write(&apps, "acme.app", file.to_string());
        assert_eq!(scan(&mut apps).3, 1);
        let version = |apps: &Apps| {
            let app = apps.get(&id("acme.app")).unwrap();
            app.package.version().to_owned()
        };
        assert_eq!(version(&apps), "1.1.0");
        assert!(refused(&mut apps, file).contains("belongs to"));
    }
    // Nor by taking the file away.
    fs::remove_file(apps.file_of(&id("acme.app"))).unwrap();
    assert!(refused(&mut apps, &stranger).contains("belongs to"));
    apps.remove(&id("acme.app")).unwrap();
    install(&mut apps, &stranger);
}

#[test]
fn an_app_is_its_signers_in_every_version_and_without_one_that_file_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    let mut author = |package: &Value| {
        install(&mut apps, package);
        // What is edited beside the installed copy does not change whose it is.
        write(&apps, "acme.app", "{");
        let author = apps.author_of(&id("acme.app")).unwrap();
        apps.remove(&id("acme.app")).unwrap();
        author
    };
    let (old, new) = (package("acme.app", "1.0.0"), package("acme.app", "1.1.0"));
    assert_eq!(
        author(&signed(old.clone(), 1)),
        author(&signed(new.clone(), 1))
    );
    assert_ne!(
        author(&signed(old.clone(), 1)),
        author(&signed(old.clone(), 2))
    );
    assert_ne!(author(&signed(old.clone(), 1)), author(&old));
    assert_eq!(author(&old), author(&old));
    assert_ne!(author(&old), author(&new));
    assert!(matches!(
        apps.author_of(&id("acme.app")),
        Err(AppsError::Unknown(_))
    ));
    let mut shipped = |version: &str| {
        let package = package("ede.app", version).to_string();
        bring(&mut apps, package.as_bytes(), Origin::Bundled)
            .unwrap()
            .author
    };
    assert_eq!(shipped("1.0.0"), shipped("1.1.0"));
}

#[test]
fn an_unsigned_app_is_taken_over_by_the_first_signature() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    install(&mut apps, &package("acme.app", "1.1.0"));
    install(&mut apps, &signed(package("acme.app", "1.2.0"), 1));
    refused(&mut apps, &signed(package("acme.app", "1.3.0"), 2));
}

#[test]
fn a_file_that_was_changed_after_it_was_signed_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    let good = signed(package("acme.app", "1.0.0"), 1);
    let mut faults: Vec<(Value, &str)> = Vec::new();
    let mut other = |change: &dyn Fn(&mut Value), at: &'static str| {
        let mut package = good.clone();
        change(&mut package);
        faults.push((package, at));
    };
    other(&|p| p["name"] = "Other".into(), "/signature");
    other(&|p| p["author"]["name"] = "Other".into(), "/signature");
    other(&|p| p["author"] = json!({"name": "Acme"}), "/author/key");
    other(
        &|p| p["signature"]["value"] = "A".repeat(86).into(),
        "/signature",
    );
    other(
        &|p| p["signature"]["value"] = "A".into(),
        "/signature/value",
    );
    other(&|p| p["signature"]["alg"] = "none".into(), "/signature/alg");
    for (package, at) in faults {
        let said = refused(&mut apps, &package);
        assert!(said.contains(at), "{at}: {said}");
    }
    // White space and the order of keys are not what is signed.
    let text = serde_json::to_string_pretty(&good).unwrap();
    bring(&mut apps, text.as_bytes(), Origin::Person).unwrap();
}

#[test]
fn a_new_version_of_the_author_put_in_the_folder_keeps_the_installed_kinds() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &signed(package("acme.app", "1.0.0"), 1));
    let mut next = package("acme.app", "1.1.0");
    next["records"]["entry"]["schema"]["properties"]["note"] = json!({"type": "string"});
    write(&apps, "acme.app", signed(next, 1).to_string());
    assert_eq!(
        scan(&mut apps),
        (vec![], vec!["acme.app".into()], vec![], 0)
    );
    let app = apps.get(&id("acme.app")).unwrap();
    assert_eq!(
        (app.package.version(), &app.waiting[..]),
        ("1.0.0", &["records"][..]),
        "records are written in the shape of the installed version, and say so"
    );
}
