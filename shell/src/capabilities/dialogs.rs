//! The desktop portal's dialogs, as providers need them: one is asked for on the calling thread, which waits until the person has
//! answered. A portal that does not come up within [`PATIENCE`], or knows no such dialog, is none; one that ends while its dialog is open
//! takes the answer with it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ashpd::desktop::ResponseError;
use ashpd::{Error, PortalError};
use ede_engine::app_id::AppId;
use zbus::fdo::{DBusProxy, NameOwnerChanged, NameOwnerChangedStream};
use zbus::names::WellKnownName;

use super::Stop;

const PORTAL: &str = "org.freedesktop.portal.Desktop";

/// How long the bus may take to start the portal.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came of a dialog.
#[derive(Debug, PartialEq, Eq)]
pub enum Dialog<T> {
    Answered(T),
    /// The person left it, or nobody waits for it any more.
    Cancelled,
    /// It did not open, or broke.
    Failed,
    /// No portal shows such a dialog here.
    NoPortal,
}

/// Have a dialog shown, and wait for it, or until it is stopped: with its connection the dialog goes. Not for the thread that paints.
pub fn ask<T, F: Future<Output = Result<T, Error>>>(
    stop: &Stop,
    dialog: impl FnOnce(zbus::Connection) -> F,
) -> Dialog<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(async {
            tokio::select! {
                shown = shown(dialog) => shown,
                () = stop.stopped() => Dialog::Cancelled,
            }
        }),
        Err(error) => {
            tracing::warn!("no dialog: {error}");
            Dialog::Failed
        }
    }
}

async fn shown<T, F: Future<Output = Result<T, Error>>>(
    dialog: impl FnOnce(zbus::Connection) -> F,
) -> Dialog<T> {
    let come_up = async {
        let bus = zbus::Connection::session().await?;
        let daemon = DBusProxy::new(&bus).await?;
        let gone = daemon
            .receive_name_owner_changed_with_args(&[(0, PORTAL)])
            .await?;
        let name = WellKnownName::from_static_str(PORTAL)?;
        if !daemon.name_has_owner(name.clone().into()).await? {
            daemon.start_service_by_name(name, 0).await?;
        }
        Ok::<_, zbus::Error>((bus, gone))
    };
    let (bus, mut owners) = match tokio::time::timeout(PATIENCE, come_up).await {
        Ok(Ok(up)) => up,
        Ok(Err(error)) => {
            tracing::debug!("no portal: {error}");
            return Dialog::NoPortal;
        }
        Err(_) => return Dialog::NoPortal,
    };
    tokio::select! {
        answered = dialog(bus) => match answered {
            Ok(answer) => Dialog::Answered(answer),
            Err(error) => what_failed(&error),
        },
        () = ended(&mut owners) => Dialog::Failed,
    }
}

/// Wait until nobody has the portal's name.
async fn ended(owners: &mut NameOwnerChangedStream) {
    while let Some(changed) = next(owners).await {
        let left = changed.args().is_ok_and(|args| args.new_owner.is_none());
        if left {
            return;
        }
    }
}

async fn next(owners: &mut NameOwnerChangedStream) -> Option<NameOwnerChanged> {
    use zbus::export::futures_core::Stream;
    std::future::poll_fn(|cx| std::pin::Pin::new(&mut *owners).poll_next(cx)).await
}

fn what_failed<T>(error: &Error) -> Dialog<T> {
    match error {
        Error::Response(ResponseError::Cancelled)
        | Error::Portal(PortalError::Cancelled(_) | PortalError::WindowDestroyed(_)) => {
            Dialog::Cancelled
        }
        Error::PortalNotFound(_) => Dialog::NoPortal,
        Error::Zbus(error) | Error::Portal(PortalError::ZBus(error)) if is_absence(error) => {
            Dialog::NoPortal
        }
        _ => {
            tracing::warn!("a dialog of the portal's: {error}");
            Dialog::Failed
        }
    }
}

/// Does the bus say that there is nobody, or nothing, to ask?
fn is_absence(error: &zbus::Error) -> bool {
    use zbus::fdo::Error as Fdo;
    match error {
        zbus::Error::MethodError(name, ..) => [
            "ServiceUnknown",
            "NameHasNoOwner",
            "UnknownMethod",
            "UnknownInterface",
            "UnknownObject",
        ]
        .iter()
        .any(|absent| name.strip_prefix("org.freedesktop.DBus.Error.") == Some(absent)),
        zbus::Error::FDO(error) => matches!(
            **error,
            Fdo::ServiceUnknown(_)
                | Fdo::NameHasNoOwner(_)
                | Fdo::UnknownMethod(_)
                | Fdo::UnknownInterface(_)
                | Fdo::UnknownObject(_)
        ),
        _ => false,
    }
}

/// Whose dialog is open: one an app, so that no app fills the screen with them.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<BTreeSet<AppId>>>);

/// An app's dialog is open until this is dropped.
pub struct Turn {
    turns: Turns,
    app: AppId,
}

impl Turns {
    fn held(&self) -> MutexGuard<'_, BTreeSet<AppId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Open a dialog of `app`'s; `None` while another one is open.
    pub fn begin(&self, app: &AppId) -> Option<Turn> {
        self.held().insert(app.clone()).then(|| Turn {
            turns: self.clone(),
            app: app.clone(),
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.held().remove(&self.app);
    }
}
