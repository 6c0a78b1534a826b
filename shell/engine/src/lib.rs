//! The engine of eDE: packages, documents and records, and every decision about them. It knows no window, no D-Bus and no
//! network, and it never reads the clock itself: who calls it says what time it is.

pub mod files;
