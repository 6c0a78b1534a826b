//! `ede preview` on a real compositor: its windows take presses where they are shown, smaller than they are laid out, and the file is
//! followed while it is edited. Places are those of the preview over the whole of 1280×800.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Stdio;

use ede_tests::compositor::LEFT;
use ede_tests::picture::{self, Picture};
use ede_tests::sway::{Running, Sway};

const HOURS: &str = include_str!("../../assets/apps/ede.hours.app.json");

/// A part of the screen: x, y, width, height.
type Part = (u32, u32, u32, u32);

/// The dot that says whether what is shown is the newest version, and its words.
const LIVE: Part = (1060, 8, 210, 32);
/// "Report" in the wide window's sidebar, and "Month" in the phone's bottom bar.
const REPORT: (f64, f64) = (470.0, 172.0);
const MONTH: (f64, f64) = (278.0, 493.0);
/// The wide window's page.
const PAGE: Part = (540, 112, 530, 360);

/// The preview in a session of its own.
struct Desk {
    // Before sway: it need not see it go.
    _preview: Running,
    sway: Sway,
}

impl Desk {
    fn start(arguments: &[&str]) -> Desk {
        let sway = Sway::start();
        let preview = sway
            .command(env!("CARGO_BIN_EXE_ede"))
            .arg("preview")
            .args(arguments)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let desk = Desk {
            _preview: Running(preview),
            sway,
        };
        desk.sway.wait_for("the preview", |_| {
            (picture::colours(&desk.see(PAGE)) > 20).then_some(())
        });
        desk
    }

    fn see(&self, (x, y, width, height): Part) -> Picture {
        picture::crop(&self.sway.screenshot(), x, y, width, height)
    }

    /// Press somewhere, and wait until the page is another.
    fn turns(&self, what: &str, (x, y): (f64, f64)) {
        let before = self.see(PAGE);
        self.sway.click(LEFT, x, y);
        self.sway
            .wait_for(what, |_| (self.see(PAGE) != before).then_some(()));
    }

    fn red(&self) -> usize {
        picture::count(&self.see(LIVE), |p| {
            p[0] > 0xc0 && p[1] < 0x90 && p[2] < 0x90
        })
    }

    fn green(&self) -> usize {
        picture::count(&self.see(LIVE), |p| {
            p[1] > 0x90 && p[0] < 0x60 && p[2] < 0x90
        })
    }
}

#[test]
fn presses_in_the_previewed_windows_turn_the_page_and_saves_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hours.app.json");
    std::fs::write(&file, HOURS).unwrap();
    let desk = Desk::start(&[file.to_str().unwrap(), "--mode", "dark"]);
    desk.sway
        .wait_for("a green dot", |_| (desk.green() > 20).then_some(()));
    desk.turns("the report", REPORT);
    desk.turns("the month", MONTH);
    let page = desk.see(PAGE);
    std::fs::write(&file, &HOURS[..HOURS.len() / 2]).unwrap();
    desk.sway
        .wait_for("a red dot", |_| (desk.red() > 20).then_some(()));
    assert!(desk.see(PAGE) == page, "the last good version stays");
    std::fs::write(&file, HOURS.replace("Add hours", "Put hours")).unwrap();
    desk.sway
        .wait_for("a green dot", |_| (desk.green() > 20).then_some(()));
    assert!(
        desk.see(PAGE) != page,
        "the new version is shown, on the same screen"
    );
}

#[test]
fn the_gallery_scrolls_in_its_windows() {
    let desk = Desk::start(&["--gallery", "--mode", "dark"]);
    let before = desk.see(PAGE);
    desk.sway.motion(700.0, 300.0);
    desk.sway.wheel(6);
    desk.sway.wait_for("more components", |_| {
        (desk.see(PAGE) != before).then_some(())
    });
}
