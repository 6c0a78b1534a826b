//! One app from its files: read within bounds, checked, joined with its installed copy.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{App, Apps, AppsError, SUFFIX};
use crate::app_file::holds_a_package;
use crate::app_id::AppId;
use crate::files;
use crate::issue::Issue;
use crate::package::{INSTALLED, Package};
use crate::source::Limits;

impl Apps {
    /// The app `id` as its files say now.
    pub(super) fn load(&self, id: &AppId) -> Result<App, AppsError> {
        let file = self.file_of(id);
        // More than a package may hold is read, so that the checker says what is too large.
        let bytes = files::read_regular(&file, 16 * Limits::PACKAGE.bytes)?;
        let copy = self.copy_of(id);
        if copy.as_deref() == Some(&bytes)
            && let Some(package) = Package::read_checked(&bytes)
        {
            return self.app(id, package, Vec::new());
        }
        let parsed = Package::read(&bytes);
        let refused = || AppsError::Invalid(refused(&bytes, parsed.issues));
        let package = parsed.package.ok_or_else(refused)?;
        if let Some(copy) = copy.as_deref().and_then(Package::read_checked) {
            same_author(&copy, &package)?;
        }
        let Some(installed) = copy.and_then(|copy| serde_json::from_slice(&copy).ok()) else {
            return self.app(id, package, Vec::new());
        };
        let (joined, waiting) = joined(package.value(), &installed);
        if waiting.is_empty() {
            return self.app(id, package, waiting);
        }
        // The parts fit together only if the whole still checks: a template may bind a kind that is not in force yet.
        let parsed = Package::read(Value::Object(joined).to_string().as_bytes());
        let package = parsed.package.ok_or_else(|| {
            let mut issues = parsed.issues;
            let held = waiting.join(", ");
            let held = format!("its changed {held} apply with `ede apps install`");
            for issue in &mut issues {
                // Places in a text that nobody has seen.
                issue.position = None;
                issue.message = format!("{} ({held})", issue.message);
            }
            AppsError::Invalid(issues)
        })?;
        self.app(id, package, waiting)
    }

    /// The app `id` as it was installed, whatever its file holds now.
    pub(super) fn load_installed(&self, id: &AppId) -> Option<App> {
        let package = Package::read_checked(&self.copy_of(id)?)?;
        self.app(id, package, Vec::new()).ok()
    }

    pub(super) fn copy_of(&self, id: &AppId) -> Option<Vec<u8>> {
        files::read_regular(&self.installed_copy(id), Limits::PACKAGE.bytes).ok()
    }

    fn app(
        &self,
        id: &AppId,
        package: Package,
        waiting: Vec<&'static str>,
    ) -> Result<App, AppsError> {
        if package.id() != id {
            let message = format!("the file of {0} is named {0}{SUFFIX}", package.id());
            return Err(AppsError::Invalid(vec![Issue::new("/id", message)]));
        }
        Ok(App {
            package: Arc::new(package),
            file: self.file_of(id),
            waiting,
        })
    }
}

/// What is wrong with a file that is no package: where it holds one beside records, that.
fn refused(bytes: &[u8], issues: Vec<Issue>) -> Vec<Issue> {
    let holds = serde_json::from_slice(bytes).is_ok_and(|value| holds_a_package(&value));
    match holds {
        true => vec![Issue::key(
            "/package",
            "this file has a package inside, and may bring records: install it with `ede apps install`",
        )],
        false => issues,
    }
}

/// Is `package` from whom the installed one is from? Only the first key an app is signed with can sign its next versions.
///
/// # Errors
/// [`AppsError::OtherAuthor`]: another key, or none.
pub(super) fn same_author(installed: &Package, package: &Package) -> Result<(), AppsError> {
    match (installed.signer(), package.signer()) {
        (Some(first), now) if now != Some(first) => Err(AppsError::OtherAuthor {
            id: installed.id().clone(),
            first: Box::new(first),
            signed: now.is_some(),
        }),
        _ => Ok(()),
    }
}

/// `edited` with what only an install changes as `installed` has it, and which of those keys differ.
fn joined(
    edited: &Map<String, Value>,
    installed: &Map<String, Value>,
) -> (Map<String, Value>, Vec<&'static str>) {
    let mut package = edited.clone();
    // Nobody signed what is put together here.
    package.shift_remove("signature");
    let mut waiting = Vec::new();
    for key in INSTALLED.iter().copied() {
        if package.get(key) == installed.get(key) {
            continue;
        }
        waiting.push(key);
        match installed.get(key) {
            Some(value) => package.insert(key.into(), value.clone()),
            None => package.shift_remove(key),
        };
    }
    // Records are written in the shape of the version that is installed, and say so.
    let shaped = waiting.contains(&"records") || waiting.contains(&"migrations");
    if let Some(version) = installed.get("version").filter(|_| shaped) {
        package.insert("version".into(), version.clone());
    }
    (package, waiting)
}
