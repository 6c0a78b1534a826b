use crate::desk::*;
use ede::wayland::{Options, Session, WindowAction, WindowInfo, WorkspaceInfo};
use ede_tests::compositor::{
    Compositor, Global, Globals, OutputSpec, Request, Window, WindowRequest, Workspace,
    WorkspaceRequest,
};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use wayland_client::Connection;

fn windows(desk: &mut Desk, what: &str, right: impl Fn(&[WindowInfo]) -> bool) -> Vec<WindowInfo> {
    let list = desk.told(what, |told| match told {
        Told::Windows(list) if right(list) => Some(list.clone()),
        _ => None,
    });
    desk.take_told();
    list
}

#[test]
fn windows_come_change_are_acted_on_and_go() {
    let mut desk = Desk::empty();
    assert_eq!(
        desk.with(|_, platform| platform.capabilities().windows),
        Some("wlr-foreign-toplevel-management")
    );
    let first = desk
        .compositor
        .open_window(Window::new("<b>One</b>", "org.one"));
    let second = desk.compositor.open_window(Window {
        activated: true,
        ..Window::new("Two", "org.two")
    });
    let list = windows(&mut desk, "two windows", |list| list.len() == 2);
    assert_eq!(
        (list[0].title.as_str(), list[0].app_id.as_str()),
        ("<b>One</b>", "org.one")
    );
    assert!(!list[0].active && list[1].active && list[0].controllable);
    desk.compositor.change_window(first, |window| {
        window.title = "Renamed".into();
        window.minimized = true;
    });
    let list = windows(&mut desk, "the new title", |list| {
        list.iter().any(|w| w.title == "Renamed")
    });
    assert!(list[0].minimized);
    let id = list[0].id;
    for action in [
        WindowAction::Activate,
        WindowAction::Minimize(false),
        WindowAction::Close,
    ] {
        assert!(desk.with(|_, platform| platform.act_on_window(id, action)));
    }
    desk.settle();
    let requests = desk.compositor.take_requests();
    for expected in [
        WindowRequest::Activate,
        WindowRequest::SetMinimized(false),
        WindowRequest::Close,
    ] {
        assert!(
            requests.contains(&Request::Window(first, expected)),
            "{expected:?} in {requests:?}"
        );
    }
    desk.compositor.close_window(first);
    desk.compositor.close_window(second);
    windows(&mut desk, "no window", <[_]>::is_empty);
    assert!(!desk.with(|_, platform| platform.act_on_window(id, WindowAction::Close)));
}

#[test]
fn titles_alone_are_better_than_nothing() {
    let globals = Globals::all().without(Global::WlrForeignToplevel);
    let mut desk = Desk::new(
        globals,
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    assert_eq!(
        desk.with(|_, platform| platform.capabilities().windows),
        Some("ext-foreign-toplevel-list")
    );
    let window = desk.compositor.open_window(Window::new("One", "org.one"));
    let list = windows(&mut desk, "a window", |list| list.len() == 1);
    assert!(list[0].title == "One" && !list[0].controllable);
    assert!(!desk.with(|_, platform| platform.act_on_window(list[0].id, WindowAction::Activate)));
    desk.compositor.close_window(window);
    windows(&mut desk, "no window", <[_]>::is_empty);
}

#[test]
fn without_any_list_the_answer_is_empty() {
    let mut desk = Desk::new(
        Globals::gnome(),
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    let capabilities = desk.with(|_, platform| platform.capabilities());
    assert_eq!(
        (capabilities.windows, capabilities.workspaces),
        (None, None)
    );
    assert!(
        desk.with(|_, platform| platform.windows().is_empty() && platform.workspaces().is_empty())
    );
}

fn workspaces(
    desk: &mut Desk,
    what: &str,
    right: impl Fn(&[WorkspaceInfo]) -> bool,
) -> Vec<WorkspaceInfo> {
    let list = desk.told(what, |told| match told {
        Told::Workspaces(list) if right(list) => Some(list.clone()),
        _ => None,
    });
    desk.take_told();
    list
}

#[test]
fn workspaces_are_listed_by_place_and_gone_to() {
    let mut desk = Desk::new(Globals::all(), &[], Probe::default());
    let output = desk.compositor.add_output(OutputSpec::new("A-1", 800, 600));
    desk.settle();
    let here = |name: &str, at: u32| Workspace {
        coordinates: vec![at],
        ..Workspace::new(name).on(output)
    };
    desk.compositor
        .set_workspaces(vec![here("two", 1), here("one", 0).active()]);
    let list = workspaces(&mut desk, "two workspaces", |list| list.len() == 2);
    assert_eq!(
        (list[0].name.as_str(), list[1].name.as_str()),
        ("one", "two")
    );
    assert!(list[0].active && !list[1].active);
    let known = desk.with(|_, platform| platform.outputs()[0].id);
    assert_eq!(list[0].output, Some(known));
    assert!(desk.with(|_, platform| platform.activate_workspace(list[1].id)));
    desk.until("the request", |scene| {
        scene
            .requests
            .contains(&Request::Workspace(
                "two".into(),
                WorkspaceRequest::Activate,
            ))
            .then_some(())
    });
    desk.compositor
        .set_workspaces(vec![here("two", 1).active()]);
    let list = workspaces(&mut desk, "one workspace", |list| list.len() == 1);
    assert!(list[0].name == "two" && list[0].active);
}

/// One message of sway's IPC: a magic word, length and kind, then JSON.
fn answer(stream: &mut UnixStream, kind: u32, json: &str) {
    let mut message = b"i3-ipc".to_vec();
    message.extend((json.len() as u32).to_ne_bytes());
    message.extend(kind.to_ne_bytes());
    message.extend(json.as_bytes());
    stream.write_all(&message).unwrap();
}

fn ask(stream: &mut UnixStream) -> Option<(u32, String)> {
    let mut head = [0; 14];
    stream.read_exact(&mut head).ok()?;
    let word = |at: usize| u32::from_ne_bytes(head[at..at + 4].try_into().unwrap());
    let mut body = vec![0; word(6) as usize];
    stream.read_exact(&mut body).ok()?;
    Some((word(10), String::from_utf8(body).unwrap()))
}

#[test]
fn sway_tells_of_workspaces_over_its_own_socket() {
    const RUN: u32 = 0;
    const WORKSPACES: u32 = 1;
    const SUBSCRIBE: u32 = 2;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sway.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let (commands, ran) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, commands) = (stream.unwrap(), commands.clone());
            std::thread::spawn(move || {
                while let Some((kind, body)) = ask(&mut stream) {
                    match kind {
                        RUN => {
                            commands.send(body).unwrap();
                            answer(&mut stream, RUN, r#"[{"success":true}]"#);
                        }
                        WORKSPACES => answer(
                            &mut stream,
                            WORKSPACES,
                            r#"[{"id":7,"num":1,"name":"1: \"web\"","visible":true,"focused":true,"urgent":false,
                                "rect":{"x":0,"y":0,"width":800,"height":600},"output":"A-1"}]"#,
                        ),
                        SUBSCRIBE => answer(&mut stream, SUBSCRIBE, r#"{"success":true}"#),
                        _ => return,
                    }
                }
            });
        }
    });
    let compositor = Compositor::start(Globals::sway_1_7());
    compositor.add_output(OutputSpec::new("A-1", 800, 600));
    let connection = Connection::from_socket(compositor.socket()).unwrap();
    let options = Options {
        sway_socket: Some(path),
    };
    let session = Session::open(connection, options, Probe::default()).unwrap();
    let mut desk = Desk {
        session,
        compositor,
    };
    let list = workspaces(&mut desk, "a workspace", |list| list.len() == 1);
    assert!(list[0].name == "1: \"web\"" && list[0].active && list[0].output.is_some());
    assert!(desk.with(|_, platform| platform.activate_workspace(list[0].id)));
    let command = ran
        .recv_timeout(std::time::Duration::from_secs(20))
        .unwrap();
    assert_eq!(
        command,
        r#"workspace --no-auto-back-and-forth "1: \"web\"""#
    );
}

#[test]
fn a_sway_socket_nobody_listens_on_is_no_source() {
    let compositor = Compositor::start(Globals::sway_1_7());
    let connection = Connection::from_socket(compositor.socket()).unwrap();
    let options = Options {
        sway_socket: Some("/nonexistent/sway.sock".into()),
    };
    let session = Session::open(connection, options, Probe::default()).unwrap();
    let mut desk = Desk {
        session,
        compositor,
    };
    assert_eq!(
        desk.with(|_, platform| platform.capabilities().workspaces),
        None
    );
}
