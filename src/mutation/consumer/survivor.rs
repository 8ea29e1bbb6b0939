//! Showing a mutant that a consumer accepted: how it differs from the valid document.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::plan::Case;
use crate::finding::{Place, SnippetLine};

/// Lines of a difference that are shown.
const SHOWN: usize = 12;
/// Characters of a line that are shown.
const WIDTH: usize = 160;
/// A difference is given up refining after this long.
const TIME: Duration = Duration::from_millis(200);

/// The place of the first difference, in the mutant's lines, and the lines that differ: `-` valid, `+` mutant.
pub fn shown(case: &Case) -> (Place, Vec<SnippetLine>) {
    let text = String::from_utf8_lossy(&case.text);
    let diff = TextDiff::configure().timeout(TIME).diff_lines(case.valid.as_str(), text.as_ref());
    let mut lines = Vec::new();
    let mut line = 1u32;
    let mut first = None;
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        if sign != ' ' {
            first.get_or_insert(line);
            if lines.len() < SHOWN {
                lines.push(SnippetLine { line, text: format!("{sign} {}", cut(change.value())), mark: None });
            }
        }
        if sign != '-' {
            line += 1;
        }
    }
    (Place { pointer: case.pointer.clone(), line: first.unwrap_or(1), column: 1 }, lines)
}

fn cut(line: &str) -> String {
    let line = line.trim_end_matches(['\n', '\r']);
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
