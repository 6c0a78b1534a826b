//! How much building a drawing makes of it: its elements, as often as they repeat each other, whether an attribute says so or a rule of
//! its style sheets. Weighed before anything is built.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node, NodeId};
use simplecss::{AttributeOperator, DeclarationTokenizer, Element, PseudoClass, StyleSheet};

/// Elements, counted as often as they are repeated.
const MOST_ELEMENTS: u64 = 20_000;
/// Rules times elements: each is held against each.
const MOST_MATCHES: usize = 4_000_000;
const DEEPEST: u32 = 256;

/// Refuse what would be built for long.
pub(super) fn check(doc: &Document<'_>) -> Result<(), String> {
    let mut sheet = StyleSheet::new();
    for style in doc.descendants().filter(|n| n.has_tag_name("style")) {
        sheet.parse_more(style.text().unwrap_or_default());
    }
    let elements = doc.descendants().filter(Node::is_element).count();
    if elements.saturating_mul(sheet.rules.len()) > MOST_MATCHES {
        return Err("a drawing with too many style rules".into());
    }
    // The first of two with one id, and the last: readers differ.
    let mut ids: HashMap<&str, Vec<Node<'_, '_>>> = HashMap::new();
    for node in doc.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_default().push(node);
        }
    }
    let mut scale = Scale {
        sheet,
        ids,
        known: HashMap::new(),
    };
    if scale.weigh(doc.root_element(), 0).elements > MOST_ELEMENTS {
        return Err("a drawing with too many elements".into());
    }
    Ok(())
}

/// What a part of a drawing comes to.
#[derive(Clone, Copy)]
struct Weight {
    elements: u64,
    /// Corners of its paths, at most: a marker stands on each.
    corners: u64,
}

impl Weight {
    /// Of something that contains itself.
    const ENDLESS: Weight = Weight {
        elements: u64::MAX,
        corners: u64::MAX,
    };

    fn add(&mut self, other: Weight) {
        self.elements = self.elements.saturating_add(other.elements);
        self.corners = self.corners.saturating_add(other.corners);
    }
}

struct Scale<'a, 'i> {
    sheet: StyleSheet<'a>,
    ids: HashMap<&'a str, Vec<Node<'a, 'i>>>,
    known: HashMap<NodeId, Weight>,
}

/// A property of an element that names others.
struct Naming<'a> {
    property: &'a str,
    id: &'a str,
}

impl<'a, 'i> Scale<'a, 'i> {
    /// `node` and all below it, with what they name.
    fn weigh(&mut self, node: Node<'a, 'i>, depth: u32) -> Weight {
        if depth > DEEPEST {
            return Weight::ENDLESS;
        }
        if let Some(known) = self.known.get(&node.id()) {
            return *known;
        }
        // While it is weighed it is endless: who finds it again has found a circle.
        self.known.insert(node.id(), Weight::ENDLESS);
        let mut weight = Weight {
            elements: 1,
            corners: corners(node),
        };
        for child in node.children().filter(Node::is_element) {
            weight.add(self.weigh(child, depth + 1));
        }
        // What is painted, and what may carry what this one names for it.
        let below = weight;
        for Naming { property, id } in self.named_by(node) {
            for target in self.ids.get(id).cloned().unwrap_or_default() {
                let gradient = matches!(
                    target.tag_name().name(),
                    "linearGradient" | "radialGradient"
                );
                if target == node || gradient {
                    continue;
                }
                let each = self.weigh(target, depth + 1);
                let times = match property {
                    "href" => {
                        weight.add(each);
                        continue;
                    }
                    // Whatever is below inherits it.
                    "fill" | "stroke" | "marker-start" | "marker-end" => below.elements,
                    "marker" | "marker-mid" => below.corners,
                    _ => 1,
                };
                weight.elements = weight
                    .elements
                    .saturating_add(each.elements.saturating_mul(times));
            }
        }
        self.known.insert(node.id(), weight);
        weight
    }

    /// What the attributes of `node`, its style and every rule that fits it name.
    fn named_by(&self, node: Node<'a, 'i>) -> Vec<Naming<'a>> {
        let mut found = Vec::new();
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            match name {
                "href" => found.extend(value.trim().strip_prefix('#').map(|id| Naming {
                    property: "href",
                    id,
                })),
                "style" => {
                    for declaration in DeclarationTokenizer::from(value) {
                        found.extend(named(declaration.name, declaration.value));
                    }
                }
                _ => found.extend(named(name, value)),
            }
        }
        let rules = self.sheet.rules.iter();
        for rule in rules.filter(|rule| rule.selector.matches(&Styled(node))) {
            for declaration in &rule.declarations {
                found.extend(named(declaration.name, declaration.value));
            }
        }
        found
    }
}

/// The ids in all `url(#…)` of a property's value.
fn named<'a>(property: &'a str, value: &'a str) -> impl Iterator<Item = Naming<'a>> {
    value.split("url(").skip(1).filter_map(move |rest| {
        let (name, _) = rest.split_once(')')?;
        let id = name.trim_matches(['"', '\'', ' ', '\t', '\n', '\r']);
        let id = id.strip_prefix('#')?;
        Some(Naming { property, id })
    })
}

/// At least as many corners as the path of a shape has: it has no more corners than numbers and commands.
fn corners(node: Node<'_, '_>) -> u64 {
    // Rectangles, ellipses and lines have a few.
    let Some(data) = node.attribute("d").or(node.attribute("points")) else {
        return 8;
    };
    let mut before = ' ';
    let mut count = 0;
    for c in data.chars() {
        let begins_number = c.is_ascii_digit() && !before.is_ascii_digit();
        count += u64::from(begins_number || c.is_ascii_alphabetic());
        before = c;
    }
    count
}

/// An element, as the rules of style sheets see it.
struct Styled<'a, 'i>(Node<'a, 'i>);

impl Element for Styled<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Styled)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Styled)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0
            .attribute(name)
            .is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        // A rule for a state that a picture never has counts as fitting: it costs nothing to think so.
        !matches!(class, PseudoClass::FirstChild) || self.prev_sibling_element().is_none()
    }
}
