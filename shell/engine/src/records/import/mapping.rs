//! Which column each field takes, by name alone.

/// Fields and the columns they take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping(Vec<(String, usize, String)>);

impl Mapping {
    /// Match `fields` to the columns of `header`: the column of the same name, else the only one whose name contains the
    /// field's. Case, spaces and punctuation do not count; a column goes to one field at most.
    pub(super) fn of<'a>(
        fields: impl Iterator<Item = &'a str> + Clone,
        header: &[String],
    ) -> Mapping {
        let columns: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let mut mapping = Mapping::default();
        for field in fields.clone() {
            let same = columns.iter().position(|column| *column == plain(field));
            mapping.take(field, same, header);
        }
        for field in fields {
            if mapping.column(field).is_some() {
                continue;
            }
            let mut containing = (0..columns.len()).filter(|column| {
                !mapping.taken(*column) && columns[*column].contains(&plain(field))
            });
            let only = containing.next().filter(|_| containing.next().is_none());
            mapping.take(field, only, header);
        }
        mapping
    }

    fn take(&mut self, field: &str, column: Option<usize>, header: &[String]) {
        if let Some(column) = column.filter(|column| !self.taken(*column)) {
            self.0
                .push((field.to_owned(), column, header[column].clone()));
        }
    }

    fn taken(&self, column: usize) -> bool {
        self.0.iter().any(|(_, taken, _)| *taken == column)
    }

    /// The column `field` takes, from 0.
    pub(super) fn column(&self, field: &str) -> Option<usize> {
        self.0
            .iter()
            .find(|(name, ..)| name == field)
            .map(|(_, column, _)| *column)
    }

    /// Each field with the name of its column.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(field, _, header)| (field.as_str(), header.as_str()))
    }
}

/// A name without case, spaces and punctuation.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(fields: &[&str], header: &[&str]) -> Vec<(String, String)> {
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let mapping = Mapping::of(fields.iter().copied(), &header);
        mapping
            .pairs()
            .map(|(field, column)| (field.to_owned(), column.to_owned()))
            .collect()
    }

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect()
    }

    #[test]
    fn names_match_without_case_spaces_and_punctuation() {
        assert_eq!(
            pairs(&["hoursWorked", "day"], &["DAY!", "Hours  worked"]),
            owned(&[("hoursWorked", "Hours  worked"), ("day", "DAY!")])
        );
    }

    #[test]
    fn a_name_inside_one_column_matches_and_inside_two_does_not() {
        assert_eq!(
            pairs(&["hours"], &["Total hours", "Note"]),
            owned(&[("hours", "Total hours")])
        );
        assert_eq!(
            pairs(&["hours"], &["Total hours", "Open hours"]),
            owned(&[])
        );
    }

    #[test]
    fn a_column_goes_to_one_field_and_the_same_name_wins() {
        assert_eq!(
            pairs(&["day", "birthday"], &["Birthday"]),
            owned(&[("birthday", "Birthday")])
        );
    }
}
