//! What an expression reads, by eui-core's parser: the names in it, and how long what it says stays true. Pure.

use eui_core::cel::{Node, parse_expression};
use serde_json::{Map, Value};

/// How long the value of an expression stays the same while nothing that it reads by name changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lasts {
    /// It asks what time it is.
    Moment,
    /// It asks what day it is.
    Day,
    Always,
}

impl Lasts {
    /// Of `expression`; one that does not parse is never worked out.
    pub(super) fn of(expression: &str) -> Lasts {
        parse_expression(expression).map_or(Lasts::Always, |node| lasts(&node))
    }
}

fn lasts(node: &Node) -> Lasts {
    let own = match node {
        Node::Call(name, ..) if name == "now" => Lasts::Moment,
        Node::Call(name, ..) if name == "today" => Lasts::Day,
        _ => Lasts::Always,
    };
    parts(node).into_iter().map(lasts).fold(own, Ord::min)
}

/// Every name an expression reads; none where it does not parse.
pub(super) fn reads(expression: &str) -> Vec<String> {
    let mut types = Map::new();
    if let Ok(node) = parse_expression(expression) {
        names(&node, &mut types);
    }
    types.into_iter().map(|(name, _)| name).collect()
}

/// Every name an expression reads, typed as anything.
pub(super) fn names(node: &Node, types: &mut Map<String, Value>) {
    if let Node::Id(name, _) = node {
        types.insert(name.clone(), "dyn".into());
    }
    for part in parts(node) {
        names(part, types);
    }
}

/// The expressions right inside of one, in their order.
fn parts(node: &Node) -> Vec<&Node> {
    match node {
        Node::Lit(..) | Node::Id(..) => Vec::new(),
        Node::List(items, _) | Node::Call(_, items, _) => items.iter().collect(),
        Node::Field(of, ..) | Node::Unary(_, of, _) | Node::Has(of, _) => vec![&**of],
        Node::Index(a, b, _) | Node::Bin(_, a, b, _) | Node::Macro(_, a, _, b, _) => {
            vec![&**a, &**b]
        }
        Node::Cond(a, b, c, _) => vec![&**a, &**b, &**c],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_a_value_lasts_is_in_its_calls_however_they_are_spelled() {
        for (expression, lasting) in [
            ("createdAt < now () ? 'past' : 'future'", Lasts::Moment),
            ("dateDiff(day, today\n(), 'day')", Lasts::Day),
            ("[today(), 1].map(d, now\t())", Lasts::Moment),
            (
                "day == null ? 0 : -dateDiff(day, today(), 'day')",
                Lasts::Day,
            ),
            ("'now()'", Lasts::Always),
            ("now + today", Lasts::Always),
            ("hours * 60", Lasts::Always),
            ("now( is no expression", Lasts::Always),
        ] {
            assert_eq!(Lasts::of(expression), lasting, "{expression}");
        }
    }
}
