//! The three folders that are eDE's own (configuration, data, runtime) and the session's folder of desktop entries.
//!
//! `EDE_CONFIG_HOME`, `EDE_DATA_HOME` and `EDE_RUNTIME_DIR` name the `ede` folders themselves; without them they are `ede`
//! under the XDG base folders. There is no fallback to a shared temporary folder: where no private runtime folder exists,
//! asking for it is an error. Nothing here creates a folder until it is asked to.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ede_engine::files::{self, FileError};

/// Where eDE keeps what it keeps. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    config: PathBuf,
    data: PathBuf,
    runtime: Option<PathBuf>,
    applications: PathBuf,
}

/// Why a folder cannot be named or used.
#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    /// Neither the variable nor a home folder says where it is.
    #[error(
        "no folder for {what}, {variable} is not set, set {variable} or HOME to an absolute path"
    )]
    Unknown {
        what: &'static str,
        variable: &'static str,
    },
    /// The session has no private runtime folder.
    #[error(
        "no runtime folder, XDG_RUNTIME_DIR is not set, log in through a session or set EDE_RUNTIME_DIR"
    )]
    NoRuntime,
    /// The current folder, needed to read a relative path, is gone.
    #[error("cannot read the current folder, {0}, change to a folder that exists")]
    CurrentFolder(std::io::Error),
    /// The folder cannot be made, or is not private to this user.
    #[error(transparent)]
    Folder(#[from] FileError),
}

impl Paths {
    /// The folders the environment of this process names.
    pub fn from_env() -> Result<Paths, PathsError> {
        Paths::resolve(|name| std::env::var_os(name))
    }

    /// The folders that `variable` (an environment) names. An empty variable counts as unset; a relative XDG folder is ignored,
    /// as the base directory rules ask; a relative `EDE_*` folder is read from the current folder.
    pub fn resolve(variable: impl Fn(&str) -> Option<OsString>) -> Result<Paths, PathsError> {
        let set = |name: &str| {
            variable(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let xdg = |name: &str| set(name).filter(|path| path.is_absolute());
        let home = |under: &str| {
            set("HOME")
                .filter(|path| path.is_absolute())
                .map(|path| path.join(under))
        };
        let own = |name: &str| {
            set(name)
                .map(|path| std::path::absolute(path).map_err(PathsError::CurrentFolder))
                .transpose()
        };
        let data_home = xdg("XDG_DATA_HOME").or_else(|| home(".local/share"));

        let config = match own("EDE_CONFIG_HOME")? {
            Some(path) => path,
            None => xdg("XDG_CONFIG_HOME")
                .or_else(|| home(".config"))
                .ok_or(PathsError::Unknown {
                    what: "the configuration",
                    variable: "EDE_CONFIG_HOME",
                })?
                .join("ede"),
        };
        let data = match own("EDE_DATA_HOME")? {
            Some(path) => path,
            None => data_home
                .clone()
                .ok_or(PathsError::Unknown {
                    what: "the data",
                    variable: "EDE_DATA_HOME",
                })?
                .join("ede"),
        };
        let runtime = match own("EDE_RUNTIME_DIR")? {
            Some(path) => Some(path),
            None => xdg("XDG_RUNTIME_DIR").map(|path| path.join("ede")),
        };
        let applications = data_home
            .ok_or(PathsError::Unknown {
                what: "desktop entries",
                variable: "XDG_DATA_HOME",
            })?
            .join("applications");
        Ok(Paths {
            config,
            data,
            runtime,
            applications,
        })
    }

    /// The configuration folder.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The person's desktop documents (`*.ede-ui.json`).
    pub fn ui(&self) -> PathBuf {
        self.config.join("ui")
    }

    /// The person's own themes (`NAME.theme.json`).
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The person's MCP servers.
    pub fn upstreams(&self) -> PathBuf {
        self.config.join("upstreams.json")
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Installed packages (`<id>.app.json`).
    pub fn apps(&self) -> PathBuf {
        self.data.join("apps")
    }

    /// The database of records.
    pub fn records(&self) -> PathBuf {
        self.data.join("records.db")
    }

    /// Held by whoever installs an app.
    pub fn install_lock(&self) -> PathBuf {
        self.data.join("install.lock")
    }

    /// The session's folder of desktop entries: shared with other programs, never made private.
    pub fn applications(&self) -> &Path {
        &self.applications
    }

    /// The runtime folder (sockets, locks), made if it is missing and checked to be this user's alone.
    pub fn runtime(&self) -> Result<&Path, PathsError> {
        let runtime = self.runtime.as_deref().ok_or(PathsError::NoRuntime)?;
        files::private_dir(runtime)?;
        Ok(runtime)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    fn paths(variables: &[(&str, &str)]) -> Result<Paths, PathsError> {
        Paths::resolve(|name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn own_variables_name_the_folders_themselves() {
        let p = paths(&[
            ("HOME", "/h"),
            ("EDE_CONFIG_HOME", "/a/c"),
            ("EDE_DATA_HOME", "/a/d"),
            ("EDE_RUNTIME_DIR", "/a/r"),
        ])
        .unwrap();
        assert_eq!(p.config(), Path::new("/a/c"));
        assert_eq!(p.apps(), Path::new("/a/d/apps"));
        assert_eq!(p.runtime.as_deref(), Some(Path::new("/a/r")));
        assert_eq!(p.applications(), Path::new("/h/.local/share/applications"));
    }

    #[test]
    fn xdg_folders_hold_a_folder_named_ede() {
        let p = paths(&[
            ("HOME", "/h"),
            ("XDG_CONFIG_HOME", "/x/c"),
            ("XDG_DATA_HOME", "/x/d"),
            ("XDG_RUNTIME_DIR", "/x/r"),
        ])
        .unwrap();
        assert_eq!(
            (p.config(), p.data()),
            (Path::new("/x/c/ede"), Path::new("/x/d/ede"))
        );
        assert_eq!(p.runtime.as_deref(), Some(Path::new("/x/r/ede")));
        assert_eq!(p.applications(), Path::new("/x/d/applications"));
    }

    #[test]
    fn empty_and_relative_xdg_folders_count_as_unset() {
        let p = paths(&[
            ("HOME", "/h"),
            ("XDG_CONFIG_HOME", ""),
            ("XDG_DATA_HOME", "data"),
            ("EDE_DATA_HOME", ""),
        ])
        .unwrap();
        assert_eq!(
            (p.config(), p.data()),
            (
                Path::new("/h/.config/ede"),
                Path::new("/h/.local/share/ede")
            )
        );
    }

    #[test]
    fn a_relative_own_folder_is_read_from_the_current_folder() {
        let p = paths(&[("HOME", "/h"), ("EDE_DATA_HOME", "d")]).unwrap();
        assert_eq!(p.data(), std::env::current_dir().unwrap().join("d"));
    }

    #[test]
    fn without_a_runtime_folder_there_is_no_fallback() {
        let p = paths(&[("HOME", "/h")]).unwrap();
        assert!(matches!(p.runtime(), Err(PathsError::NoRuntime)));
    }

    #[test]
    fn without_a_home_the_missing_variable_is_named() {
        let message = paths(&[]).unwrap_err().to_string();
        assert!(message.contains("EDE_CONFIG_HOME"), "{message}");
    }

    #[test]
    fn a_runtime_folder_of_our_own_that_others_can_enter_is_closed_to_them() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let runtime = dir.path().join("r");
        std::fs::create_dir(&runtime).unwrap();
        std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o755)).unwrap();
        let p = paths(&[
            ("HOME", "/h"),
            ("EDE_RUNTIME_DIR", runtime.to_str().unwrap()),
        ])
        .unwrap();
        assert_eq!(p.runtime().unwrap(), runtime);
        assert_eq!(
            std::fs::metadata(&runtime).unwrap().permissions().mode() & 0o777,
            0o700
        );
    }
}
