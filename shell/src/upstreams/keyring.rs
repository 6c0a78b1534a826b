//! The tokens of servers, in the person's keyring (the Secret Service of the session's bus) and nowhere else. A token is kept for a
//! name and an address: another server under the same name does not get it.

use std::collections::HashMap;
use std::time::Duration;

use ede_engine::upstreams::ServerName;
use ede_engine::upstreams::servers::ServerUrl;
use oo7::Secret;
use oo7::dbus::{Collection, Error, Service, ServiceError};

/// How long the keyring may take, the person's answer to its own question not counted.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a token is not kept, or not had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyringError {
    #[error("no keyring answers on this session's bus")]
    None,
    #[error("the keyring is locked")]
    Locked,
    #[error("the keyring holds no such token")]
    NoToken,
    #[error("the keyring's question was dismissed")]
    Dismissed,
    #[error("the keyring answers with an error")]
    Failed,
}

impl From<Error> for KeyringError {
    fn from(error: Error) -> KeyringError {
        match error {
            Error::Service(ServiceError::IsLocked(_)) => KeyringError::Locked,
            Error::Dismissed => KeyringError::Dismissed,
            _ => KeyringError::Failed,
        }
    }
}

/// Keep a token, instead of one that was kept before. The keyring may ask the person to unlock it.
pub async fn keep(name: &ServerName, url: &ServerUrl, token: &str) -> Result<(), KeyringError> {
    let collection = service().await?.default_collection().await?;
    if collection.is_locked().await? {
        collection.unlock(None).await?;
    }
    let label = format!("eDE: token of {name}");
    let attributes = attributes(name, url);
    let secret = Secret::text(token);
    collection
        .create_item(&label, &attributes, secret, true, None)
        .await?;
    Ok(())
}

/// The token that is kept. The person is not asked to unlock anything: nobody knows what for.
pub async fn token(name: &ServerName, url: &ServerUrl) -> Result<String, KeyringError> {
    let found = async {
        let collection = collection().await?.ok_or(KeyringError::NoToken)?;
        if collection.is_locked().await? {
            return Err(KeyringError::Locked);
        }
        let items = collection.search_items(&attributes(name, url)).await?;
        let item = items.first().ok_or(KeyringError::NoToken)?;
        let secret = item.secret().await?;
        let text = std::str::from_utf8(secret.as_bytes());
        text.map(str::to_owned).map_err(|_| KeyringError::NoToken)
    };
    let found = tokio::time::timeout(PATIENCE, found).await;
    found.unwrap_or(Err(KeyringError::Failed))
}

/// Forget a token. False when there was none.
pub async fn forget(name: &ServerName, url: &ServerUrl) -> Result<bool, KeyringError> {
    let Some(collection) = collection().await? else {
        return Ok(false);
    };
    if collection.is_locked().await? {
        collection.unlock(None).await?;
    }
    let items = collection.search_items(&attributes(name, url)).await?;
    for item in &items {
        item.delete(None).await?;
    }
    Ok(!items.is_empty())
}

async fn service() -> Result<Service, KeyringError> {
    let service = tokio::time::timeout(PATIENCE, Service::new()).await;
    let service = service.map_err(|_| KeyringError::None)?;
    service.map_err(|_| KeyringError::None)
}

/// The person's own collection, where there is one.
async fn collection() -> Result<Option<Collection>, KeyringError> {
    let service = service().await?;
    Ok(service.with_alias(Service::DEFAULT_COLLECTION).await?)
}

fn attributes(name: &ServerName, url: &ServerUrl) -> HashMap<&'static str, String> {
    HashMap::from([
        ("application", "ede".to_owned()),
        ("upstream", name.to_string()),
        ("url", url.to_string()),
    ])
}
