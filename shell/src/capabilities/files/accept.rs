//! Which files an app can use, as it says: MIME types (`image/*`) and extensions (`.csv`). A help for the person who picks, not a wall.

use ede_engine::bridge::mime::MimeTypes;

/// What is accepted; empty accepts everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accept(Vec<One>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum One {
    /// `text/csv`, or `image/*`.
    Mime(String),
    /// `csv`.
    Extension(String),
}

impl Accept {
    /// What these say; what is neither a type nor an extension says nothing.
    pub fn parse<'a>(said: impl IntoIterator<Item = &'a str>) -> Accept {
        let one = |said: &str| {
            let said = said.trim().to_ascii_lowercase();
            let is_word = |c: char| c.is_ascii_alphanumeric() || "+-._*".contains(c);
            if let Some(extension) = said.strip_prefix('.') {
                let fits = !extension.is_empty() && extension.chars().all(is_word);
                return fits.then(|| One::Extension(extension.to_owned()));
            }
            let (kind, of) = said.split_once('/')?;
            let fits = [kind, of]
                .iter()
                .all(|part| !part.is_empty() && part.chars().all(is_word));
            fits.then_some(One::Mime(said))
        };
        let all: Vec<One> = said.into_iter().filter_map(one).collect();
        // `*/*` is everything.
        if all.contains(&One::Mime("*/*".into())) {
            return Accept::default();
        }
        Accept(all)
    }

    pub fn iter(&self) -> impl Iterator<Item = &One> {
        self.0.iter()
    }

    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Is a file of this name among them?
    pub fn fits(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let kind = MimeTypes::known().of_name(&name);
        self.is_everything()
            || self.0.iter().any(|one| match one {
                One::Extension(extension) => name
                    .strip_suffix(extension.as_str())
                    .is_some_and(|rest| rest.ends_with('.')),
                One::Mime(wanted) => kind.is_some_and(|kind| match wanted.strip_suffix('*') {
                    Some(group) => kind.starts_with(group),
                    None => kind == wanted,
                }),
            })
    }

    /// In words: `image/*, .csv`.
    pub fn words(&self) -> String {
        let word = |one: &One| match one {
            One::Mime(kind) => kind.clone(),
            One::Extension(extension) => format!(".{extension}"),
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_extensions_are_told_apart_and_the_rest_says_nothing() {
        let accept = Accept::parse(["image/*", ".CSV", "text/markdown", "rubbish", "", "/", "."]);
        assert_eq!(accept.words(), "image/*, .csv, text/markdown");
        for (name, fits) in [
            ("a.png", true),
            ("A.JPG", true),
            ("table.csv", true),
            ("csv", false),
            ("notes.md", true),
            ("notes.txt", false),
            ("none", false),
        ] {
            assert_eq!(accept.fits(name), fits, "{name}");
        }
        assert!(Accept::parse(["*/*", ".csv"]).fits("anything"));
        assert!(Accept::default().fits("anything"));
    }
}
