//! What comes with eDE, compiled into the binary: the packages and the documents of a first run.

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

/// Is this, byte for byte, a package that comes with eDE?
pub fn is_bundled(bytes: &[u8]) -> bool {
    BUNDLED.iter().any(|(_, package)| *package == bytes)
}
