//! What the compositor offers, bound once at start.

use super::error::PlatformError;
use super::runtime::Runtime;
use smithay_client_toolkit::activation::ActivationState;
use smithay_client_toolkit::compositor::CompositorState;
use smithay_client_toolkit::data_device_manager::DataDeviceManagerState;
use smithay_client_toolkit::dispatch2::Dispatch2;
use smithay_client_toolkit::primary_selection::PrimarySelectionManagerState;
use smithay_client_toolkit::registry::{ProvidesRegistryState, RegistryState};
use smithay_client_toolkit::shell::wlr_layer::LayerShell;
use smithay_client_toolkit::shell::xdg::XdgShell;
use smithay_client_toolkit::shm::{Shm, ShmHandler};
use wayland_client::globals::GlobalList;
use wayland_client::{Connection, Proxy, QueueHandle};
use wayland_protocols::wp::fractional_scale::v1::client::wp_fractional_scale_manager_v1::WpFractionalScaleManagerV1;
use wayland_protocols::wp::text_input::zv3::client::zwp_text_input_manager_v3::ZwpTextInputManagerV3;
use wayland_protocols::wp::viewporter::client::wp_viewport::WpViewport;
use wayland_protocols::wp::viewporter::client::wp_viewporter::WpViewporter;

/// The protocols in use; `None` where the compositor has not got it.
pub(super) struct Globals {
    pub registry: RegistryState,
    pub compositor: CompositorState,
    pub shm: Shm,
    pub xdg: XdgShell,
    pub layer_shell: Option<LayerShell>,
    pub fractional: Option<(WpFractionalScaleManagerV1, WpViewporter)>,
    pub text_input: Option<ZwpTextInputManagerV3>,
    pub data: Option<DataDeviceManagerState>,
    pub primary: Option<PrimarySelectionManagerState>,
    pub activation: Option<ActivationState>,
}

impl Globals {
    pub fn bind(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Result<Self, PlatformError> {
        let viewporter: Option<WpViewporter> = list.bind(qh, 1..=1, Silent).ok();
        let fractional: Option<WpFractionalScaleManagerV1> = list.bind(qh, 1..=1, Silent).ok();
        Ok(Globals {
            registry: RegistryState::new(list),
            compositor: CompositorState::bind(list, qh)
                .map_err(|_| PlatformError::MissingGlobal("wl_compositor"))?,
            shm: Shm::bind(list, qh).map_err(|_| PlatformError::MissingGlobal("wl_shm"))?,
            xdg: XdgShell::bind(list, qh)
                .map_err(|_| PlatformError::MissingGlobal("xdg_wm_base"))?,
            layer_shell: LayerShell::bind(list, qh).ok(),
            // A fractional scale without a viewport cannot be shown.
            fractional: fractional.zip(viewporter),
            text_input: list.bind(qh, 1..=1, Silent).ok(),
            data: DataDeviceManagerState::bind(list, qh).ok(),
            primary: PrimarySelectionManagerState::bind(list, qh).ok(),
            activation: ActivationState::bind(list, qh).ok(),
        })
    }

    /// Whether the compositor has an interface, bound or not.
    pub fn has(&self, interface: &str) -> bool {
        self.registry
            .globals()
            .any(|global| global.interface == interface)
    }

    /// The version of the window protocol.
    pub fn xdg_version(&self) -> u32 {
        self.xdg.xdg_wm_base().version()
    }
}

/// User data of objects that have no events.
pub(super) struct Silent;

macro_rules! silent {
    ($($interface:ty),* $(,)?) => { $(
        impl Dispatch2<$interface, Runtime> for Silent {
            fn event(
                &self,
                _: &mut Runtime,
                _: &$interface,
                _: <$interface as Proxy>::Event,
                _: &Connection,
                _: &QueueHandle<Runtime>,
            ) {
            }
        }
    )* };
}
silent!(
    WpViewporter,
    WpViewport,
    WpFractionalScaleManagerV1,
    ZwpTextInputManagerV3
);

impl ShmHandler for Runtime {
    fn shm_state(&mut self) -> &mut Shm {
        &mut self.platform.globals.shm
    }
}

impl ProvidesRegistryState for Runtime {
    fn registry(&mut self) -> &mut RegistryState {
        &mut self.platform.globals.registry
    }

    smithay_client_toolkit::registry_handlers![
        smithay_client_toolkit::output::OutputState,
        smithay_client_toolkit::seat::SeatState
    ];
}

smithay_client_toolkit::delegate_registry!(Runtime);
smithay_client_toolkit::delegate_dispatch2!(Runtime);
