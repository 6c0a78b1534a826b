//! A connection to one server: it is opened, asked, and closed by dropping it.

use std::sync::Arc;

use ede_engine::upstreams::answer::{self, Worthless};
use ede_engine::upstreams::rule::Allowed;
use ede_engine::upstreams::{Errand, Hints, Refusal, Server, ServerName, Unread};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest,
    Implementation, ListToolsRequest, ListToolsResult, PaginatedRequestParams, ServerResult, Tool,
};
use rmcp::serve_client;
use rmcp::service::{ClientInitializeError, RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value, json};

use super::gauge::{Gauge, Gauged, MESSAGE};
use super::http::Counted;
use super::keyring;
use super::listing::Listed;
use super::program::{Alive, Program};

/// How many pages of a list of tools are turned.
const PAGES: usize = 32;
/// How much of an error's text is read (bytes): nobody is shown it.
const ERROR: usize = 4096;

type Service = RunningService<RoleClient, ClientConfig>;

/// What is asked of a server.
pub enum Asked {
    Reading(Allowed),
    Errand(Errand),
}

/// A server that has said hello.
pub struct Connection {
    service: Service,
    gauge: Arc<Gauge>,
    _program: Option<Program>,
}

impl Connection {
    /// Reach a server and greet it.
    pub async fn open(
        name: &ServerName,
        server: &Server,
        alive: Alive,
    ) -> Result<Connection, Unread> {
        let gauge = Gauge::new();
        let (service, program) = match server {
            Server::Command(words) => {
                let started = Program::start(words, alive).map_err(|error| {
                    tracing::debug!(upstream = %name, "its program does not start: {error}");
                    Unread::Unreachable
                })?;
                let (program, output, input) = started;
                let transport =
                    AsyncRwTransport::new_client(Gauged::new(output, gauge.clone()), input);
                let transport = transport.with_max_line_length(MESSAGE);
                (serve_client(this_client(), transport).await, Some(program))
            }
            Server::Url { url, token } => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .max_sse_event_size(MESSAGE)
                    .max_json_response_size(MESSAGE)
                    .max_error_response_size(ERROR);
                if *token {
                    let token = keyring::token(name, url).await.map_err(|error| {
                        tracing::debug!(upstream = %name, "it has no token: {error}");
                        Unread::NoToken
                    })?;
                    config = config.auth_header(token);
                }
                let client = Counted::new(url, gauge.clone()).map_err(|_| Unread::Unreachable)?;
                let transport = StreamableHttpClientTransport::with_client(client, config);
                (serve_client(this_client(), transport).await, None)
            }
        };
        let service = service.map_err(|error| not_greeted(&error, &gauge))?;
        Ok(Connection {
            service,
            gauge,
            _program: program,
        })
    }

    /// Is the other side still there?
    pub fn is_open(&self) -> bool {
        !self.service.is_transport_closed() && !self.gauge.has_spilled()
    }

    /// Ask once. What the tool says of itself at this very moment decides whether it is called. Given up halfway, the connection is of
    /// no use any more.
    pub async fn answer(&self, asked: &Asked) -> Result<Value, Unread> {
        self.gauge.refill();
        match asked {
            Asked::Reading(allowed) => {
                let reading = &allowed.reading;
                if !self.hints(&reading.tool).await?.reads(allowed.may) {
                    return Err(Unread::Refused(Refusal::NotReadOnly));
                }
                self.call(&reading.tool, &reading.arguments).await
            }
            Asked::Errand(errand) => {
                let hints = self.hints(&errand.to.tool).await?;
                hints.admit(errand).map_err(Unread::Refused)?;
                self.call(&errand.to.tool, &errand.arguments).await
            }
        }
    }

    async fn call(&self, tool: &str, arguments: &Map<String, Value>) -> Result<Value, Unread> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let result = match self.ask(request).await? {
            ServerResult::CallToolResult(result) => json!(result),
            // It wants something of the person first, or takes its time: nobody here goes on with either.
            _ => return Err(Unread::RpcError),
        };
        answer::value(result).map_err(|worthless| match worthless {
            Worthless::IsError => Unread::Failed,
            Worthless::TooLarge => Unread::TooLarge,
        })
    }

    /// What the tool says of itself now.
    async fn hints(&self, tool: &str) -> Result<Hints, Unread> {
        let mut cursor = None;
        for _ in 0..PAGES {
            let page = self.page(cursor).await?;
            if let Some(found) = page.tools.iter().find(|t| t.name == tool) {
                return Ok(said(found));
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Err(Unread::Refused(Refusal::UnknownTool))
    }

    /// All its tools, as far as it is listened to.
    pub async fn tools(&self) -> Result<Vec<Listed>, Unread> {
        self.gauge.refill();
        let (mut all, mut cursor) = (Vec::new(), None);
        for _ in 0..PAGES {
            let page = self.page(cursor).await?;
            all.extend(page.tools.iter().map(|tool| Listed {
                name: tool.name.to_string(),
                description: tool.description.as_deref().unwrap_or_default().to_owned(),
                hints: said(tool),
                input: json!(tool.input_schema),
            }));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(all)
    }

    /// One page of its tools. Asked for past any cache: a server's word about how long its list is good counts for nothing.
    async fn page(&self, cursor: Option<String>) -> Result<ListToolsResult, Unread> {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ListToolsRequest::with_param(params);
        let request = ClientRequest::ListToolsRequest(request);
        match self.ask(request).await? {
            ServerResult::ListToolsResult(page) => Ok(page),
            _ => Err(Unread::RpcError),
        }
    }

    async fn ask(&self, request: ClientRequest) -> Result<ServerResult, Unread> {
        let answer = self.service.send_request(request).await;
        answer.map_err(|error| self.not_answered(&error))
    }

    fn not_answered(&self, error: &ServiceError) -> Unread {
        if self.gauge.has_spilled() {
            return Unread::TooLarge;
        }
        match error {
            ServiceError::McpError(_) | ServiceError::UnexpectedResponse => Unread::RpcError,
            error if error.auth_challenge().is_some() => Unread::Unauthorized,
            _ => Unread::Unreachable,
        }
    }
}

fn said(tool: &Tool) -> Hints {
    let said = tool.annotations.as_ref();
    Hints {
        read_only: said.and_then(|a| a.read_only_hint),
        destructive: said.and_then(|a| a.destructive_hint),
    }
}

fn not_greeted(error: &ClientInitializeError, gauge: &Gauge) -> Unread {
    if gauge.has_spilled() {
        return Unread::TooLarge;
    }
    if error.auth_challenge().is_some() {
        return Unread::Unauthorized;
    }
    match error {
        ClientInitializeError::TransportError { .. }
        | ClientInitializeError::ConnectionClosed(_)
        | ClientInitializeError::Cancelled => Unread::Unreachable,
        _ => Unread::RpcError,
    }
}

/// What a server hears of us: no roots, no sampling, nobody to ask.
fn this_client() -> ClientConfig {
    let name = Implementation::new("ede", env!("CARGO_PKG_VERSION"));
    ClientConfig::new(ClientCapabilities::default(), name)
}
