//! What a YAML parser refuses, though the rest of the document can be judged all the same: control characters and escapes that
//! are halves of surrogate pairs. They are replaced in a copy of the text, byte for byte, so that every place stays the same.

use std::ops::Range;

use super::notes::{Note, Notes};
use super::rules::{CONTROL_CHARACTER, SURROGATE};

/// Notes every character that YAML's `c-printable` leaves out; if there is any, returns the text with each replaced.
pub(super) fn control_characters(source: &str, notes: &mut Notes) -> Option<String> {
    let bytes = source.as_bytes();
    let first = first_suspect(bytes, 0)?;
    let mut masked: Option<Vec<u8>> = None;
    let mut next = Some(first);
    while let Some(at) = next {
        let Some(c) = source.get(at..).and_then(|rest| rest.chars().next()) else { break };
        if !is_printable(c) {
            notes.add(&CONTROL_CHARACTER, at, || {
                let escape = if u32::from(c) > 0xff { "\\u" } else { "\\x" };
                let message = format!("the character U+{:04X} is not printable", u32::from(c));
                let width = escape.len() * 2 - 2;
                Note::new(&CONTROL_CHARACTER, at, c.len_utf8(), message)
                    .help(format!("write it as {escape}{:0width$x} in double quotes", u32::from(c)))
            });
            let masked = masked.get_or_insert_with(|| bytes.to_vec());
            let stand_in: &[u8] = match c.len_utf8() {
                1 => b"_",
                2 => "\u{bf}".as_bytes(),
                _ => "\u{fffd}".as_bytes(),
            };
            masked[at..at + c.len_utf8()].copy_from_slice(stand_in);
        }
        next = first_suspect(bytes, at + c.len_utf8());
    }
    masked.and_then(|masked| String::from_utf8(masked).ok())
}

/// What a scalar with escapes says, with the characters put back that were replaced in it. `written` and `masked` are its text
/// in the document and in the copy. Where an escape makes one more of the stand-ins, so that they cannot be told apart, the value
/// stays as it is.
pub(super) fn restored(value: &str, written: &str, masked: &str) -> Option<String> {
    const STAND_INS: [char; 3] = ['_', '\u{bf}', '\u{fffd}'];
    let mut originals = STAND_INS.map(|stand_in| {
        let places = masked.char_indices().filter(move |&(_, shown)| shown == stand_in);
        // Byte for byte, the copy is as long as the document.
        places.filter_map(|(at, _)| written.get(at..)?.chars().next())
    });
    let mut restored = String::with_capacity(value.len());
    for c in value.chars() {
        let which = STAND_INS.iter().position(|&stand_in| stand_in == c);
        restored.push(match which.and_then(|which| originals.get_mut(which)) {
            Some(originals) => originals.next()?,
            None => c,
        });
    }
    originals.iter_mut().all(|rest| rest.next().is_none()).then_some(restored)
}

/// Whether every character is printable and none is a byte order mark.
pub(super) fn is_plainly_printable(source: &str) -> bool {
    let bytes = source.as_bytes();
    let mut from = 0;
    while let Some(at) = first_suspect(bytes, from) {
        match source.get(at..).and_then(|rest| rest.chars().next()) {
            Some(c) if is_printable(c) && c != '\u{feff}' => from = at + c.len_utf8(),
            _ => return false,
        }
    }
    true
}

fn is_printable(c: char) -> bool {
    matches!(c,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// The first byte from `from` on that is a control character or starts a character that may be none of `c-printable`.
fn first_suspect(bytes: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    let suspect =
        |byte: u8| (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || matches!(byte, 0x7f | 0xc2 | 0xef);
    let mut at = from;
    // Whole blocks without branches inside: compilers make vector code of it.
    while let Some(block) = bytes.get(at..at + BLOCK) {
        if block.iter().fold(false, |any, &byte| any | suspect(byte)) {
            break;
        }
        at += BLOCK;
    }
    bytes.get(at..)?.iter().position(|&byte| suspect(byte)).map(|offset| at + offset)
}

/// Places of the `\u` escapes in a double-quoted scalar (or any text) that are halves of surrogate pairs; a proper pair is one place.
pub(super) struct SurrogateEscapes<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> SurrogateEscapes<'t> {
    pub fn new(text: &'t str) -> Self {
        SurrogateEscapes { text, at: 0 }
    }

    fn half(&self, at: usize) -> Option<(u32, usize)> {
        let bytes = self.text.as_bytes();
        let (digits, end) = match bytes.get(at + 1)? {
            b'u' => (self.text.get(at + 2..at + 6)?, at + 6),
            b'U' => (self.text.get(at + 2..at + 10)?, at + 10),
            _ => return None,
        };
        let code = u32::from_str_radix(digits, 16).ok().filter(|code| (0xd800..0xe000).contains(code))?;
        Some((code, end))
    }
}

/// One place: its range in the text, and whether it is a proper pair.
pub(super) struct SurrogateEscape {
    pub range: Range<usize>,
    pub pair: bool,
}

impl Iterator for SurrogateEscapes<'_> {
    type Item = SurrogateEscape;

    fn next(&mut self) -> Option<SurrogateEscape> {
        let bytes = self.text.as_bytes();
        while let Some(at) = memchr::memchr(b'\\', bytes.get(self.at..)?).map(|offset| self.at + offset) {
            let Some((code, end)) = self.half(at) else {
                self.at = at + 2;
                continue;
            };
            self.at = end;
            if code < 0xdc00
                && end == at + 6
                && bytes.get(end..end + 2) == Some(b"\\u")
                && let Some((0xdc00.., low_end)) = self.half(end)
            {
                self.at = low_end;
                return Some(SurrogateEscape { range: at..low_end, pair: true });
            }
            return Some(SurrogateEscape { range: at..end, pair: false });
        }
        None
    }
}

/// The text with each lone half, at the places given or everywhere, made the escape of U+FFFD.
pub(super) fn lone_surrogates(text: &str, only: Option<&[usize]>) -> String {
    let mut masked = text.to_owned();
    for half in SurrogateEscapes::new(text).filter(|half| !half.pair) {
        if only.is_none_or(|places| places.binary_search(&half.range.start).is_ok()) {
            let stand_in = if half.range.len() == 6 { "\\uFFFD" } else { "\\U0000FFFD" };
            masked.replace_range(half.range, stand_in);
        }
    }
    masked
}

/// Notes the surrogate escapes of a double-quoted YAML scalar that starts at `offset`. Returns where lone halves stand.
pub(super) fn note_surrogates(written: &str, offset: usize, node: u32, notes: &mut Notes, lone: &mut Vec<usize>) {
    for escape in SurrogateEscapes::new(written) {
        let at = offset + escape.range.start;
        if !escape.pair {
            lone.push(at);
        }
        notes.add(&SURROGATE, at, || {
            let text = &written[escape.range.clone()];
            let (message, help) = if escape.pair {
                let c = char::decode_utf16([unit(&text[2..6]), unit(&text[8..12])]).next().and_then(Result::ok);
                (
                    format!(
                        "{text} is a surrogate pair, which YAML does not have: each escape is a character of its own"
                    ),
                    c.map(|c| format!("write the character itself, or \\U{:08x}", u32::from(c))),
                )
            } else {
                (
                    format!("the escape {text} is half of a surrogate pair, which is no character"),
                    Some("write the character that was meant, or U+FFFD where it is lost".to_owned()),
                )
            };
            Note { help, ..Note::new(&SURROGATE, at, escape.range.len(), message).node(node) }
        });
    }
}

fn unit(digits: &str) -> u16 {
    u16::from_str_radix(digits, 16).unwrap_or(0xfffd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_replaced_is_put_back_where_it_can_be_told() {
        let read = |written: &str, value: &str| {
            let masked = control_characters(written, &mut Notes::default()).unwrap();
            restored(value, written, &masked)
        };
        // The value is what a parser makes of the copy.
        assert_eq!(read("\\u0003_\u{7f}\u{ffff}", "\u{3}__\u{fffd}").as_deref(), Some("\u{3}_\u{7f}\u{ffff}"));
        assert_eq!(read("\u{80}\\t\u{bf}", "\u{bf}\t\u{bf}").as_deref(), Some("\u{80}\t\u{bf}"));
        assert_eq!(read("\\x5f\u{7f}", "__"), None, "either could be the one that was replaced");
    }
}
