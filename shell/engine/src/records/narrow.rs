//! The value of a query over a table, from as few rows as decide it. eui-core's `records_value` makes every part of the answer; this
//! chooses the rows it is handed, and in which order, so that it says the same as over all of them:
//!
//! - Rows that surely fail a condition are left out. One that may hold stays in: the evaluator decides.
//! - Rows are handed over in the order the query asks for, so that its sort finds its work done.
//! - What is listed is decided by the first rows of that order; what is counted, summed and grouped by all of them. So these are two
//!   questions. The second one lists nothing and goes by the rows' rank in place of their id: the same order, told at a glance. Of
//!   groups only those are asked for again that changed ([`super::groups`]).
//!
//! Where any of this could make a difference (few rows, a column that has no one order, a query that reads ids) all rows are handed
//! over as they are.

use eui_core::host::{
    RecordRowRef, RecordsContext, RecordsFilter, RecordsQuery, RecordsSortKey, records_value,
};
use serde_json::Value;

use super::cell::{Cell, Condition};
use super::groups::{Groups, Rows};
use super::table::{Column, Slot, Table};

/// Up to this many rows are not worth choosing among.
const FEW: usize = 256;

/// What `query` says of the rows of `table`.
pub(super) fn value(table: &mut Table, query: &RecordsQuery, context: RecordsContext<'_>) -> Value {
    value_over(FEW, table, query, context)
}

fn value_over(
    few: usize,
    table: &mut Table,
    query: &RecordsQuery,
    context: RecordsContext<'_>,
) -> Value {
    narrowed(few, table, query, context)
        .or_else(|| records_value(&table.in_place(), query, context))
        .unwrap_or(Value::Null)
}

fn narrowed(
    few: usize,
    table: &mut Table,
    query: &RecordsQuery,
    context: RecordsContext<'_>,
) -> Option<Value> {
    if table.len() <= few || reads_id(query) {
        return None;
    }
    for filter in filters(query) {
        table.need(&filter.field);
    }
    let month = month(query, context);
    if let Some((field, _)) = &month {
        table.need(field);
    }
    let groups = Groups::asked(query, context.me);
    for field in groups.iter().flat_map(Groups::fields) {
        table.need(field);
    }
    if !table.prepare(&query.sort) {
        return None;
    }
    let mut groups = groups.map(|asked| table.take_groups(asked));
    let few_groups = groups.as_mut().filter(|groups| !groups.was_wide());
    let value = chosen(table, query, context, month, few_groups);
    table.keep_groups(groups);
    value
}

fn chosen(
    table: &Table,
    query: &RecordsQuery,
    context: RecordsContext<'_>,
    month: Option<(String, String)>,
    groups: Option<&mut Groups>,
) -> Option<Value> {
    let kept = kept(table, query, context.me, month);
    let is_kept = |slot: &&Slot| kept.get(**slot as usize) == Some(&true);
    let order = table.order(&query.sort)?;
    let in_order: Vec<RecordRowRef<'_>> = order
        .iter()
        .filter(is_kept)
        .filter_map(|slot| Some(table.row(*slot)?.as_ref()))
        .collect();
    let limit = query.limit as usize;
    // Rows before a date are part of what is listed when values run on from them.
    let seeded = query.before.is_some() && !query.running.is_empty() && query.group.is_empty();
    let sort = sort_of_groups(query).filter(|_| !seeded && in_order.len() > 2 * limit);
    let Some(sort) = sort else {
        return records_value(&in_order, query, context);
    };
    let rows = first(&in_order, query, context)?;
    if let Some(groups) = groups {
        let all = Rows {
            table,
            slots: order,
            kept: &kept,
        };
        if let Some(value) = groups.value(&all, rows.clone(), context) {
            return Some(value);
        }
    }
    let whole = RecordsQuery {
        sort,
        limit: 0,
        ..query.clone()
    };
    let by_rank = if only_counts(query) {
        let rows = table.iter().filter(|(slot, _)| is_kept(&slot));
        rows.map(|(_, row)| row.as_ref()).collect()
    } else {
        in_order
    };
    let mut value = ranked(by_rank, |rows| records_value(rows, &whole, context))?;
    value["rows"] = rows;
    Some(value)
}

/// What is listed: asked of the first rows, and of more where some of them do not hold after all.
fn first(
    in_order: &[RecordRowRef<'_>],
    query: &RecordsQuery,
    context: RecordsContext<'_>,
) -> Option<Value> {
    let listed = RecordsQuery {
        group: Vec::new(),
        aggregate: Vec::new(),
        sum: None,
        // Values that run over groups are not listed.
        running: if query.group.is_empty() {
            query.running.clone()
        } else {
            Vec::new()
        },
        ..query.clone()
    };
    let limit = query.limit as usize;
    let mut take = limit;
    loop {
        let rows = &in_order[..take.min(in_order.len())];
        let listed = records_value(rows, &listed, context)?["rows"].take();
        if take >= in_order.len() || listed.as_array().map_or(0, Vec::len) >= limit {
            return Some(listed);
        }
        take = 4 * take.max(1);
    }
}

/// Does nothing of the answer but the listed rows depend on the order of the rows?
fn only_counts(query: &RecordsQuery) -> bool {
    query.sum.is_none()
        && query.aggregate.is_empty()
        && query.group.is_empty()
        && query.running.is_empty()
        && query.month.is_none()
        && query.before.is_none()
}

/// The part of the sort that the groups are ordered by, where rows that are sorted by it alone, and else as they are, stay in the order
/// of the whole sort.
fn sort_of_groups(query: &RecordsQuery) -> Option<Vec<RecordsSortKey>> {
    let of_groups = |key: &&RecordsSortKey| is_group_column(query, &key.field);
    if query.group.is_empty() {
        return Some(Vec::new());
    }
    let all = query.sort.iter().filter(of_groups).count();
    let leading = query.sort.iter().take_while(of_groups).count();
    (all == leading).then(|| query.sort[..leading].to_vec())
}

/// Is this a column of a query's groups, which they are sorted by where the query sorts by it?
pub(super) fn is_group_column(query: &RecordsQuery, name: &str) -> bool {
    let grouped = |field: &str| query.group.iter().any(|group| group.field == field);
    grouped(name)
        || (name == "authorId" && grouped("author"))
        || name == "count"
        || (name == "sum" && query.sum.is_some())
        || query.aggregate.iter().any(|a| a.name == name)
}

/// Every condition of a query, alternatives too.
fn filters(query: &RecordsQuery) -> impl Iterator<Item = &RecordsFilter> {
    query.where_.iter().chain(query.or.iter().flatten())
}

/// Is there anything but the listed rows that an id goes into?
fn reads_id(query: &RecordsQuery) -> bool {
    let fields = filters(query)
        .map(|filter| &filter.field)
        .chain(query.group.iter().map(|group| &group.field))
        .chain(
            query
                .aggregate
                .iter()
                .filter_map(|aggregate| aggregate.field.as_ref()),
        )
        .chain(query.running.iter().map(|running| &running.field))
        .chain(query.before.iter().map(|before| &before.field));
    let sorted_by = query.sort.iter().map(|key| &key.field);
    let grouped = !query.group.is_empty();
    fields
        .chain(sorted_by.filter(|_| grouped))
        .any(|field| field == "id")
}

/// The field and the beginning of the days of the month a query is about, where rows of other months are of no account.
fn month(query: &RecordsQuery, context: RecordsContext<'_>) -> Option<(String, String)> {
    // It is read from the data alone, which has no such keys.
    let view = query.month.as_ref().filter(|_| query.before.is_none())?;
    let key = match &view.key {
        Some(key) => key.clone(),
        None => context.now.chars().take(7).collect(),
    };
    (!ROW_KEYS.contains(&view.field.as_str())).then(|| (view.field.clone(), key))
}

/// Which slots hold a row that may be in the answer.
fn kept(
    table: &Table,
    query: &RecordsQuery,
    me: Option<&str>,
    month: Option<(String, String)>,
) -> Vec<bool> {
    type Read<'a> = (Option<&'a Column>, Condition);
    let read = |filters: &[RecordsFilter]| -> Vec<Read<'_>> {
        let read = |filter: &RecordsFilter| (table.column(&filter.field), Condition::of(filter));
        filters.iter().map(read).collect()
    };
    let holds = |conditions: &[Read<'_>], slot: Slot| {
        conditions.iter().all(|(column, condition)| {
            column.is_none_or(|column| condition.may_hold(column.cell(slot)))
        })
    };
    let all = read(&query.where_);
    let any: Vec<Vec<Read<'_>>> = query
        .or
        .iter()
        .map(|alternative| read(alternative))
        .collect();
    let month = month.and_then(|(field, key)| Some((table.column(&field)?, key)));
    let in_month = |slot: Slot| match &month {
        Some((column, key)) => match column.cell(slot) {
            Cell::Text(day) => day.starts_with(key.as_str()),
            Cell::Empty => key.is_empty(),
            Cell::Number(_) | Cell::Unsure => true,
        },
        None => true,
    };
    let theirs = |author: Option<&str>| {
        (!query.mine || (me.is_some() && author == me))
            && query
                .user
                .as_deref()
                .is_none_or(|user| author == Some(user))
    };
    let mut kept = Vec::new();
    for (slot, row) in table.iter() {
        let keep = holds(&all, slot)
            && (any.is_empty() || any.iter().any(|alternative| holds(alternative, slot)))
            && in_month(slot)
            && ((!query.mine && query.user.is_none()) || theirs(row.as_ref().author()));
        if keep {
            kept.resize(slot as usize + 1, false);
            kept[slot as usize] = true;
        }
    }
    kept
}

/// The keys that every row has beside its data.
pub(super) const ROW_KEYS: [&str; 5] = ["id", "createdAt", "updatedAt", "createdBy", "authorId"];

/// How long a rank is.
const RANK: usize = 4;

/// `n` texts of [`RANK`] characters, one after the other, each after the one before it.
fn ranks(n: usize) -> String {
    let digit = |rank: usize, shift: usize| char::from(b'0' + ((rank >> shift) & 63) as u8);
    (0..n)
        .flat_map(|rank| [18, 12, 6, 0].map(|shift| digit(rank, shift)))
        .collect()
}

/// Ask with rows whose ids are their ranks.
pub(super) fn ranked<R>(
    rows: Vec<RecordRowRef<'_>>,
    ask: impl FnOnce(&[RecordRowRef<'_>]) -> R,
) -> R {
    let names = ranks(rows.len());
    let named = rows.into_iter().zip(names.as_bytes().chunks(RANK));
    let named: Vec<RecordRowRef<'_>> = named
        .filter_map(|(row, id)| {
            let id = std::str::from_utf8(id).ok()?;
            Some(RecordRowRef { id, ..row })
        })
        .collect();
    ask(&named)
}

/// The number that a rank stands for.
pub(super) fn rank(id: &str) -> Option<usize> {
    let digit = |byte: u8| byte.checked_sub(b'0').map(usize::from);
    id.bytes()
        .try_fold(0, |rank, byte| Some(rank << 6 | digit(byte)?))
}

#[cfg(test)]
mod tests;
