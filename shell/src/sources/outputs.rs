//! `ede:outputs`: the screens there are, in the order the compositor names them. The platform pushes a list of [`Output`]
//! whenever one comes, goes or changes; nothing here talks to Wayland.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Audience, Pushed};

/// The name of the source.
pub const NAME: &str = "outputs";

/// One screen as a binding sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The connector, unique among the screens (`eDP-1`).
    pub name: String,
    /// The maker, empty where the compositor does not tell.
    pub make: String,
    /// The model, empty where the compositor does not tell.
    pub model: String,
    /// Logical width in px.
    pub width: u32,
    /// Logical height in px.
    pub height: u32,
    /// Device px per logical px.
    pub scale: f64,
    /// In thousandths of a hertz; 0 where it is not known.
    pub refresh_millihertz: u32,
}

/// The source, with no screen until the first push.
pub fn source() -> Pushed {
    Pushed::new(NAME, Audience::Packages, value(&[]))
}

/// What to push for `outputs`: `{count, outputs: [Output]}`.
pub fn value(outputs: &[Output]) -> Value {
    json!({ "count": outputs.len(), "outputs": outputs })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn a_screen_lands_with_its_name_and_logical_size() {
        let output = Output {
            name: "eDP-1".into(),
            make: "Lab".into(),
            model: "Fourteen".into(),
            width: 1280,
            height: 800,
            scale: 1.5,
            refresh_millihertz: 60_000,
        };
        let value = value(&[output]);
        assert_eq!(value["count"], 1);
        assert_eq!(
            value["outputs"][0],
            json!({"name": "eDP-1", "make": "Lab", "model": "Fourteen", "width": 1280, "height": 800, "scale": 1.5, "refreshMillihertz": 60_000})
        );
    }
}
