//! What a tool's answer is worth to a binding: its structured content, else its text as JSON, else the text.

use serde_json::Value;

/// How many values one answer may hold, those in its lists and objects counted: more would stall who shows them.
pub const MOST_VALUES: usize = 20_000;
/// The longest list in it: each item may become a row on screen.
pub const LONGEST_LIST: usize = 2_000;

/// Why an answer is worth nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worthless {
    /// The tool says that it failed.
    IsError,
    /// There is too much in it.
    TooLarge,
}

/// The value of a call result as MCP has it: `{content, structuredContent?, isError?}`.
pub fn value(mut result: Value) -> Result<Value, Worthless> {
    if result.get("isError") == Some(&Value::Bool(true)) {
        return Err(Worthless::IsError);
    }
    let structured = result.get_mut("structuredContent").map(Value::take);
    let value = match structured.filter(|s| !s.is_null()) {
        Some(value) => value,
        None => {
            let text = text(&result);
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
    };
    let mut left = MOST_VALUES;
    if counts(&value, &mut left) {
        Ok(value)
    } else {
        Err(Worthless::TooLarge)
    }
}

/// Its texts, one after another.
fn text(result: &Value) -> String {
    let content = result.get("content").and_then(Value::as_array);
    let texts = content.into_iter().flatten().filter_map(|block| {
        let is_text = block.get("type").and_then(Value::as_str) == Some("text");
        block
            .get("text")
            .and_then(Value::as_str)
            .filter(|_| is_text)
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Take what is in `value` from what is `left`. False when that does not do.
fn counts(value: &Value, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else {
        return false;
    };
    *left = less;
    match value {
        Value::Array(items) => {
            items.len() <= LONGEST_LIST && items.iter().all(|item| counts(item, left))
        }
        Value::Object(members) => members.values().all(|member| counts(member, left)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(text: &str) -> Value {
        json!({"content": [{"type": "text", "text": text}]})
    }

    #[test]
    fn structured_content_comes_before_text_and_json_before_words() {
        let mut both = said("{\"a\": 1}");
        both["structuredContent"] = json!({"a": 2});
        assert_eq!(value(both), Ok(json!({"a": 2})));
        assert_eq!(value(said("{\"a\": 1}")), Ok(json!({"a": 1})));
        assert_eq!(value(said("[1, 2")), Ok(json!("[1, 2")));
        assert_eq!(value(said("12")), Ok(json!(12)));
        let several = json!({"content": [
            {"type": "text", "text": "one"}, {"type": "image", "text": "no", "data": ""}, {"type": "text", "text": "two"}]});
        assert_eq!(value(several), Ok(json!("one\ntwo")));
        assert_eq!(value(json!({"content": []})), Ok(json!("")));
        assert_eq!(value(json!(7)), Ok(json!("")));
    }

    #[test]
    fn an_error_is_no_value() {
        let mut failed = said("no such city");
        failed["isError"] = json!(true);
        assert_eq!(value(failed), Err(Worthless::IsError));
        let mut went_well = said("1");
        went_well["isError"] = json!(false);
        assert_eq!(value(went_well), Ok(json!(1)));
    }

    #[test]
    fn an_answer_that_would_stall_the_desktop_is_none() {
        let rows = |n: usize| json!({"structuredContent": {"rows": vec![0; n]}});
        assert!(value(rows(LONGEST_LIST)).is_ok());
        assert_eq!(value(rows(LONGEST_LIST + 1)), Err(Worthless::TooLarge));
        let lists = |n: usize| json!({"structuredContent": vec![vec![0; 999]; n]});
        assert!(value(lists(19)).is_ok());
        assert_eq!(value(lists(20)), Err(Worthless::TooLarge), "20,001 values");
        let text = format!("[{}0]", "[],".repeat(300_000));
        assert_eq!(value(said(&text)), Err(Worthless::TooLarge));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(value(said(&deep)), Ok(json!(deep)), "too deep to be JSON");
    }
}
