//! Rewriting a file of expected failures after a run: what is stale goes, what fails anew comes in, and everything else,
//! comments included, stays as it was written.

use glob::Pattern;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::audit::Known;
use super::entry::Entry;
use super::file::TABLE;
use super::{Expectations, FileError};
use crate::finding::Severity;
use crate::run::results::{StaleKind, SubjectResult};

/// What is said about failures that are declared anew.
#[derive(Debug, Clone)]
pub struct Addition {
    pub reason: String,
    pub issue: Option<String>,
    pub owner: Option<String>,
    pub expires: Option<jiff::civil::Date>,
}

/// The file as it should be, and what was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    pub text: String,
    /// Declarations taken out: the line where each stood.
    pub removed: Vec<usize>,
    /// Declarations of which what still fails was written out in the place of their globs.
    pub narrowed: Vec<usize>,
    /// Failures declared anew: scenario and obligation.
    pub added: Vec<(String, String)>,
}

/// Rewrites a file by the results of a run. Failures that nothing declares are added only where it is said why they fail.
///
/// # Errors
/// Where the declarations are not written as `[[expected]]` tables.
pub fn update(
    expectations: &Expectations,
    results: &[SubjectResult],
    known: &Known<'_>,
    addition: Option<&Addition>,
) -> Result<Updated, FileError> {
    let error = |line, problem: String| FileError { path: expectations.file.clone().into(), line, problem };
    let mut document: DocumentMut =
        expectations.text.parse().map_err(|problem: toml_edit::TomlError| error(None, problem.to_string()))?;
    let tables = document.entry(TABLE).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let written = tables.as_array_of_tables().filter(|tables| tables.len() == expectations.entries.len());
    let Some(written) = written.cloned() else {
        let problem = "the declarations are not tables under [[expected]] headers, which is what can be rewritten";
        return Err(error(expectations.entries.first().map(|entry| *entry.lines.start()), problem.to_owned()));
    };
    let stale = expectations.audit(results, known).stale;
    let mut rewriting = Rewriting { kept: ArrayOfTables::new(), orphaned: String::new() };
    let mut updated = Updated { text: String::new(), removed: Vec::new(), narrowed: Vec::new(), added: Vec::new() };
    for (entry, table) in expectations.entries.iter().zip(written.iter()) {
        let line = *entry.lines.start();
        match stale.iter().find(|stale| stale.line == line).map(|stale| stale.kind) {
            None => rewriting.keep(table.clone()),
            Some(StaleKind::PassesPartly) => {
                updated.narrowed.push(line);
                rewriting.narrow(entry, table, results);
            }
            Some(StaleKind::Passes | StaleKind::Expired | StaleKind::MatchesNothing) => {
                updated.removed.push(line);
                rewriting.remove(table);
            }
        }
    }
    if let Some(addition) = addition {
        for result in results {
            for obligation in undeclared(expectations, result) {
                updated.added.push((result.subject.clone(), obligation.to_owned()));
                rewriting.add(&expectations.emitter, &result.subject, obligation, addition);
            }
        }
    }
    let Rewriting { mut kept, orphaned } = rewriting;
    // The order is that of this list: no table remembers where in the text it stood.
    kept.iter_mut().for_each(|table| table.set_position(None));
    *document.entry(TABLE).or_insert(Item::None) = if kept.is_empty() { Item::None } else { Item::ArrayOfTables(kept) };
    if !orphaned.is_empty() {
        let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing(format!("{orphaned}{trailing}"));
    }
    updated.text = document.to_string();
    Ok(updated)
}

/// The tables as they will stand, and comments that stood before a table that is gone and were not about it alone.
struct Rewriting {
    kept: ArrayOfTables,
    orphaned: String,
}

impl Rewriting {
    fn keep(&mut self, mut table: Table) {
        if !self.orphaned.is_empty() {
            let prefix = format!("{}{}", std::mem::take(&mut self.orphaned), before(&table).trim_start_matches('\n'));
            table.decor_mut().set_prefix(prefix);
        }
        self.kept.push(table);
    }

    /// Takes a table out, with the comment that stands directly above it. What an empty line parts from it stays.
    fn remove(&mut self, table: &Table) {
        let prefix = before(table);
        if let Some((other, _)) = prefix.rsplit_once("\n\n").filter(|(other, _)| !other.trim().is_empty()) {
            self.orphaned.push_str(other);
            self.orphaned.push_str("\n\n");
        }
    }

    /// Writes out what a declaration still covers, one table for each scenario.
    fn narrow(&mut self, entry: &Entry, table: &Table, results: &[SubjectResult]) {
        let mut first = true;
        for result in results {
            if !failures(result).any(|id| entry.covers(&result.subject, id)) {
                continue;
            }
            let mut narrowed = table.clone();
            narrowed.insert("scenario", value(Pattern::escape(&result.subject)));
            if !std::mem::take(&mut first) {
                narrowed.decor_mut().set_prefix("\n");
            }
            self.keep(narrowed);
        }
    }

    fn add(&mut self, emitter: &str, subject: &str, obligation: &str, addition: &Addition) {
        let mut table = Table::new();
        let mut set = |name: &str, text: &str| {
            table.insert(name, value(text));
        };
        set("emitter", &Pattern::escape(emitter));
        set("scenario", &Pattern::escape(subject));
        set("obligation", &Pattern::escape(obligation));
        set("reason", &addition.reason);
        for (name, text) in [("issue", &addition.issue), ("owner", &addition.owner)] {
            if let Some(text) = text {
                set(name, text);
            }
        }
        if let Some(day) = addition.expires.and_then(|day| day.to_string().parse::<toml_edit::Datetime>().ok()) {
            table.insert("expires", value(day));
        }
        let apart = if self.kept.is_empty() && self.orphaned.is_empty() { "" } else { "\n" };
        table.decor_mut().set_prefix(apart);
        self.keep(table);
    }
}

/// What stands between the table before and this one's header.
fn before(table: &Table) -> &str {
    table.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default()
}

/// The obligations whose errors in a result nothing declares, each once.
fn undeclared<'r>(expectations: &Expectations, result: &'r SubjectResult) -> Vec<&'r str> {
    let mut ids: Vec<&str> =
        failures(result).filter(|id| !expectations.in_force().any(|entry| entry.covers(&result.subject, id))).collect();
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids
}

fn failures(result: &SubjectResult) -> impl Iterator<Item = &str> {
    let errors = result.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.obligation.as_str())
}
