//! Two texts side by side.

use super::shown;
use crate::finding::Comparison;
use crate::report::finding::{DiffLine, diff_lines};

/// Lines of a comparison that the page shows.
const LINES: usize = 200;

/// A line of a comparison. A side without text has no such line.
pub struct Row {
    /// `same`, `changed`, or `gap` where lines that agree are left out.
    pub class: &'static str,
    pub left: Option<String>,
    pub right: Option<String>,
}

/// The lines of two texts, those that differ beside each other.
pub fn rows(comparison: &Comparison, context: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    let lines = diff_lines(comparison, context);
    let cut = lines.len() > LINES;
    for line in lines.into_iter().take(LINES) {
        match line {
            DiffLine::Left(text) => lefts.push(shown(&text)),
            DiffLine::Right(text) => rights.push(shown(&text)),
            DiffLine::Both(text) => {
                pair(&mut rows, &mut lefts, &mut rights);
                let text = shown(&text);
                rows.push(Row { class: "same", left: Some(text.clone()), right: Some(text) });
            }
            DiffLine::Gap => {
                pair(&mut rows, &mut lefts, &mut rights);
                rows.push(gap());
            }
        }
    }
    pair(&mut rows, &mut lefts, &mut rights);
    if cut {
        rows.push(gap());
    }
    rows
}

fn gap() -> Row {
    Row { class: "gap", left: Some("…".to_owned()), right: Some("…".to_owned()) }
}

fn pair(rows: &mut Vec<Row>, lefts: &mut Vec<String>, rights: &mut Vec<String>) {
    let length = lefts.len().max(rights.len());
    let (mut left, mut right) = (lefts.drain(..), rights.drain(..));
    rows.extend((0..length).map(|_| Row { class: "changed", left: left.next(), right: right.next() }));
}
