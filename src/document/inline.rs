//! Scalars and flow collections that stand on one line, for the block reader.

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

/// A place in the text, and the tree so far.
pub(super) struct Cursor<'s> {
    source: &'s str,
    bytes: &'s [u8],
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

    fn trimmed(&self, start: usize, mut end: usize) -> Range<usize> {
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

    /// A flow collection of one line, whose members are all written out.
    pub fn flow(&mut self) -> Result<(), NotSure> {
        // Whether the open collections are objects.
        let mut open: Vec<bool> = Vec::new();
        loop {
            let start = self.at;
            let mut whole = true;
            match self.peek().ok_or(NotSure)? {
                bracket @ (b'{' | b'[') => {
                    let object = bracket == b'{';
                    self.start(if object { Kind::Object } else { Kind::Array }, start)?;
                    open.push(object);
                    self.at += 1;
                    self.skip_spaces();
                    if self.peek() == Some(if object { b'}' } else { b']' }) {
                        self.at += 1;
                        open.pop();
                        self.end();
                    } else {
                        whole = false;
                        if object {
                            self.flow_key()?;
                        }
                    }
                }
                quote @ (b'"' | b'\'') => {
                    let scalar = self.quoted(quote)?;
                    self.push_quoted(&scalar);
                }
                _ => {
                    let range = self.flow_plain()?;
                    self.push_plain(range)?;
                }
            }
            while whole {
                let Some(&object) = open.last() else { return Ok(()) };
                self.skip_spaces();
                match (self.peek(), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        self.skip_spaces();
                        if object {
                            self.flow_key()?;
                        }
                        whole = false;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        open.pop();
                        self.end();
                    }
                    _ => return Err(NotSure),
                }
            }
        }
    }

    /// A key of a flow mapping with its colon and what parts it from its value.
    fn flow_key(&mut self) -> Result<(), NotSure> {
        let start = self.at;
        match self.peek().ok_or(NotSure)? {
            quote @ (b'"' | b'\'') => {
                let scalar = self.quoted(quote)?;
                self.push_quoted(&scalar);
            }
            _ => {
                let range = self.flow_plain()?;
                self.push_plain_key(range)?;
            }
        }
        if !self.is_at_colon(start)? {
            return Err(NotSure);
        }
        self.at += 1;
        if self.skip_spaces() == 0 { Err(NotSure) } else { Ok(()) }
    }

    /// A plain scalar in a flow collection, of characters that mean nothing else there.
    fn flow_plain(&mut self) -> Result<Range<usize>, NotSure> {
        let start = self.at;
        let plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-' | b'/' | b' ' | 0x80..);
        while self.peek().is_some_and(plain) {
            self.at += 1;
        }
        let range = self.trimmed(start, self.at);
        self.at = range.end;
        match self.bytes.get(range.start) {
            _ if range.is_empty() => Err(NotSure),
            Some(b'-') if !self.bytes.get(range.start + 1).is_some_and(u8::is_ascii_alphanumeric) => Err(NotSure),
            _ => Ok(range),
        }
    }
}

/// The numbers that documents mostly hold, digits with or without a sign and a point: they are the same to every loader.
fn everyday_number(text: &str) -> Option<(Kind, u64)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match unsigned.split_once('.') {
        None if digits(unsigned) && unsigned.len() < 19 && (unsigned.len() == 1 || !unsigned.starts_with('0')) => {
            text.parse::<i64>().ok().map(|value| (Kind::Int, value as u64))
        }
        Some((whole, fraction)) if text.len() < 40 && digits(whole) && digits(fraction) => {
            text.parse::<f64>().ok().map(|value| (Kind::Float, value.to_bits()))
        }
        _ => None,
    }
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
