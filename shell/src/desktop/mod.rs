//! The desktop on screen: documents, the app widgets in them, and the plates the shell draws around both.

use std::sync::Arc;

use ede_renderer::display::{DisplayList, Item, Key, Op, Ops};
use ede_renderer::geometry::{Point, Rect};

pub mod app_view;
pub mod board;
pub mod cards;
pub mod catalog;
pub mod chrome;
pub mod consent;
pub mod desk;
pub mod doc_view;
pub mod documents;
pub mod dump;
pub mod error_tile;
pub mod feed;
pub mod file_sheet;
pub mod gate;
pub mod layout_check;
pub mod library;
pub mod links;
pub mod mistakes;
pub mod motion;
pub mod native;
pub mod offscreen;
pub mod own_window;
pub mod pane;
pub mod panel;
pub mod permissions;
pub mod pictures;
pub mod popup;
pub mod preview;
pub mod reads;
pub mod reveal;
pub mod screens;
pub mod session;
pub mod setup;
pub mod shelf;
pub mod shell;
pub mod snapshot;
pub mod stage;
pub mod style;
pub mod turned;
pub mod window;
pub mod window_list;
pub mod window_sizes;

/// Ops of the shell's own as a list.
pub(crate) fn list_of(ops: Vec<Op>) -> DisplayList {
    let ops = Arc::new(Ops::new(ops));
    DisplayList {
        items: vec![Item::Node {
            key: Key {
                slot: chrome::PLATE_SLOT,
                over: false,
            },
            ops,
            at: Point::ZERO,
            clip: Rect::EVERYTHING,
        }],
    }
}
