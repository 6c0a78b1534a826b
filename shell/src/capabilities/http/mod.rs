//! `http`: apps ask servers on the origins their packages declare, and no others. The broker has checked the URL's origin and asked the
//! person; what is left is where the request really goes ([`net`], [`fetch`]), what an app may not say ([`request`]) and how much of it all
//! there is. A thread of its own does it, from the first request on. [`pictures`] are loaded by the same rules.
//!
//! An answer is text: what is not (`notText`) or too long (`tooLarge`) is none. Errors are our own words, never the server's.

mod fetch;
mod net;
mod pictures;
mod request;
#[cfg(test)]
mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use reqwest::Certificate;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Call, Later, Provider, Ran, Stop, failed};
use crate::wayland::Platform;
use fetch::{Fetcher, Limits};
use net::{Net, Public};
pub use pictures::{Allowed, RemotePictures};
use request::Asked;
pub use request::{SCOPE, origins};

/// How many requests of one app are on their way at once.
const MOST_AT_ONCE: usize = 4;

pub(super) struct Http {
    wishes: Option<UnboundedSender<Wish>>,
    under_way: UnderWay,
    net: Arc<dyn Net>,
    /// Stand in for the system's certificates in tests.
    trusted: Vec<Certificate>,
}

impl Default for Http {
    fn default() -> Http {
        Http::new(Arc::new(Public), Vec::new())
    }
}

impl Http {
    fn new(net: Arc<dyn Net>, trusted: Vec<Certificate>) -> Http {
        Http {
            wishes: None,
            under_way: UnderWay::default(),
            net,
            trusted,
        }
    }
}

struct Wish {
    asked: Asked,
    later: Later,
    stop: Stop,
    one_more: OneMore,
}

impl Wish {
    /// Ask, and answer when the request counts no more. One that is stopped is given up.
    async fn granted(self, fetcher: Arc<Fetcher>) {
        // The whole of it is this future's, to its end.
        let Wish {
            asked,
            later,
            stop,
            one_more,
        } = self;
        tokio::select! {
            answer = fetcher.fetch(asked) => {
                drop(one_more);
                later.answer(answer);
            }
            () = stop.stopped() => {}
        }
    }
}

/// How many requests of each app are on their way.
type UnderWay = Arc<Mutex<BTreeMap<AppId, usize>>>;

/// One of them, until it is dropped.
struct OneMore(UnderWay, AppId);

impl OneMore {
    fn of(app: &AppId, all: &UnderWay) -> Option<OneMore> {
        let mut count = all.lock().unwrap_or_else(PoisonError::into_inner);
        let count = count.entry(app.clone()).or_default();
        if *count == MOST_AT_ONCE {
            return None;
        }
        *count += 1;
        Some(OneMore(all.clone(), app.clone()))
    }
}

impl Drop for OneMore {
    fn drop(&mut self) {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = count.get_mut(&self.1) {
            *n -= 1;
            if *n == 0 {
                count.remove(&self.1);
            }
        }
    }
}

impl Provider for Http {
    fn capability(&self) -> &'static str {
        "http"
    }

    fn is_there(&self, _: Option<&Platform>) -> bool {
        true
    }

    fn call(&mut self, call: Call<'_>, _: Option<&mut Platform>) -> Ran {
        let asked = match Asked::read(call.package, &call.arguments) {
            Ok(asked) => asked,
            Err(why) => return Ran::Now(failed(&why)),
        };
        let Some(one_more) = OneMore::of(&asked.app, &self.under_way) else {
            return Ran::Now(failed(&format!(
                "tooMany: at most {MOST_AT_ONCE} requests at a time"
            )));
        };
        let wishes = match &self.wishes {
            Some(wishes) => wishes,
            None => match start(self.net.clone(), self.trusted.clone()) {
                Ok(wishes) => self.wishes.insert(wishes),
                Err(error) => {
                    tracing::warn!("no server can be asked: {error}");
                    return Ran::Now(NativeAnswer::Unreachable);
                }
            },
        };
        let wish = Wish {
            asked,
            later: call.later,
            stop: call.stop,
            one_more,
        };
        match wishes.send(wish) {
            Ok(()) => Ran::Later,
            Err(_) => Ran::Now(NativeAnswer::Unreachable),
        }
    }
}

fn start(net: Arc<dyn Net>, trusted: Vec<Certificate>) -> std::io::Result<UnboundedSender<Wish>> {
    let (wishes, heard) = unbounded_channel();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::Builder::new()
        .name("ede-http".into())
        .spawn(move || runtime.block_on(serve(heard, net, trusted)))?;
    Ok(wishes)
}

/// Until nobody can wish any more.
async fn serve(mut wishes: UnboundedReceiver<Wish>, net: Arc<dyn Net>, trusted: Vec<Certificate>) {
    let mut fetcher: Option<Arc<Fetcher>> = None;
    while let Some(wish) = wishes.recv().await {
        let known = match &fetcher {
            Some(fetcher) => Ok(fetcher.clone()),
            None => Fetcher::new(net.clone(), Limits::default(), trusted.clone()).map(Arc::new),
        };
        match known {
            Ok(known) => {
                fetcher = Some(known.clone());
                tokio::spawn(wish.granted(known));
            }
            Err(error) => {
                tracing::warn!("no server can be trusted: {error}");
                wish.later.answer(failed("untrusted"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use ede_engine::package::Package;
    use serde_json::json;

    use super::world::{Server, World, ok, trusted};
    use super::*;

    #[test]
    fn an_app_has_so_many_requests_on_their_way_and_no_other_waits_for_it() {
        let all = UnderWay::default();
        let (one, other) = (
            AppId::parse("acme.one").unwrap(),
            AppId::parse("acme.two").unwrap(),
        );
        let mut held: Vec<_> = (0..MOST_AT_ONCE)
            .map(|_| OneMore::of(&one, &all).unwrap())
            .collect();
        assert!(OneMore::of(&one, &all).is_none());
        assert!(OneMore::of(&other, &all).is_some());
        held.pop();
        assert!(OneMore::of(&one, &all).is_some());
        held.clear();
        assert!(all.lock().unwrap().is_empty());
    }

    #[test]
    fn the_fifth_request_of_an_app_is_refused_while_four_are_on_their_way() {
        let (let_go, held) = std::sync::mpsc::channel();
        let held = Mutex::new(held);
        let server = Server::saying(move |_| {
            held.lock().unwrap().recv().unwrap();
            ok("late")
        });
        let url = format!("https://one.example:{}/", server.port);
        let package = json!({
            "formatVersion": 5, "id": "acme.net", "name": "Net", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "functions": ["http.fetch"],
            "capabilities": [{"id": "http.fetch", "why": "To ask.", "origins": [url.trim_end_matches('/')]}],
            "screens": [{"template": "main", "title": "Net"}],
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Net"}]}},
        });
        let package = Package::read_checked(package.to_string().as_bytes()).unwrap();
        let mut http = Http::new(Arc::new(World::default()), trusted());
        let (answer, answers) = std::sync::mpsc::channel();
        let mut call = || {
            let answer = answer.clone();
            let later = Later::new(move |heard| drop(answer.send(heard)));
            let call = Call {
                package: &package,
                tool: "fetch",
                arguments: json!({"url": url}).as_object().unwrap().clone(),
                press: None,
                later: later.clone(),
                stop: Stop::default(),
            };
            let ran = http.call(call, None);
            if matches!(ran, Ran::Now(_)) {
                later.unused();
            }
            ran
        };
        for asked in 1..=MOST_AT_ONCE {
            assert!(matches!(call(), Ran::Later));
            // It is on the wire before the next one comes.
            while server.seen().len() < asked {
                std::thread::yield_now();
            }
        }
        let too_many = failed("tooMany: at most 4 requests at a time");
        assert!(matches!(call(), Ran::Now(answer) if answer == too_many));
        let_go.send(()).unwrap();
        let answer = answers.recv().unwrap();
        assert!(
            matches!(answer, NativeAnswer::Result(ref v) if v["structuredContent"]["body"] == "late"),
            "{answer:?}"
        );
        assert!(matches!(call(), Ran::Later), "one has come back");
        for _ in 0..MOST_AT_ONCE {
            let_go.send(()).unwrap();
        }
    }
}
