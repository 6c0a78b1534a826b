//! What an agent asks, as the person sees it: the mark of who asks outside the card, and on it the agent's words as plain text. Templates of
//! the shell's own; the words were folded when they came in ([`ede_engine::interactions`]). No card looks like the sheets that grant
//! something: it stands in the corner, dims nothing, has no icon of its own, and its buttons never say "Allow".

use ede_engine::interactions::request::{Action, Matter};
use ede_engine::interactions::{AgentId, Answer, Interaction};
use serde_json::{Value, json};

use super::file_sheet::size as bytes;

/// The card's components. Those named `mark…` are the mark, which notices have too.
const CARD: &str = include_str!("../../../assets/sheets/card.json");

/// The events of its buttons and controls.
pub const ANSWER: &str = "card.answer";
pub const OTHER: &str = "card.other";
pub const LEAVE: &str = "card.leave";
pub const CHANGE: &str = "card.change";

/// How tall the mark is with the gap under it (px).
pub const MARK: f32 = 32.0;

/// The longest name of an agent in a mark (characters).
const NAME: usize = 32;

/// The card's components.
pub fn components() -> Value {
    // It is part of the program; a test reads it.
    serde_json::from_str(CARD).unwrap_or_default()
}

/// A notice's components, with its words in them: as a message, under its mark.
pub fn notice(agent: &AgentId, title: &str, message: &str) -> (Value, Value) {
    let mut all = components();
    let marks = |c: &Value| c["id"].as_str().is_some_and(|id| id.starts_with("mark"));
    if let Some(list) = all.as_array_mut() {
        list.retain(marks);
        // Nothing waits behind it.
        for c in list.iter_mut().filter(|c| c["id"] == "marks") {
            c["children"] = json!(["mark"]);
        }
        list.extend([
            json!({"id": "root", "component": "Box", "children": ["marks", "card"], "accessibility": {"role": "status", "label": {"path": "/message"}},
                "style": {"display": "flex", "flexDirection": "column", "alignItems": "stretch", "gap": 8}}),
            json!({"id": "card", "component": "Box", "children": ["sign", "words"],
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "padding": 12, "minHeight": "$control.toast"}}),
            json!({"id": "sign", "component": "Icon", "name": "info", "style": {"color": "$color.info", "flexShrink": 0}}),
            json!({"id": "words", "component": "Box", "children": ["title", "message"], "style": {"display": "flex", "flexDirection": "column", "flexGrow": 1, "flexBasis": 0, "minWidth": 0}}),
            json!({"id": "title", "component": "Text", "text": {"path": "/title"}, "lines": 2, "style": {"fontWeight": 600}}),
            json!({"id": "message", "component": "Text", "text": {"path": "/message"}, "style": {"color": "$color.mutedForeground"}}),
        ]);
    }
    let (icon, by) = sign(agent);
    let mark = format!("From {by}");
    (
        all,
        json!({"icon": icon, "mark": mark, "title": title, "message": message}),
    )
}

/// What the card shows of `asked`, with so many that wait behind it.
pub fn data(asked: &Interaction, more: usize) -> Value {
    let (icon, by) = sign(&asked.caller.agent);
    let (prompt, other, answer) = match &asked.request.matter {
        Matter::Choice { prompt, .. } => (prompt.as_deref(), "Skip", "Choose"),
        Matter::Confirm { prompt } => (prompt.as_deref(), "No", "Yes"),
        Matter::Input { prompt, .. } => (prompt.as_deref(), "Skip", "Send"),
        Matter::Notice { message } => (Some(message.as_str()), "Skip", "Done"),
        Matter::Save { .. } => (None, "Skip", "Save…"),
    };
    let does = match &asked.request.matter {
        Matter::Save { .. } | Matter::Notice { .. } => "From",
        _ => "Asked by",
    };
    let mut data = json!({
        "icon": icon, "mark": format!("{does} {by}"), "title": asked.request.title,
        "prompted": prompt.is_some(), "prompt": prompt.unwrap_or_default(),
        "chooses": false, "type": "single", "columns": 1, "options": [], "chosen": "",
        "types": false, "label": "", "placeholder": "", "text": "",
        "other": other, "answer": answer, "waits": true, "blocked": true,
    });
    match &asked.request.matter {
        Matter::Choice {
            actions, several, ..
        } => {
            data["chooses"] = json!(true);
            data["type"] = json!(if *several { "multiple" } else { "single" });
            data["columns"] = json!(columns(actions));
            data["options"] = actions.iter().enumerate().map(tile).collect();
        }
        Matter::Input {
            label, placeholder, ..
        } => {
            data["types"] = json!(true);
            data["label"] = json!(label);
            data["placeholder"] = json!(placeholder.as_deref().unwrap_or_default());
        }
        Matter::Save { size, .. } => {
            data["prompted"] = json!(true);
            data["prompt"] = json!(format!("A file of {}", bytes(*size)));
        }
        Matter::Confirm { .. } | Matter::Notice { .. } => {}
    }
    let bodied = ["prompted", "chooses", "types"].iter();
    data["bodied"] = json!(bodied.clone().any(|key| data[*key] == true));
    let (several, words) = waiting(more);
    data["several"] = several;
    data["more"] = words;
    data
}

/// Whether more wait behind the card, and how that is said.
pub fn waiting(more: usize) -> (Value, Value) {
    (json!(more > 0), json!(format!("{more} more")))
}

/// What the card's own controls say so far, as an answer to `asked`; `None` while there is none.
pub fn answer(asked: &Interaction, shown: impl Fn(&str) -> Option<Value>) -> Option<Value> {
    let text = |path: &str| shown(path).and_then(|v| v.as_str().map(str::to_owned));
    let said = match &asked.request.matter {
        Matter::Choice {
            actions, several, ..
        } => {
            let chosen = text("/chosen")?;
            let tiles = chosen.split(',').filter_map(|n| n.parse::<usize>().ok());
            let ids = tiles.filter_map(|n| Some(actions.get(n)?.id.as_str()));
            let ids: Vec<&str> = ids.collect();
            match several {
                true if ids.is_empty() => None,
                true => Some(json!({"actionIds": ids})),
                false => ids.first().map(|id| json!({"actionId": id})),
            }
        }
        Matter::Confirm { .. } => Some(json!({"approved": true})),
        Matter::Input { .. } => {
            let text = text("/text")?;
            Some(json!({"text": text})).filter(|_| !text.trim().is_empty())
        }
        Matter::Save { .. } => Some(json!({"saved": true})),
        Matter::Notice { .. } => None,
    };
    said.filter(|said| Answer::read(&asked.request, said).is_some())
}

/// The other button: `None` leaves the card.
pub fn other(asked: &Interaction) -> Option<Value> {
    let confirms = matches!(asked.request.matter, Matter::Confirm { .. });
    confirms.then(|| json!({"approved": false}))
}

/// The icon and the words an agent goes by. A name the person has paired it by stands in quotes, which no name has.
pub fn sign(agent: &AgentId) -> (&'static str, String) {
    if agent.is_shell() {
        return ("sparkles", "the assistant".into());
    }
    let name = ede_engine::plain::line(agent.as_str(), NAME);
    ("bot", format!("“{name}”"))
}

/// Two short ones stand side by side.
fn columns(actions: &[Action]) -> usize {
    let short = |a: &Action| {
        let length = |text: &str| text.chars().count();
        length(&a.label) <= 16 && a.description.as_deref().map_or(0, length) <= 20
    };
    if actions.len() > 1 && actions.iter().all(short) {
        2
    } else {
        1
    }
}

/// A tile answers by its number: no word of an agent's is read again.
fn tile((n, action): (usize, &Action)) -> Value {
    let mut tile = json!({"value": n.to_string(), "label": action.label});
    // A tile shows whatever is there, null among it.
    if let Some(description) = &action.description {
        tile["description"] = json!(description);
    }
    tile
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use ede_engine::interactions::{
        AppSessionId, AppSessions, Call, CallId, Caller, ConversationId, Wanted,
    };
    use jiff::Timestamp;

    use super::*;

    struct NoSessions;

    impl AppSessions for NoSessions {
        fn is_of(&self, _: &AppSessionId, _: &Caller) -> bool {
            false
        }
    }

    fn asked(agent: &str, tool: &str, given: Value) -> Interaction {
        let Call::Ask(request, None) = Call::read(tool, &given).unwrap() else {
            panic!("{given}");
        };
        let caller = Caller {
            agent: AgentId::parse(agent).unwrap(),
            conversation: ConversationId::parse("c").unwrap(),
        };
        let wanted = Wanted::new(caller, request, None, &NoSessions).unwrap();
        Interaction::new(CallId::parse("1").unwrap(), wanted, Timestamp::UNIX_EPOCH)
    }

    fn actions(several: bool) -> Value {
        json!({"title": "T", "several": several, "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]})
    }

    #[test]
    fn the_card_is_read_and_none_of_its_words_are_those_of_a_sheet() {
        let all = components();
        assert!(all.as_array().unwrap().iter().any(|c| c["id"] == "root"));
        for tool in ["confirm", "choice", "input"] {
            let given = match tool {
                "choice" => actions(false),
                "input" => json!({"title": "T", "field": {"label": "L"}}),
                _ => json!({"title": "T"}),
            };
            let data = data(&asked("shell", tool, given), 0);
            let words = [&data["other"], &data["answer"]];
            assert!(words.iter().all(|w| *w != "Allow" && *w != "Deny"));
        }
    }

    #[test]
    fn who_asks_is_the_shells_to_say() {
        let of = |agent: &str| {
            let data = data(&asked(agent, "confirm", json!({"title": "T"})), 2);
            [&data["mark"], &data["more"], &data["icon"]].map(|v| v.as_str().unwrap().to_owned())
        };
        assert_eq!(
            of("shell"),
            ["Asked by the assistant", "2 more", "sparkles"]
        );
        assert_eq!(of("claude"), ["Asked by “claude”", "2 more", "bot"]);
        let long = "the-assistant-".repeat(8);
        assert_eq!(
            of(&long)[0].chars().count(),
            "Asked by “”".chars().count() + NAME
        );
        let (all, data) = notice(&AgentId::shell(), "T", "M");
        assert_eq!(data["mark"], "From the assistant");
        let ids: Vec<&str> = (all.as_array().unwrap().iter())
            .map(|c| c["id"].as_str().unwrap())
            .collect();
        assert!(ids.contains(&"mark") && !ids.contains(&"answer"));
    }

    #[test]
    fn an_action_that_says_no_more_than_its_label_shows_no_more() {
        let given = json!({"title": "T", "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "description": "More"}]});
        let data = data(&asked("shell", "choice", given), 0);
        assert_eq!(data["options"][0], json!({"value": "0", "label": "A"}));
        assert_eq!(data["options"][1]["description"], "More");
    }

    #[test]
    fn what_the_controls_say_is_an_answer_of_the_requests_shape() {
        let says = |one: &Interaction, path: &str, value: &str| {
            let value = Value::from(value);
            let said = answer(one, |asked| (asked == path).then(|| value.clone()))?;
            Some(Answer::read(&one.request, &said).unwrap().to_json())
        };
        let single = asked("shell", "choice", actions(false));
        assert_eq!(
            says(&single, "/chosen", "1"),
            Some(json!({"actionId": "b"}))
        );
        assert_eq!(says(&single, "/chosen", ""), None);
        let several = asked("shell", "choice", actions(true));
        let both = json!({"actionIds": ["a", "b"]});
        assert_eq!(says(&several, "/chosen", "0,1"), Some(both));
        assert_eq!(says(&several, "/chosen", "7"), None);
        let field = json!({"title": "T", "field": {"label": "L"}});
        let input = asked("shell", "input", field);
        assert_eq!(
            says(&input, "/text", "hello"),
            Some(json!({"text": "hello"}))
        );
        assert_eq!(says(&input, "/text", " "), None);
        assert_eq!(says(&input, "/text", &"x".repeat(2001)), None);
        let confirm = asked("shell", "confirm", json!({"title": "T"}));
        assert_eq!(says(&confirm, "/x", ""), Some(json!({"approved": true})));
        assert_eq!(other(&confirm), Some(json!({"approved": false})));
        assert_eq!(other(&input), None);
    }
}
