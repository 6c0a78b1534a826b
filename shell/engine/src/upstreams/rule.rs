//! May an app read from a server so? The manifest is the ceiling: the server among the package's `upstreams`, the source among its
//! `sources`. Then the person: the server is set up, and they have allowed this app to read from it. Then, at every call, what the
//! tool says of itself: what may change anything is never called by a binding.

use super::cache::Key;
use super::reading::{Reading, SCHEME};
use super::servers::ServerName;
use crate::broker::grants::Grant;
use crate::package::Package;

/// Why an app does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The package's `upstreams` do not name the server.
    NotDeclared,
    /// The package's `sources` do not list it.
    NotListed,
    /// The person has set up no such server.
    NoServer,
    /// The person said no.
    Denied,
    /// The person has not decided yet.
    Undecided,
    /// The server has no such tool.
    UnknownTool,
    /// The tool may change something, or does not say that it does not.
    NotReadOnly,
    /// The tool says that it destroys something.
    Destructive,
    /// It would have to be asked, and nobody looks at the app.
    NeedsForeground,
}

impl Refusal {
    /// In one word, as the audit has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::NotDeclared => "notDeclared",
            Refusal::NotListed => "notListed",
            Refusal::NoServer => "unavailable",
            Refusal::Denied => "consentDenied",
            Refusal::Undecided => "consentNeeded",
            Refusal::UnknownTool => "unknownTool",
            Refusal::NotReadOnly => "notReadOnly",
            Refusal::Destructive => "destructive",
            Refusal::NeedsForeground => "needsForeground",
        }
    }

    /// In words, about this reading.
    pub fn says(self, reading: &Reading) -> String {
        let Reading { server, tool, .. } = reading;
        match self {
            Refusal::NotDeclared => format!("the package's upstreams do not name {server}"),
            Refusal::NotListed => {
                format!("the package's sources do not list {SCHEME}:{server}/{tool}")
            }
            Refusal::NoServer => {
                format!("no server is set up as {server}: `ede upstreams add` does that")
            }
            Refusal::Denied => format!("the person has not allowed it to read from {server}"),
            Refusal::Undecided => {
                format!("the person has not decided yet whether it may read from {server}")
            }
            Refusal::UnknownTool => format!("{server} has no tool {tool}"),
            Refusal::NotReadOnly => format!("the tool {tool} of {server} may change something"),
            Refusal::Destructive => format!("the tool {tool} of {server} destroys something"),
            Refusal::NeedsForeground => "nobody looks at the app".into(),
        }
    }
}

/// Where an app stands with a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// There is none of that name.
    NoServer,
    /// The person decided so about this app and this server.
    Decided(Option<Grant>),
}

/// An app may read. `vouched`: its package lists this very tool, and so answers for one that does not say whether it only reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct May {
    pub vouched: bool,
}

/// What an app may read.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowed {
    pub reading: Reading,
    pub may: May,
    /// The same for everyone who reads the same.
    pub key: Key,
}

impl Allowed {
    pub fn new(reading: Reading, may: May) -> Allowed {
        let key = Key::of(&reading, may);
        Allowed { reading, may, key }
    }
}

/// May `package` read so?
pub fn may_read(package: &Package, reading: &Reading, relation: Relation) -> Result<May, Refusal> {
    if !package.names_upstream(&reading.server) {
        return Err(Refusal::NotDeclared);
    }
    let may = listed(&package.sources(), reading).ok_or(Refusal::NotListed)?;
    match relation {
        Relation::NoServer => Err(Refusal::NoServer),
        Relation::Decided(Some(Grant::Granted)) => Ok(may),
        Relation::Decided(Some(Grant::Denied)) => Err(Refusal::Denied),
        Relation::Decided(None) => Err(Refusal::Undecided),
    }
}

/// Do these `sources` list it: `upstream:<server>/<tool>`, `upstream:<server>/*` or `upstream:*`?
pub fn listed(sources: &[String], reading: &Reading) -> Option<May> {
    let exactly = format!("{SCHEME}:{}", reading.name());
    let of_server = format!("{SCHEME}:{}/*", reading.server);
    let of_any = format!("{SCHEME}:*");
    // A tool by the name of `*` is not listed exactly by what lists every tool.
    let vouched = reading.tool != "*" && sources.contains(&exactly);
    let any = |s: &String| *s == of_server || *s == of_any || s == "*";
    (vouched || sources.iter().any(any)).then_some(May { vouched })
}

/// Which tools of a server a package's `sources` list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// Every one; of these are called those that say themselves that they only read.
    pub all: bool,
    /// Those that are listed exactly: the package vouches that they only read, where they do not say it themselves.
    pub vouched: Vec<String>,
}

/// The tools of `server` that these `sources` list.
pub fn tools(sources: &[String], server: &ServerName) -> Tools {
    let any = Reading {
        server: server.clone(),
        tool: "*".into(),
        arguments: Default::default(),
    };
    let of_server = format!("{SCHEME}:{server}/");
    let tools = sources.iter().filter_map(|s| s.strip_prefix(&of_server));
    // A longer path is another server's.
    let exactly = tools.filter(|t| !t.contains('/') && *t != "*");
    Tools {
        all: listed(sources, &any).is_some(),
        vouched: exactly.map(str::to_owned).collect(),
    }
}

/// What a tool says of itself; all of it only a hint, and none at all is no promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
}

impl Hints {
    /// May a binding call it?
    pub fn reads(self, may: May) -> bool {
        match (self.read_only, self.destructive) {
            (_, Some(true)) | (Some(false), _) => false,
            (Some(true), _) => true,
            (None, _) => may.vouched,
        }
    }
}

impl Package {
    /// The servers its `upstreams` name.
    pub fn upstreams(&self) -> impl Iterator<Item = ServerName> {
        super::errand::upstreams(self.value())
    }

    /// Do its `upstreams` name this server?
    pub fn names_upstream(&self, server: &ServerName) -> bool {
        self.upstreams().any(|named| named == *server)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn package(upstreams: &[&str], sources: &[&str]) -> Package {
        let package = json!({
            "formatVersion": 3, "id": "acme.rates", "name": "Rates", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "upstreams": upstreams, "sources": sources,
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        Package::read_checked(package.to_string().as_bytes()).unwrap()
    }

    fn asks(upstreams: &[&str], sources: &[&str], source: &str) -> Result<bool, Refusal> {
        let relation = Relation::Decided(Some(Grant::Granted));
        let reading = Reading::parse(source).unwrap();
        let may = may_read(&package(upstreams, sources), &reading, relation);
        may.map(|may| may.vouched)
    }

    #[test]
    fn the_manifest_is_the_ceiling() {
        let source = "upstream:bank/rates?day=1";
        let listed = |sources: &[&str]| asks(&["bank"], sources, source);
        assert_eq!(listed(&["upstream:bank/rates"]), Ok(true));
        assert_eq!(listed(&["upstream:bank/*"]), Ok(false));
        assert_eq!(listed(&["upstream:*"]), Ok(false));
        assert_eq!(listed(&["upstream:*", "upstream:bank/rates"]), Ok(true));
        for none in [
            &[][..],
            &["records:*"],
            &["upstream:bank/rate"],
            &["upstream:bank/rates2"],
            &["upstream:ban*"],
            &["upstream:bank/r*"],
            &["upstream:other/*"],
        ] {
            assert_eq!(listed(none), Err(Refusal::NotListed), "{none:?}");
        }
        for named in [&[][..], &["other"], &["bank2"], &["Bank"]] {
            let asked = asks(named, &["upstream:*"], source);
            assert_eq!(asked, Err(Refusal::NotDeclared), "{named:?}");
        }
        // The tools of `bank` are not those of a server called `bank/rates`.
        let nested = asks(
            &["bank", "bank/rates"],
            &["upstream:bank/*"],
            "upstream:bank/rates/pay",
        );
        assert_eq!(nested, Err(Refusal::NotListed));
        let star = asks(&["bank"], &["upstream:bank/*"], "upstream:bank/*");
        assert_eq!(star, Ok(false));
    }

    #[test]
    fn the_tools_a_package_lists_are_named() {
        let sources = [
            "upstream:bank/rates",
            "upstream:bank/x/y",
            "upstream:banks/z",
            "upstream:shop/*",
            "upstream:shop/buy",
            "records:*",
        ];
        let of = |server: &str| {
            tools(
                &sources.map(String::from),
                &ServerName::parse(server).unwrap(),
            )
        };
        let lists = |all: bool, vouched: &[&str]| Tools {
            all,
            vouched: vouched.iter().map(|tool| tool.to_string()).collect(),
        };
        assert_eq!(of("bank"), lists(false, &["rates"]));
        assert_eq!(of("bank/x"), lists(false, &["y"]));
        // Those that the package vouches for are not hidden behind all.
        assert_eq!(of("shop"), lists(true, &["buy"]));
        assert_eq!(
            tools(&["upstream:*".into()], &ServerName::parse("bank").unwrap()),
            lists(true, &[])
        );
    }

    #[test]
    fn the_person_decides_about_each_app_and_server() {
        let package = package(&["bank"], &["upstream:bank/*"]);
        let reading = Reading::parse("upstream:bank/rates").unwrap();
        let may = |relation| may_read(&package, &reading, relation).map(|may| may.vouched);
        assert_eq!(may(Relation::NoServer), Err(Refusal::NoServer));
        assert_eq!(may(Relation::Decided(None)), Err(Refusal::Undecided));
        assert_eq!(
            may(Relation::Decided(Some(Grant::Denied))),
            Err(Refusal::Denied)
        );
        assert_eq!(may(Relation::Decided(Some(Grant::Granted))), Ok(false));
    }

    #[test]
    fn only_what_reads_is_called() {
        let reads = |read_only, destructive, vouched| {
            Hints {
                read_only,
                destructive,
            }
            .reads(May { vouched })
        };
        for vouched in [false, true] {
            assert!(reads(Some(true), None, vouched));
            assert!(reads(Some(true), Some(false), vouched));
            assert!(!reads(Some(true), Some(true), vouched));
            assert!(!reads(Some(false), None, vouched));
            assert!(!reads(Some(false), Some(false), vouched));
            assert!(!reads(None, Some(true), vouched));
            assert_eq!(reads(None, None, vouched), vouched);
            assert_eq!(reads(None, Some(false), vouched), vouched);
        }
    }
}
