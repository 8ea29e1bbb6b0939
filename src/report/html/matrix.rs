//! The matrix: every scenario beside every group of obligations.

use super::groups::{Cell, Group, Groups, by_suite, cells};
use super::shown;
use crate::report::words::counted;
use crate::run::results::{Results, SubjectResult, Verdict};

/// Past this many rows, those without anything to say become one.
const ROWS: usize = 100;
/// Rows with something to say that are shown.
const SHOWN: usize = 300;

/// One suite's.
pub struct Matrix {
    pub suite: String,
    pub noun: &'static str,
    pub columns: Vec<String>,
    pub rows: Vec<MatrixRow>,
    /// How many rows were without anything to say, where they became one.
    pub clean: usize,
    /// How many rows with something to say are not shown.
    pub more: usize,
}

pub struct MatrixRow {
    /// Position among the results.
    pub at: usize,
    pub name: String,
    pub class: &'static str,
    pub verdict: &'static str,
    /// Whether the page has details to link to.
    pub linked: bool,
    pub cells: Vec<Shown>,
}

/// A cell as the page shows it.
pub struct Shown {
    pub class: &'static str,
    pub sign: String,
    /// What it says in words.
    pub words: String,
}

pub fn of(results: &Results, groups: &Groups) -> Vec<Matrix> {
    let with_emitter = results.emitter.is_some();
    by_suite(results)
        .into_iter()
        .map(|(suite, members)| {
            let columns = groups.of_suite(suite, with_emitter, &members);
            let fold = members.len() > ROWS;
            let mut matrix = Matrix {
                suite: suite.map_or_else(|| "no suite".to_owned(), shown),
                noun: if with_emitter { "scenario" } else { "document" },
                columns: columns.iter().map(|group| group.name.clone()).collect(),
                rows: Vec::new(),
                clean: 0,
                more: 0,
            };
            for (at, result) in members {
                let cells = cells(groups, &columns, result);
                if fold && result.verdict == Verdict::Pass && cells.iter().all(is_clean) {
                    matrix.clean += 1;
                } else if matrix.rows.len() == SHOWN {
                    matrix.more += 1;
                } else {
                    matrix.rows.push(row(at, result, &columns, &cells));
                }
            }
            matrix
        })
        .collect()
}

fn is_clean(cell: &Cell) -> bool {
    cell.errors + cell.warnings + cell.not_judged == 0
}

fn row(at: usize, result: &SubjectResult, columns: &[Group], cells: &[Cell]) -> MatrixRow {
    let (class, verdict) = super::subjects::verdict(result);
    MatrixRow {
        at,
        name: shown(result.short_name()),
        class,
        verdict,
        linked: super::subjects::has_details(result),
        cells: columns.iter().zip(cells).map(|(group, cell)| show(group, cell)).collect(),
    }
}

fn show(group: &Group, cell: &Cell) -> Shown {
    let Cell { errors, warnings, not_judged, total, .. } = *cell;
    let (class, sign, words) = if errors > 0 {
        ("x", format!("✗{errors}"), counted(errors, "error"))
    } else if warnings > 0 {
        ("w", format!("!{warnings}"), counted(warnings, "warning"))
    } else if not_judged == total && total > 0 {
        ("n", "–".to_owned(), "not judged".to_owned())
    } else if not_judged > 0 {
        ("h", "◐".to_owned(), format!("{not_judged} of {} not judged", counted(total, "obligation")))
    } else {
        ("k", "✓".to_owned(), "kept".to_owned())
    };
    Shown { class, sign, words: format!("{}: {words}", group.name) }
}
