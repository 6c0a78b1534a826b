//! The packages that come with eDE.

/// The packages that come with eDE, by id: one line each, its file under `assets/apps`.
pub const BUNDLED: &[(&str, &[u8])] = &[];

/// Is this, byte for byte, a package that comes with eDE?
pub fn is_bundled(bytes: &[u8]) -> bool {
    BUNDLED.iter().any(|(_, package)| *package == bytes)
}
