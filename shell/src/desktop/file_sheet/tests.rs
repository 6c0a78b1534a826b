//! What is shown, and what a press or a key comes to.
#![allow(clippy::unwrap_used)]
use serde_json::json;

use super::shown::size;
use super::*;
use crate::capabilities::files::pick;

fn listing(names: &[&str]) -> Listing {
    let entry = |name: &&str| Entry {
        name: name.trim_end_matches('/').into(),
        is_folder: name.ends_with('/'),
        size: 1234,
    };
    Listing {
        entries: names.iter().map(entry).collect(),
        more: false,
    }
}

/// A sheet over `/home/ines` with these entries, whose buttons answer.
fn browser(wanted: Wanted, names: &[&str]) -> Browser {
    let (pick, _) = pick(wanted);
    let mut browser = Browser::new(pick, "/home/ines".into(), "/home/ines".into());
    browser.listed(Path::new("/home/ines"), Some(listing(names)));
    browser.ready();
    browser
}

fn opens(accept: &[&str], multiple: bool) -> Wanted {
    Wanted::Open {
        accept: Accept::parse(accept.iter().copied()),
        multiple,
    }
}

fn saves() -> Wanted {
    Wanted::Save {
        name: "letter.txt".into(),
    }
}

fn done(paths: &[&str], replaces: bool) -> Step {
    Step::Done(Picked {
        paths: paths.iter().map(PathBuf::from).collect(),
        replaces,
    })
}

fn press(browser: &mut Browser, row: usize) -> Step {
    browser.pressed(ROW, &json!({"n": row}), "")
}

fn choose(browser: &mut Browser, name: &str) -> Step {
    browser.pressed(CHOOSE, &Value::Null, name)
}

#[test]
fn the_sheet_is_read_and_everything_that_is_named_is_in_it() {
    let all = components();
    let ids: Vec<&str> = (all.as_array().unwrap().iter())
        .map(|c| c["id"].as_str().unwrap())
        .collect();
    for id in CONTROLS.iter().chain([&LIST]) {
        assert!(ids.contains(id), "{id}");
    }
}

#[test]
fn nothing_is_chosen_before_the_buttons_answer_nor_without_a_choice() {
    let (pick, _) = pick(opens(&[], false));
    let mut early = Browser::new(pick, "/".into(), "/".into());
    assert_eq!(choose(&mut early, ""), Step::Nothing);
    early.listed(Path::new("/"), Some(listing(&["a"])));
    press(&mut early, 0);
    assert_eq!(choose(&mut early, ""), Step::Nothing);
    assert_eq!(early.shown()["blocked"], true);
    early.ready();
    assert_eq!(early.key(Key::Enter, ""), done(&["/a"], false));
    let mut none = browser(opens(&[], false), &["a"]);
    assert_eq!(none.key(Key::Enter, ""), Step::Nothing);
    let mut stray = browser(saves(), &[]);
    assert_eq!(stray.key(Key::Enter, "letter.txt"), Step::Nothing);
}

#[test]
fn only_what_the_app_takes_is_shown_until_the_person_wants_all() {
    let mut b = browser(opens(&["image/*"], false), &["Music/", "a.png", "b.txt"]);
    let names = |b: &Browser| -> Vec<String> {
        let rows = b.row_values();
        let name = |row: &Value| row["name"].as_str().unwrap().to_owned();
        rows.as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(names(&b), ["Music", "a.png"]);
    assert_eq!(b.pressed(ALL, &Value::Null, ""), Step::Show);
    assert_eq!(names(&b), ["Music", "a.png", "b.txt"]);
    assert_eq!(press(&mut b, 2), Step::Row(2));
    assert_eq!(choose(&mut b, ""), done(&["/home/ines/b.txt"], false));
}

#[test]
fn of_several_each_press_takes_one_in_or_out_and_of_one_the_last_counts() {
    let names = ["a", "b", "c"];
    let mut several = browser(opens(&[], true), &names);
    for row in [0, 1, 2, 1] {
        press(&mut several, row);
    }
    assert_eq!(
        choose(&mut several, ""),
        done(&["/home/ines/a", "/home/ines/c"], false)
    );
    let mut one = browser(opens(&[], false), &names);
    for row in [0, 2] {
        press(&mut one, row);
    }
    assert_eq!(choose(&mut one, ""), done(&["/home/ines/c"], false));
}

#[test]
fn keys_walk_the_rows_and_stay_among_them() {
    let mut b = browser(opens(&[], true), &["Music/", "b", "c"]);
    assert_eq!(b.key(Key::Up, ""), Step::Nothing);
    assert_eq!(b.key(Key::Down, ""), Step::Row(0));
    assert_eq!(b.key(Key::PageDown, ""), Step::Row(2));
    assert_eq!(b.key(Key::Space, ""), Step::Row(2));
    assert_eq!(b.key(Key::Up, ""), Step::Row(1));
    assert_eq!(
        b.key(Key::Enter, ""),
        done(&["/home/ines/c"], false),
        "what is checked, not where the keys are"
    );
    assert_eq!(b.key(Key::PageUp, ""), Step::Row(0));
    assert_eq!(b.key(Key::Enter, ""), Step::Read("/home/ines/Music".into()));
    assert!(
        !b.listed(Path::new("/home/ines"), None),
        "a folder that was left is not shown"
    );
}

#[test]
fn a_name_that_is_taken_is_asked_about_once_and_a_folders_is_entered() {
    let mut b = browser(saves(), &["Music/", "letter.txt"]);
    let letter = ["/home/ines/letter.txt"];
    assert_eq!(choose(&mut b, "letter.txt"), Step::Ask);
    let asked = "“letter.txt” is there already. Replace it?";
    assert_eq!(b.shown()["question"], asked);
    let again = choose(&mut b, "letter.txt");
    assert_eq!(again, Step::Nothing, "a second press at once is no answer");
    let kept = b.pressed(LEAVE, &Value::Null, "");
    assert_eq!(kept, Step::Show, "it is kept, and the sheet stays");
    assert_eq!(b.ready(), LIST);
    assert_eq!(choose(&mut b, "letter.txt"), Step::Ask);
    assert_eq!(b.ready(), CANCEL);
    assert_eq!(choose(&mut b, "letter.txt"), done(&letter, true));
    let mut b = browser(saves(), &["Music/", "letter.txt"]);
    choose(&mut b, "letter.txt");
    b.ready();
    let other = ["/home/ines/other.txt"];
    let chosen = choose(&mut b, "other.txt");
    assert_eq!(chosen, done(&other, false), "that was not asked about");
    let mut b = browser(saves(), &["Music/"]);
    assert_eq!(
        choose(&mut b, "../../etc/passwd"),
        done(&["/home/ines/-..-etc-passwd"], false)
    );
    assert_eq!(choose(&mut b, " "), Step::Nothing);
    assert_eq!(
        choose(&mut b, "Music"),
        Step::Read("/home/ines/Music".into())
    );
}

#[test]
fn sizes_and_paths_are_short() {
    let sizes = [0, 999, 1000, 4800, 9_960, 999_600, 32 << 20].map(size);
    assert_eq!(
        sizes,
        [
            "0 B", "999 B", "1.0 kB", "4.8 kB", "10 kB", "1.0 MB", "34 MB"
        ]
    );
    let mut b = browser(saves(), &[]);
    assert_eq!(b.shown()["folder"], "Home");
    b.go(format!("/home/ines/{}/deep/er", "x".repeat(60)).into());
    assert_eq!(b.shown()["folder"], "…/deep/er");
}
