//! Text as it may be shown: foreign text made harmless, counts with their nouns, durations.

use std::borrow::Cow;

use crate::run::results::SubjectResult;

/// Text from a document, an emitter or a path, with everything that could steer a terminal or turn a line around shown as one
/// visible character each. Line breaks too: what is one line stays one.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| visible(c) == c) { Cow::Borrowed(text) } else { text.chars().map(visible).collect() }
}

fn visible(c: char) -> char {
    match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        c => c,
    }
}

/// Columns that a text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks.
pub fn columns(text: &str) -> usize {
    text.chars().map(char_columns).sum()
}

fn char_columns(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200d | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f680..=0x1f6ff
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Why a subject was expected to fail, in one line.
pub fn reasons(result: &SubjectResult) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for known in &result.expected {
        if !reasons.contains(&known.reason.as_str()) {
            reasons.push(&known.reason);
        }
    }
    format!("failed as expected: {}", reasons.join("; "))
}

/// A number with its noun: `1 error`, `2 errors`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A duration for people: `0.4 ms`, `12 ms`, `3.1 s`.
pub fn duration(milliseconds: f64) -> String {
    if milliseconds < 1.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_steer_the_terminal() {
        assert_eq!(harmless("a\u{1b}[31mb\u{9b}2J\rc\n"), "a\u{241b}[31mb\u{fffd}2J\u{240d}c\u{240a}");
        assert_eq!(harmless("evil\u{202e}txt"), "evil\u{fffd}txt");
        assert!(matches!(harmless("plain ünïcode 汉字"), Cow::Borrowed(_)));
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("ab"), 2);
        assert_eq!(columns("汉字"), 4);
        assert_eq!(columns("e\u{301}"), 1);
    }
}
