//! What a binding reads from a server: `upstream:<server>/<tool>?<arguments>`.

use eui_core::host::parse_source;
use serde_json::{Map, Value};

use super::servers::ServerName;
use crate::schema::check::shape_issues;
use crate::schema::shape::Shape;

/// The scheme of these sources.
pub const SCHEME: &str = "upstream";

/// One tool of one server, with arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub server: ServerName,
    pub tool: String,
    pub arguments: Map<String, Value>,
}

impl Reading {
    /// The shape of a tool's name, for every format that has one.
    pub fn tool_shape() -> Shape {
        Shape::text(1, 200)
    }

    /// What `source` reads. The name splits at its last `/`. Each parameter is one argument: JSON where it reads as a number, true,
    /// false, null, an object or a list, else the text itself.
    pub fn parse(source: &str) -> Option<Reading> {
        let parsed = parse_source(source).filter(|p| p.scheme == SCHEME)?;
        let (server, tool) = parsed.name.rsplit_once('/')?;
        let fits = shape_issues(&tool.into(), &Reading::tool_shape(), 0).is_empty();
        if !fits || tool.contains(char::is_control) {
            return None;
        }
        Some(Reading {
            server: ServerName::parse(server)?,
            tool: tool.to_owned(),
            arguments: (parsed.params.into_iter())
                .map(|(key, text)| (key, argument(text)))
                .collect(),
        })
    }

    /// `<server>/<tool>`: how the audit and a package's `sources` name it.
    pub fn name(&self) -> String {
        format!("{}/{}", self.server, self.tool)
    }
}

fn argument(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(Value::String(_)) | Err(_) => Value::String(text),
        Ok(value) => value,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use eui_core::host::source_with_params;
    use serde_json::json;

    #[test]
    fn the_name_splits_at_its_last_slash() {
        let read = |source: &str| {
            let reading = Reading::parse(source)?;
            Some((reading.server.to_string(), reading.tool))
        };
        let is = |server: &str, tool: &str| Some((server.into(), tool.into()));
        assert_eq!(read("upstream:stripe/list"), is("stripe", "list"));
        assert_eq!(
            read("upstream:acme/stripe/list?a=1"),
            is("acme/stripe", "list")
        );
        assert_eq!(
            read("upstream:Home%20Assistant/lights"),
            is("Home Assistant", "lights")
        );
        for bad in [
            "upstream:stripe",
            "upstream:/list",
            "upstream:stripe/",
            "records:a/b",
            "upstream:",
            "upstream:a/b%0Ac",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let long = "x".repeat(201);
        assert_eq!(read(&format!("upstream:stripe/{long}")), None);
        assert_eq!(read(&format!("upstream:{}/list", &long[..81])), None);
    }

    #[test]
    fn an_argument_is_json_where_it_reads_so_and_text_else() {
        let source = "upstream:a/b?n=5&f=-1.5e3&t=true&z=null&o=%7B%22k%22:[1]%7D&l=[1,2]&s=hello&q=%22quoted%22&e=&half=%7B%22k%22&big=1e400";
        let read = Reading::parse(source).unwrap();
        assert_eq!(
            Value::Object(read.arguments),
            json!({"n": 5, "f": -1500.0, "t": true, "z": null, "o": {"k": [1]}, "l": [1, 2], "s": "hello",
                "q": "\"quoted\"", "e": "", "half": "{\"k\"", "big": "1e400"})
        );
    }

    #[test]
    fn what_a_person_typed_stays_in_its_argument() {
        let typed = json!({"city": "Wien&admin=true#?x=1/../other"});
        let source = source_with_params("upstream:weather/now?unit=c", Some(&typed));
        let read = Reading::parse(&source).unwrap();
        assert_eq!(
            (read.name(), read.arguments.len()),
            ("weather/now".into(), 2)
        );
        assert_eq!(read.arguments["city"], typed["city"]);
    }
}
