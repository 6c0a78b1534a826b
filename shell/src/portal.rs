//! The desktop portal's settings: light or dark, contrast, motion. Followed on a thread of its own with a small runtime; a session
//! without a portal, or whose portal restarts, keeps what was known last.

use std::collections::HashMap;

use zbus::zvariant::{OwnedValue, Value};

use crate::desktop::desk::Scheme;

const NAMESPACE: &str = "org.freedesktop.appearance";

#[zbus::proxy(
    interface = "org.freedesktop.portal.Settings",
    default_service = "org.freedesktop.portal.Desktop",
    default_path = "/org/freedesktop/portal/desktop",
    gen_blocking = false
)]
trait Settings {
    fn read_all(
        &self,
        namespaces: &[&str],
    ) -> zbus::Result<HashMap<String, HashMap<String, OwnedValue>>>;

    #[zbus(signal)]
    fn setting_changed(&self, namespace: &str, key: &str, value: Value<'_>) -> zbus::Result<()>;
}

/// Call `changed` with what the portal says now and whenever it says something else.
pub fn follow(changed: impl Fn(Scheme) + Send + 'static) {
    let started = std::thread::Builder::new()
        .name("ede-portal".into())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            match runtime {
                Ok(runtime) => {
                    if let Err(error) = runtime.block_on(listen(&changed)) {
                        tracing::debug!("no settings portal: {error}");
                    }
                }
                Err(error) => tracing::warn!("the settings portal is not followed: {error}"),
            }
        });
    if let Err(error) = started {
        tracing::warn!("the settings portal is not followed: {error}");
    }
}

async fn listen(changed: &impl Fn(Scheme)) -> zbus::Result<()> {
    let bus = zbus::Connection::session().await?;
    let settings = SettingsProxy::new(&bus).await?;
    let mut signals = settings.receive_setting_changed().await?;
    let mut scheme = Scheme::default();
    for (key, value) in settings
        .read_all(&[NAMESPACE])
        .await?
        .remove(NAMESPACE)
        .unwrap_or_default()
    {
        read(&mut scheme, &key, &value);
    }
    changed(scheme);
    while let Some(signal) = next(&mut signals).await {
        let args = signal.args()?;
        if args.namespace != NAMESPACE {
            continue;
        }
        let before = scheme;
        read(&mut scheme, args.key, &args.value);
        if scheme != before {
            changed(scheme);
        }
    }
    Ok(())
}

/// The next signal of the stream.
async fn next(signals: &mut SettingChangedStream) -> Option<SettingChanged> {
    use zbus::export::futures_core::Stream;
    std::future::poll_fn(|cx| std::pin::Pin::new(&mut *signals).poll_next(cx)).await
}

/// 1 asks for dark, 2 for light, 0 has no preference; contrast and reduced motion are 0 or 1.
fn read(scheme: &mut Scheme, key: &str, value: &Value<'_>) {
    // Old portals wrap the value once more.
    let inner = match value {
        Value::Value(v) => v,
        v => v,
    };
    let Value::U32(n) = inner else { return };
    match key {
        "color-scheme" => scheme.dark = *n == 1,
        "contrast" => scheme.contrast = *n == 1,
        "reduced-motion" => scheme.still = *n == 1,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_read_and_rubbish_is_not() {
        let mut s = Scheme::default();
        read(&mut s, "color-scheme", &Value::U32(1));
        read(&mut s, "contrast", &Value::Value(Box::new(Value::U32(1))));
        read(&mut s, "reduced-motion", &Value::U32(1));
        assert_eq!(
            s,
            Scheme {
                dark: true,
                contrast: true,
                still: true
            }
        );
        read(&mut s, "color-scheme", &Value::from("dark"));
        assert!(s.dark);
        read(&mut s, "color-scheme", &Value::U32(2));
        assert!(!s.dark);
    }
}
