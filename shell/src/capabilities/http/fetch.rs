//! One request to its end: sent to a public address of a declared origin, led on by hand, read to a size. Nothing is kept from one request
//! to the next: no cookie, no connection, no answer.

use std::error::Error;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use ede_engine::bridge::NativeAnswer;
use reqwest::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue,
    LOCATION, SET_COOKIE,
};
use reqwest::{Client, Method, Response, StatusCode, Url, redirect, retry};
use serde_json::{Value, json};

use super::net::{Net, OutOfReach, Resolver};
use super::request::Asked;
use crate::capabilities::failed;
use crate::tls;

/// How often a request is led on.
const MOST_REDIRECTS: usize = 5;

/// What an app hears of the answer's headers, as the catalog has it: so many, names and values so long (characters).
const MOST_HEADERS: usize = 100;
const LONGEST_NAME: usize = 100;
const LONGEST_VALUE: usize = 8000;

/// Who asks: the desktop, whatever the app.
const USER_AGENT: &str = concat!("ede/", env!("CARGO_PKG_VERSION"));

/// How long and how much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A request with all that it is led to.
    pub whole: Duration,
    pub connect: Duration,
    /// The longest body (bytes). The catalog counts characters, of which there are never more.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            whole: Duration::from_secs(30),
            connect: Duration::from_secs(10),
            body: 4_000_000,
        }
    }
}

/// Asks servers.
pub struct Fetcher {
    client: Client,
    net: Arc<dyn Net>,
    limits: Limits,
}

/// Why there is no answer of the server's.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    Timeout,
    Unreachable,
    Because(&'static str),
}

impl Failed {
    pub fn as_str(&self) -> &'static str {
        match self {
            Failed::Timeout => "timeout",
            Failed::Unreachable => "unreachable",
            Failed::Because(words) => words,
        }
    }

    fn answer(self) -> NativeAnswer {
        match self {
            Failed::Timeout => NativeAnswer::Timeout,
            Failed::Unreachable => NativeAnswer::Unreachable,
            Failed::Because(words) => failed(words),
        }
    }
}

impl Fetcher {
    /// `trusted` stands in for the system's certificates in tests. The error is one of the system's: it has none to check servers by.
    pub fn new(
        net: Arc<dyn Net>,
        limits: Limits,
        trusted: Vec<reqwest::Certificate>,
    ) -> Result<Fetcher, reqwest::Error> {
        tls::install();
        let mut headers = HeaderMap::new();
        // Nothing is unpacked here: a small answer stays one.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .default_headers(headers)
            .https_only(true)
            .no_proxy()
            .referer(false)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .connect_timeout(limits.connect)
            // Every request looks its name up and is judged anew.
            .pool_max_idle_per_host(0)
            .dns_resolver(Resolver(net.clone()));
        let client = if trusted.is_empty() {
            client
        } else {
            client.tls_certs_only(trusted)
        };
        Ok(Fetcher {
            client: client.build()?,
            net,
            limits,
        })
    }

    /// The answer to what an app asks, as text.
    pub async fn fetch(&self, asked: Asked) -> NativeAnswer {
        let answered = async { text(self.led(asked).await?) };
        match self.in_time(answered).await {
            Ok(content) => NativeAnswer::Result(json!({"structuredContent": content})),
            Err(failed) => failed.answer(),
        }
    }

    /// The bytes of what is asked for; nothing but a success has any.
    pub async fn bytes(&self, asked: Asked) -> Result<Vec<u8>, Failed> {
        let answered = async {
            let answer = self.led(asked).await?;
            match answer.status.is_success() && !answer.is_packed() {
                true => Ok(answer.body),
                false => Err(Failed::Because("notFound")),
            }
        };
        self.in_time(answered).await
    }

    async fn in_time<T>(
        &self,
        answered: impl Future<Output = Result<T, Failed>>,
    ) -> Result<T, Failed> {
        let answered = tokio::time::timeout(self.limits.whole, answered).await;
        answered.unwrap_or(Err(Failed::Timeout))
    }

    /// Follow where the servers lead.
    async fn led(&self, mut asked: Asked) -> Result<Answered, Failed> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&asked).await?;
            let Some(next) = leads_to(&asked.url, &response) else {
                return self.read(response).await;
            };
            if !asked.may_go_to(&next) {
                return Err(Failed::Because("originNotDeclared"));
            }
            asked.lead(response.status(), next);
        }
        Err(Failed::Because("tooManyRedirects"))
    }

    async fn send(&self, asked: &Asked) -> Result<Response, Failed> {
        // A number needs no look-up, so nothing judges it later.
        let number = asked.url.host_str().and_then(as_number);
        if number.is_some_and(|address| !self.net.may_reach(address)) {
            return Err(Failed::Because("privateAddress"));
        }
        let mut request = self.client.request(asked.method.clone(), asked.url.clone());
        request = request.headers(asked.headers.clone());
        if let Some(body) = &asked.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|error| why(&error))
    }

    /// Read what a server answers, up to the size there is.
    async fn read(&self, mut response: Response) -> Result<Answered, Failed> {
        let too_large = || Failed::Because("tooLarge");
        let most = self.limits.body;
        if response.content_length().is_some_and(|n| n > most as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| why(&error))? {
            if body.len() + part.len() > most {
                return Err(too_large());
            }
            body.extend_from_slice(&part);
        }
        Ok(Answered {
            status: response.status(),
            headers: std::mem::take(response.headers_mut()),
            body,
        })
    }
}

/// What a server answered.
struct Answered {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answered {
    /// Would the body have to be unpacked?
    fn is_packed(&self) -> bool {
        let how = self.headers.get(CONTENT_ENCODING);
        how.is_some_and(|how| !how.as_bytes().eq_ignore_ascii_case(b"identity"))
            && !self.body.is_empty()
    }
}

/// The answer as the app gets it.
fn text(answer: Answered) -> Result<Value, Failed> {
    let packed = answer.is_packed();
    let text = String::from_utf8(answer.body).ok();
    let text = text.filter(|text| !text.contains('\0') && !packed);
    let body = text.ok_or(Failed::Because("notText"))?;
    Ok(json!({
        "status": answer.status.as_u16(),
        "headers": headers(&answer.headers),
        "body": body.strip_prefix('\u{feff}').unwrap_or(&body),
    }))
}

impl Asked {
    /// Go on at `next`, as `status` says.
    fn lead(&mut self, status: StatusCode, next: Url) {
        let posted = self.method == Method::POST;
        let becomes_get = match status {
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => posted,
            _ => false,
        };
        if becomes_get {
            self.method = Method::GET;
            self.body = None;
            self.headers.remove(CONTENT_TYPE);
        }
        if next.origin() != self.url.origin() {
            self.headers.remove(AUTHORIZATION);
        }
        self.url = next;
    }
}

/// Where a server leads; nowhere where it does not say so in a way that can be read.
fn leads_to(from: &Url, response: &Response) -> Option<Url> {
    let led = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let to = response.headers().get(LOCATION).filter(|_| led)?;
    from.join(to.to_str().ok()?).ok()
}

/// The address that a host spells out.
fn as_number(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    bare.unwrap_or(host).parse().ok()
}

/// What an app hears of the headers; nothing that is to be sent back.
fn headers(all: &HeaderMap) -> Value {
    let kept = all.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        let fits = name.as_str().len() <= LONGEST_NAME && value.len() <= LONGEST_VALUE;
        let heard = name != SET_COOKIE && name.as_str() != "set-cookie2";
        (fits && heard).then(|| json!({"name": name.as_str(), "value": value}))
    });
    kept.take(MOST_HEADERS).collect()
}

/// The client's error in our own words.
fn why(error: &reqwest::Error) -> Failed {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if found.is::<OutOfReach>() {
            return Failed::Because("privateAddress");
        }
        if let Some(rustls::Error::InvalidCertificate(_)) = found.downcast_ref() {
            return Failed::Because("untrusted");
        }
        // The system's errors hide what is in them.
        let hidden = found
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        cause = match hidden {
            Some(hidden) => Some(hidden),
            None => found.source(),
        };
    }
    if error.is_timeout() {
        Failed::Timeout
    } else {
        Failed::Unreachable
    }
}

#[cfg(test)]
mod tests;
