//! JSON (RFC 8259) into the value tree: strict, with the place of every fault.

use super::builder::{Builder, Written};
use super::notes::{Note, Notes};
use super::rules::{CONTROL_CHARACTER, NUMBER_RANGE, SURROGATE};
use super::tree::{Kind, Style};

/// Why a text is no JSON, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Byte offset.
    pub at: usize,
    pub kind: FaultKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// Not JSON: what was found and what was expected.
    Syntax(String),
    /// The input ends inside a value.
    Truncated,
    /// A complete value is followed by something else.
    Trailing,
    /// Nested deeper than the limit.
    Depth,
}

/// Reads one JSON text. The builder then holds the tree, also where all that is wrong is that something follows the value.
///
/// Raw control characters in strings, halves of surrogate pairs and numbers out of range become notes, and reading goes on.
pub(super) fn read(source: &str, builder: &mut Builder, notes: &mut Notes, max_depth: usize) -> Result<(), Fault> {
    Reader { source, bytes: source.as_bytes(), at: 0, builder, notes, max_depth }.document()
}

struct Reader<'s, 'b> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    builder: &'b mut Builder,
    notes: &'b mut Notes,
    max_depth: usize,
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<(), Fault> {
        let base = self.builder.depth();
        // Whether the innermost containers are objects; mirrors the builder's open containers.
        let mut objects: Vec<bool> = Vec::new();
        loop {
            self.skip_space();
            let opened = self.value(&mut objects)?;
            if opened {
                continue;
            }
            loop {
                self.skip_space();
                let Some(&object) = objects.last() else {
                    debug_assert_eq!(self.builder.depth(), base);
                    return if self.at == self.bytes.len() { Ok(()) } else { Err(self.fault(FaultKind::Trailing)) };
                };
                match (self.bytes.get(self.at), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        if object {
                            self.skip_space();
                            self.key()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        objects.pop();
                        self.builder.end(self.source);
                    }
                    _ => return Err(self.unexpected(if object { "`,` or `}`" } else { "`,` or `]`" })),
                }
            }
        }
    }

    /// Reads a scalar, an empty container, or the opening of a container (then `true`: its first value comes next).
    fn value(&mut self, objects: &mut Vec<bool>) -> Result<bool, Fault> {
        let start = self.at;
        match self.bytes.get(start) {
            Some(b'{') => {
                self.open(Kind::Object, objects)?;
                if self.bytes.get(self.at) == Some(&b'}') {
                    self.close(objects);
                    return Ok(false);
                }
                self.key()?;
                Ok(true)
            }
            Some(b'[') => {
                self.open(Kind::Array, objects)?;
                if self.bytes.get(self.at) == Some(&b']') {
                    self.close(objects);
                    return Ok(false);
                }
                Ok(true)
            }
            Some(b'"') => self.string().map(|()| false),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| false),
            Some(b't') => self.word("true", Kind::True).map(|()| false),
            Some(b'f') => self.word("false", Kind::False).map(|()| false),
            Some(b'n') => self.word("null", Kind::Null).map(|()| false),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn open(&mut self, kind: Kind, objects: &mut Vec<bool>) -> Result<(), Fault> {
        if objects.len() >= self.max_depth {
            return Err(self.fault(FaultKind::Depth));
        }
        self.builder.start(kind, self.at);
        objects.push(kind == Kind::Object);
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn close(&mut self, objects: &mut Vec<bool>) {
        self.at += 1;
        objects.pop();
        self.builder.end(self.source);
    }

    fn key(&mut self) -> Result<(), Fault> {
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        self.string()?;
        self.skip_space();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.unexpected("`:` after the key"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let content = start + 1;
        let mut at = content;
        loop {
            at += self.bytes.get(at..).map_or(0, ordinary);
            match self.bytes.get(at) {
                Some(b'"') => {
                    let written = Written { offset: start, len: at + 1 - start };
                    self.builder.source_string(content, at - content, Style::Quoted, written);
                    self.at = at + 1;
                    return Ok(());
                }
                Some(b'\\') => return self.escaped_string(start, at),
                Some(&control) => {
                    self.note_control_character(at, control);
                    at += 1;
                }
                None => return Err(Fault { at: start, kind: FaultKind::Truncated }),
            }
        }
    }

    fn escaped_string(&mut self, start: usize, first_escape: usize) -> Result<(), Fault> {
        let mut text = self.source[start + 1..first_escape].to_owned();
        let mut at = first_escape;
        loop {
            let run = at;
            at += self.bytes.get(at..).map_or(0, ordinary);
            text.push_str(&self.source[run..at]);
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = self.escape(at, &mut text)?,
                Some(&control) => {
                    self.note_control_character(at, control);
                    text.push(char::from(control));
                    at += 1;
                }
                None => return Err(Fault { at: start, kind: FaultKind::Truncated }),
            }
        }
        self.builder.string(&text, Style::Quoted, Written { offset: start, len: at + 1 - start });
        self.at = at + 1;
        Ok(())
    }

    /// Decodes the escape at `at` and returns where it ends.
    fn escape(&mut self, at: usize, text: &mut String) -> Result<usize, Fault> {
        let plain = match self.bytes.get(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex(at + 2)?;
                let (code, end) = if (0xd800..0xdc00).contains(&high) && self.bytes.get(at + 6..at + 8) == Some(b"\\u")
                {
                    let low = self.hex(at + 8)?;
                    if (0xdc00..0xe000).contains(&low) {
                        (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), at + 12)
                    } else {
                        (high, at + 6)
                    }
                } else {
                    (high, at + 6)
                };
                if char::from_u32(code).is_none() {
                    self.note_surrogate(at, code);
                }
                text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(end);
            }
            None => return Err(Fault { at, kind: FaultKind::Truncated }),
            Some(_) => {
                let kind = FaultKind::Syntax("an escape that JSON does not have".to_owned());
                return Err(Fault { at, kind });
            }
        };
        text.push(plain);
        Ok(at + 2)
    }

    fn hex(&self, at: usize) -> Result<u32, Fault> {
        let digits = self.bytes.get(at..at + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| Fault { at, kind: FaultKind::Syntax("`\\u` without four hexadecimal digits".to_owned()) })
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut at = start;
        let digits = |at: &mut usize| {
            let from = *at;
            while self.bytes.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            *at - from
        };
        if self.bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let leading = at;
        let mut well_formed = digits(&mut at) > 0 && (at - leading == 1 || self.bytes[leading] != b'0');
        let mut integer = true;
        if self.bytes.get(at) == Some(&b'.') {
            integer = false;
            at += 1;
            well_formed &= digits(&mut at) > 0;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            integer = false;
            at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(at) {
                at += 1;
            }
            well_formed &= digits(&mut at) > 0;
        }
        let written = &self.source[start..at];
        if !well_formed {
            return Err(Fault {
                at: start,
                kind: FaultKind::Syntax(format!("`{}`, which is no JSON number", brief(written))),
            });
        }
        let place = Written { offset: start, len: at - start };
        self.at = at;
        if integer && let Ok(value) = written.parse::<i64>() {
            self.builder.scalar(Kind::Int, value as u64, place);
            return Ok(());
        }
        match written.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.builder.scalar(Kind::Float, value.to_bits(), place);
                Ok(())
            }
            Ok(value) => {
                let node = self.builder.next_id();
                self.notes.add(&NUMBER_RANGE, start, || {
                    Note::new(
                        &NUMBER_RANGE,
                        start,
                        place.len,
                        format!("{} is past what a double holds", brief(written)),
                    )
                    .help("write a number between -1.8e308 and 1.8e308")
                    .node(node)
                });
                self.builder.scalar(Kind::Float, f64::MAX.copysign(value).to_bits(), place);
                Ok(())
            }
            Err(_) => Err(Fault {
                at: start,
                kind: FaultKind::Syntax(format!("`{}`, which is no JSON number", brief(written))),
            }),
        }
    }

    fn note_control_character(&mut self, at: usize, control: u8) {
        let node = self.builder.next_id();
        self.notes.add(&CONTROL_CHARACTER, at, || {
            let message = format!("a raw control character, U+{control:04X}, stands in a string");
            Note::new(&CONTROL_CHARACTER, at, 1, message).help(format!("write it as \\u{control:04x}")).node(node)
        });
    }

    fn note_surrogate(&mut self, at: usize, code: u32) {
        let node = self.builder.next_id();
        self.notes.add(&SURROGATE, at, || {
            let message = format!("the escape \\u{code:04x} is half of a surrogate pair, without its other half");
            Note::new(&SURROGATE, at, 6, message).help("write the character itself, or both halves together").node(node)
        });
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), Fault> {
        if !self.source[self.at..].starts_with(word) {
            return Err(self.unexpected("a value"));
        }
        self.builder.scalar(kind, 0, Written { offset: self.at, len: word.len() });
        self.at += word.len();
        Ok(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        Fault { at: self.at, kind }
    }

    fn unexpected(&self, expected: &str) -> Fault {
        match self.source[self.at..].chars().next() {
            None => self.fault(FaultKind::Truncated),
            Some(found) => {
                self.fault(FaultKind::Syntax(format!("`{}` where {expected} is expected", found.escape_debug())))
            }
        }
    }
}

/// Number of bytes before the first quote, backslash or control character, eight at a time.
fn ordinary(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let mut at = 0;
    while let Some(&eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(eight);
        // A byte's high bit is set if it is less than 0x20, or equal to the other sign; false alarms stand only behind a true one.
        let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGH;
        let found =
            below(word, 0x20) | below(word ^ (ONES * u64::from(b'"')), 1) | below(word ^ (ONES * u64::from(b'\\')), 1);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len())
}

/// A piece of the source as a message quotes it.
fn brief(written: &str) -> String {
    match written.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &written[..end]),
        None => written.to_owned(),
    }
}
