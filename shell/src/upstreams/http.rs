//! A server on the network, over HTTP: TLS with the system's own roots, no redirects (a token goes where the person sent it and
//! nowhere else), answers counted. There is no stream beside the calls: nothing is to be heard that was not asked for.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use ede_engine::upstreams::servers::ServerUrl;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;
use zbus::export::futures_core::Stream;

use super::gauge::Gauge;
use crate::tls;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

type Headers = HashMap<HeaderName, HeaderValue>;
type Events = Pin<Box<dyn Stream<Item = Result<Sse, SseError>> + Send>>;
type Failed = StreamableHttpError<reqwest::Error>;

/// An HTTP client whose answers are counted.
#[derive(Clone)]
pub struct Counted {
    client: reqwest::Client,
    gauge: Arc<Gauge>,
}

impl Counted {
    /// A client for a server at `url`.
    pub fn new(url: &ServerUrl, gauge: Arc<Gauge>) -> Result<Counted, reqwest::Error> {
        tls::install();
        let mut client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .https_only(!url.is_local())
            .connect_timeout(CONNECT)
            .user_agent(concat!("ede/", env!("CARGO_PKG_VERSION")));
        if url.is_local() {
            client = client.no_proxy();
        }
        let client = client.build()?;
        Ok(Counted { client, gauge })
    }
}

impl StreamableHttpClient for Counted {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let answer = (self.client)
            .post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await;
        if let Err(StreamableHttpError::ResponseBodyTooLarge { .. }) = answer {
            self.gauge.spill();
        }
        Ok(match answer? {
            StreamableHttpPostResponse::Sse(events, session) => {
                let gauge = self.gauge.clone();
                StreamableHttpPostResponse::Sse(Box::pin(Watched { events, gauge }), session)
            }
            other => other,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.client
            .delete_session(uri, session, token, headers)
            .await
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        _: Option<Arc<str>>,
        _: Option<String>,
        _: Option<String>,
        _: Headers,
    ) -> Result<Events, Failed> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

/// The events of one answer, which ends where they are too many or too large.
struct Watched {
    events: Events,
    gauge: Arc<Gauge>,
}

impl Stream for Watched {
    type Item = Result<Sse, SseError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.events.as_mut().poll_next(cx);
        let within = match &next {
            // An event is at least the line that ends it.
            Poll::Ready(Some(Ok(event))) => {
                let bytes = event.data.as_ref().map_or(1, |data| data.len() + 1);
                self.gauge.take(bytes)
            }
            Poll::Ready(Some(Err(_))) => {
                self.gauge.spill();
                true
            }
            Poll::Ready(None) | Poll::Pending => true,
        };
        if within { next } else { Poll::Ready(None) }
    }
}
