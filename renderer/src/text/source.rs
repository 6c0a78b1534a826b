//! From a caller's string to the lines that are shaped: hard breaks, control characters, case; and the way back from a byte of
//! a shaped line to a byte of the caller's string.

use super::Span;

/// A stretch of a shaped line. Within a copied one bytes correspond one to one; any other stands as a whole for its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    shaped: usize,
    source: usize,
    copied: bool,
}

/// Where the bytes of a shaped line come from. `source` offsets are of the caller's whole string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByteMap {
    pieces: Vec<Piece>,
    shaped_end: usize,
    source_end: usize,
}

impl ByteMap {
    fn new(source: usize) -> ByteMap {
        ByteMap {
            pieces: vec![Piece {
                shaped: 0,
                source,
                copied: true,
            }],
            shaped_end: 0,
            source_end: source,
        }
    }

    /// `shaped` and `source` bytes more; `copied` when they are the same bytes.
    fn push(&mut self, shaped: usize, source: usize, copied: bool) {
        if shaped == 0 && source == 0 {
            return;
        }
        let same_kind = copied && self.pieces.last().is_some_and(|p| p.copied);
        let piece = Piece {
            shaped: self.shaped_end,
            source: self.source_end,
            copied,
        };
        if !same_kind {
            // A piece that holds nothing yet is replaced.
            match self.pieces.last_mut() {
                Some(last) if last.shaped == piece.shaped && last.source == piece.source => {
                    *last = piece;
                }
                _ => self.pieces.push(piece),
            }
        }
        self.shaped_end += shaped;
        self.source_end += source;
    }

    pub fn to_source(&self, shaped: usize) -> usize {
        if shaped >= self.shaped_end {
            return self.source_end;
        }
        let at = self.pieces.partition_point(|p| p.shaped <= shaped);
        let Some(piece) = at.checked_sub(1).and_then(|i| self.pieces.get(i)) else {
            return self.source_end;
        };
        if piece.copied {
            let next = self.pieces.get(at).map_or(self.source_end, |p| p.source);
            (piece.source + shaped - piece.shaped).min(next)
        } else {
            piece.source
        }
    }

    pub fn to_shaped(&self, source: usize) -> usize {
        if source >= self.source_end {
            return self.shaped_end;
        }
        let at = self.pieces.partition_point(|p| p.source <= source);
        let Some(piece) = at.checked_sub(1).and_then(|i| self.pieces.get(i)) else {
            return 0;
        };
        if piece.copied {
            let next = self.pieces.get(at).map_or(self.shaped_end, |p| p.shaped);
            (piece.shaped + source - piece.source).min(next)
        } else {
            piece.shaped
        }
    }

    /// Keep the first `shaped` bytes; what follows in the shaped line (an ellipsis of `extra` bytes) stands for nothing.
    pub fn cut(&mut self, shaped: usize, extra: usize) {
        self.source_end = self.to_source(shaped);
        self.pieces.retain(|p| p.shaped < shaped);
        self.shaped_end = shaped;
        self.push(extra, 0, false);
    }

    pub fn source_start(&self) -> usize {
        self.pieces.first().map_or(0, |p| p.source)
    }

    pub fn source_end(&self) -> usize {
        self.source_end
    }
}

/// A line between hard breaks, ready to be given faces.
#[derive(Clone, Debug)]
pub(super) struct HardLine {
    pub text: String,
    pub map: ByteMap,
}

/// The three changes of case CSS knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Keep,
    Upper,
    Lower,
    Title,
}

impl Case {
    pub fn parse(name: Option<&str>) -> Case {
        match name {
            Some("uppercase") => Case::Upper,
            Some("lowercase") => Case::Lower,
            Some("capitalize") => Case::Title,
            _ => Case::Keep,
        }
    }
}

/// At most this many bytes of one text are shaped, whatever a caller hands over.
pub(super) const MOST_BYTES: usize = 64 * 1024;
/// At most this many hard lines.
pub(super) const MOST_LINES: usize = 4096;

/// `text` cut at a character boundary.
pub(super) fn bounded(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The hard lines of `text`. `CRLF` is one break; the separators of Unicode break too.
pub(super) fn hard_lines(text: &str, case: Case) -> Vec<HardLine> {
    let mut lines = Vec::new();
    let mut start = 0;
    loop {
        let rest = &text[start..];
        let end = rest.find(is_break).unwrap_or(rest.len());
        lines.push(line(&rest[..end], start, case));
        let Some(c) = rest[end..].chars().next() else {
            break;
        };
        let both = c == '\r' && rest[end + 1..].starts_with('\n');
        start += end + c.len_utf8() + usize::from(both);
        if lines.len() == MOST_LINES {
            break;
        }
    }
    lines
}

fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

fn line(source: &str, start: usize, case: Case) -> HardLine {
    let mut map = ByteMap::new(start);
    let plain = case == Case::Keep && !source.chars().any(|c| c.is_control() && c != '\t');
    if plain {
        map.push(source.len(), source.len(), true);
        return HardLine {
            text: source.to_string(),
            map,
        };
    }
    let mut text = String::with_capacity(source.len());
    let mut in_word = false;
    for c in source.chars() {
        let (from, wide) = (text.len(), c.len_utf8());
        let case = match case {
            Case::Title if in_word => Case::Keep,
            Case::Title => Case::Upper,
            other => other,
        };
        in_word = c.is_alphanumeric() || (in_word && matches!(c, '\'' | '’'));
        match case {
            _ if c.is_control() && c != '\t' => {}
            Case::Upper => text.extend(c.to_uppercase()),
            Case::Lower => text.extend(c.to_lowercase()),
            Case::Keep | Case::Title => text.push(c),
        }
        map.push(text.len() - from, wide, text.len() - from == wide);
    }
    HardLine { text, map }
}

/// Put other text in the place of clusters: `clusters` covers the line in order, `None` keeps what is there.
pub(super) fn rewrite(line: &mut HardLine, clusters: &[(std::ops::Range<usize>, Option<String>)]) {
    let mut text = String::with_capacity(line.text.len());
    let mut map = ByteMap::new(line.map.source_start());
    for (range, new) in clusters {
        let from = line.map.to_source(range.start);
        // Bytes that had no place in the line (control characters) still have none.
        map.push(0, from.saturating_sub(map.source_end), false);
        let source = line.map.to_source(range.end).saturating_sub(from);
        match new {
            Some(new) => {
                text.push_str(new);
                map.push(new.len(), source, false);
            }
            None => {
                text.push_str(&line.text[range.clone()]);
                map.push(range.len(), source, range.len() == source);
            }
        }
    }
    map.push(0, line.map.source_end.saturating_sub(map.source_end), false);
    *line = HardLine { text, map };
}

/// Put a mark that has no width before the line, to give its paragraph a direction.
pub(super) fn prefix(line: &mut HardLine, mark: char) {
    let mut map = ByteMap::new(line.map.source_start());
    map.push(mark.len_utf8(), 0, false);
    let wide = mark.len_utf8();
    for p in &line.map.pieces {
        map.pieces.push(Piece {
            shaped: p.shaped + wide,
            ..*p
        });
    }
    map.shaped_end = line.map.shaped_end + wide;
    map.source_end = line.map.source_end;
    line.map = map;
    line.text.insert(0, mark);
}

/// Which span is on top from which byte of the source on, in order, starting at byte 0.
pub(super) fn span_changes(spans: &[Span]) -> Vec<(usize, Option<usize>)> {
    let mut edges: Vec<usize> = spans
        .iter()
        .flat_map(|s| [s.range.start, s.range.end])
        .collect();
    edges.push(0);
    edges.sort_unstable();
    edges.dedup();
    let mut changes: Vec<(usize, Option<usize>)> = Vec::with_capacity(edges.len());
    for at in edges {
        let top = spans
            .iter()
            .rposition(|s| s.range.start <= at && at < s.range.end);
        if changes.last().is_none_or(|(_, last)| *last != top) {
            changes.push((at, top));
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_break_ends_a_line_once() {
        let lines = hard_lines("a\r\nb\rc\u{2029}d\n", Case::Keep);
        let texts: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c", "d", ""]);
        assert_eq!(lines[1].map.source_start(), 3);
        assert_eq!(lines[4].map.source_start(), 11);
    }

    #[test]
    fn bytes_find_their_way_back_through_a_change_of_case() {
        let l = &hard_lines("aß\u{7}ıx", Case::Upper)[0];
        assert_eq!(l.text, "ASSIX");
        // a | ß (2 bytes) | bell | ı (2 bytes) | x
        assert_eq!(l.map.to_source(0), 0);
        assert_eq!(l.map.to_source(1), 1);
        assert_eq!(l.map.to_source(3), 4);
        assert_eq!(l.map.to_source(4), 6);
        assert_eq!(l.map.to_shaped(6), 4);
        assert_eq!(l.map.to_shaped(7), 5);
    }

    #[test]
    fn a_capital_starts_each_word_only() {
        assert_eq!(
            hard_lines("don't stop now", Case::Title)[0].text,
            "Don't Stop Now"
        );
    }

    #[test]
    fn replaced_clusters_stand_for_what_they_replace() {
        let mut l = hard_lines("\u{7f}!𐠀x", Case::Keep).remove(0);
        let clusters = [
            (0..1, None),
            (1..5, Some("\u{fffd}".to_string())),
            (5..6, None),
        ];
        rewrite(&mut l, &clusters);
        assert_eq!(l.text, "!\u{fffd}x");
        assert_eq!([0, 1, 4, 5].map(|i| l.map.to_source(i)), [1, 2, 6, 7]);
        assert_eq!([0, 1, 2, 6, 7].map(|i| l.map.to_shaped(i)), [0, 0, 1, 4, 5]);
    }

    #[test]
    fn a_cut_line_ends_where_its_text_ends() {
        let mut l = hard_lines("hello world", Case::Keep).remove(0);
        l.map.cut(5, 3);
        assert_eq!((l.map.to_source(5), l.map.to_source(8)), (5, 5));
        assert_eq!(l.map.source_end(), 5);
    }

    #[test]
    fn a_prefixed_mark_belongs_to_no_byte() {
        let mut l = hard_lines("x\nabc", Case::Keep).remove(1);
        prefix(&mut l, '\u{200f}');
        assert_eq!(
            (l.map.to_source(0), l.map.to_source(3), l.map.to_source(5)),
            (2, 2, 4)
        );
        assert_eq!((l.map.to_shaped(2), l.map.to_shaped(4)), (3, 5));
    }

    #[test]
    fn the_later_of_two_spans_wins() {
        let span = |range| Span {
            range,
            ..Span::default()
        };
        assert_eq!(
            span_changes(&[span(0..10), span(4..6)]),
            [(0, Some(0)), (4, Some(1)), (6, Some(0)), (10, None)]
        );
    }
}
