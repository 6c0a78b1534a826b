//! Which outputs a document stands on: by connector name, by make and model, or all.

use serde_json::Value;

/// One entry of `outputs`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutputMatch {
    /// `*`.
    Any,
    /// A connector's name (`DP-1`) or a screen's make and model (`Dell Inc. U2720Q`), without regard to case.
    Named(String),
}

impl OutputMatch {
    pub fn parse(text: &str) -> OutputMatch {
        if text == "*" {
            OutputMatch::Any
        } else {
            OutputMatch::Named(text.to_owned())
        }
    }

    /// Does it name an output with this connector, make and model?
    pub fn matches(&self, name: &str, make: &str, model: &str) -> bool {
        match self {
            OutputMatch::Any => true,
            OutputMatch::Named(text) => {
                let same = |other: &str| !other.is_empty() && text.eq_ignore_ascii_case(other);
                same(name) || same(&format!("{make} {model}")) || (make.is_empty() && same(model))
            }
        }
    }
}

/// The outputs a document names; all of them where it names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs(Vec<OutputMatch>);

impl Outputs {
    pub(super) fn read(place: &Value) -> Outputs {
        let listed: Vec<OutputMatch> = place["outputs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(OutputMatch::parse)
            .collect();
        Outputs(if listed.is_empty() {
            vec![OutputMatch::Any]
        } else {
            listed
        })
    }

    /// Is an output with this connector, make and model among them?
    pub fn contain(&self, name: &str, make: &str, model: &str) -> bool {
        self.0.iter().any(|m| m.matches(name, make, model))
    }

    pub fn entries(&self) -> &[OutputMatch] {
        &self.0
    }
}

/// The part of `overrides` for an output: an exact name before a make and model before `*`.
pub(super) fn override_for<'a>(
    place: &'a Value,
    name: &str,
    make: &str,
    model: &str,
) -> Option<&'a Value> {
    let all = place.get("overrides")?.as_object()?;
    let by =
        |fits: &dyn Fn(&str) -> bool| all.iter().find(|(key, _)| fits(key)).map(|(_, part)| part);
    by(&|key| key.eq_ignore_ascii_case(name))
        .or_else(|| by(&|key| key != "*" && OutputMatch::parse(key).matches("", make, model)))
        .or_else(|| all.get("*"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_output_is_named_by_connector_or_by_make_and_model() {
        let outputs = Outputs::read(&json!({"outputs": ["DP-1", "Dell Inc. U2720Q"]}));
        assert!(
            outputs.contain("dp-1", "", "") && outputs.contain("HDMI-A-1", "Dell Inc.", "U2720Q")
        );
        assert!(!outputs.contain("DP-2", "Dell Inc.", "P2419H") && !outputs.contain("", "", ""));
        assert!(Outputs::read(&json!({})).contain("anything", "", ""));
    }

    #[test]
    fn the_nearest_override_wins() {
        let place = json!({"overrides": {"*": 1, "Dell Inc. U2720Q": 2, "DP-1": 3}});
        assert_eq!(
            override_for(&place, "DP-1", "Dell Inc.", "U2720Q"),
            Some(&json!(3))
        );
        assert_eq!(
            override_for(&place, "DP-2", "Dell Inc.", "U2720Q"),
            Some(&json!(2))
        );
        assert_eq!(override_for(&place, "eDP-1", "BOE", "x"), Some(&json!(1)));
        assert_eq!(override_for(&json!({}), "DP-1", "", ""), None);
    }
}
