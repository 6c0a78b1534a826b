#![allow(clippy::unwrap_used)]

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::header::HeaderName;

use super::super::world::{HERE, Server, World, ok, to, trusted};
use super::*;

fn fetch_in(world: Arc<World>, limits: Limits, asked: Asked) -> NativeAnswer {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let fetcher = Fetcher::new(world, limits, trusted()).unwrap();
    runtime.unwrap().block_on(fetcher.fetch(asked))
}

fn fetch(asked: Asked) -> NativeAnswer {
    fetch_in(Arc::default(), Limits::default(), asked)
}

fn content(answer: NativeAnswer) -> Value {
    match answer {
        NativeAnswer::Result(mut v) if v.get("isError").is_none() => v["structuredContent"].take(),
        other => panic!("{other:?}"),
    }
}

fn error(words: &str) -> NativeAnswer {
    failed(words)
}

#[test]
fn a_server_is_asked_as_the_app_says_and_told_nothing_more() {
    let server = Server::saying(|_| {
        "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\nX-Kind: test\r\nX-Raw: \u{e9}\r\n\r\n\u{feff}ab".into()
    });
    let mut asked = server.ask("https://one.example/a?b=c#d");
    asked.method = Method::POST;
    asked.body = Some("{}".into());
    let name = HeaderName::from_static("x-api-key");
    asked.headers.insert(name, HeaderValue::from_static("k"));
    let answer = content(fetch(asked.clone()));
    let headers =
        json!([{"name": "content-length", "value": "5"}, {"name": "x-kind", "value": "test"}]);
    assert_eq!(
        answer,
        json!({"status": 404, "headers": headers, "body": "ab"})
    );
    fetch(asked);
    let seen = server.seen();
    assert_eq!(seen.len(), 2);
    for request in seen {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let mut lines: Vec<String> = head.split("\r\n").map(str::to_lowercase).collect();
        lines[1..].sort();
        let port = server.port;
        let told = [
            "post /a?b=c http/1.1".to_string(),
            "accept-encoding: identity".into(),
            "accept: */*".into(),
            "content-length: 2".into(),
            format!("host: one.example:{port}"),
            format!("user-agent: ede/{}", env!("CARGO_PKG_VERSION")),
            "x-api-key: k".into(),
        ];
        assert_eq!((lines.as_slice(), body), (told.as_slice(), "{}"));
    }
}

#[test]
fn a_redirect_is_followed_to_declared_origins_alone() {
    let server = Server::saying(|path| match path {
        "/other" => to(302, "https://evil.example/"),
        "/plain" => to(302, "http://one.example/"),
        "/port" => to(302, "https://one.example/"),
        "/user" => to(302, "https://me@one.example/"),
        "/file" => to(302, "file:///etc/passwd"),
        "/here" => to(302, "there?x"),
        "/loop" => to(302, "/loop"),
        "/nowhere" => "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nno".into(),
        path => ok(path),
    });
    let ask = |path: &str| fetch(server.ask(&format!("https://one.example/{path}")));
    for path in ["other", "plain", "port", "user", "file"] {
        assert_eq!(ask(path), error("originNotDeclared"), "{path}");
    }
    assert_eq!(server.seen().len(), 5);
    assert_eq!(content(ask("here"))["body"], "/there?x");
    assert_eq!(content(ask("nowhere"))["status"], 302);
    let before = server.seen().len();
    assert_eq!(ask("loop"), error("tooManyRedirects"));
    assert_eq!(server.seen().len() - before, 1 + MOST_REDIRECTS);
}

#[test]
fn what_is_led_on_is_what_the_status_says_and_no_authorization_goes_to_another_origin() {
    let port = Arc::new(AtomicUsize::new(0));
    let known = port.clone();
    let server = Server::saying(move |path| {
        let two = format!("https://two.example:{}/end", known.load(Ordering::SeqCst));
        match path {
            "/303" => to(303, "/end"),
            "/302" => to(302, "/end"),
            "/307" => to(307, "/end"),
            "/away" => to(308, &two),
            path => ok(path),
        }
    });
    port.store(server.port.into(), Ordering::SeqCst);
    let led = |path: &str, method: Method| {
        let mut asked = server.ask(&format!("https://one.example/{path}"));
        asked.method = method;
        asked.body = Some("x".into());
        let secret = HeaderValue::from_static("secret");
        asked.headers.insert(AUTHORIZATION, secret);
        assert_eq!(content(fetch(asked))["body"], "/end");
        let request = server.seen().pop().unwrap().to_lowercase();
        let word = request.split(' ').next().unwrap().to_owned();
        let body = request.ends_with("\r\n\r\nx");
        (word, body, request.contains("authorization: secret"))
    };
    assert_eq!(led("303", Method::POST), ("get".into(), false, true));
    assert_eq!(led("303", Method::PUT), ("get".into(), false, true));
    assert_eq!(led("302", Method::POST), ("get".into(), false, true));
    assert_eq!(led("302", Method::PUT), ("put".into(), true, true));
    assert_eq!(led("307", Method::POST), ("post".into(), true, true));
    assert_eq!(led("away", Method::POST), ("post".into(), true, false));
}

#[test]
fn an_address_out_of_reach_is_not_reached_by_a_name_a_number_or_a_redirect() {
    let port = Arc::new(AtomicUsize::new(0));
    let known = port.clone();
    let server = Server::saying(move |path| {
        let port = known.load(Ordering::SeqCst);
        match path {
            "/name" => to(302, &format!("https://inside.example:{port}/")),
            "/number" => to(302, &format!("https://10.0.0.1:{port}/")),
            path => ok(path),
        }
    });
    port.store(server.port.into(), Ordering::SeqCst);
    let private = error("privateAddress");
    assert_eq!(fetch(server.ask("https://inside.example/")), private);
    let mut number = server.ask("https://one.example/");
    number.url = Url::parse(&format!("https://10.0.0.1:{}/", server.port)).unwrap();
    assert_eq!(fetch(number), private);
    assert!(server.seen().is_empty());
    assert_eq!(fetch(server.ask("https://one.example/name")), private);
    assert_eq!(fetch(server.ask("https://one.example/number")), private);
    // Of a name that stands for both, the address in reach is used.
    assert_eq!(
        content(fetch(server.ask("https://two.example/x")))["body"],
        "/x"
    );
}

#[test]
fn every_request_looks_its_name_up_once_and_goes_to_what_was_judged() {
    let server = Server::saying(ok);
    let world = Arc::new(World {
        turns: true,
        ..World::default()
    });
    let ask = || {
        fetch_in(
            world.clone(),
            Limits::default(),
            server.ask("https://two.example/x"),
        )
    };
    assert_eq!(content(ask())["body"], "/x");
    assert_eq!(world.look_ups.load(Ordering::SeqCst), 1);
    assert_eq!(
        ask(),
        error("privateAddress"),
        "nothing is kept of the first"
    );
    assert_eq!(world.look_ups.load(Ordering::SeqCst), 2);
}

#[test]
fn an_answer_that_is_no_text_or_too_long_is_none() {
    let server = Server::start(|path, to| match path {
        "/endless" => {
            to.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            loop {
                to.write_all(format!("1000\r\n{}\r\n", "x".repeat(0x1000)).as_bytes())?;
            }
        }
        "/long" => to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx"),
        "/bytes" => to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe"),
        "/nul" => to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\0a"),
        "/packed" => to.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        ),
        "/cut" => to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
        "/rubbish" => to.write_all(b"220 mail.example ESMTP\r\n"),
        "/full" => to.write_all(ok(&"é".repeat(5000)).as_bytes()),
        _ => to.write_all(ok(&"é".repeat(5001)).as_bytes()),
    });
    let limits = Limits {
        body: 10_000,
        ..Limits::default()
    };
    let ask = |path: &str| {
        let asked = server.ask(&format!("https://one.example/{path}"));
        fetch_in(Arc::default(), limits, asked)
    };
    for path in ["endless", "long", "more"] {
        assert_eq!(ask(path), error("tooLarge"), "{path}");
    }
    for path in ["bytes", "nul", "packed"] {
        assert_eq!(ask(path), error("notText"), "{path}");
    }
    for path in ["cut", "rubbish"] {
        assert_eq!(ask(path), NativeAnswer::Unreachable, "{path}");
    }
    let full = content(ask("full"));
    assert_eq!(full["body"].as_str().unwrap().chars().count(), 5000);
}

#[test]
fn a_server_that_takes_its_time_is_given_up() {
    let server = Server::start(|path, to| {
        if path == "/slow" {
            to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")?;
        }
        loop {
            std::thread::sleep(Duration::from_millis(20));
            to.write_all(if path == "/slow" { b"x" } else { b"" })?;
            to.flush()?;
        }
    });
    let limits = Limits {
        whole: Duration::from_millis(700),
        ..Limits::default()
    };
    for path in ["slow", "silent"] {
        let asked = server.ask(&format!("https://one.example/{path}"));
        let answer = fetch_in(Arc::default(), limits, asked);
        assert_eq!(answer, NativeAnswer::Timeout, "{path}");
    }
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_server_that_is_not_there_or_not_who_it_says_is_not_asked() {
    let server = Server::saying(ok);
    assert_eq!(
        fetch(server.ask("https://wrong.example/")),
        error("untrusted")
    );
    assert_eq!(
        fetch(server.ask("https://none.example/")),
        NativeAnswer::Unreachable
    );
    assert!(server.seen().is_empty());
    let closed = TcpListener::bind((HERE, 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut asked = server.ask("https://one.example/");
    asked.url.set_port(Some(closed)).unwrap();
    assert_eq!(fetch(asked), NativeAnswer::Unreachable);
}
