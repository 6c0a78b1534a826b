//! An MCP call result: what every call is answered with.

use serde::Serialize;
use serde_json::{Value, json};

/// `{content, structuredContent}`, or `{content, isError: true}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct CallResult(Value);

impl CallResult {
    /// An answer; its text is the structured content as JSON.
    pub fn ok(content: Value) -> CallResult {
        CallResult(
            json!({"content": [{"type": "text", "text": content.to_string()}], "structuredContent": content}),
        )
    }

    /// An error with its reason as the text.
    pub fn error(reason: impl Into<String>) -> CallResult {
        CallResult(json!({"content": [{"type": "text", "text": reason.into()}], "isError": true}))
    }

    /// An error with its reason as the text, and what there is instead.
    pub fn refused(reason: impl Into<String>, content: Value) -> CallResult {
        CallResult(
            json!({"content": [{"type": "text", "text": reason.into()}], "structuredContent": content, "isError": true}),
        )
    }

    /// An error result as a native made it.
    pub(super) fn passed_on(result: Value) -> CallResult {
        CallResult(result)
    }

    /// The structured content; `None` on an error.
    pub fn structured(&self) -> Option<&Value> {
        self.0.get("structuredContent").filter(|_| !self.is_error())
    }

    pub fn is_error(&self) -> bool {
        self.0.get("isError") == Some(&json!(true))
    }

    /// The first text of the content: on an error the reason.
    pub fn text(&self) -> Option<&str> {
        self.0.pointer("/content/0/text").and_then(Value::as_str)
    }
}
