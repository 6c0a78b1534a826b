//! Activation tokens: how one window lets another come to the front.

use super::event::Serial;
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::SurfaceId;
use super::surface::Surface;
use super::words;
use smithay_client_toolkit::activation::{ActivationHandler, RequestData};

impl Platform {
    /// Ask for a token to hand to a program that is about to be started, or to a window of our own. The answer comes to
    /// `activation_token` with this number.
    pub fn request_activation_token(
        &mut self,
        app_id: &str,
        from: Option<SurfaceId>,
        serial: Option<Serial>,
    ) -> u64 {
        let request = self.new_id().0;
        match &self.globals.activation {
            Some(activation) => {
                let seat = serial
                    .and_then(|serial| self.seats.wl(serial.seat).map(|seat| (seat, serial.raw)));
                let data = RequestData {
                    app_id: Some(words::name(app_id).into_owned()),
                    seat_and_serial: seat,
                    surface: from
                        .and_then(|id| self.surfaces.get(&id))
                        .map(Surface::wl)
                        .cloned(),
                    udata: request,
                };
                activation.request_token(&self.qh, data);
            }
            None => self.notices.push(Notice::ActivationToken(request, None)),
        }
        request
    }

    /// Bring a window of ours to the front with a token.
    pub fn activate(&mut self, id: SurfaceId, token: String) {
        if let (Some(activation), Some(surface)) =
            (&self.globals.activation, self.surfaces.get(&id))
        {
            activation.activate::<Runtime>(surface.wl(), words::name(&token).into_owned());
        }
    }
}

impl ActivationHandler for Runtime {
    type RequestUdata = u64;

    fn new_token(&mut self, token: String, data: &RequestData<u64>) {
        self.platform
            .notices
            .push(Notice::ActivationToken(data.udata, Some(token)));
    }
}
