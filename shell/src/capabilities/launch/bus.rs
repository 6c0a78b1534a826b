//! Applications that start by D-Bus: the session's bus starts them, and they are told to activate.

use std::collections::HashMap;
use std::time::Duration;

use zbus::zvariant::Value;

/// How long an application may take to come up.
const PATIENCE: Duration = Duration::from_secs(25);

/// Why an application did not answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    /// There is no bus, or nothing on it by this name: the application's command line is the other way.
    NotThere,
    Refused,
    Timeout,
}

/// Activate the application with this id. It blocks until the application has answered.
pub fn activate(id: &str, token: Option<&str>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|_| Failed::Refused)?;
    runtime.block_on(async {
        let activated = tokio::time::timeout(PATIENCE, call(id, token)).await;
        activated.unwrap_or(Err(Failed::Timeout))
    })
}

async fn call(id: &str, token: Option<&str>) -> Result<(), Failed> {
    let bus = zbus::Connection::session().await;
    let bus = bus.map_err(|_| Failed::NotThere)?;
    let data: HashMap<&str, Value<'_>> = token
        .into_iter()
        .flat_map(|t| ["activation-token", "desktop-startup-id"].map(|key| (key, Value::from(t))))
        .collect();
    let path = path(id);
    let interface = "org.freedesktop.Application";
    let answer = bus
        .call_method(
            Some(id),
            path.as_str(),
            Some(interface),
            "Activate",
            &(data,),
        )
        .await;
    match answer {
        Ok(_) => Ok(()),
        Err(zbus::Error::MethodError(name, ..)) if is_absence(&name) => Err(Failed::NotThere),
        Err(zbus::Error::Names(_) | zbus::Error::Variant(_)) => Err(Failed::NotThere),
        Err(_) => Err(Failed::Refused),
    }
}

fn is_absence(error: &str) -> bool {
    ["ServiceUnknown", "NameHasNoOwner"]
        .iter()
        .any(|absent| error.strip_prefix("org.freedesktop.DBus.Error.") == Some(absent))
}

/// The application's object: `/org/gnome/Calculator` of `org.gnome.Calculator`.
fn path(id: &str) -> String {
    let part = |c: char| match c {
        '.' => '/',
        '-' => '_',
        c => c,
    };
    std::iter::once('/').chain(id.chars().map(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_named_after_its_application() {
        assert_eq!(path("org.gnome.Text-Editor"), "/org/gnome/Text_Editor");
    }

    #[test]
    fn what_is_no_name_on_a_bus_is_not_there() {
        assert_ne!(activate("not a name", None), Ok(()));
    }
}
