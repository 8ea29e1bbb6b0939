//! The file of expected failures: TOML, one `[[expected]]` table for each.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use glob::Pattern;
use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::Entry;
use crate::check::nearest;

/// The name of the tables.
pub(super) const TABLE: &str = "expected";

const FIELDS: &[&str] = &["emitter", "scenario", "obligation", "reason", "issue", "owner", "expires", "flaky"];

/// Why a file of expected failures cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    pub path: PathBuf,
    /// From 1; absent where the problem is with the whole file.
    pub line: Option<usize>,
    pub problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for FileError {}

/// Reads a file: its text, and what it declares.
pub(super) fn read(path: &Path) -> Result<(String, Vec<Entry>), FileError> {
    let error = |line, problem| FileError { path: path.to_owned(), line, problem };
    let text = std::fs::read_to_string(path).map_err(|problem| error(None, format!("cannot be read: {problem}")))?;
    match parse(&text) {
        Ok(entries) => Ok((text, entries)),
        Err(Problem { at, message }) => Err(error(at.map(|at| line(&text, at)), message)),
    }
}

struct Problem {
    at: Option<usize>,
    message: String,
}

fn problem(at: &Range<usize>, message: impl Into<String>) -> Problem {
    Problem { at: Some(at.start), message: message.into() }
}

fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

fn parse(text: &str) -> Result<Vec<Entry>, Problem> {
    let document = DeTable::parse(text)
        .map_err(|error| Problem { at: error.span().map(|span| span.start), message: error.message().to_owned() })?;
    refuse_unknown(document.get_ref(), &[TABLE], "a file of expected failures holds")?;
    let Some(expected) = document.get_ref().get(TABLE) else { return Ok(Vec::new()) };
    let shape = "write each expected failure as a table of its own, under [[expected]]";
    let items = expected.get_ref().as_array().ok_or_else(|| problem(&expected.span(), shape))?;
    items
        .iter()
        .map(|item| match item.get_ref().as_table() {
            Some(fields) => entry(text, fields, &item.span()),
            None => Err(problem(&item.span(), shape)),
        })
        .collect()
}

fn entry(text: &str, fields: &DeTable<'_>, header: &Range<usize>) -> Result<Entry, Problem> {
    refuse_unknown(fields, FIELDS, "the fields of an expected failure are")?;
    let string = |name: &str| fields.get(name).map(|value| non_blank(name, value)).transpose();
    let required = |name: &str, why: &str| {
        string(name)?.ok_or_else(|| problem(header, format!("an expected failure has no `{name}`: {why}")))
    };
    let pattern = |name: &str, text: &str| {
        let at = fields.get(name).map_or_else(|| header.clone(), Spanned::span);
        Pattern::new(text).map_err(|error| problem(&at, format!("`{name}` is no glob: {error}")))
    };
    let scenario = required("scenario", "name the scenario that fails, e.g. \"mavai-optimize-1/one-sample\"")?;
    let obligation = required("obligation", "name what it breaks, e.g. \"mavai/trials-counted\"")?;
    let emitter = string("emitter")?.unwrap_or_else(|| "*".to_owned());
    let last = fields.values().map(|value| value.span().end).max().unwrap_or(header.end);
    Ok(Entry {
        emitter: pattern("emitter", &emitter)?,
        scenario: pattern("scenario", &scenario)?,
        obligation: pattern("obligation", &obligation)?,
        reason: required("reason", "say why it fails, for whoever reads this next year")?,
        issue: string("issue")?,
        owner: string("owner")?,
        expires: fields.get("expires").map(date).transpose()?,
        flaky: fields.get("flaky").map(boolean).transpose()?.unwrap_or(false),
        lines: line(text, header.start)..=line(text, last.saturating_sub(1).max(header.start)),
    })
}

fn refuse_unknown(table: &DeTable<'_>, known: &[&str], lead: &str) -> Result<(), Problem> {
    let Some(key) = table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) else { return Ok(()) };
    let written = key.get_ref();
    let advice = match nearest(written, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{lead} {}", known.join(", ")),
    };
    Err(problem(&key.span(), format!("`{written}` is not known here; {advice}")))
}

fn non_blank(name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Problem> {
    match value.get_ref().as_str() {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        Some(_) => Err(problem(&value.span(), format!("`{name}` is blank"))),
        None => Err(mismatch(name, value, "a string")),
    }
}

fn boolean(value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    value.get_ref().as_bool().ok_or_else(|| mismatch("flaky", value, "true or false"))
}

fn date(value: &Spanned<DeValue<'_>>) -> Result<Date, Problem> {
    let written = match value.get_ref() {
        DeValue::Datetime(date) => date.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => return Err(mismatch("expires", value, "a date")),
    };
    written.parse().ok().filter(|_| written.len() == "2027-01-31".len()).ok_or_else(|| {
        problem(&value.span(), format!("`expires` is {written}, where a day was expected, e.g. expires = 2027-01-31"))
    })
}

fn mismatch(name: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> Problem {
    let found = value.get_ref().type_str();
    problem(&value.span(), format!("`{name}` is of type {found}, where {expected} was expected"))
}
