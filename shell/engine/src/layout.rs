//! What a painter says of a file's layout. The engine knows no painter: it asks through [`LayoutCheck`], which the shell implements,
//! and places the answers in the file.

use std::sync::Arc;

use serde_json::Value;

use crate::documents::Document;
use crate::issue::{Issue, Note};
use crate::package::{Package, WidgetSize};
use crate::pointer;

/// Where a template is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// A phone's window, as tall as its content.
    Phone,
    /// A desktop widget.
    Widget(WidgetSize),
    /// An item of a panel along the top or the bottom.
    Panel,
}

/// One thing the painter noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The component's id; empty for the whole surface.
    pub component: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// It can never be seen, whatever the screen and the data: the file is not to be used.
    pub hidden: bool,
}

/// Asks a painter whether a file lays out: something to be seen, nothing off its surface, nothing without size.
pub trait LayoutCheck {
    /// What it notices about a template of a package, with no records and the template's own data.
    fn template(&self, package: &Arc<Package>, template: &str, stand: Stand) -> Vec<Finding>;

    /// What it notices about a document on one screen.
    fn document(&self, document: &Document) -> Vec<Finding>;
}

/// Where a finding is, among the components at `at`.
fn place(finding: &Finding, at: &str, components: &Value) -> String {
    components
        .as_array()
        .and_then(|list| {
            list.iter()
                .position(|c| c["id"].as_str() == Some(&finding.component))
        })
        .map_or_else(|| at.to_owned(), |i| pointer::item(at, i))
}

/// A finding as a problem with the file.
pub(crate) fn issue(finding: &Finding, at: &str, components: &Value) -> Issue {
    Issue::new(place(finding, at, components), finding.message.clone())
}

/// A finding as something worth knowing.
pub(crate) fn note(finding: &Finding, at: &str, components: &Value) -> Note {
    Note::new(format!(
        "{}: {}",
        place(finding, at, components),
        finding.message
    ))
}
