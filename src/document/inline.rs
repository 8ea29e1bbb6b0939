//! Scalars that stand on one line, for the block reader.

use std::ops::Range;

use super::builder::{Builder, Written};
use super::notes::Notes;
use super::scalar::{Resolved, resolve};
use super::scalar_node::note_unstable;
use super::tree::{Kind, Style};

/// The text holds something that this reader leaves to the full parser.
#[derive(Debug)]
pub(super) struct NotSure;

/// Keys of more bytes than this are left to the full parser, which counts their characters.
const LONGEST_KEY: usize = 1024;

/// Bytes that may end a plain scalar.
const ENDS_PLAIN: [bool; 256] = {
    let mut ends = [false; 256];
    ends[b'\n' as usize] = true;
    ends[b':' as usize] = true;
    ends[b'#' as usize] = true;
    ends[b'\t' as usize] = true;
    ends[b'\r' as usize] = true;
    ends
};

/// A place in the text, and the tree so far.
pub(super) struct Cursor<'s> {
    source: &'s str,
    pub bytes: &'s [u8],
    pub at: usize,
    pub builder: Builder,
    pub notes: Notes,
    max_depth: usize,
}

/// A quoted scalar: its written form, and its value where that differs from what stands between the quotes.
pub(super) struct Quoted {
    written: Range<usize>,
    value: Option<String>,
}

/// A plain scalar, and whether a colon makes it a key.
pub(super) struct Plain {
    pub range: Range<usize>,
    pub is_key: bool,
}

impl<'s> Cursor<'s> {
    pub fn new(source: &'s str, max_depth: usize) -> Self {
        Cursor {
            source,
            bytes: source.as_bytes(),
            at: 0,
            builder: Builder::new(source.len()),
            notes: Notes::default(),
            max_depth,
        }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    pub fn slice(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// Skips spaces and returns how many.
    pub fn skip_spaces(&mut self) -> usize {
        let start = self.at;
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
        self.at - start
    }

    /// Skips to the start of the next line.
    pub fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |end| self.at + end + 1);
    }

    /// The line ends here, but for spaces and a comment.
    pub fn line_end(&mut self) -> Result<(), NotSure> {
        let spaces = self.skip_spaces();
        match self.peek() {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(b'#') if spaces > 0 => {
                self.skip_line();
                Ok(())
            }
            Some(_) => Err(NotSure),
        }
    }

    /// A dash that starts an entry, with something behind it on its line.
    pub fn is_at_dash(&self) -> bool {
        self.peek() == Some(b'-') && self.bytes.get(self.at + 1) == Some(&b' ')
    }

    /// Goes to the colon that makes what stands before it, from `start` on, a key; stays where there is none.
    pub fn is_at_colon(&mut self, start: usize) -> Result<bool, NotSure> {
        let end = self.at;
        self.skip_spaces();
        if self.peek() != Some(b':') {
            self.at = end;
            return Ok(false);
        }
        let spaced = matches!(self.bytes.get(self.at + 1), None | Some(b' ' | b'\n'));
        if spaced && self.at - start <= LONGEST_KEY { Ok(true) } else { Err(NotSure) }
    }

    /// Opens a collection.
    pub fn start(&mut self, kind: Kind, offset: usize) -> Result<(), NotSure> {
        if self.builder.depth() >= self.max_depth {
            return Err(NotSure);
        }
        self.builder.start(kind, offset);
        Ok(())
    }

    /// Closes the innermost collection.
    pub fn end(&mut self) {
        self.builder.end(self.source);
    }

    pub fn quoted(&mut self, quote: u8) -> Result<Quoted, NotSure> {
        if quote == b'"' { self.double_quoted() } else { self.single_quoted() }
    }

    pub fn push_quoted(&mut self, scalar: &Quoted) {
        let written = Written { offset: scalar.written.start, len: scalar.written.len() };
        match &scalar.value {
            Some(value) => self.builder.string(value, Style::Quoted, written),
            None => self.builder.source_string(written.offset + 1, written.len - 2, Style::Quoted, written),
        };
    }

    fn single_quoted(&mut self) -> Result<Quoted, NotSure> {
        let start = self.at;
        let mut value: Option<String> = None;
        let mut run = start + 1;
        loop {
            let rest = self.bytes.get(run..).ok_or(NotSure)?;
            let end = run + memchr::memchr2(b'\'', b'\n', rest).ok_or(NotSure)?;
            if self.bytes[end] == b'\n' {
                return Err(NotSure);
            }
            let doubled = self.bytes.get(end + 1) == Some(&b'\'');
            if let Some(value) = &mut value {
                value.push_str(self.slice(run, end));
            } else if doubled {
                value = Some(self.slice(run, end).to_owned());
            }
            if !doubled {
                self.at = end + 1;
                return Ok(Quoted { written: start..self.at, value });
            }
            if let Some(value) = &mut value {
                value.push('\'');
            }
            run = end + 2;
        }
    }

    fn double_quoted(&mut self) -> Result<Quoted, NotSure> {
        let start = self.at;
        let mut value: Option<String> = None;
        let mut run = start + 1;
        loop {
            let rest = self.bytes.get(run..).ok_or(NotSure)?;
            let end = run + memchr::memchr3(b'"', b'\\', b'\n', rest).ok_or(NotSure)?;
            let text = self.slice(run, end);
            match self.bytes[end] {
                b'"' => {
                    if let Some(value) = &mut value {
                        value.push_str(text);
                    }
                    self.at = end + 1;
                    return Ok(Quoted { written: start..self.at, value });
                }
                b'\\' => {
                    let value = value.get_or_insert_default();
                    value.push_str(text);
                    let (c, len) = escape(self.bytes.get(end + 1..).ok_or(NotSure)?)?;
                    value.push(c);
                    run = end + 1 + len;
                }
                _ => return Err(NotSure),
            }
        }
    }

    /// A plain scalar outside flow collections; the place is then its end or its colon.
    pub fn plain(&mut self) -> Result<Plain, NotSure> {
        let start = self.at;
        let first = self.peek().ok_or(NotSure)?;
        let is_text = match first {
            b'-' => !matches!(self.bytes.get(start + 1), None | Some(b' ' | b'\n' | b'\t')),
            b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"'
            | b'%' | b'@' | b'`' | b'\n' => false,
            _ => true,
        };
        if !is_text {
            return Err(NotSure);
        }
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            at += rest.iter().position(|&byte| ENDS_PLAIN[usize::from(byte)]).unwrap_or(rest.len());
            match self.bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b':') if matches!(self.bytes.get(at + 1), None | Some(b' ' | b'\n')) => {
                    if at - start > LONGEST_KEY {
                        return Err(NotSure);
                    }
                    self.at = at;
                    return Ok(Plain { range: self.trimmed(start, at), is_key: true });
                }
                Some(b'#') if self.bytes[at - 1] == b' ' => break,
                Some(b'\t' | b'\r') => return Err(NotSure),
                Some(_) => at += 1,
            }
        }
        let range = self.trimmed(start, at);
        self.at = range.end;
        Ok(Plain { range, is_key: false })
    }

    /// A range without the spaces at its end.
    pub fn trimmed(&self, start: usize, mut end: usize) -> Range<usize> {
        while end > start && self.bytes[end - 1] == b' ' {
            end -= 1;
        }
        start..end
    }

    pub fn push_plain_key(&mut self, range: Range<usize>) -> Result<(), NotSure> {
        let text = self.slice(range.start, range.end);
        let written = Written { offset: range.start, len: range.len() };
        if let Resolved::Scalar(Kind::Null, _) = resolve(text) {
            return Err(NotSure);
        }
        note_unstable(text, written, self.builder.next_id(), &mut self.notes);
        self.builder.source_string(written.offset, written.len, Style::Plain, written);
        Ok(())
    }

    pub fn push_plain(&mut self, range: Range<usize>) -> Result<(), NotSure> {
        let text = self.slice(range.start, range.end);
        let written = Written { offset: range.start, len: range.len() };
        if let Some((kind, payload)) = everyday_number(text) {
            self.builder.scalar(kind, payload, written);
            return Ok(());
        }
        note_unstable(text, written, self.builder.next_id(), &mut self.notes);
        match resolve(text) {
            Resolved::String => self.builder.source_string(written.offset, written.len, Style::Plain, written),
            Resolved::Scalar(kind, payload) => self.builder.scalar(kind, payload, written),
            Resolved::OutOfRange(_) => return Err(NotSure),
        };
        Ok(())
    }
}

/// The numbers that documents mostly hold, digits with or without a sign and a point: they are the same to every loader.
fn everyday_number(text: &str) -> Option<(Kind, u64)> {
    let (negative, unsigned) = match text.as_bytes() {
        [b'-', unsigned @ ..] => (true, unsigned),
        unsigned => (false, unsigned),
    };
    if !unsigned.first().is_some_and(u8::is_ascii_digit) || unsigned.len() > 18 {
        return None;
    }
    let whole = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole == unsigned.len() {
        if whole > 1 && unsigned[0] == b'0' {
            return None;
        }
        // At most 18 digits fit 64 bits.
        let value = unsigned.iter().fold(0, |value: i64, &digit| value * 10 + i64::from(digit - b'0'));
        return Some((Kind::Int, if negative { -value } else { value } as u64));
    }
    let fraction = unsigned[whole..].strip_prefix(b".")?;
    if fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    text.parse::<f64>().ok().map(|value| (Kind::Float, value.to_bits()))
}

/// Decodes an escape of a double-quoted scalar, given what follows its backslash; returns its length without that.
fn escape(bytes: &[u8]) -> Result<(char, usize), NotSure> {
    let c = match bytes.first().ok_or(NotSure)? {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b'"' => '"',
        b'/' => '/',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        b'x' => return hexadecimal(bytes, 2),
        b'u' => return hexadecimal(bytes, 4),
        b'U' => return hexadecimal(bytes, 8),
        _ => return Err(NotSure),
    };
    Ok((c, 1))
}

fn hexadecimal(bytes: &[u8], digits: usize) -> Result<(char, usize), NotSure> {
    let code = bytes
        .get(1..1 + digits)
        .ok_or(NotSure)?
        .iter()
        .try_fold(0u32, |code, &byte| char::from(byte).to_digit(16).map(|digit| (code << 4) | digit));
    let c = code.and_then(char::from_u32).ok_or(NotSure)?;
    Ok((c, 1 + digits))
}
