//! Creates the globals that a test chose.

use wayland_protocols::ext::foreign_toplevel_list::v1::server::ext_foreign_toplevel_list_v1::ExtForeignToplevelListV1;
use wayland_protocols::ext::session_lock::v1::server::ext_session_lock_manager_v1::ExtSessionLockManagerV1;
use wayland_protocols::ext::workspace::v1::server::ext_workspace_manager_v1::ExtWorkspaceManagerV1;
use wayland_protocols::wp::cursor_shape::v1::server::wp_cursor_shape_manager_v1::WpCursorShapeManagerV1;
use wayland_protocols::wp::fractional_scale::v1::server::wp_fractional_scale_manager_v1::WpFractionalScaleManagerV1;
use wayland_protocols::wp::primary_selection::zv1::server::zwp_primary_selection_device_manager_v1::ZwpPrimarySelectionDeviceManagerV1;
use wayland_protocols::wp::text_input::zv3::server::zwp_text_input_manager_v3::ZwpTextInputManagerV3;
use wayland_protocols::wp::viewporter::server::wp_viewporter::WpViewporter;
use wayland_protocols::xdg::activation::v1::server::xdg_activation_v1::XdgActivationV1;
use wayland_protocols::xdg::decoration::zv1::server::zxdg_decoration_manager_v1::ZxdgDecorationManagerV1;
use wayland_protocols::xdg::shell::server::xdg_wm_base::XdgWmBase;
use wayland_protocols::xdg::xdg_output::zv1::server::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols_wlr::foreign_toplevel::v1::server::zwlr_foreign_toplevel_manager_v1::ZwlrForeignToplevelManagerV1;
use wayland_protocols_wlr::layer_shell::v1::server::zwlr_layer_shell_v1::ZwlrLayerShellV1;
use wayland_server::protocol::wl_compositor::WlCompositor;
use wayland_server::protocol::wl_data_device_manager::WlDataDeviceManager;
use wayland_server::protocol::wl_shm::WlShm;
use wayland_server::protocol::wl_subcompositor::WlSubcompositor;
use wayland_server::protocol::wl_seat::WlSeat;
use wayland_server::{DisplayHandle, Resource};

use super::dispatch::{Bind, Manager};
use super::globals::{Global, Globals};
use super::state::State;
use super::workspaces::Asked;

pub(crate) fn create_globals(display: &DisplayHandle, globals: &Globals) {
    use Global as G;
    fn create<I: Resource + 'static>(display: &DisplayHandle, globals: &Globals, global: Global)
    where
        Manager: Bind<I>,
    {
        if let Some(version) = globals.version(global) {
            display.create_global::<State, I, _>(version, Manager);
        }
    }
    create::<WlCompositor>(display, globals, G::Compositor);
    create::<WlSubcompositor>(display, globals, G::Subcompositor);
    create::<WlShm>(display, globals, G::Shm);
    create::<ZxdgOutputManagerV1>(display, globals, G::XdgOutput);
    create::<WlSeat>(display, globals, G::Seat);
    create::<WlDataDeviceManager>(display, globals, G::DataDevice);
    create::<ZwpPrimarySelectionDeviceManagerV1>(display, globals, G::PrimarySelection);
    create::<XdgWmBase>(display, globals, G::XdgShell);
    create::<ZxdgDecorationManagerV1>(display, globals, G::XdgDecoration);
    create::<ZwlrLayerShellV1>(display, globals, G::LayerShell);
    create::<WpViewporter>(display, globals, G::Viewporter);
    create::<WpFractionalScaleManagerV1>(display, globals, G::FractionalScale);
    create::<WpCursorShapeManagerV1>(display, globals, G::CursorShape);
    create::<ZwlrForeignToplevelManagerV1>(display, globals, G::WlrForeignToplevel);
    create::<ExtForeignToplevelListV1>(display, globals, G::ExtForeignToplevel);
    create::<ZwpTextInputManagerV3>(display, globals, G::TextInput);
    create::<XdgActivationV1>(display, globals, G::Activation);
    create::<ExtSessionLockManagerV1>(display, globals, G::SessionLock);
    if let Some(version) = globals.version(G::ExtWorkspace) {
        display.create_global::<State, ExtWorkspaceManagerV1, _>(version, Asked::default());
    }
}
