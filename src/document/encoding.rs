//! From bytes to text: UTF-8, with the other Unicode encodings recognised and named.

use super::notes::{Note, Notes};
use super::rules::{EMPTY, UTF8};

/// The byte order mark in UTF-8.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Bytes that are no text, why, and as much of the text as a report can show.
pub(super) struct Undecoded {
    pub bytes: Vec<u8>,
    pub notes: Notes,
    pub shown: String,
}

/// The text of a document, or what keeps its bytes from being one.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, Undecoded> {
    let mut notes = Notes::default();
    if bytes.is_empty() {
        let note = Note::new(&EMPTY, 0, 1, "there is no document: no bytes at all");
        notes.push(note.help("check that the emitter ran to its end and closed its output"));
        return Err(Undecoded { bytes, notes, shown: String::new() });
    }
    if let Some(encoding) = wide_encoding(&bytes) {
        let message = format!("the bytes are {encoding}, where UTF-8 is expected");
        notes.push(Note::new(&UTF8, 0, 1, message).help("write the document in UTF-8"));
        return Err(Undecoded { bytes, notes, shown: String::new() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let found: Vec<String> = bytes[at..]
            .iter()
            .take(error.utf8_error().error_len().unwrap_or(bytes.len() - at))
            .map(|byte| format!("0x{byte:02X}"))
            .collect();
        let message = match error.utf8_error().error_len() {
            Some(_) => format!("{} at byte offset {at} is no UTF-8", found.join(" ")),
            None => format!("the document ends inside a character: {} at byte offset {at}", found.join(" ")),
        };
        notes.push(Note::new(&UTF8, at, 1, message).help("write the document in UTF-8"));
        // The rest of the line is enough for a snippet.
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(at + 400)]).into_owned();
        Undecoded { notes, shown, bytes: error.into_bytes() }
    })
}

/// UTF-16 and UTF-32, by their byte order mark or by where the zero bytes of a first ASCII character stand.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => Some("UTF-32 (little-endian)"),
        [0, 0, 0xfe, 0xff, ..] => Some("UTF-32 (big-endian)"),
        [0xff, 0xfe, ..] => Some("UTF-16 (little-endian)"),
        [0xfe, 0xff, ..] => Some("UTF-16 (big-endian)"),
        [0, 0, 0, 1..=255, ..] => Some("UTF-32 (big-endian)"),
        [1..=255, 0, 0, 0, ..] => Some("UTF-32 (little-endian)"),
        [0, 1..=255, 0, 1..=255, ..] => Some("UTF-16 (big-endian)"),
        [1..=255, 0, 1..=255, 0, ..] => Some("UTF-16 (little-endian)"),
        _ => None,
    }
}
