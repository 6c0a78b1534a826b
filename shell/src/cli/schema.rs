//! `ede schema package|document|theme`: the JSON Schema of a format, for editors.

use clap::{Args, ValueEnum};
use ede_engine::schema::formats::Format;

use super::{Exit, Failure, Output};

/// Print the JSON Schema of a format (draft 2020-12).
#[derive(Debug, Args)]
pub struct Schema {
    /// The format.
    format: Name,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    Package,
    Document,
    Theme,
}

impl Schema {
    pub fn run(self, out: &mut Output) -> Result<Exit, Failure> {
        let format = match self.format {
            Name::Package => Format::Package,
            Name::Document => Format::Document,
            Name::Theme => Format::Theme,
        };
        out.json(&format.schema())?;
        Ok(Exit::Done)
    }
}
