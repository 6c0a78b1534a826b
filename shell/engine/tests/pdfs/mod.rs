//! What the tests of PDFs read: the cases of the contract, a file as the format says, a file as another program sees it.

pub mod cases;
pub mod poppler;
pub mod structure;
