//! The catalog of capability scopes: what a manifest may name. One table; who may call what is decided elsewhere.

/// One scope of a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// `<capability>.<scope>`.
    pub id: &'static str,
    /// The tools it covers.
    pub tools: &'static [&'static str],
    /// The manifest must list the origins it reaches.
    pub origins: bool,
    /// The shell's own: no manifest may name it.
    pub host_only: bool,
}

const fn scope(id: &'static str, tools: &'static [&'static str]) -> Scope {
    Scope {
        id,
        tools,
        origins: false,
        host_only: false,
    }
}

/// Every scope there is, by id.
pub const SCOPES: &[Scope] = &[
    scope("camera.take", &["take"]),
    scope("files.read", &["open"]),
    scope("files.write", &["save"]),
    scope("focus.window", &["window"]),
    Scope {
        origins: true,
        ..scope("http.fetch", &["fetch"])
    },
    scope("launch.app", &["app"]),
    scope("location.read", &["get"]),
    scope("notifications.post", &["cancel", "post"]),
    scope("photos.pick", &["pick"]),
    scope("photos.read", &["get", "list"]),
    scope("print.document", &["pdf", "print"]),
    scope("share.send", &["send"]),
    Scope {
        host_only: true,
        ..scope("shell.edit", &["edit"])
    },
    scope("windows.read", &["list"]),
];

/// Capabilities the contract names without a scope of its own yet.
const NAMES_ONLY: &[&str] = &["contacts"];

/// The scope with this id.
pub fn find(id: &str) -> Option<&'static Scope> {
    SCOPES.iter().find(|s| s.id == id)
}

/// Is this the name of a capability? No app may be called so.
pub fn is_capability(name: &str) -> bool {
    NAMES_ONLY.contains(&name) || SCOPES.iter().any(|s| s.id.split('.').next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_keeps_the_pattern_and_has_its_own_id() {
        for (i, scope) in SCOPES.iter().enumerate() {
            assert!(
                (crate::schema::patterns::SCOPE.test)(scope.id),
                "{}",
                scope.id
            );
            assert!(!scope.tools.is_empty());
            assert!(
                SCOPES[..i].iter().all(|s| s.id < scope.id),
                "{} stands in order",
                scope.id
            );
        }
        assert!(is_capability("windows") && is_capability("contacts") && !is_capability("records"));
    }
}
