//! Pictures on other machines, for the apps that may connect to them: under the rules of every request (origins, redirects, addresses,
//! sizes, times), and for nobody else. Documents, themes and previews are no apps and load none.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ede_engine::app_id::AppId;
use ede_engine::broker::origin::Origin;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Certificate, Method, Url};
use tokio::runtime::Runtime;

use super::fetch::{Fetcher, Limits};
use super::net::{Net, Public};
use super::request::Asked;

/// How long one may take: less than a picture is waited for, so that nothing is left behind.
const WHOLE: Duration = Duration::from_secs(15);

/// Where each app may load pictures from.
pub type Allowed = BTreeMap<AppId, Vec<Origin>>;

/// Loads them; clones are one.
#[derive(Clone)]
pub struct RemotePictures(Arc<Inner>);

struct Inner {
    allowed: Mutex<Allowed>,
    /// Made with the first picture, with the most bytes of one.
    client: Mutex<Option<Arc<(Runtime, Fetcher)>>>,
    net: Arc<dyn Net>,
    trusted: Vec<Certificate>,
}

impl Default for RemotePictures {
    /// Nobody may load anything yet.
    fn default() -> RemotePictures {
        RemotePictures::new(Arc::new(Public), Vec::new())
    }
}

impl RemotePictures {
    fn new(net: Arc<dyn Net>, trusted: Vec<Certificate>) -> RemotePictures {
        RemotePictures(Arc::new(Inner {
            allowed: Mutex::default(),
            client: Mutex::default(),
            net,
            trusted,
        }))
    }

    /// From now on these may load these. True when that is news: what is shown from before may not be shown any more.
    pub fn allow(&self, allowed: Allowed) -> bool {
        let mut known = (self.0.allowed.lock()).unwrap_or_else(PoisonError::into_inner);
        let news = *known != allowed;
        *known = allowed;
        news
    }

    /// The bytes at `src` for `owner`, an app's id. It blocks, and holds up no other thread's. The error is one sentence for the log.
    pub fn load(&self, owner: &str, src: &str, most: u64) -> Result<Vec<u8>, String> {
        // What only a lenient reader takes for a URL is none.
        let url = Origin::of_url(src).and_then(|_| Url::parse(src).ok());
        let app = AppId::parse(owner).ok();
        let known = (self.0.allowed.lock()).unwrap_or_else(PoisonError::into_inner);
        let origins = app.as_ref().and_then(|app| known.get(app)).cloned();
        drop(known);
        let (Some(app), Some(url), Some(origins)) = (app, url, origins) else {
            return Err("pictures from elsewhere are not loaded".into());
        };
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("image/*"));
        let asked = Asked {
            app,
            url,
            method: Method::GET,
            headers,
            body: None,
            origins,
        };
        if !asked.may_go_to(&asked.url) {
            return Err("its app may not connect there".into());
        }
        let (runtime, fetcher) = &*self.client(most)?;
        let bytes = runtime.block_on(fetcher.bytes(asked));
        bytes.map_err(|failed| failed.as_str().into())
    }

    fn client(&self, most: u64) -> Result<Arc<(Runtime, Fetcher)>, String> {
        let mut client = (self.0.client.lock()).unwrap_or_else(PoisonError::into_inner);
        Ok(match &*client {
            Some(client) => client.clone(),
            None => client.insert(Arc::new(self.connect(most)?)).clone(),
        })
    }

    fn connect(&self, most: u64) -> Result<(Runtime, Fetcher), String> {
        let limits = Limits {
            whole: WHOLE,
            body: usize::try_from(most).unwrap_or(usize::MAX),
            ..Limits::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let fetcher = Fetcher::new(self.0.net.clone(), limits, self.0.trusted.clone());
        Ok((runtime, fetcher.map_err(|error| error.to_string())?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::world::{Server, World, ok, to, trusted};
    use super::*;

    #[test]
    fn an_app_loads_pictures_from_where_it_may_connect_and_nobody_else_does() {
        let server = Server::saying(|path| match path {
            "/away" => to(302, "https://evil.example/"),
            "/inside" => to(302, "https://inside.example/"),
            "/none" => "HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx".into(),
            path => ok(path),
        });
        let pictures = RemotePictures::new(Arc::new(World::default()), trusted());
        let url = |path: &str| format!("https://one.example:{}/{path}", server.port);
        let load = |owner: &str, src: &str| pictures.load(owner, src, 100);
        let not_loaded = Err("pictures from elsewhere are not loaded".to_string());
        assert_eq!(load("acme.net", &url("a")), not_loaded);
        let mut origins = server.ask(&url("")).origins;
        // An address of another port is another origin.
        origins.extend(Origin::parse("https://inside.example"));
        let allowed = Allowed::from([(AppId::parse("acme.net").unwrap(), origins)]);
        assert!(pictures.allow(allowed.clone()));
        assert!(!pictures.allow(allowed));
        for owner in ["", "acme.other", "a preview"] {
            assert_eq!(load(owner, &url("a")), not_loaded, "{owner}");
        }
        let may_not = Err("its app may not connect there".to_string());
        assert_eq!(load("acme.net", "https://evil.example/"), may_not);
        let declared = url("a");
        for src in [
            "http://one.example/",
            "file:///etc/passwd",
            "https://me@one.example/",
            &format!(" {declared}"),
            &format!("\n{declared}"),
            &format!("{declared}\t"),
            &declared.replace("https", "ht\ttps"),
            &declared.replace("://", ":/"),
            &declared.replace("://", ":\\\\"),
        ] {
            assert_eq!(load("acme.net", src), not_loaded, "{src:?}");
        }
        assert!(server.seen().is_empty());
        assert_eq!(load("acme.net", &url("a")), Ok(b"/a".to_vec()));
        let failed = |words: &str| Err(words.to_string());
        assert_eq!(load("acme.net", &url("away")), failed("originNotDeclared"));
        assert_eq!(load("acme.net", &url("inside")), failed("privateAddress"));
        assert_eq!(load("acme.net", &url("none")), failed("notFound"));
        let long = url(&"x".repeat(100));
        assert_eq!(load("acme.net", &long), failed("tooLarge"));
        // What was taken back is not loaded any more.
        assert!(pictures.allow(Allowed::new()));
        assert_eq!(load("acme.net", &url("a")), not_loaded);
    }

    #[test]
    fn one_slow_server_keeps_no_other_picture_waiting() {
        let (let_go, held) = std::sync::mpsc::channel();
        let held = Mutex::new(held);
        let server = Server::saying(move |path| {
            if path == "/slow" {
                held.lock().unwrap().recv().unwrap();
            }
            ok(path)
        });
        let pictures = RemotePictures::new(Arc::new(World::default()), trusted());
        let apps = ["acme.slow", "acme.net"].map(|app| AppId::parse(app).unwrap());
        let origins = server.ask("https://one.example/").origins;
        pictures.allow(apps.map(|app| (app, origins.clone())).into());
        let url = |path: &str| format!("https://one.example:{}/{path}", server.port);
        let load = |app: &str, path: &str| pictures.load(app, &url(path), 100);
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| load("acme.slow", "slow"));
            while server.seen().is_empty() {
                std::thread::yield_now();
            }
            assert_eq!(load("acme.net", "fast"), Ok(b"/fast".to_vec()));
            let_go.send(()).unwrap();
            assert_eq!(slow.join().unwrap(), Ok(b"/slow".to_vec()));
        });
    }
}
