//! Counts what a server sends: one message has its size, and all that comes between two calls has its allowance. Whatever sends more
//! is not listened to any longer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// The largest message of a server (bytes).
pub const MESSAGE: usize = 1024 * 1024;
/// What a server may send from one call to the next (bytes): an answer, its list of tools, a few words beside them.
const ALLOWANCE: usize = 4 * MESSAGE;

/// What a connection has left, and whether it had not enough.
#[derive(Debug, Default)]
pub struct Gauge {
    left: AtomicUsize,
    spilled: AtomicBool,
}

impl Gauge {
    pub fn new() -> Arc<Gauge> {
        let gauge = Gauge::default();
        gauge.refill();
        Arc::new(gauge)
    }

    /// A call begins.
    pub fn refill(&self) {
        self.left.store(ALLOWANCE, Ordering::Relaxed);
    }

    /// This much has come. False when it was too much.
    pub fn take(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        let enough = (self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less))
        .is_ok();
        if !enough {
            self.spill();
        }
        enough
    }

    /// It sends too much.
    pub fn spill(&self) {
        self.spilled.store(true, Ordering::Relaxed);
    }

    /// Did it send too much?
    pub fn has_spilled(&self) -> bool {
        self.spilled.load(Ordering::Relaxed)
    }
}

/// A stream of lines that ends in an error when it sends too much, or too long a line.
pub struct Gauged<R> {
    from: R,
    line: usize,
    gauge: Arc<Gauge>,
}

impl<R> Gauged<R> {
    pub fn new(from: R, gauge: Arc<Gauge>) -> Gauged<R> {
        Gauged {
            from,
            line: 0,
            gauge,
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Gauged<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.from).poll_read(cx, into))?;
        if self.counts(before, into) {
            return Poll::Ready(Ok(()));
        }
        into.set_filled(before);
        Poll::Ready(Err(io::Error::other("it sends too much")))
    }
}

impl<R> Gauged<R> {
    /// Count what has come after `before`. False when it is too much.
    fn counts(&mut self, before: usize, into: &ReadBuf<'_>) -> bool {
        let came = &into.filled()[before..];
        for part in came.split_inclusive(|b| *b == b'\n') {
            self.line += part.len();
            if self.line > MESSAGE {
                self.gauge.spill();
                return false;
            }
            if part.ends_with(b"\n") {
                self.line = 0;
            }
        }
        self.gauge.take(came.len())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::io::AsyncReadExt;

    fn read(bytes: &[u8], gauge: &Arc<Gauge>) -> io::Result<usize> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut sink = Vec::new();
        let mut gauged = Gauged::new(bytes, gauge.clone());
        runtime.block_on(gauged.read_to_end(&mut sink))
    }

    #[test]
    fn a_line_and_all_lines_together_are_bounded() {
        let gauge = Gauge::new();
        let line = [&vec![b'x'; MESSAGE - 1][..], b"\n"].concat();
        assert_eq!(read(&line.repeat(4), &gauge).unwrap(), ALLOWANCE);
        assert!(!gauge.has_spilled());
        assert!(read(b"y", &gauge).is_err());
        assert!(gauge.has_spilled());

        let gauge = Gauge::new();
        for _ in 0..3 {
            gauge.refill();
            assert!(
                read(&line.repeat(4), &gauge).is_ok(),
                "each call has its own"
            );
        }
        gauge.refill();
        assert!(read(&vec![b'x'; MESSAGE + 1], &gauge).is_err());
        assert!(gauge.has_spilled());
    }
}
