//! The person's time zone: `TZ` where it is set, else the system's `/etc/localtime`. Reads that link (and, where it is a
//! plain file, its bytes); the rules come from the database built into the binary or the system's newer one.
//!
//! The link is kept beside what was read from it, so seeing whether it changed costs one `readlink` and one `stat`, and a
//! person who travels sees the right time without starting the shell again.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::tz::TimeZone;

/// A zone with the file it came from.
#[derive(Debug, Clone)]
pub struct ZoneFile {
    path: Option<PathBuf>,
    seen: Stamp,
    zone: TimeZone,
}

/// What tells one state of the link from another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Stamp {
    target: Option<PathBuf>,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Stamp {
        Stamp {
            target: std::fs::read_link(path).ok(),
            modified: std::fs::metadata(path).and_then(|m| m.modified()).ok(),
        }
    }
}

impl ZoneFile {
    /// The zone `name` for good (`--tz`, `TZ`): an IANA name or a POSIX rule. `None` where there is no such zone.
    pub fn named(name: &str) -> Option<ZoneFile> {
        let name = name.strip_prefix(':').unwrap_or(name);
        let zone = TimeZone::get(name)
            .or_else(|_| TimeZone::posix(name))
            .ok()?;
        Some(ZoneFile {
            path: None,
            seen: Stamp::default(),
            zone,
        })
    }

    /// The zone of this session: the variable `TZ` (pass its value) where it names one, else the link at `localtime`
    /// (`/etc/localtime`), else UTC.
    pub fn of_session(tz: Option<&str>, localtime: &Path) -> ZoneFile {
        if let Some(zone) = tz.filter(|tz| !tz.is_empty()).and_then(ZoneFile::named) {
            return zone;
        }
        ZoneFile {
            seen: Stamp::of(localtime),
            zone: read(localtime).unwrap_or(TimeZone::UTC),
            path: Some(localtime.to_owned()),
        }
    }

    /// The zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Reads the link again if it changed; true when every value that shows a time must be read again. A link that is being
    /// replaced and cannot be read leaves the zone as it is.
    pub fn refresh(&mut self) -> bool {
        let Some(path) = &self.path else { return false };
        let seen = Stamp::of(path);
        if seen == self.seen {
            return false;
        }
        let Some(zone) = read(path) else { return false };
        self.seen = seen;
        let differs = zone != self.zone;
        self.zone = zone;
        differs
    }
}

/// The zone a localtime file stands for: by the name its link ends in, else by its bytes.
fn read(path: &Path) -> Option<TimeZone> {
    let by_name = std::fs::read_link(path).ok().and_then(|target| {
        let target = target.to_str()?;
        let (_, name) = target.rsplit_once("zoneinfo/")?;
        TimeZone::get(name).ok()
    });
    by_name.or_else(|| TimeZone::tzif("local", &std::fs::read(path).ok()?).ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_that_points_elsewhere_is_another_zone() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("localtime");
        symlink("/usr/share/zoneinfo/Europe/Vienna", &link).unwrap();
        let mut zone = ZoneFile::of_session(None, &link);
        assert_eq!(zone.zone().iana_name(), Some("Europe/Vienna"));
        assert!(!zone.refresh());
        let next = dir.path().join("next");
        symlink("../usr/share/zoneinfo/Asia/Tokyo", &next).unwrap();
        std::fs::rename(&next, &link).unwrap();
        assert!(zone.refresh());
        assert_eq!(zone.zone().iana_name(), Some("Asia/Tokyo"));
        assert!(!zone.refresh());
    }

    #[test]
    fn a_link_that_vanishes_keeps_the_zone() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("localtime");
        symlink("/usr/share/zoneinfo/Europe/Vienna", &link).unwrap();
        let mut zone = ZoneFile::of_session(None, &link);
        std::fs::remove_file(&link).unwrap();
        assert!(!zone.refresh());
        assert_eq!(zone.zone().iana_name(), Some("Europe/Vienna"));
    }

    #[test]
    fn the_variable_wins_and_nonsense_in_it_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("localtime");
        symlink("/usr/share/zoneinfo/Asia/Tokyo", &link).unwrap();
        let name = |tz| {
            ZoneFile::of_session(Some(tz), &link)
                .zone()
                .iana_name()
                .map(str::to_owned)
        };
        assert_eq!(name("Europe/Vienna").as_deref(), Some("Europe/Vienna"));
        assert_eq!(name(":Europe/Vienna").as_deref(), Some("Europe/Vienna"));
        assert_eq!(name("Atlantis/Harbour").as_deref(), Some("Asia/Tokyo"));
        assert_eq!(name("").as_deref(), Some("Asia/Tokyo"));
    }
}
