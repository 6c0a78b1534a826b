//! The desktop on screen: documents, the app widgets in them, and the plates the shell draws around both.

pub mod app_view;
pub mod chrome;
pub mod doc_view;
pub mod style;
