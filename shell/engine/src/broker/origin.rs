//! Origins: where on the network an app may reach. Compared as parsed URLs, so that no spelling of an address passes for another.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::bridge::format::web_url;
use crate::schema::patterns;

/// `https://host[:port]`: the host in lower case, the port always known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    host: String,
    port: u16,
}

/// The port of https.
const HTTPS_PORT: u16 = 443;

impl Origin {
    /// The origin that a manifest spells: exactly `https://host` or `https://host:port`.
    pub fn parse(text: &str) -> Option<Origin> {
        (patterns::ORIGIN.test)(text)
            .then(|| Origin::of_url(text))
            .flatten()
    }

    /// The origin a URL is on. `None` for anything but an absolute https URL, and for spellings that other readers of URLs take
    /// differently: user info, a host that ends in a dot, a backslash, spaces and control characters.
    pub fn of_url(text: &str) -> Option<Origin> {
        let url = web_url(text).filter(|url| url.scheme() == "https")?;
        let authority = text.split_once("://")?.1;
        let authority = authority.split(['/', '?', '#']).next()?;
        let host = url.host_str()?;
        if authority.contains('@') || host.ends_with('.') {
            return None;
        }
        Some(Origin {
            host: host.to_ascii_lowercase(),
            port: url.port().unwrap_or(HTTPS_PORT),
        })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            HTTPS_PORT => write!(f, "https://{}", self.host),
            port => write!(f, "https://{}:{port}", self.host),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
