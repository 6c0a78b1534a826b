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
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Call, Later, Provider, Ran, failed};
use crate::wayland::Platform;
use fetch::{Fetcher, Limits};
use net::Public;
pub use pictures::{Allowed, RemotePictures};
use request::Asked;
pub use request::{SCOPE, origins};

/// How many requests of one app are on their way at once.
const MOST_AT_ONCE: usize = 4;

#[derive(Default)]
pub(super) struct Http {
    wishes: Option<UnboundedSender<Wish>>,
    under_way: UnderWay,
}

struct Wish {
    asked: Asked,
    later: Later,
    _one_more: OneMore,
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
            None => match start() {
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
            _one_more: one_more,
        };
        match wishes.send(wish) {
            Ok(()) => Ran::Later,
            Err(_) => Ran::Now(NativeAnswer::Unreachable),
        }
    }
}

fn start() -> std::io::Result<UnboundedSender<Wish>> {
    let (wishes, heard) = unbounded_channel();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::Builder::new()
        .name("ede-http".into())
        .spawn(move || runtime.block_on(serve(heard)))?;
    Ok(wishes)
}

/// Until nobody can wish any more.
async fn serve(mut wishes: UnboundedReceiver<Wish>) {
    let mut fetcher: Option<Arc<Fetcher>> = None;
    while let Some(wish) = wishes.recv().await {
        let known = match &fetcher {
            Some(fetcher) => Ok(fetcher.clone()),
            None => Fetcher::new(Arc::new(Public), Limits::default(), Vec::new()).map(Arc::new),
        };
        match known {
            Ok(known) => {
                fetcher = Some(known.clone());
                tokio::spawn(async move {
                    let answer = known.fetch(wish.asked).await;
                    wish.later.answer(answer);
                });
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
}
