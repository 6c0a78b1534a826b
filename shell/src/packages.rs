//! What comes with eDE, compiled into the binary: the packages and the documents of a first run.

use ede_engine::app_file::holds_a_package;
use serde_json::Value;

/// The packages, by id: one line each, its file under `assets/apps`.
pub const BUNDLED: &[(&str, &[u8])] = &[
    (
        "ede.clock",
        include_bytes!("../../assets/apps/ede.clock.app.json"),
    ),
    (
        "ede.hours",
        include_bytes!("../../assets/apps/ede.hours.app.json"),
    ),
    (
        "ede.notes",
        include_bytes!("../../assets/apps/ede.notes.app.json"),
    ),
    (
        "ede.system",
        include_bytes!("../../assets/apps/ede.system.app.json"),
    ),
    (
        "ede.tasks",
        include_bytes!("../../assets/apps/ede.tasks.app.json"),
    ),
];

/// The documents of a first run, by id: one line each, its file under `assets/ui`.
pub const DOCUMENTS: &[(&str, &[u8])] = &[
    (
        "session",
        include_bytes!("../../assets/ui/session.ede-ui.json"),
    ),
    (
        "panel-top",
        include_bytes!("../../assets/ui/panel-top.ede-ui.json"),
    ),
    (
        "desktop",
        include_bytes!("../../assets/ui/desktop.ede-ui.json"),
    ),
];

/// Is this, byte for byte, a package that comes with eDE, or one with records beside it?
pub fn is_bundled(bytes: &[u8]) -> bool {
    let same = |value: &Value| {
        let mut ours = BUNDLED
            .iter()
            .filter_map(|(_, package)| serde_json::from_slice::<Value>(package).ok());
        ours.any(|package| package == *value)
    };
    BUNDLED.iter().any(|(_, package)| *package == bytes)
        || serde_json::from_slice::<Value>(bytes)
            .is_ok_and(|file| holds_a_package(&file) && same(&file["package"]))
}
