//! A small world for tests: a server on this machine, by several names, and networks that are out of reach.
#![allow(clippy::unwrap_used)]

use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ede_engine::app_id::AppId;
use ede_engine::broker::origin::Origin;
use reqwest::header::HeaderMap;
use reqwest::{Certificate, Method, Url};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::net::Net;
use super::request::Asked;
use crate::tls;

const AUTHORITY: &[u8] = include_bytes!("../../../../fixtures/tls/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("../../../../fixtures/tls/server.pem");
const KEY: &[u8] = include_bytes!("../../../../fixtures/tls/server.key.pem");

pub const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

/// Names of a small world: this machine is its internet, everything else is out of reach.
#[derive(Default)]
pub struct World {
    pub look_ups: AtomicUsize,
    /// From the second look-up on `two.example` stands for another address.
    pub turns: bool,
}

impl Net for World {
    fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let before = self.look_ups.fetch_add(1, Ordering::SeqCst);
        let inside: IpAddr = "10.0.0.1".parse().unwrap();
        Ok(match host {
            "inside.example" => vec![inside],
            "two.example" if self.turns && before > 0 => vec![inside],
            "two.example" => vec![inside, HERE],
            "none.example" => return Err(io::Error::other("no such name")),
            _ => vec![HERE],
        })
    }

    fn may_reach(&self, address: IpAddr) -> bool {
        address == HERE
    }
}

/// A server that answers whatever host it is asked as.
pub struct Server {
    pub port: u16,
    /// What it was asked: head and body.
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` writes the whole answer to a path.
    pub fn start(
        answer: impl Fn(&str, &mut dyn Write) -> io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        tls::install();
        let chain = vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
        let config = rustls::ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(chain, key);
        let config = Arc::new(config.unwrap());
        let listener = TcpListener::bind((HERE, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let noted = seen.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, seen, answer) = (config.clone(), noted.clone(), answer.clone());
                std::thread::spawn(move || {
                    let session = rustls::ServerConnection::new(config).unwrap();
                    let mut stream = rustls::StreamOwned::new(session, stream);
                    let Ok(request) = request(&mut stream) else {
                        return;
                    };
                    let path = request.split(' ').nth(1).unwrap().to_owned();
                    seen.lock().unwrap().push(request);
                    let _ = answer(&path, &mut stream);
                    stream.conn.send_close_notify();
                    let _ = stream.flush();
                });
            }
        });
        Server { port, seen }
    }

    /// One that answers each path with what `answer` says of it.
    pub fn saying(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
        Server::start(move |path, to| to.write_all(answer(path).as_bytes()))
    }

    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub fn ask(&self, url: &str) -> Asked {
        let origin = |host: &str| Origin::parse(&format!("https://{host}:{}", self.port)).unwrap();
        let hosts = ["one", "two", "inside", "none", "wrong"].map(|h| format!("{h}.example"));
        let mut origins: Vec<Origin> = hosts.iter().map(|h| origin(h)).collect();
        origins.push(origin("10.0.0.1"));
        let url = url.replace("example/", &format!("example:{}/", self.port));
        Asked {
            app: AppId::parse("acme.net").unwrap(),
            url: Url::parse(&url).unwrap(),
            method: Method::GET,
            headers: HeaderMap::new(),
            body: None,
            origins,
        }
    }
}

fn request(stream: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut one = [0];
    let length = loop {
        stream.read_exact(&mut one)?;
        bytes.push(one[0]);
        if bytes.ends_with(b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes).to_lowercase();
            let length = head.split("content-length: ").nth(1);
            break length.map_or(0, |l| l.split("\r\n").next().unwrap().parse().unwrap());
        }
    };
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    bytes.extend(body);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn ok(body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nX-Kind: test\r\n\r\n{body}")
}

pub fn to(status: u16, location: &str) -> String {
    format!("HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
}

/// What is trusted in this world.
pub fn trusted() -> Vec<Certificate> {
    vec![Certificate::from_pem(AUTHORITY).unwrap()]
}
