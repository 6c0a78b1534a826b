//! How soon many installed packages are ready: as many as a person might have, each the size of those that come with the desktop.

use std::time::Instant;

use ede_engine::apps::{Apps, Origin};
use serde_json::Value;

use crate::surfaces::middle;
use crate::table::{Row, Table};

const APPS: usize = 200;
/// How often it is measured; the middle one counts.
const TIMES: usize = 9;

const BUNDLED: [&str; 5] = [
    include_str!("../../assets/apps/ede.clock.app.json"),
    include_str!("../../assets/apps/ede.hours.app.json"),
    include_str!("../../assets/apps/ede.notes.app.json"),
    include_str!("../../assets/apps/ede.system.app.json"),
    include_str!("../../assets/apps/ede.tasks.app.json"),
];

pub fn measure(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(folder.path());
    for n in 0..APPS {
        let mut package: Value = serde_json::from_str(BUNDLED[n % BUNDLED.len()]).unwrap();
        package["id"] = format!("many.app{n}").into();
        let bytes = package.to_string().into_bytes();
        let admitted = apps.admit(&bytes, Origin::Person, |_, _| false).unwrap();
        apps.install(admitted).unwrap();
    }
    let times = (0..TIMES).map(|_| {
        let begun = Instant::now();
        let mut apps = Apps::new(folder.path());
        let found = apps.scan().unwrap();
        let taken = begun.elapsed();
        assert_eq!(found.added.len(), APPS, "{found:?}");
        taken
    });
    let figure = middle(times.collect());
    table.push(Row::alone("200 installed packages ready", "ms", figure).below(150.0));
}
