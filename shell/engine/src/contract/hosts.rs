//! `hosts`: what each kind of host provides. `ede` is this host; of every host the engine must show and refuse just what the list
//! says.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, as_json};
use crate::broker::catalog::Caller;
use crate::broker::catalog::{Tool, catalog};
use crate::broker::decide::{Standing, Verdict, decide, list};
use crate::broker::grants::Grants;
use crate::broker::providers::{Provided, Providers};
use crate::package::Capability;

/// The host that this is.
const OURS: &str = "ede";

pub(super) fn replay(hosts: &Value, _: &Setting) -> Vec<Replayed> {
    let Value::Object(hosts) = hosts else {
        return vec![Replayed::new("all", "an object of hosts", hosts.clone())];
    };
    let mut all = Vec::new();
    for (name, host) in hosts {
        let providers = match Providers::deserialize(host) {
            Ok(providers) => providers,
            Err(error) => {
                let expected = "providers that can be read";
                all.push(Replayed::new(name, expected, error.to_string()));
                continue;
            }
        };
        let ours = catalog().host.as_ref().filter(|_| name == OURS);
        let read = ours.map_or(&providers, |host| &host.providers);
        all.push(Replayed::new(name, host.clone(), as_json(read)));
        all.push(available(name, &providers));
    }
    all
}

/// To an app that declares everything, the tools of the host's capabilities are listed, and no others may be called.
fn available(name: &str, providers: &Providers) -> Replayed {
    let manifest: Vec<Capability> = catalog()
        .scopes()
        .map(|scope| Capability {
            scope: scope.id.clone(),
            why: String::new(),
            origins: Vec::new(),
        })
        .collect();
    let provided = providers.provided();
    let listed = list(&manifest, &provided).into_iter().map(Tool::qualified);
    let tools = catalog().tools().iter().filter(|t| !t.scope.host_only);
    let (there, gone): (Vec<&Tool>, Vec<&Tool>) = tools.partition(|tool| {
        let mut capabilities = providers.capabilities.iter();
        capabilities.any(|c| c.name == tool.capability)
    });
    let refused = catalog().tools().iter();
    let refused = refused.filter(|tool| is_unavailable(tool, &manifest, &provided));
    let names = |tools: Vec<&Tool>| -> Value { tools.into_iter().map(Tool::qualified).collect() };
    Replayed::new(
        format!("{name}: its tools"),
        json!({"listed": names(there), "unavailable": names(gone)}),
        json!({"listed": listed.collect::<Vec<_>>(), "unavailable": names(refused.collect())}),
    )
}

fn is_unavailable(tool: &Tool, manifest: &[Capability], provided: &Provided) -> bool {
    let standing = Standing {
        manifest,
        grants: &Grants::default(),
        provided,
        foreground: true,
    };
    let verdict = decide(&standing, Caller::Agent, tool.qualified(), &Value::Null);
    matches!(verdict, Verdict::Unavailable(_))
}
