//! Windows and workspaces as taskbars and pagers see them.

use ede_tests::client::Client;
use ede_tests::compositor::{
    Compositor, Global, Globals, OutputSpec, Rect, Request, Window, WindowRequest, Workspace,
    WorkspaceRequest,
};
use wayland_client::WEnum;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::ext::foreign_toplevel_list::v1::client::ext_foreign_toplevel_handle_v1;
use wayland_protocols::ext::foreign_toplevel_list::v1::client::ext_foreign_toplevel_list_v1::{
    self, ExtForeignToplevelListV1,
};
use wayland_protocols::ext::workspace::v1::client::ext_workspace_handle_v1::{self, State};
use wayland_protocols::ext::workspace::v1::client::ext_workspace_manager_v1::{
    self, ExtWorkspaceManagerV1,
};
use wayland_protocols_wlr::foreign_toplevel::v1::client::zwlr_foreign_toplevel_handle_v1::{
    self, ZwlrForeignToplevelHandleV1,
};
use wayland_protocols_wlr::foreign_toplevel::v1::client::zwlr_foreign_toplevel_manager_v1::{
    self, ZwlrForeignToplevelManagerV1,
};

use crate::desk;

fn handles(
    client: &mut Client,
    manager: &ZwlrForeignToplevelManagerV1,
) -> Vec<ZwlrForeignToplevelHandleV1> {
    let events = client
        .take(manager)
        .into_iter()
        .filter_map(|event| match event {
            zwlr_foreign_toplevel_manager_v1::Event::Toplevel { toplevel } => Some(toplevel),
            _ => None,
        });
    events.collect()
}

#[test]
fn windows_of_others_come_change_and_go_on_the_wlr_list() {
    use zwlr_foreign_toplevel_handle_v1::Event as E;
    let (compositor, mut client, output) = desk();
    let _output: wayland_client::protocol::wl_output::WlOutput = client.bind(4);
    let mail = compositor.open_window(Window {
        activated: true,
        outputs: vec![output],
        ..Window::new("Inbox", "mail")
    });
    let manager: ZwlrForeignToplevelManagerV1 = client.bind(3);
    client.roundtrip();
    let handle = handles(&mut client, &manager).remove(0);
    let events = client.take(&handle);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, E::Title { title } if title == "Inbox"))
    );
    assert!(
        events
            .iter()
            .any(|event| matches!(event, E::AppId { app_id } if app_id == "mail"))
    );
    assert!(
        events
            .iter()
            .any(|event| matches!(event, E::OutputEnter { .. }))
    );
    assert!(
        events
            .iter()
            .any(|event| matches!(event, E::State { state } if *state == 2_u32.to_ne_bytes()))
    );
    assert!(matches!(events.last(), Some(E::Done)));
    compositor.change_window(mail, |window| window.title = "<b>Inbox</b> (2)".into());
    client.roundtrip();
    assert!(
        matches!(&client.take(&handle)[..], [E::Title { title }, E::State { .. }, E::Done] if title == "<b>Inbox</b> (2)")
    );
    let seat: WlSeat = client.bind(5);
    let panel = client.show_layer("panel", (0, 40));
    let panel_id = compositor.scene().layer("panel").unwrap().id;
    handle.set_rectangle(&panel.surface, 1, 2, 3, 4);
    handle.set_minimized();
    handle.activate(&seat);
    handle.close();
    client.roundtrip();
    let asked = [
        WindowRequest::Rectangle(panel_id, Rect::new(1, 2, 3, 4)),
        WindowRequest::SetMinimized(true),
        WindowRequest::Activate,
        WindowRequest::Close,
    ];
    assert_eq!(
        compositor.take_requests(),
        asked.map(|request| Request::Window(mail, request))
    );
    assert!(matches!(client.take(&handle).last(), Some(E::Closed)));
    assert!(compositor.scene().windows.is_empty());
}

#[test]
fn the_clients_own_windows_are_on_the_list_too() {
    let (compositor, mut client, _) = desk();
    let manager: ZwlrForeignToplevelManagerV1 = client.bind(3);
    let window = client.show_toplevel("Notes", "ede.notes", (300, 200));
    let handle = handles(&mut client, &manager).remove(0);
    assert_eq!(compositor.scene().windows[0].1.title, "Notes");
    client.take(&window.toplevel);
    handle.close();
    client.roundtrip();
    let events = client.take(&window.toplevel);
    assert!(matches!(
        events.last(),
        Some(wayland_protocols::xdg::shell::client::xdg_toplevel::Event::Close)
    ));
    window.toplevel.destroy();
    client.roundtrip();
    assert!(compositor.scene().windows.is_empty());
}

#[test]
fn the_ext_list_has_titles_and_identifiers() {
    use ext_foreign_toplevel_handle_v1::Event as E;
    let compositor = Compositor::start(Globals::all().without(Global::WlrForeignToplevel));
    let mut client = Client::connect(compositor.socket());
    assert!(client.globals::<ZwlrForeignToplevelManagerV1>().is_empty());
    let list: ExtForeignToplevelListV1 = client.bind(1);
    client.roundtrip();
    let mail = compositor.open_window(Window::new("Inbox", "mail"));
    client.roundtrip();
    let [
        ext_foreign_toplevel_list_v1::Event::Toplevel {
            toplevel: ref handle,
        },
    ] = client.take(&list)[..]
    else {
        panic!("no window")
    };
    assert!(matches!(
        &client.take(handle)[..],
        [E::Identifier { .. }, E::Title { title }, E::AppId { .. }, E::Done] if title == "Inbox"
    ));
    compositor.change_window(mail, |window| window.activated = true);
    compositor.close_window(mail);
    client.roundtrip();
    assert!(
        matches!(client.take(handle)[..], [E::Closed]),
        "what the list does not tell is not sent"
    );
    list.stop();
    client.roundtrip();
    assert!(matches!(
        client.take(&list)[..],
        [ext_foreign_toplevel_list_v1::Event::Finished]
    ));
}

#[test]
fn workspaces_come_in_groups_and_are_activated_by_a_commit() {
    use ext_workspace_handle_v1::Event as E;
    let (compositor, mut client, first) = desk();
    let second = compositor.add_output(OutputSpec::new("DP-2", 800, 600).at(800, 0));
    compositor.set_workspaces(vec![
        Workspace::new("1").active().on(first),
        Workspace::new("2").on(first),
        Workspace::new("3").active().on(second),
    ]);
    let manager: ExtWorkspaceManagerV1 = client.bind(1);
    client.roundtrip();
    let (mut groups, mut workspaces) = (Vec::new(), Vec::new());
    for event in client.take(&manager) {
        match event {
            ext_workspace_manager_v1::Event::WorkspaceGroup { workspace_group } => {
                groups.push(workspace_group)
            }
            ext_workspace_manager_v1::Event::Workspace { workspace } => workspaces.push(workspace),
            _ => {}
        }
    }
    assert_eq!((groups.len(), workspaces.len()), (2, 3));
    let named = client.take(&workspaces[1]);
    assert!(
        named
            .iter()
            .any(|event| matches!(event, E::Name { name } if name == "2"))
    );
    workspaces[1].activate();
    client.roundtrip();
    assert_eq!(compositor.take_requests(), [], "nothing before the commit");
    manager.commit();
    client.roundtrip();
    assert_eq!(
        compositor.take_requests(),
        [Request::Workspace("2".into(), WorkspaceRequest::Activate)]
    );
    let active = WEnum::Value(State::Active);
    assert!(matches!(client.take(&workspaces[1])[..], [E::State { state }] if state == active));
    let states: Vec<_> = compositor
        .scene()
        .workspaces
        .iter()
        .map(|workspace| workspace.active)
        .collect();
    assert_eq!(states, [false, true, true]);
    compositor.set_workspaces(vec![Workspace::new("2").active().on(first)]);
    client.roundtrip();
    assert!(matches!(
        client.take(&workspaces[2]).last(),
        Some(E::Removed)
    ));
}
