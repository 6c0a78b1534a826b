//! A notification as the person reads it: the app's name and icon beside the app's words, which are plain text.

use ede_engine::app_id::AppId;
use ede_engine::package::Package;
use ede_engine::plain;
use ede_engine::records::{Notice, NoticeId, Tap};

use crate::desktop_entries;

/// The longest name, title and body (characters), as the catalog has them.
const NAME: usize = 80;
const TITLE: usize = 200;
const BODY: usize = 1000;

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub app: AppId,
    pub id: NoticeId,
    /// The app's name.
    pub name: String,
    /// The name of the app's icon in an icon theme.
    pub icon: &'static str,
    /// One line; never empty.
    pub title: String,
    /// Empty where the app has no more to say.
    pub body: String,
    pub tap: Option<Tap>,
}

impl Shown {
    /// `notice` in the name of `package`, which posts it.
    pub fn new(notice: Notice, package: &Package) -> Shown {
        let name = plain::line(package.name(), NAME);
        let title = plain::line(&notice.title, TITLE);
        Shown {
            app: notice.app,
            id: notice.id,
            icon: desktop_entries::icon(package.icon()),
            // A title of nothing that is seen would leave only a frame.
            title: if title.is_empty() {
                name.clone()
            } else {
                title
            },
            name,
            body: plain::lines(&notice.body.unwrap_or_default(), BODY),
            tap: notice.tap,
        }
    }

    /// The body as a service takes it that reads markup: there is none in it.
    pub fn body_as_markup(&self) -> String {
        let mut out = String::with_capacity(self.body.len());
        for c in self.body.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                c => out.push(c),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn shown(title: &str, body: &str) -> Shown {
        let package = json!({
            "formatVersion": 2, "id": "acme.one", "name": "On\u{202e}e", "version": "1.0.0", "icon": "clock", "catalogId": eui_core::CORE_CATALOG_ID,
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "One"}]}},
        });
        let package = Package::read(package.to_string().as_bytes()).package;
        let notice = Notice {
            app: AppId::parse("acme.one").unwrap(),
            id: NoticeId::parse("a").unwrap(),
            title: title.into(),
            body: Some(body.into()),
            tap: None,
        };
        Shown::new(notice, &package.unwrap())
    }

    #[test]
    fn what_an_app_says_is_plain_text() {
        let s = shown("\u{202e}Two\nlines\u{7}", "a\u{2066}b\n\n\n<b>c</b> & d");
        assert_eq!(
            (s.title.as_str(), s.body.as_str()),
            ("Two lines", "ab\n<b>c</b> & d")
        );
        assert_eq!(s.body_as_markup(), "ab\n&lt;b&gt;c&lt;/b&gt; &amp; d");
        assert_eq!(
            (s.name.as_str(), s.icon),
            ("One", "preferences-system-time")
        );
        assert_eq!(shown("\u{200b} \u{202e}", "").title, "One");
    }
}
