//! The groups of a query, kept as the rows change: what was changed is in one group or two, and of those alone the evaluator is asked
//! again. eui-core's `records_value` makes every group (from the rows of that group, in the order of the query), puts the groups in order
//! and adds up; this knows which row is in which group, and which groups are others now.
//!
//! The sum of everything is the sum of the groups only where no order of adding makes a difference; elsewhere, and for totals, the evaluator
//! adds up all rows.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use eui_core::dates::date_bucket;
use eui_core::host::{
    RecordRowRef, RecordsContext, RecordsGroupKey, RecordsOrder, RecordsQuery, RecordsSortKey,
    canonical_json, records_value,
};
use eui_core::json::number_to_string;
use serde_json::{Map, Value, json};

use super::cell::by_units;
use super::narrow::{ROW_KEYS, is_group_column, rank, ranked};
use super::table::{Slot, Table};

/// More groups than this are not kept.
const MOST: usize = 2048;

/// The groups of one question.
#[derive(Debug)]
pub(super) struct Groups {
    query: RecordsQuery,
    me: Option<String>,
    /// The group of each slot, by number.
    of: Vec<Option<u32>>,
    all: Vec<Group>,
    numbers: HashMap<Vec<String>, u32>,
    /// What changed since.
    pub touched: HashSet<Slot>,
    /// Over so many rows there were too many of them, and they were let go.
    wide: Option<usize>,
}

#[derive(Debug)]
struct Group {
    /// What its rows have in common, a text for each key.
    parts: Vec<String>,
    /// As the evaluator makes it; `None` where none of its rows holds.
    value: Option<Map<String, Value>>,
    stale: bool,
}

/// The rows that the answer is made from.
pub(super) struct Rows<'a> {
    pub table: &'a Table,
    /// Their slots, in the order of the query.
    pub slots: &'a [Slot],
    /// Which of those may be in it.
    pub kept: &'a [bool],
}

impl Rows<'_> {
    fn holds(&self, slot: Slot) -> bool {
        self.kept.get(slot as usize) == Some(&true)
    }
}

impl Groups {
    /// The groups of a question that has some which can be kept, of no rows yet.
    pub fn asked(query: &RecordsQuery, me: Option<&str>) -> Option<Groups> {
        // These run over the groups, or make days of them; and a column by the name of a row's own key is not read from the data.
        let apart = query.month.is_none() && query.before.is_none() && query.running.is_empty();
        let names = query.group.iter().map(|key| key.field.as_str());
        let names = names.chain(query.aggregate.iter().map(|a| a.name.as_str()));
        let own = |name: &str| ROW_KEYS.contains(&name);
        let plain = names.chain(query.sum.as_deref()).all(|name| !own(name));
        // An aggregate may be numbers here and texts there, which have no one order.
        let aggregate = |name: &String| query.aggregate.iter().any(|a| a.name == *name);
        let ordered = !query.sort.iter().any(|key| aggregate(&key.field));
        (!query.group.is_empty() && apart && plain && ordered).then(|| Groups {
            query: RecordsQuery {
                limit: 0,
                ..query.clone()
            },
            me: me.map(str::to_owned),
            of: Vec::new(),
            all: Vec::new(),
            numbers: HashMap::new(),
            touched: HashSet::new(),
            wide: None,
        })
    }

    /// These rows are others now.
    pub fn touch(&mut self, slots: impl IntoIterator<Item = Slot>) {
        if self.wide.is_none() {
            self.touched.extend(slots);
        }
    }

    /// Are there too many groups over this many rows, as far as is known?
    pub fn is_wide(&self, rows: usize) -> bool {
        // With half of the rows gone it is worth another look.
        self.wide.is_some_and(|wide| rows > wide / 2)
    }

    /// Were there too many when they were last made?
    pub fn was_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// As they are kept: where there are too many, that alone.
    pub fn kept(self, rows: usize) -> Groups {
        if self.wide.is_some() || !self.is_worn() {
            return self;
        }
        Groups {
            of: Vec::new(),
            all: Vec::new(),
            numbers: HashMap::new(),
            touched: HashSet::new(),
            wide: Some(rows),
            ..self
        }
    }

    /// Are both of the same question?
    pub fn same(&self, other: &Groups) -> bool {
        self.query == other.query && self.me == other.me
    }

    /// How many there are, those that have lost their rows among them.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Too many to be kept?
    fn is_worn(&self) -> bool {
        self.len() > MOST
    }

    /// The answer over `rows`, of which it lists `listed`. `None` where that is not for this to say.
    pub fn value(
        &mut self,
        rows: &Rows<'_>,
        listed: Value,
        context: RecordsContext<'_>,
    ) -> Option<Value> {
        self.place(rows);
        if self.is_worn() || !self.has_order(rows.table) {
            return None;
        }
        self.mend(rows, context)?;
        let mut value = match self.added_up(rows.table, context) {
            Some(value) => value,
            None => self.over_all(rows, context)?,
        };
        value.insert("rows".into(), listed);
        value.insert("groups".into(), self.in_order(context)?);
        Some(Value::Object(value))
    }

    /// The fields whose columns are needed.
    pub fn fields(&self) -> impl Iterator<Item = &String> {
        let grouped = self.query.group.iter().map(|key| &key.field);
        grouped.chain(&self.query.sum)
    }

    /// Is there one order of the groups? What days fall into is text, always.
    fn has_order(&self, table: &Table) -> bool {
        let mut by_value = self.query.group.iter().filter(|key| key.bucket.is_none());
        by_value.all(|key| {
            key.field == "author" || table.column(&key.field).is_some_and(|c| c.has_order())
        })
    }

    /// Put every row that changed into its group, and have the groups it leaves and enters made again.
    fn place(&mut self, rows: &Rows<'_>) {
        for slot in std::mem::take(&mut self.touched) {
            let at = slot as usize;
            if at >= self.of.len() {
                self.of.resize(at + 1, None);
            }
            let row = rows.table.row(slot).filter(|_| rows.holds(slot));
            let parts = row.map(|row| {
                let row = row.as_ref();
                let part = |key: &RecordsGroupKey| part(key, &row);
                self.query.group.iter().map(part).collect::<Vec<_>>()
            });
            let now = parts.map(|parts| self.number(parts));
            let before = std::mem::replace(&mut self.of[at], now);
            for group in [before, now].into_iter().flatten() {
                self.all[group as usize].stale = true;
            }
        }
    }

    fn number(&mut self, parts: Vec<String>) -> u32 {
        if let Some(known) = self.numbers.get(&parts) {
            return *known;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.numbers.insert(parts.clone(), number);
        self.all.push(Group {
            parts,
            value: None,
            stale: true,
        });
        number
    }

    /// Have the stale groups made.
    fn mend(&mut self, rows: &Rows<'_>, context: RecordsContext<'_>) -> Option<()> {
        let mut members: HashMap<u32, Vec<RecordRowRef<'_>>> = HashMap::new();
        let stale = (0..).zip(&self.all).filter(|(_, group)| group.stale);
        members.extend(stale.map(|(number, _)| (number, Vec::new())));
        if members.is_empty() {
            return Some(());
        }
        for slot in rows.slots.iter().filter(|slot| rows.holds(**slot)) {
            let group = self.of.get(*slot as usize).copied().flatten();
            let members = group.and_then(|group| members.get_mut(&group));
            if let (Some(members), Some(row)) = (members, rows.table.row(*slot)) {
                members.push(row.as_ref());
            }
        }
        let query = RecordsQuery {
            sort: Vec::new(),
            ..self.query.clone()
        };
        for (number, members) in members {
            let made = ranked(members, |rows| records_value(rows, &query, context));
            let mut made = match made?["groups"].take() {
                Value::Array(groups) => groups,
                _ => return None,
            };
            let group = &mut self.all[number as usize];
            group.value = match (made.pop(), made.is_empty()) {
                (None, _) => None,
                (Some(Value::Object(value)), true) => Some(value),
                // Two where this saw one.
                _ => return None,
            };
            group.stale = false;
        }
        Some(())
    }

    /// What is said of all rows, from what is said of each group; `None` where that may be something else.
    fn added_up(&self, table: &Table, context: RecordsContext<'_>) -> Option<Map<String, Value>> {
        if !self.query.aggregate.is_empty() {
            return None;
        }
        let made = || self.all.iter().filter_map(|group| group.value.as_ref());
        let count = made().map(|group| group["count"].as_u64());
        let count = count.sum::<Option<u64>>()?;
        let mut value = Map::new();
        value.insert("rows".into(), Value::Null);
        value.insert("count".into(), json!(count));
        if let Some(field) = &self.query.sum {
            if !table.column(field).is_some_and(|c| c.adds_up()) {
                return None;
            }
            let sum = made()
                .map(|group| group["sum"].as_f64())
                .sum::<Option<f64>>()?;
            // How a number is written is the evaluator's too.
            let query = RecordsQuery {
                from: self.query.from.clone(),
                sum: Some(field.clone()),
                limit: 0,
                ..RecordsQuery::default()
            };
            let data = json!({field.as_str(): sum});
            let kind = self.query.from.as_deref()?;
            let alone = records_value(&[made_up("", kind, &data)], &query, context)?;
            value.insert("sum".into(), alone["sum"].clone());
        }
        Some(value)
    }

    /// What is said of all rows, by the evaluator.
    fn over_all(&self, rows: &Rows<'_>, context: RecordsContext<'_>) -> Option<Map<String, Value>> {
        let query = RecordsQuery {
            sort: Vec::new(),
            group: Vec::new(),
            ..self.query.clone()
        };
        let kept = rows.slots.iter().filter(|slot| rows.holds(**slot));
        let all = kept.filter_map(|slot| Some(rows.table.row(*slot)?.as_ref()));
        match ranked(all.collect(), |rows| records_value(rows, &query, context))? {
            Value::Object(value) => Some(value),
            _ => None,
        }
    }

    /// The groups in the order of the query: by those of its keys that are columns of a group, then by what they have in common. Compared by
    /// the evaluator, as rows that hold those columns.
    fn in_order(&self, context: RecordsContext<'_>) -> Option<Value> {
        let made = self.all.iter();
        let mut made: Vec<(&[String], &Map<String, Value>)> = made
            .filter_map(|group| Some((&group.parts[..], group.value.as_ref()?)))
            .collect();
        // What the evaluator finds equal stays so.
        made.sort_by(|(a, _), (b, _)| by_parts(a, b));
        let is_column = |key: &&RecordsSortKey| is_group_column(&self.query, &key.field);
        let then = self.query.group.iter().map(|key| RecordsSortKey {
            field: key.field.clone(),
            order: RecordsOrder::Asc,
        });
        let sort = self.query.sort.iter().filter(is_column).cloned();
        let query = RecordsQuery {
            from: self.query.from.clone(),
            sort: sort.chain(then).collect(),
            limit: u32::try_from(made.len()).ok()?,
            ..RecordsQuery::default()
        };
        let kind = self.query.from.as_deref()?;
        let columns: Vec<Value> = (made.iter())
            .map(|(_, value)| Value::Object((*value).clone()))
            .collect();
        let rows = columns.iter().map(|columns| made_up("", kind, columns));
        let sorted = ranked(rows.collect(), |rows| records_value(rows, &query, context))?;
        let sorted = sorted["rows"].as_array()?.iter();
        let numbers: Option<Vec<usize>> = sorted.map(|row| rank(row["id"].as_str()?)).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == columns.len())?;
        let in_order = numbers.iter().map(|n| columns.get(*n).cloned());
        in_order.collect::<Option<Vec<_>>>().map(Value::Array)
    }
}

/// A row that nobody wrote.
fn made_up<'a>(id: &'a str, kind: &'a str, data: &'a Value) -> RecordRowRef<'a> {
    RecordRowRef {
        id,
        kind,
        data,
        created_by: None,
        author_id: data.get("authorId").and_then(Value::as_str),
        created_at: "",
        updated_at: "",
    }
}

fn by_parts(a: &[String], b: &[String]) -> Ordering {
    let pairs = a.iter().zip(b);
    let mut found = pairs.map(|(a, b)| by_units(a, b));
    found.find(|found| found.is_ne()).unwrap_or(Ordering::Equal)
}

/// What a row has in common with others of its group, in the words of the evaluator.
fn part(key: &RecordsGroupKey, row: &RecordRowRef<'_>) -> String {
    if key.field == "author" {
        return row.author().unwrap_or_default().to_owned();
    }
    let text = text(row.data.get(&key.field));
    match key.bucket {
        Some(bucket) => date_bucket(&text, bucket).unwrap_or_default(),
        None => text,
    }
}

fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(Value::Number(n)) => number_to_string(n.as_f64().unwrap_or(0.0)),
        Some(other) => canonical_json(other),
    }
}
