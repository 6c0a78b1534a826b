//! An app and its records as one file: written by `ede records export APP -o FILE`, brought back by `ede apps install FILE`.

use std::path::Path;

use ede_engine::app_file::export as write;
use ede_engine::app_id::AppId;
use ede_engine::files;

use super::super::context::{OpenRecords, installed};
use super::super::{Exit, Failure, Output};
use super::counted;
use crate::paths::Paths;

/// Write the app and its records, the trash aside.
pub fn export(
    paths: &Paths,
    records: &OpenRecords,
    app: &AppId,
    file: &Path,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let package = installed(paths, app)?.package;
    let mut found = Vec::new();
    // Without a database nothing is made just to look.
    if paths.records().exists() {
        found = records.store().list(app.clone(), None).wait()?;
    }
    let exported = write(&package, &found).map_err(|error| {
        let remedy = format_args!("`ede records export {app}` prints the records alone");
        Failure::new(error, format_args!("in {app}"), remedy)
    })?;
    if exported.dangling > 0 {
        let left = exported.dangling;
        out.note(format_args!(
            "references to deleted records are left out, {left} of them"
        ));
    }
    if exported.files > 0 {
        out.note("files on records are not in it: where the app does not keep them, the records come in without");
    }
    if file == Path::new("-") {
        out.bytes(exported.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    files::write(file, exported.text.as_bytes())?;
    let written = counted(found.len());
    out.line(format_args!(
        "wrote {app} with {written} to {}",
        file.display()
    ))?;
    Ok(Exit::Done)
}
