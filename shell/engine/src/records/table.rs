//! The rows of one kind in memory, kept as they change: what was changed is replaced, and the columns and orders that queries have
//! asked for are mended rather than made anew. Decides nothing: which rows an answer is made from is [`super::narrow`]'s.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use eui_core::host::{RecordRow, RecordRowRef, RecordsOrder, RecordsSortKey};

use super::cell::{Cell, by_units};
use super::groups::Groups;

/// How many fields, orders and groupings are kept; the ones asked for first make room.
const COLUMNS: usize = 16;
const ORDERS: usize = 6;
const GROUPS: usize = 6;

/// A row with its place in the database, which is the order of rows that nothing else orders.
#[derive(Debug)]
pub(super) struct Placed {
    pub place: i64,
    pub row: RecordRow,
    /// About how many bytes it holds.
    pub bytes: usize,
}

/// A slot of the table; a row keeps its slot for as long as it is there.
pub(super) type Slot = u32;

/// One field of every row, by slot.
#[derive(Debug)]
pub(super) struct Column {
    field: String,
    cells: Vec<Cell>,
    numbers: usize,
    texts: usize,
    unsure: usize,
    /// Numbers whose sum may depend on the order they are added in.
    uneven: usize,
}

impl Column {
    fn count(&mut self, cell: &Cell, one: fn(usize, usize) -> usize) {
        match cell {
            Cell::Empty => {}
            Cell::Number(number) => {
                self.numbers = one(self.numbers, 1);
                if !is_even(*number) {
                    self.uneven = one(self.uneven, 1);
                }
            }
            Cell::Text(_) => self.texts = one(self.texts, 1),
            Cell::Unsure => self.unsure = one(self.unsure, 1),
        }
    }

    fn set(&mut self, slot: Slot, cell: Cell) {
        let at = slot as usize;
        if at >= self.cells.len() {
            self.cells.resize(at + 1, Cell::Empty);
        }
        self.count(&cell, |all, one| all + one);
        let before = std::mem::replace(&mut self.cells[at], cell);
        self.count(&before, |all, one| all - one);
    }

    /// The cell of a slot.
    pub fn cell(&self, slot: Slot) -> &Cell {
        self.cells.get(slot as usize).unwrap_or(&Cell::Empty)
    }

    /// Is the sum of its values the same however they are added, and rounded?
    pub fn adds_up(&self) -> bool {
        self.unsure == 0 && self.uneven == 0 && self.cells.len() <= MOST_ADDED
    }

    /// Is there one order of its values? Numbers among texts are compared in two ways, which may go round in circles.
    pub fn has_order(&self) -> bool {
        self.unsure == 0 && (self.numbers == 0 || self.texts == 0)
    }
}

/// So many values of [`is_even`] add up without loss.
const MOST_ADDED: usize = 1 << 15;

/// A number of 64ths, at most 2¹⁷: a sum of [`MOST_ADDED`] of them is below 2³², so that it is exact however it is added, and rounding
/// to six digits leaves it as it is (64ths have six, and a millionfold of it is a whole number below 2⁵³).
fn is_even(number: f64) -> bool {
    number.abs() <= 131_072.0 && (number * 64.0).fract() == 0.0
}

/// The slots in the order of a query.
#[derive(Debug)]
struct Order {
    sort: Vec<RecordsSortKey>,
    slots: Vec<Slot>,
    /// What changed since.
    touched: HashSet<Slot>,
}

/// The rows of one kind.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Option<Placed>>,
    by_id: HashMap<String, Slot>,
    bytes: usize,
    columns: Vec<Column>,
    orders: Vec<Order>,
    groups: Vec<Groups>,
}

impl Table {
    /// The table of `rows`.
    pub fn of(rows: impl IntoIterator<Item = Placed>) -> Table {
        let mut table = Table::default();
        for placed in rows {
            table.insert(placed);
        }
        table
    }

    fn insert(&mut self, placed: Placed) -> Slot {
        let slot = Slot::try_from(self.slots.len()).unwrap_or(Slot::MAX);
        self.by_id.insert(placed.row.id.clone(), slot);
        self.bytes += placed.bytes;
        self.slots.push(Some(placed));
        slot
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// About how many bytes the rows hold.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Is most of the table holes that rows have left?
    pub fn is_worn(&self) -> bool {
        self.slots.len() > 2 * self.len() + 1024
    }

    /// The row of record `id` is `placed` now, or gone.
    pub fn set(&mut self, id: &str, placed: Option<Placed>) {
        let known = self.by_id.get(id).copied();
        let slot = match (known, placed) {
            (None, None) => return,
            (None, Some(placed)) => self.insert(placed),
            (Some(slot), placed) => {
                if placed.is_none() {
                    self.by_id.remove(id);
                }
                self.bytes += placed.as_ref().map_or(0, |placed| placed.bytes);
                let before = std::mem::replace(&mut self.slots[slot as usize], placed);
                self.bytes -= before.map_or(0, |placed| placed.bytes);
                slot
            }
        };
        let placed = self.slots.get(slot as usize).and_then(Option::as_ref);
        for column in &mut self.columns {
            let cell = placed.map_or(Cell::Empty, |placed| cell_of(&placed.row, &column.field));
            column.set(slot, cell);
        }
        for order in &mut self.orders {
            order.touched.insert(slot);
        }
        for groups in &mut self.groups {
            groups.touch([slot]);
        }
    }

    /// The row of a slot.
    pub fn row(&self, slot: Slot) -> Option<&RecordRow> {
        let placed = self.slots.get(slot as usize)?.as_ref()?;
        Some(&placed.row)
    }

    /// The row of a record.
    pub fn get(&self, id: &str) -> Option<&RecordRow> {
        self.row(*self.by_id.get(id)?)
    }

    /// Every row with its slot, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &RecordRow)> {
        (0..)
            .zip(&self.slots)
            .filter_map(|(slot, placed)| Some((slot, &placed.as_ref()?.row)))
    }

    /// Every row, as the database has them.
    pub fn in_place(&self) -> Vec<RecordRowRef<'_>> {
        let mut all: Vec<&Placed> = self.slots.iter().flatten().collect();
        all.sort_by_key(|placed| placed.place);
        all.iter().map(|placed| placed.row.as_ref()).collect()
    }

    /// Make the column of `field`, unless it is there.
    pub fn need(&mut self, field: &str) {
        if self.columns.iter().any(|column| column.field == field) {
            return;
        }
        if self.columns.len() >= COLUMNS {
            self.columns.remove(0);
        }
        let mut column = Column {
            field: field.to_owned(),
            cells: Vec::with_capacity(self.slots.len()),
            numbers: 0,
            texts: 0,
            unsure: 0,
            uneven: 0,
        };
        for (slot, row) in self.iter() {
            column.set(slot, cell_of(row, field));
        }
        self.columns.push(column);
    }

    /// The column of `field`, where it was made.
    pub fn column(&self, field: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field == field)
    }

    /// Bring the order of `sort` up to date, equals by id; `false` where that is no order (see [`Column::has_order`]).
    pub fn prepare(&mut self, sort: &[RecordsSortKey]) -> bool {
        for key in sort {
            self.need(&key.field);
        }
        let known = self.orders.iter().position(|order| order.sort == sort);
        let mut order = match known {
            Some(at) => self.orders.remove(at),
            None => Order {
                sort: sort.to_vec(),
                slots: Vec::new(),
                touched: self.by_id.values().copied().collect(),
            },
        };
        let keys: Option<Vec<(&Column, RecordsOrder)>> = sort
            .iter()
            .map(|key| Some((self.column(&key.field)?, key.order)))
            .collect();
        let keys = keys.filter(|keys| keys.iter().all(|(column, _)| column.has_order()));
        let Some(keys) = keys else {
            return false;
        };
        if !order.touched.is_empty() {
            let touched = std::mem::take(&mut order.touched);
            order.slots.retain(|slot| !touched.contains(slot));
            let there = touched.into_iter().filter(|slot| self.row(*slot).is_some());
            merge(&mut order.slots, there, |a, b| self.compare(&keys, a, b));
        }
        if self.orders.len() >= ORDERS {
            self.orders.remove(0);
        }
        self.orders.push(order);
        true
    }

    /// Every slot in the order of `sort`, where that was prepared.
    pub fn order(&self, sort: &[RecordsSortKey]) -> Option<&[Slot]> {
        let order = self.orders.iter().find(|order| order.sort == sort)?;
        Some(&order.slots)
    }

    /// The groups that were kept for the question of `asked`, else those, with every row to be put in.
    pub fn take_groups(&mut self, mut asked: Groups) -> Groups {
        let known = self.groups.iter().position(|known| known.same(&asked));
        let known = known.map(|at| self.groups.remove(at));
        if let Some(known) = known
            && (!known.was_wide() || known.is_wide(self.len()))
        {
            return known;
        }
        asked.touch(self.by_id.values().copied());
        asked
    }

    /// Keep groups for the next time.
    pub fn keep_groups(&mut self, groups: Option<Groups>) {
        let Some(groups) = groups else { return };
        let groups = groups.kept(self.len());
        if self.groups.len() >= GROUPS {
            self.groups.remove(0);
        }
        self.groups.push(groups);
    }

    fn compare(&self, keys: &[(&Column, RecordsOrder)], a: Slot, b: Slot) -> Ordering {
        for (column, order) in keys {
            let found = column.cell(a).order(column.cell(b));
            if found.is_ne() {
                return match order {
                    RecordsOrder::Asc => found,
                    RecordsOrder::Desc => found.reverse(),
                };
            }
        }
        let id = |slot: Slot| self.row(slot).map_or("", |row| row.id.as_str());
        by_units(id(a), id(b))
    }
}

/// Put `more` where they belong among `slots`, which are in order.
fn merge(
    slots: &mut Vec<Slot>,
    more: impl Iterator<Item = Slot>,
    compare: impl Fn(Slot, Slot) -> Ordering,
) {
    const FEW: usize = 64;
    let mut more: Vec<Slot> = more.collect();
    if more.len() <= FEW {
        for slot in more {
            let at = slots.partition_point(|other| compare(*other, slot).is_lt());
            slots.insert(at, slot);
        }
    } else {
        // Rows come in the order they were made, which is most often near the one asked for.
        more.sort_unstable();
        slots.extend(more);
        slots.sort_by(|a, b| compare(*a, *b));
    }
}

/// A field of a row as eui-core's query names it: the keys every row has, else one of its data.
fn cell_of(row: &RecordRow, field: &str) -> Cell {
    let text = |text: Option<&str>| text.map_or(Cell::Empty, Cell::of_text);
    match field {
        "id" => text(Some(&row.id)),
        "createdAt" => text(Some(&row.created_at)),
        "updatedAt" => text(Some(&row.updated_at)),
        "createdBy" => text(row.created_by.as_deref()),
        "authorId" => text(row.as_ref().author()),
        _ => Cell::of(row.data.get(field)),
    }
}
