//! The one table of figures: what, how much, beside whom, and what was wanted.

use std::collections::BTreeMap;
use std::fmt;

/// The columns of peers, in their order.
const PEERS: [&str; 2] = ["waybar", "yambar"];

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Nothing,
    /// At most this much.
    Below(f64),
    /// At most this share of waybar's.
    Within(f64),
}

/// One figure.
#[derive(Clone, Debug)]
pub struct Row {
    what: String,
    unit: &'static str,
    ede: Option<f64>,
    peers: [Option<f64>; PEERS.len()],
    wanted: Wanted,
}

impl Row {
    /// A figure of several programs.
    pub fn of<T>(
        what: impl Into<String>,
        unit: &'static str,
        all: &BTreeMap<&'static str, T>,
        figure: impl Fn(&T) -> Option<f64>,
    ) -> Row {
        let of = |name: &str| all.get(name).and_then(&figure);
        Row {
            what: what.into(),
            unit,
            ede: of("ede"),
            peers: PEERS.map(of),
            wanted: Wanted::Nothing,
        }
    }

    /// A figure of ede alone.
    pub fn alone(what: impl Into<String>, unit: &'static str, ede: f64) -> Row {
        Row {
            what: what.into(),
            unit,
            ede: Some(ede),
            peers: [None; PEERS.len()],
            wanted: Wanted::Nothing,
        }
    }

    /// At most this much is wanted.
    pub fn below(self, most: f64) -> Row {
        Row {
            wanted: Wanted::Below(most),
            ..self
        }
    }

    /// At most this share of waybar's is wanted.
    pub fn within(self, share: f64) -> Row {
        Row {
            wanted: Wanted::Within(share),
            ..self
        }
    }

    fn wish(&self) -> String {
        match self.wanted {
            Wanted::Nothing => String::new(),
            Wanted::Below(most) => format!("≤ {} {}", number(most), self.unit),
            Wanted::Within(share) => format!("≤ {share} × waybar"),
        }
    }

    fn verdict(&self) -> String {
        let over = |most: f64, ede: f64| if ede <= most { "met" } else { "MISSED" };
        match (self.wanted, self.ede, self.peers[0]) {
            (Wanted::Below(most), Some(ede), _) => over(most, ede).into(),
            (Wanted::Within(share), Some(ede), Some(waybar)) if waybar > 0.0 => {
                format!("{} ({:.2})", over(share, ede / waybar), ede / waybar)
            }
            _ => String::new(),
        }
    }
}

/// Three digits that matter.
fn number(value: f64) -> String {
    match value {
        v if v == v.trunc() && v < 1000.0 => format!("{v:.0}"),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["", "ede", PEERS[0], PEERS[1], "wanted", ""].map(str::to_owned);
        let lines: Vec<[String; 6]> = std::iter::once(head)
            .chain(self.rows.iter().map(|row| {
                let cell = |value: Option<f64>| {
                    value.map_or(String::new(), |v| format!("{} {}", number(v), row.unit))
                };
                [
                    row.what.clone(),
                    cell(row.ede),
                    cell(row.peers[0]),
                    cell(row.peers[1]),
                    row.wish(),
                    row.verdict(),
                ]
            }))
            .collect();
        let width = |column: usize| {
            let all = lines.iter().map(|line| line[column].chars().count());
            all.max().unwrap_or_default()
        };
        for line in &lines {
            write!(f, "\n{:<1$}", line[0], width(0))?;
            for (column, value) in line.iter().enumerate().take(4).skip(1) {
                write!(f, "  {:>1$}", value.trim_end(), width(column))?;
            }
            let tail = format!("  {:<2$}  {}", line[4].trim_end(), line[5], width(4));
            write!(f, "{}", tail.trim_end())?;
        }
        Ok(())
    }
}
