//! One finding, as people read it: what is wrong, where, the lines, and what to do.

use std::io::{self, Write};
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::palette::Palette;
use super::words::{columns, harmless};
use crate::finding::{Comparison, Finding, Severity, SnippetLine};

/// A diff is given up refining after this long; it is then right all the same, only longer.
const DIFF_TIME: Duration = Duration::from_millis(200);
/// Lines of a diff that are shown.
const DIFF_LINES: usize = 60;
/// Most carets under a line: past that they say nothing more.
const CARETS: usize = 60;
/// Lines that agree, shown around lines that differ.
pub const DIFF_CONTEXT: usize = 2;

/// Writes a finding in full. `document` names the document that it points into.
///
/// # Errors
/// Where the writer refuses.
pub fn full(out: &mut dyn Write, palette: &Palette, finding: &Finding, document: Option<&str>) -> io::Result<()> {
    headline(out, palette, finding)?;
    writeln!(out)?;
    let digits = finding.snippet.iter().map(|line| line.line.to_string().len()).max().unwrap_or(0).max(2);
    let Palette { frame, id, .. } = palette;
    if let Some(place) = &finding.place {
        let name = harmless(finding.document.as_deref().or(document).unwrap_or("document"));
        let pointer = match place.pointer.as_str() {
            "" => "(the whole document)".into(),
            pointer => harmless(pointer),
        };
        let (line, column) = (place.line, place.column);
        writeln!(out, "{:digits$}  {frame}╭─{frame:#} {id}{name}:{line}:{column}{id:#}   {pointer}", "")?;
    }
    for line in &finding.snippet {
        snippet(out, palette, line, digits, finding.severity)?;
    }
    if let Some(comparison) = &finding.comparison {
        diff(out, palette, comparison, digits)?;
    }
    if let Some(help) = &finding.help {
        writeln!(out, "{:digits$}  {frame}={frame:#} {id}help{id:#}: {}", "", harmless(help))?;
    }
    Ok(())
}

/// Writes a finding in one line.
///
/// # Errors
/// Where the writer refuses.
pub fn compact(out: &mut dyn Write, palette: &Palette, finding: &Finding, document: Option<&str>) -> io::Result<()> {
    headline(out, palette, finding)?;
    if let Some(place) = &finding.place {
        let name = harmless(finding.document.as_deref().or(document).unwrap_or("document"));
        let dim = palette.dim;
        write!(out, " {dim}({name}:{}:{}){dim:#}", place.line, place.column)?;
    }
    writeln!(out)
}

fn headline(out: &mut dyn Write, palette: &Palette, finding: &Finding) -> io::Result<()> {
    let id = palette.id;
    match finding.severity {
        Severity::Error => write!(out, "  ")?,
        Severity::Warning => write!(out, "  {warn}warning{warn:#} ", warn = palette.warn)?,
        Severity::Note => write!(out, "  {note}note{note:#} ", note = palette.note)?,
    }
    write!(
        out,
        "{id}{}{id:#} ({}): {}",
        harmless(&finding.obligation),
        finding.basis.as_str(),
        harmless(&finding.message)
    )
}

fn snippet(
    out: &mut dyn Write,
    palette: &Palette,
    line: &SnippetLine,
    digits: usize,
    severity: Severity,
) -> io::Result<()> {
    let frame = palette.frame;
    let text = harmless(&line.text);
    writeln!(out, " {frame}{:>digits$} │{frame:#} {text}", line.line)?;
    let Some(mark) = &line.mark else { return Ok(()) };
    let before: String = text.chars().take((mark.column as usize).saturating_sub(1)).collect();
    let marked: String = text.chars().skip(before.chars().count()).take(mark.width as usize).collect();
    let style = match severity {
        Severity::Error => palette.fail,
        Severity::Warning => palette.warn,
        Severity::Note => palette.note,
    };
    let carets = "^".repeat(columns(&marked).clamp(1, CARETS));
    let label = harmless(&mark.label);
    let space = if label.is_empty() { "" } else { " " };
    writeln!(
        out,
        " {:digits$} {frame}│{frame:#} {:indent$}{style}{carets}{space}{label}{style:#}",
        "",
        "",
        indent = columns(&before)
    )
}

/// The block as entered, beside the block as derived.
fn diff(out: &mut dyn Write, palette: &Palette, comparison: &Comparison, digits: usize) -> io::Result<()> {
    let Palette { frame, removed, added, dim, .. } = palette;
    let gutter = " ".repeat(digits + 2);
    let (left, right) = comparison.sides.labels();
    writeln!(out, "{gutter}{frame}={frame:#} {removed}- {left}{removed:#}, {added}+ {right}{added:#}")?;
    let lines = diff_lines(comparison, DIFF_CONTEXT);
    for line in lines.iter().take(DIFF_LINES) {
        match line {
            DiffLine::Gap => writeln!(out, "{gutter}{frame}│{frame:#} {dim}…{dim:#}")?,
            DiffLine::Left(text) => {
                writeln!(out, "{gutter}{frame}│{frame:#} {removed}- {}{removed:#}", harmless(text))?
            }
            DiffLine::Right(text) => writeln!(out, "{gutter}{frame}│{frame:#} {added}+ {}{added:#}", harmless(text))?,
            DiffLine::Both(text) => writeln!(out, "{gutter}{frame}│{frame:#}   {}", harmless(text))?,
        }
    }
    let more = lines.len().saturating_sub(DIFF_LINES);
    if more > 0 {
        writeln!(out, "{gutter}{frame}│{frame:#} {dim}… and {more} more lines{dim:#}")?;
    }
    Ok(())
}

/// Both sides as a diff without colours, each named first: a line starts with `-`, `+` or a space; `…` stands for lines that agree.
pub fn unified(comparison: &Comparison) -> String {
    let (left, right) = comparison.sides.labels();
    let mut text = format!("--- {left}\n+++ {right}\n");
    for line in diff_lines(comparison, DIFF_CONTEXT) {
        let (sign, content) = match &line {
            DiffLine::Gap => (' ', "…"),
            DiffLine::Both(content) => (' ', content.as_str()),
            DiffLine::Left(content) => ('-', content.as_str()),
            DiffLine::Right(content) => ('+', content.as_str()),
        };
        text.push(sign);
        text.push_str(&harmless(content));
        text.push('\n');
    }
    text
}

/// One line of a diff. The text is as the document has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffLine {
    /// Lines that agree and are not shown.
    Gap,
    Both(String),
    Left(String),
    Right(String),
}

/// The lines of a diff, with some of what agrees around what differs.
pub fn diff_lines(comparison: &Comparison, context: usize) -> Vec<DiffLine> {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&comparison.entered, &comparison.derived);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(context).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine::Gap);
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
            lines.push(match change.tag() {
                ChangeTag::Delete => DiffLine::Left(text),
                ChangeTag::Insert => DiffLine::Right(text),
                ChangeTag::Equal => DiffLine::Both(text),
            });
        }
    }
    lines
}
