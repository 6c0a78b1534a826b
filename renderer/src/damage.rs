//! What changed between two display lists, as few rectangles. Items are matched by key and compared by pointer first; groups and
//! nested lists are entered, so that a clock that changes one digit damages that text's box and no more.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::display::{DisplayList, Item, Key, Op, Ops};
use crate::geometry::Rect;
use crate::software::IRect;

/// At most this many rectangles come out.
pub const MOST_RECTS: usize = 12;
/// Lists within lists deeper than this are damaged as a whole.
const MOST_DEPTH: u32 = 64;

/// The parts of the surface that `new` paints otherwise than `old`, in logical pixels of the lists. Nothing outside them differs.
pub fn diff(old: &DisplayList, new: &DisplayList) -> Vec<Rect> {
    let mut out = Vec::new();
    items(&old.items, &new.items, &mut out, MOST_DEPTH);
    merge(out)
}

/// Damage in physical pixels, rounded outward and kept to a `width × height` buffer.
pub fn physical(rects: &[Rect], scale: f32, width: u32, height: u32) -> Vec<IRect> {
    let side = |v: u32| i32::try_from(v).unwrap_or(i32::MAX);
    let buffer = IRect::new(0, 0, side(width), side(height));
    rects
        .iter()
        .map(|r| {
            let whole = |v: f32| v.clamp(-1.0e8, 1.0e8) as i32;
            let (x, y) = (whole((r.x * scale).floor()), whole((r.y * scale).floor()));
            let (right, bottom) = (
                whole((r.right() * scale).ceil()),
                whole((r.bottom() * scale).ceil()),
            );
            IRect::new(x, y, right - x, bottom - y).intersect(&buffer)
        })
        .filter(|r| !r.is_empty())
        .collect()
}

/// Snapping and antialiasing reach a pixel past what an op declares.
fn push(out: &mut Vec<Rect>, bounds: Rect) {
    if !bounds.is_empty() {
        out.push(bounds.inset(-1.0));
    }
}

fn items(old: &[Item], new: &[Item], out: &mut Vec<Rect>, depth: u32) {
    let mut places: HashMap<Key, usize> = HashMap::with_capacity(old.len());
    for (i, item) in old.iter().enumerate() {
        // Of two items with one key the first is matched; the other counts as gone.
        match places.entry(item.key()) {
            Entry::Occupied(_) => push(out, item.bounds()),
            Entry::Vacant(free) => {
                free.insert(i);
            }
        }
    }
    let mut matched: Vec<(usize, &Item)> = Vec::with_capacity(new.len());
    for item in new {
        match places.remove(&item.key()) {
            Some(i) => {
                one(&old[i], item, out, depth);
                matched.push((i, item));
            }
            None => push(out, item.bounds()),
        }
    }
    for i in places.into_values() {
        push(out, old[i].bounds());
    }
    // Of any two items that changed sides, at least one is not in the longest part that kept its order.
    let order: Vec<usize> = matched.iter().map(|(i, _)| *i).collect();
    if order.windows(2).all(|w| w[0] < w[1]) {
        return;
    }
    let kept = longest_rising(&order);
    for ((i, item), kept) in matched.into_iter().zip(kept) {
        if !kept {
            push(out, old[i].bounds());
            push(out, item.bounds());
        }
    }
}

fn one(old: &Item, new: &Item, out: &mut Vec<Rect>, depth: u32) {
    match (old, new) {
        (
            Item::Node {
                ops: a,
                at: at_a,
                clip: clip_a,
                ..
            },
            Item::Node {
                ops: b,
                at: at_b,
                clip: clip_b,
                ..
            },
        ) if at_a == at_b => {
            let reach = b.bounds.translate(*at_b).inset(-2.0);
            let uncut = |clip: &Rect| clip.intersect(&reach) == reach;
            if clip_a == clip_b || (uncut(clip_a) && uncut(clip_b)) {
                let mut inner = Vec::new();
                ops(a, b, &mut inner);
                out.extend(
                    inner
                        .into_iter()
                        .map(|r| r.translate(*at_b).intersect(&clip_b.inset(-1.0)))
                        .filter(|r| !r.is_empty()),
                );
                return;
            }
        }
        (
            Item::Group {
                opacity: oa,
                clip: ca,
                transform: ta,
                items: a,
                ..
            },
            Item::Group {
                opacity: ob,
                clip: cb,
                transform: tb,
                items: b,
                ..
            },
        ) if oa == ob && ca == cb && ta == tb && depth > 0 => {
            let mut inner = Vec::new();
            items(a, b, &mut inner, depth - 1);
            for r in inner {
                let r = cb.map_or(r, |(clip, _)| r.intersect(&clip.inset(-1.0)));
                if !r.is_empty() {
                    out.push(tb.map_or(r, |t| t.bounds(&r)));
                }
            }
            return;
        }
        (
            Item::Nested {
                list: a,
                at: at_a,
                clip: ca,
                radii: ra,
                ..
            },
            Item::Nested {
                list: b,
                at: at_b,
                clip: cb,
                radii: rb,
                ..
            },
        ) if at_a == at_b && ca == cb && ra == rb && depth > 0 => {
            if !Arc::ptr_eq(a, b) {
                let mut inner = Vec::new();
                items(&a.items, &b.items, &mut inner, depth - 1);
                out.extend(
                    inner
                        .into_iter()
                        .map(|r| r.translate(*at_b).intersect(&cb.inset(-1.0)))
                        .filter(|r| !r.is_empty()),
                );
            }
            return;
        }
        _ => {}
    }
    push(out, old.bounds());
    push(out, new.bounds());
}

/// The ops of a node that are not the same in both, in the node's coordinates.
fn ops(old: &Arc<Ops>, new: &Arc<Ops>, out: &mut Vec<Rect>) {
    if Arc::ptr_eq(old, new) {
        return;
    }
    let (a, b): (&[Op], &[Op]) = (&old.list, &new.list);
    if a.len() == b.len() {
        for (a, b) in a.iter().zip(b).filter(|(a, b)| a != b) {
            op(a, b, out);
        }
        return;
    }
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    for op in a[..a.len() - tail].iter().chain(&b[..b.len() - tail]) {
        push(out, op.bounds());
    }
}

/// Two ops that differ; of a text in its old place and colour only the letters that do.
fn op(a: &Op, b: &Op, out: &mut Vec<Rect>) {
    if let (
        Op::Text {
            block: a,
            origin,
            color,
            clip,
        },
        Op::Text {
            block: b,
            origin: origin_b,
            color: color_b,
            clip: clip_b,
        },
    ) = (a, b)
        && (origin, color, clip) == (origin_b, color_b, clip_b)
    {
        for r in a.difference(b) {
            let r = r.translate(*origin);
            push(out, clip.map_or(r, |c| r.intersect(&c)));
        }
        return;
    }
    push(out, a.bounds());
    push(out, b.bounds());
}

/// Which of `values` (all different) belong to one longest rising subsequence.
fn longest_rising(values: &[usize]) -> Vec<bool> {
    // `tails[n]`: the place of the smallest value that ends a rising run of n + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; values.len()];
    for (i, v) in values.iter().enumerate() {
        let n = tails.partition_point(|t| values[*t] < *v);
        before[i] = n.checked_sub(1).map(|n| tails[n]);
        if n == tails.len() {
            tails.push(i);
        } else {
            tails[n] = i;
        }
    }
    let mut kept = vec![false; values.len()];
    let mut at = tails.last().copied();
    while let Some(i) = at {
        kept[i] = true;
        at = before[i];
    }
    kept
}

/// Join rectangles where that adds little area, and in any case down to [`MOST_RECTS`].
fn merge(rects: Vec<Rect>) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::new();
    for mut r in rects {
        // What a join would paint for nothing, for each rectangle there is.
        while let Some((i, waste)) = cheapest(&out, &r) {
            let small = waste <= 0.25 * (area(&r) + area(&out[i])) || waste <= 256.0;
            if !small && out.len() < MOST_RECTS {
                break;
            }
            r = out.swap_remove(i).union(&r);
        }
        out.push(r);
    }
    out
}

fn cheapest(rects: &[Rect], r: &Rect) -> Option<(usize, f32)> {
    rects
        .iter()
        .map(|o| area(&o.union(r)) - area(o) - area(r) + area(&o.intersect(r)))
        .enumerate()
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

fn area(r: &Rect) -> f32 {
    r.w * r.h
}
