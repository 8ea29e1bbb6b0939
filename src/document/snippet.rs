//! A line of source text as a report shows it, with a part underlined.

use super::place::LineIndex;
use crate::finding::{Mark, SnippetLine};

/// Longest line shown, in characters.
const WIDTH: usize = 160;

/// The line that holds a byte offset, with `width` characters (at least one) from there on underlined. A long line is cut
/// around them.
pub fn marked_line(source: &str, lines: &LineIndex, offset: usize, width: usize, label: &str) -> SnippetLine {
    let (line, column) = lines.line_column(source, offset);
    let text = lines.text(source, line);
    let before = column as usize - 1;
    // Only the shown part is walked: the line may be a whole document of many megabytes.
    let start = text.len().min(source.floor_char_boundary(offset).saturating_sub(lines.start(line)));
    let cut = if before + width.min(40) > WIDTH { before.saturating_sub(40) } else { 0 };
    let back = before - cut;
    let from = text[..start].char_indices().rev().nth(back.saturating_sub(1)).map_or(0, |(at, _)| at);
    let from = if back == 0 { start } else { from };
    let mut rest = text[from..].chars();
    let mut shown: String = rest.by_ref().take(WIDTH).map(visible).collect();
    let mut column = back;
    if cut > 0 {
        shown.insert(0, '…');
        column += 1;
    }
    if rest.next().is_some() {
        shown.push('…');
    }
    let width = width.min(shown.chars().count().saturating_sub(column)).max(1);
    SnippetLine {
        line,
        text: shown,
        mark: Some(Mark { column: column as u32 + 1, width: width as u32, label: label.to_owned() }),
    }
}

/// Control characters would move the terminal's cursor and direction marks would turn the line around: they are shown as one
/// visible character each.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}
