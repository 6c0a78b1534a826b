//! eui-core's paths (`columns[0].slot`, `style.@media (min-width: 37.5px).gap`) as JSON pointers.

use serde_json::Value;

use crate::pointer;

/// The pointer of a dotted path into `value`, with its last key. Keys may hold dots themselves, so each step takes the
/// longest key the value has there.
pub(crate) fn walk(value: &Value, path: &str) -> (String, String) {
    let (mut here, mut at, mut last) = (Some(value), String::new(), String::new());
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((index, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            at = format!("{at}/{index}");
            here = index
                .parse::<usize>()
                .ok()
                .and_then(|i| here.and_then(|v| v.get(i)));
            rest = after.strip_prefix('.').unwrap_or(after);
            continue;
        }
        let known = here.and_then(Value::as_object).and_then(|o| {
            let fits = |k: &&String| {
                rest.strip_prefix(k.as_str())
                    .is_some_and(|r| r.is_empty() || r.starts_with(['.', '[']))
            };
            o.keys().filter(fits).max_by_key(|k| k.len())
        });
        let key = known.map_or_else(
            || rest.split(['.', '[']).next().unwrap_or(rest),
            String::as_str,
        );
        let key_length = key.len().max(1).min(rest.len());
        here = here.and_then(|v| v.get(key));
        at = pointer::child(&at, key);
        last = key.to_owned();
        rest = rest.get(key_length..).unwrap_or_default();
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    (at, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_with_dots_and_list_items_are_found() {
        let value = json!({"style": {"@media (min-width: 37.5px)": {"gap": 1}}, "columns": [{"slot": "a"}]});
        assert_eq!(
            walk(&value, "style.@media (min-width: 37.5px).gap"),
            ("/style/@media (min-width: 37.5px)/gap".into(), "gap".into())
        );
        assert_eq!(
            walk(&value, "columns[0].slot"),
            ("/columns/0/slot".into(), "slot".into())
        );
        assert_eq!(
            walk(&value, "missing.inner"),
            ("/missing/inner".into(), "inner".into())
        );
        assert_eq!(walk(&value, ""), (String::new(), String::new()));
        assert!(walk(&value, "a..b[").0.starts_with("/a"));
    }
}
