//! The vocabulary a format is described in: plain data, no behaviour but saying itself in words.

use super::patterns;

/// What a value must be.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Any JSON value; something else checks it.
    Any,
    Flag,
    Text(Text),
    /// One of these texts.
    Choice(Vec<String>),
    Number(Number),
    List(Box<List>),
    /// An object whose keys a person chooses.
    Map(Box<Map>),
    /// An object whose keys the format knows.
    Object(Object),
    /// An object whose variant one of its own keys names.
    Tagged {
        tag: &'static str,
        variants: Vec<(&'static str, Object)>,
    },
    /// Several kinds of value: told apart by their JSON type, texts by their rule.
    Either(Vec<Shape>),
    /// Checked as the inner shape; in a JSON Schema a reference to a definition generated elsewhere.
    Named(&'static str, Box<Shape>),
}

/// A rule for a text.
#[derive(Debug, Clone)]
pub struct Text {
    /// Characters, not bytes.
    pub min: usize,
    pub max: Option<usize>,
    pub pattern: Option<Pattern>,
}

/// A rule a text keeps, three times: as a regular expression for JSON Schema, as a test, and in words.
#[derive(Clone, Copy)]
pub struct Pattern {
    pub regex: &'static str,
    pub test: fn(&str) -> bool,
    pub says: &'static str,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.regex)
    }
}

/// A rule for a number; the bounds are allowed values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Number {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub whole: bool,
}

#[derive(Debug, Clone)]
pub struct List {
    pub of: Shape,
    pub min: usize,
    pub max: Option<usize>,
}

#[derive(Debug, Clone)]
pub struct Map {
    pub keys: Option<Pattern>,
    pub of: Shape,
    pub min: usize,
    pub max: Option<usize>,
}

/// An object with known keys. `$schema` and `$comment` are always allowed and never read.
#[derive(Debug, Clone, Default)]
pub struct Object {
    pub fields: Vec<Field>,
    /// Exactly one of these keys must be there.
    pub one_of: &'static [&'static str],
    /// Other keys are allowed too (component props, checked by the catalog).
    pub open: bool,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    /// The first format version that has the key.
    pub since: u8,
    /// One sentence for people and editors.
    pub help: &'static str,
}

/// Keys every object may carry for editors and authors.
pub const FREE_KEYS: [&str; 2] = ["$schema", "$comment"];

/// A field that may be left out.
pub fn may(name: &'static str, shape: Shape, help: &'static str) -> Field {
    Field {
        name,
        shape,
        required: false,
        since: 0,
        help,
    }
}

/// A field that must be there.
pub fn must(name: &'static str, shape: Shape, help: &'static str) -> Field {
    Field {
        required: true,
        ..may(name, shape, help)
    }
}

impl Field {
    /// The format version that brought the key.
    pub fn since(self, version: u8) -> Field {
        Field {
            since: version,
            ..self
        }
    }
}

impl Object {
    pub fn of(fields: Vec<Field>) -> Object {
        Object {
            fields,
            ..Object::default()
        }
    }

    pub fn one_of(self, keys: &'static [&'static str]) -> Object {
        Object {
            one_of: keys,
            ..self
        }
    }

    pub fn open(self) -> Object {
        Object { open: true, ..self }
    }
}

impl From<Object> for Shape {
    fn from(object: Object) -> Shape {
        Shape::Object(object)
    }
}

impl Shape {
    /// An object with known keys.
    pub fn object(fields: Vec<Field>) -> Shape {
        Object::of(fields).into()
    }

    /// Any object.
    pub fn any_object() -> Shape {
        Object::default().open().into()
    }

    /// A text of `min` to `max` characters.
    pub fn text(min: usize, max: usize) -> Shape {
        Shape::Text(Text {
            min,
            max: Some(max),
            pattern: None,
        })
    }

    /// A text that other programs show in one line (a window's title, a launcher's entry).
    pub fn line(min: usize, max: usize) -> Shape {
        Shape::Text(Text {
            min,
            max: Some(max),
            pattern: Some(patterns::LINE),
        })
    }

    /// A text of sentences that leaves this program: lines may end in it.
    pub fn prose(min: usize, max: usize) -> Shape {
        Shape::Text(Text {
            min,
            max: Some(max),
            pattern: Some(patterns::PROSE),
        })
    }

    /// A text that keeps a pattern.
    pub fn like(pattern: Pattern) -> Shape {
        Shape::Text(Text {
            min: 0,
            max: None,
            pattern: Some(pattern),
        })
    }

    pub fn choice(words: &[&str]) -> Shape {
        Shape::Choice(words.iter().map(|w| (*w).to_owned()).collect())
    }

    pub fn number(min: f64, max: f64) -> Shape {
        Shape::Number(Number {
            min: Some(min),
            max: Some(max),
            whole: false,
        })
    }

    pub fn whole(min: i32, max: i32) -> Shape {
        Shape::Number(Number {
            min: Some(f64::from(min)),
            max: Some(f64::from(max)),
            whole: true,
        })
    }

    pub fn list(of: Shape, min: usize, max: usize) -> Shape {
        Shape::List(Box::new(List {
            of,
            min,
            max: Some(max),
        }))
    }

    /// A list with no end of its own.
    pub fn any_list(of: Shape) -> Shape {
        Shape::List(Box::new(List {
            of,
            min: 0,
            max: None,
        }))
    }

    pub fn map(keys: Pattern, of: Shape, max: usize) -> Shape {
        Shape::Map(Box::new(Map {
            keys: Some(keys),
            of,
            min: 0,
            max: Some(max),
        }))
    }

    /// A map with any keys.
    pub fn any_map(of: Shape) -> Shape {
        Shape::Map(Box::new(Map {
            keys: None,
            of,
            min: 0,
            max: None,
        }))
    }

    /// The shape in words, as the end of the sentence "X is …".
    pub fn says(&self) -> String {
        match self {
            Shape::Any => "any JSON value".into(),
            Shape::Flag => "true or false".into(),
            Shape::Text(rule) => rule.says(),
            Shape::Choice(words) => match words.as_slice() {
                [one] => format!("\"{one}\""),
                words if words.len() <= 12 => format!("one of {}", words.join(", ")),
                words => format!("one of {} known words", words.len()),
            },
            Shape::Number(rule) => rule.says(),
            Shape::List(rule) => format!("a list{}", count(rule.min, rule.max, "")),
            Shape::Map(rule) => format!("an object{}", count(rule.min, rule.max, " keys")),
            Shape::Object(object) => object.says(),
            Shape::Tagged { tag, variants } => {
                format!(
                    "an object whose `{tag}` is one of {}",
                    variants
                        .iter()
                        .map(|(name, _)| *name)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            Shape::Either(shapes) => shapes
                .iter()
                .map(Shape::says)
                .collect::<Vec<_>>()
                .join(", or "),
            Shape::Named(_, shape) => shape.says(),
        }
    }
}

impl Text {
    fn says(&self) -> String {
        let length = match (self.min, self.max) {
            (0, None) => None,
            (0, Some(max)) => Some(format!("text of at most {max} characters")),
            (min, None) => Some(format!("text of at least {min} characters")),
            (min, Some(max)) => Some(format!("text of {min} to {max} characters")),
        };
        match (length, &self.pattern) {
            (None, None) => "text".into(),
            (Some(length), None) => length,
            (None, Some(pattern)) => pattern.says.into(),
            (Some(length), Some(pattern)) => format!("{length} {}", pattern.says),
        }
    }
}

impl Number {
    fn says(&self) -> String {
        let kind = if self.whole {
            "a whole number"
        } else {
            "a number"
        };
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!("{kind} from {min} to {max}"),
            (Some(min), None) => format!("{kind} of at least {min}"),
            (None, Some(max)) => format!("{kind} of at most {max}"),
            (None, None) => kind.into(),
        }
    }
}

impl Object {
    fn says(&self) -> String {
        let named: Vec<&str> = self
            .fields
            .iter()
            .filter(|f| f.required)
            .map(|f| f.name)
            .chain(self.one_of.first().copied())
            .collect();
        if named.is_empty() {
            "an object".into()
        } else {
            format!("an object with {}", named.join(", "))
        }
    }
}

fn count(min: usize, max: Option<usize>, of: &str) -> String {
    match (min, max) {
        (0, None) => String::new(),
        (0, Some(max)) => format!(" of at most {max}{of}"),
        (min, None) => format!(" of at least {min}{of}"),
        (min, Some(max)) if min == max => format!(" of {min}{of}"),
        (min, Some(max)) => format!(" of {min} to {max}{of}"),
    }
}
