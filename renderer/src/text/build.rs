//! From a spec to a block: lines, faces, shaping, and the cut with its ellipsis.

use cosmic_text::{Buffer, BufferLine, FontSystem, LineEnding, Metrics, Shaping, Wrap};
use unicode_segmentation::UnicodeSegmentation;

use super::block::TextBlock;
use super::faces::{faces, plan, seam};
use super::place::finish;
use super::source::{self, Case, HardLine};
use super::{Direction, Fonts, TextSpec};
use crate::look::Align;

const ELLIPSIS: &str = "…";

/// Shape `spec`. Lines that `like`, a block of the same text at another width, has shaped alike are laid out from there.
pub(super) fn build(fonts: &mut Fonts, spec: &TextSpec<'_>, like: Option<&TextBlock>) -> TextBlock {
    let width = spec
        .width
        .filter(|w| !w.is_nan())
        .map(|w| w.clamp(0.0, 1.0e6));
    let limit = spec.lines.map(|n| n.max(1) as usize);
    let single = limit == Some(1) && width.is_some();
    let mut plan = plan(fonts, spec);
    let base = plan.runs[0].clone();

    let most = match (limit, width) {
        // No more than could show: the narrowest letters are wider than 0.15 em.
        (Some(n), Some(w)) => (n.min(1000) * (w / (base.size * 0.15)) as usize + 64) * 4,
        _ => source::MOST_BYTES,
    };
    let text = source::bounded(spec.text, most.min(source::MOST_BYTES));
    let mut hard = source::hard_lines(text, Case::parse(spec.style.text_transform.as_deref()));
    let mut more = text.len() < spec.text.len() || hard.len() == source::MOST_LINES;
    if let Some(n) = limit.filter(|n| hard.len() > *n) {
        hard.truncate(n);
        more = true;
    }

    let mut buffer = Buffer::new_empty(Metrics::new(base.size, base.line_height));
    let wrap = width.is_some() && !single;
    let fs = &mut fonts.system;
    buffer.set_wrap(fs, if wrap { Wrap::WordOrGlyph } else { Wrap::None });
    buffer.set_size(fs, width, None);
    let align = Some(match spec.align {
        Align::Left => cosmic_text::Align::Left,
        Align::Center => cosmic_text::Align::Center,
        Align::Right => cosmic_text::Align::Right,
        Align::Justify => cosmic_text::Align::Justified,
    });

    let mut maps = Vec::with_capacity(hard.len());
    let mut shown = 0;
    let mut cut = false;
    let count = hard.len();
    for (i, mut line) in hard.into_iter().enumerate() {
        direct(&mut line, spec.direction);
        let attrs = faces(fonts, &mut plan, &mut line);
        let ending = if i + 1 == count {
            LineEnding::None
        } else {
            LineEnding::Lf
        };
        let known = like
            .and_then(|block| block.buffer.lines.get(i))
            .filter(|known| {
                known.text() == line.text
                    && known.ending() == ending
                    && *known.attrs_list() == attrs
            });
        let mut shaped = match known {
            Some(known) => {
                let mut known = known.clone();
                known.reset_layout();
                known
            }
            None => BufferLine::new(line.text, ending, attrs, Shaping::Advanced),
        };
        shaped.set_align(align);
        buffer.lines.push(shaped);
        maps.push(line.map);
        let fs = &mut fonts.system;
        let laid = buffer.line_layout(fs, i).unwrap_or(&[]);
        let (rows, wide) = (laid.len(), laid.first().map_or(0.0, |l| l.w));
        let last = i + 1 == count;
        let full = limit.is_some_and(|n| shown + rows >= n);
        if !(full || last && more) {
            shown += rows;
            continue;
        }
        let rows_left = limit.map_or(usize::MAX, |n| n - shown);
        let too_long = rows > rows_left || (single && wide > width.unwrap_or(f32::MAX) + 0.01);
        if too_long || more || !last {
            let room = Room {
                rows: rows_left,
                width: width.unwrap_or(f32::MAX),
                single,
                overflows: too_long,
            };
            if let Some(map) = maps.last_mut() {
                let (kept, added) = shorten(fs, &mut buffer, i, &room);
                map.cut(kept, added);
                cut = true;
            }
        }
        break;
    }

    // Without a width the block is as wide as its widest line, and the others align in that.
    let fs = &mut fonts.system;
    if width.is_none() && buffer.lines.len() > 1 {
        let rtl = buffer
            .lines
            .iter()
            .any(|l| l.shape_opt().is_some_and(|s| s.rtl));
        if rtl || spec.align != Align::Left {
            let widest = buffer
                .layout_runs()
                .fold(0.0_f32, |w, run| w.max(run.line_w));
            buffer.set_size(fs, Some(widest), None);
        }
    }
    finish(fonts, spec, buffer, maps, plan, cut)
}

/// Give the line its direction where the shaper would give it another, also once it is cut.
fn direct(line: &mut HardLine, direction: Direction) {
    if direction.is_rtl(&line.text) {
        source::prefix(line, '\u{200f}');
    } else if direction == Direction::LeftToRight && !line.text.is_ascii() {
        source::prefix(line, '\u{200e}');
    }
}

/// Where a shortened line has to fit.
struct Room {
    rows: usize,
    width: f32,
    single: bool,
    /// The whole line does not fit; else it is shortened only because more lines follow.
    overflows: bool,
}

/// Cut line `i` so that it and an ellipsis fit. Returns how many of its bytes stay and how many were added.
fn shorten(fs: &mut FontSystem, buffer: &mut Buffer, i: usize, room: &Room) -> (usize, usize) {
    let original = buffer.lines[i].clone();
    let text = original.text().to_string();
    let size = buffer.metrics().font_size;
    let mut keep = text.len();
    if room.overflows {
        // The last row in reading order: whole clusters while they and the ellipsis fit.
        let rows = buffer.line_layout(fs, i).unwrap_or(&[]);
        let row = if room.single { 0 } else { room.rows - 1 };
        let mut glyphs: Vec<_> = rows
            .get(row..)
            .unwrap_or(&[])
            .iter()
            .flat_map(|l| &l.glyphs)
            .map(|g| (g.start, g.end, g.w))
            .collect();
        glyphs.sort_by_key(|g| g.0);
        let mut left = room.width - size;
        keep = glyphs.first().map_or(0, |g| g.0);
        for (_, end, w) in glyphs {
            left -= w;
            if left < 0.0 {
                break;
            }
            keep = end;
        }
        // One em was set aside: more may fit. Try a few clusters further and come back below.
        let further = text[keep..]
            .graphemes(true)
            .take(4)
            .map(str::len)
            .sum::<usize>();
        keep += further;
    }
    loop {
        keep = text[..keep].trim_end().len();
        let mut list = original.attrs_list().clone();
        if keep < text.len() {
            list.split_off(keep);
        }
        let mut short = text[..keep].to_string();
        short.extend(seam(&short, ELLIPSIS));
        short.push_str(ELLIPSIS);
        let added = short.len() - keep;
        list.add_span(keep..short.len(), &original.attrs_list().defaults());
        let mut line = BufferLine::new(short, LineEnding::None, list, Shaping::Advanced);
        line.set_align(original.align());
        buffer.lines[i] = line;
        let rows = buffer.line_layout(fs, i).unwrap_or(&[]);
        let fits = rows.len() <= room.rows
            && (!room.single || rows.iter().all(|r| r.w <= room.width + 0.01));
        if fits || keep == 0 {
            return (keep, added);
        }
        keep = text[..keep]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(at, _)| at);
    }
}
