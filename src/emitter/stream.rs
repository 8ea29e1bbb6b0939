//! What a process writes, kept within bounds.

use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;

/// The beginning and the end of a stream of any length.
#[derive(Debug)]
pub(super) struct HeadTail {
    head: Vec<u8>,
    head_limit: usize,
    tail: Vec<u8>,
    tail_limit: usize,
    dropped: u64,
}

impl HeadTail {
    /// Keeps at most `limit` bytes: the first quarter from the beginning, the rest from the end.
    pub(super) fn new(limit: usize) -> Self {
        HeadTail {
            head: Vec::new(),
            head_limit: limit / 4,
            tail: Vec::new(),
            tail_limit: limit - limit / 4,
            dropped: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, tail) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(tail);
        // Twice the limit may gather before the front is cut, so that a byte is moved once at most on average.
        if self.tail.len() > 2 * self.tail_limit {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let excess = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    /// The text, which says how many bytes are left out in its middle; what is no UTF-8 is replaced.
    pub(super) fn into_text(mut self) -> String {
        self.cut();
        if self.dropped == 0 {
            self.head.append(&mut self.tail);
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        format!(
            "{}\n… {} bytes left out …\n{}",
            String::from_utf8_lossy(&self.head),
            self.dropped,
            String::from_utf8_lossy(&self.tail)
        )
    }
}

/// A stream cut into lines, as they become complete.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Where the next line starts.
    start: usize,
    /// Up to where there is no end of a line after `start`.
    searched: usize,
}

impl Lines {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole line, without its end.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        let Some(end) = memchr::memchr(b'\n', unsearched).map(|at| self.searched + at) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = self.bytes.get(self.start..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        self.start = end + 1;
        self.searched = self.start;
        Some(line)
    }

    /// What is there after the last line that was taken.
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

/// Makes reads and writes return at once.
pub(super) fn never_block(end: impl AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(&end)?;
    Ok(rustix::fs::fcntl_setfl(&end, flags | rustix::fs::OFlags::NONBLOCK)?)
}

/// The reading end of a process's pipe, which never blocks.
#[derive(Debug)]
pub(super) struct Pipe<R>(Option<R>);

impl<R: Read + AsFd> Pipe<R> {
    /// # Errors
    /// Where the pipe cannot be made non-blocking.
    pub(super) fn new(reader: R) -> io::Result<Self> {
        never_block(&reader)?;
        Ok(Pipe(Some(reader)))
    }

    /// The pipe, while some process may still write to it.
    pub(super) fn open(&self) -> Option<&R> {
        self.0.as_ref()
    }

    /// Reads what is there, up to the buffer's length; nothing where nothing is there yet. Closes at the end of the stream.
    pub(super) fn read<'b>(&mut self, buffer: &'b mut [u8]) -> &'b [u8] {
        let Some(reader) = &mut self.0 else { return &[] };
        match reader.read(buffer) {
            Ok(read) if read > 0 => buffer.get(..read).unwrap_or_default(),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => &[],
            _ => {
                self.0 = None;
                &[]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HeadTail, Lines};

    #[test]
    fn a_short_stream_is_kept_whole() {
        let mut kept = HeadTail::new(8);
        kept.push(b"abc");
        kept.push(b"defgh");
        assert_eq!(kept.into_text(), "abcdefgh");
    }

    #[test]
    fn a_long_stream_keeps_its_beginning_and_its_end() {
        let mut kept = HeadTail::new(8);
        for byte in b'a'..=b'z' {
            kept.push(&[byte]);
        }
        assert_eq!(kept.into_text(), "ab\n… 18 bytes left out …\nuvwxyz");
    }

    #[test]
    fn lines_come_when_they_are_whole() {
        let mut lines = Lines::default();
        lines.push(b"on");
        assert_eq!(lines.next(), None);
        lines.push(b"e\r\n\ntw");
        assert_eq!([lines.next(), lines.next(), lines.next()], [Some(b"one".to_vec()), Some(Vec::new()), None]);
        lines.push(b"o\n");
        assert_eq!([lines.next(), lines.next()], [Some(b"two".to_vec()), None]);
    }
}
