//! The server over HTTP: one POST a message, each answered as JSON; what is endless comes as events.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use serde_json::Value;

use super::{Reply, Server, chatter};

/// Answer until the process is killed. With a token, whoever does not show it is refused.
pub fn serve(server: Server, token: Option<&str>) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    server.note(&format!("http://{}/mcp", listener.local_addr()?));
    let (server, token) = (Arc::new(server), token.map(str::to_owned));
    for stream in listener.incoming() {
        let (server, token, stream) = (server.clone(), token.clone(), stream?);
        std::thread::spawn(move || converse(&server, token.as_deref(), stream));
    }
    Ok(())
}

/// Everything that comes over one connection.
fn converse(server: &Server, token: Option<&str>, stream: TcpStream) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut input = BufReader::new(stream);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if line.trim_end().is_empty() {
                break;
            }
            head.push(line.trim_end().to_owned());
        }
        let header = |name: &str| {
            let of = |line: &String| {
                let (key, value) = line.split_once(':')?;
                key.eq_ignore_ascii_case(name)
                    .then(|| value.trim().to_owned())
            };
            head.iter().find_map(of)
        };
        let length = header("content-length").and_then(|n| n.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        input.read_exact(&mut body)?;
        let first = head.first().cloned().unwrap_or_default();
        if first.contains("/elsewhere") {
            server.note(&format!(
                "elsewhere {}",
                header("authorization").unwrap_or_default()
            ));
        }
        if first.contains("/moved") {
            write!(
                out,
                "HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
            )?;
            continue;
        }
        if !first.starts_with("POST") {
            write!(out, "HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")?;
            server.note(first.split(' ').next().unwrap_or_default());
            continue;
        }
        if token.is_some_and(|token| header("authorization") != Some(format!("Bearer {token}"))) {
            write!(
                out,
                "HTTP/1.1 401 Who\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n"
            )?;
            continue;
        }
        let request: Value = serde_json::from_slice(&body).unwrap_or_default();
        match server.reply(&request) {
            Reply::None => write!(out, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")?,
            Reply::Json(answer) => {
                let text = answer.to_string();
                let session = if request["method"] == "initialize" {
                    "Mcp-Session-Id: one\r\n"
                } else {
                    ""
                };
                let length = text.len();
                write!(
                    out,
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{session}Content-Length: {length}\r\n\r\n{text}"
                )?;
            }
            Reply::Flood => {
                write!(
                    out,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                )?;
                loop {
                    write!(out, "data: {}\n\n", chatter())?;
                }
            }
            Reply::Rubbish => {
                write!(
                    out,
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\nthis is {{"
                )?;
            }
            Reply::Silence => std::thread::park(),
            Reply::End => return Ok(()),
        }
    }
}
