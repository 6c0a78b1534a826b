//! A PDF as poppler sees it (its tools, from `poppler-utils`). A complaint of theirs fails the test.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn run(program: &str, before: &[&str], file: &Path, after: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(before).arg(file).args(after);
    let done = command.output();
    let done = done.unwrap_or_else(|e| panic!("{program}: {e}; `tests/scripts/packages test`"));
    let said = String::from_utf8_lossy(&done.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("Error")).collect();
    assert!(
        done.status.success() && errors.is_empty(),
        "{program} {}: {said}",
        file.display()
    );
    String::from_utf8(done.stdout).unwrap()
}

/// What it says of the file as a whole.
pub fn info(file: &Path) -> BTreeMap<String, String> {
    let said = run("pdfinfo", &["-enc", "UTF-8"], file, &[]);
    let entries = said.lines().filter_map(|line| line.split_once(':'));
    entries
        .map(|(key, value)| (key.to_owned(), value.trim().to_owned()))
        .collect()
}

/// The text in the order of the file.
pub fn text(file: &Path) -> String {
    run("pdftotext", &["-raw", "-enc", "UTF-8"], file, &["-"])
}

/// Colours and packing of every image, each time it is shown.
pub fn images(file: &Path) -> Vec<(String, String)> {
    let table = run("pdfimages", &["-list"], file, &[]);
    let rows = table.lines().skip(2).map(|row| {
        let columns: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((columns[2], columns[7]), ("image", "8"), "{row}");
        (columns[5].to_owned(), columns[8].to_owned())
    });
    rows.collect()
}

/// Draw every page, small; only complaints matter.
pub fn draw(file: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("page");
    run("pdftoppm", &["-r", "20"], file, &[to.to_str().unwrap()]);
}
