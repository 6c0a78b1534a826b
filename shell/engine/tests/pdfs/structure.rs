//! A PDF as the format says, read without the code that wrote it.

/// What stands in a file. Reading it checks: every object is where the table says, every stream as long as it says.
#[derive(Debug)]
pub struct Structure {
    pub pages: usize,
    /// Pages it says it has.
    count: usize,
    /// Objects that are images.
    pub images: usize,
    /// The lowest and the highest thing set on a page (points from below).
    pub lowest: f64,
    pub highest: f64,
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}

/// The number after the first `key`.
fn number(text: &str, key: &str) -> Option<usize> {
    let after = text.split_once(key)?.1.trim_start();
    let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

impl Structure {
    pub fn of(bytes: &[u8]) -> Structure {
        assert!(bytes.starts_with(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"));
        let end = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(200)..]).into_owned();
        assert!(end.ends_with("%%EOF\n"));
        let table = number(end.rsplit_once("trailer").unwrap().1, "startxref").unwrap();
        let table = std::str::from_utf8(&bytes[table..]).unwrap();
        let mut lines = table.split('\n');
        assert_eq!(lines.next(), Some("xref"));
        let size: usize = lines
            .next()
            .unwrap()
            .strip_prefix("0 ")
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(lines.next(), Some("0000000000 65535 f "));
        let mut structure = Structure {
            pages: 0,
            count: 0,
            images: 0,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
        };
        let mut before = 15;
        for id in 1..size {
            let row = lines.next().unwrap();
            let (start, rest) = row.split_at(10);
            assert_eq!(rest, " 00000 n ");
            let start: usize = start.parse().unwrap();
            assert_eq!(start, before, "object {id} begins where the last one ended");
            before = start + structure.object(&bytes[start..], id);
        }
        assert_eq!(lines.next(), Some("trailer"));
        assert_eq!(number(table, "/Size"), Some(size));
        assert_eq!(number(table, "startxref"), Some(before));
        assert_eq!(structure.count, structure.pages);
        structure
    }

    /// Read one object; answers its length.
    fn object(&mut self, bytes: &[u8], id: usize) -> usize {
        let head = format!("{id} 0 obj\n");
        assert!(bytes.starts_with(head.as_bytes()), "object {id}");
        let (stream, end) = (
            find(bytes, b"\nstream\n"),
            find(bytes, b"\nendobj\n").unwrap(),
        );
        let Some(at) = stream.filter(|at| *at < end) else {
            let body = std::str::from_utf8(&bytes[..end]).unwrap();
            self.pages += usize::from(body.contains("/Type /Page "));
            self.count += number(body, "/Count").unwrap_or_default();
            return end + b"\nendobj\n".len();
        };
        let dictionary = std::str::from_utf8(&bytes[..at]).unwrap();
        let length = number(dictionary, "/Length").unwrap();
        let (data, rest) = bytes[at + b"\nstream\n".len()..].split_at(length);
        let tail = b"\nendstream\nendobj\n";
        assert!(rest.starts_with(tail), "object {id} is as long as it says");
        if dictionary.contains("/Subtype /Image") {
            self.images += 1;
        } else {
            self.content(std::str::from_utf8(data).unwrap());
        }
        at + b"\nstream\n".len() + length + tail.len()
    }

    fn content(&mut self, operators: &str) {
        for operator in operators.lines() {
            let words: Vec<&str> = operator.split(' ').collect();
            let number = |at: usize| words[at].parse::<f64>().unwrap();
            let (bottom, top) = match words[0] {
                "BT" => (number(5), number(5) + number(2)),
                "q" => (number(6), number(6) + number(4)),
                other => panic!("an operator {other}"),
            };
            self.lowest = self.lowest.min(bottom);
            // Both are rounded.
            self.highest = self.highest.max(top - 0.01);
        }
    }
}
