//! What an app asks of a server, read from its call; and the headers that are not an app's to set.

use ede_engine::app_id::AppId;
use ede_engine::broker::origin::Origin;
use ede_engine::package::Package;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde_json::{Map, Value};

/// The scope that lets an app ask servers.
pub const SCOPE: &str = "http.fetch";

/// Where a package says its app connects to.
pub fn origins(package: &Package) -> Vec<Origin> {
    let declared = package.capabilities().iter();
    let declared = declared.filter(|c| c.scope.as_str() == SCOPE);
    declared.flat_map(|c| c.origins.clone()).collect()
}

/// One request, and where it may be led.
#[derive(Debug, Clone)]
pub struct Asked {
    pub app: AppId,
    pub url: Url,
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Option<String>,
    /// What the app's package declares.
    pub origins: Vec<Origin>,
}

impl Asked {
    /// The call of `package` with arguments that keep to the tool's schema. The error is the answer.
    pub fn read(package: &Package, arguments: &Map<String, Value>) -> Result<Asked, String> {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        let url = text("url").and_then(|url| Url::parse(url).ok());
        let method = text("method").unwrap_or("GET");
        let given = arguments.get("headers").and_then(Value::as_array);
        let mut headers = HeaderMap::new();
        for header in given.into_iter().flatten() {
            let part = |key: &str| header.get(key).and_then(Value::as_str).unwrap_or_default();
            let name = part("name");
            let refused = || format!("refusedHeader: {name}");
            let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
            if is_ours(&known) {
                return Err(refused());
            }
            let value = HeaderValue::from_str(part("value")).map_err(|_| refused())?;
            headers.append(known, value);
        }
        Ok(Asked {
            app: package.id().clone(),
            url: url.ok_or("invalidUrl")?,
            method: Method::from_bytes(method.as_bytes()).map_err(|_| "invalidMethod")?,
            headers,
            body: text("body").map(str::to_owned),
            origins: origins(package),
        })
    }

    /// May the request go to this URL?
    pub fn may_go_to(&self, url: &Url) -> bool {
        Origin::of_url(url.as_str()).is_some_and(|origin| self.origins.contains(&origin))
    }
}

/// Headers that say where a request goes, how long it is, who asks or what was stored: the connection's, the protocol's or the person's.
fn is_ours(name: &HeaderName) -> bool {
    const OURS: [&str; 22] = [
        "accept-charset",
        "accept-encoding",
        "alt-used",
        "connection",
        "content-length",
        "cookie",
        "cookie2",
        "date",
        "expect",
        "forwarded",
        "host",
        "http2-settings",
        "keep-alive",
        "origin",
        "referer",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "x-real-ip",
    ];
    let name = name.as_str();
    let kinds = ["proxy-", "sec-", "x-forwarded-"];
    OURS.contains(&name) || kinds.iter().any(|kind| name.starts_with(kind))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn package() -> Package {
        let package = json!({
            "formatVersion": 5, "id": "acme.net", "name": "Net", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "functions": ["http.fetch"],
            "capabilities": [{"id": "http.fetch", "why": "To ask.", "origins": ["https://one.example", "https://two.example:8443"]}],
            "screens": [{"template": "main", "title": "Net"}],
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Net"}]}},
        });
        Package::read_checked(package.to_string().as_bytes()).unwrap()
    }

    fn read(arguments: Value) -> Result<Asked, String> {
        Asked::read(&package(), arguments.as_object().unwrap())
    }

    #[test]
    fn an_app_sets_its_own_headers_and_none_of_ours() {
        let header = |name: &str, value: &str| {
            let headers = json!([{"name": name, "value": value}]);
            read(json!({"url": "https://one.example/", "headers": headers})).map(|a| a.headers)
        };
        let ours = "Host host COOKIE Connection Keep-Alive Proxy-Authorization Proxy-Connection TE Trailer Transfer-Encoding Upgrade
            Content-Length Expect Via Referer Origin User-Agent Accept-Encoding Sec-Fetch-Site X-Forwarded-For Forwarded";
        for name in ours.split_whitespace() {
            assert_eq!(header(name, "x"), Err(format!("refusedHeader: {name}")));
        }
        for (name, value) in [
            ("", "x"),
            ("a b", "x"),
            ("a:", "x"),
            ("x-a", "1\r\nHost: evil"),
            ("x-a", "a\0"),
        ] {
            assert_eq!(header(name, value), Err(format!("refusedHeader: {name}")));
        }
        for name in ["Accept", "Authorization", "Content-Type", "X-Api-Key"] {
            assert_eq!(header(name, "x").unwrap()[name], "x");
        }
    }

    #[test]
    fn a_request_may_go_where_the_package_says() {
        let asked = read(json!({"url": "https://one.example/a?b=c", "method": "PUT", "body": "x"}));
        let asked = asked.unwrap();
        assert_eq!(
            (asked.method.as_str(), asked.body.as_deref()),
            ("PUT", Some("x"))
        );
        let may = |url: &str| asked.may_go_to(&Url::parse(url).unwrap());
        assert!(may("https://one.example/other") && may("https://two.example:8443/"));
        for url in [
            "http://one.example/",
            "https://one.example:8443/",
            "https://two.example/",
            "https://one.example.evil.example/",
            "https://me@one.example/",
            "https://one.example./",
            "file:///etc/passwd",
        ] {
            assert!(!may(url), "{url}");
        }
    }
}
