//! Results for people: a line for each subject, every failure with its findings, and what it all comes to.

use std::io::{self, Write};

use super::View;
use super::finding;
use super::palette::Palette;
use super::tally;
use super::words::{counted, duration, harmless};
use crate::finding::{Finding, NotJudged, Severity};
use crate::run::results::{Coverage, DeclaredFailures, ExpectedFailure, Results, SubjectResult, Verdict};

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What a subject came to is not shown, only the summary.
    Summary,
    /// Failures and the summary.
    Quiet,
    /// A line for each subject, failures in full, warnings and notes in a line each.
    Normal,
    /// Everything in full.
    Verbose,
}

/// Errors of one subject that are shown in full unless everything is.
const SHOWN_ERRORS: usize = 25;
/// Warnings and notes of one subject that are shown unless everything is.
const SHOWN_REMARKS: usize = 10;
/// Lines of the emitter's standard error that are shown unless everything is.
const SHOWN_STDERR: usize = 12;

/// Shows results for people.
pub struct Pretty<W> {
    pub out: W,
    pub palette: Palette,
    pub detail: Detail,
    /// What a subject is called: `scenario` or `document`.
    pub noun: &'static str,
    /// Whether a warning makes the run fail; the summary says so.
    pub deny_warnings: bool,
}

impl<W: Write> View for Pretty<W> {
    fn result(&mut self, result: &SubjectResult) -> io::Result<()> {
        subject(&mut self.out, &self.palette, self.detail, result)?;
        self.out.flush()
    }

    fn finish(&mut self, results: &Results, elapsed_ms: f64) -> io::Result<()> {
        if self.detail != Detail::Summary && !results.results.is_empty() {
            writeln!(self.out)?;
        }
        if self.noun == "document" && results.results.len() > 1 {
            // Of many documents the end of the output says what they have in common.
            self.failures(results)?;
            if results.results.iter().any(|result| result.verdict != Verdict::Pass) {
                writeln!(self.out)?;
            }
            let tallies = tally::by_obligation(&results.results);
            if !tallies.is_empty() {
                writeln!(self.out, "By obligation:")?;
                tally::write(&mut self.out, &self.palette, &tallies, self.noun)?;
                writeln!(self.out)?;
            }
            self.summary(results, elapsed_ms)?;
        } else {
            self.summary(results, elapsed_ms)?;
            self.failures(results)?;
        }
        if let Some(expected) = &results.expected {
            self.declarations(expected)?;
        }
        self.out.flush()
    }
}

impl<W: Write> Pretty<W> {
    fn summary(&mut self, results: &Results, elapsed_ms: f64) -> io::Result<()> {
        let summary = &results.summary;
        let Palette { pass, fail, warn, .. } = self.palette;
        let out = &mut self.out;
        let total = results.results.len() + summary.not_run;
        write!(out, "{}: {pass}{} passed{pass:#}", counted(total, self.noun), summary.passed)?;
        let counts = [
            (summary.failed, "failed", fail),
            (summary.expected_failures, "failed as expected", warn),
            (summary.unsupported, "unsupported", warn),
            (summary.not_judged, "not judged", warn),
            (summary.not_run, "not run", warn),
            (summary.flaky, "flaky", warn),
        ];
        for (number, word, style) in counts.into_iter().filter(|(number, ..)| *number > 0) {
            write!(out, ", {style}{number} {word}{style:#}")?;
        }
        if summary.obligations_total > 0 {
            let total = counted(summary.obligations_total, "obligation");
            write!(out, "; {} of {total} judged", summary.obligations_judged)?;
        }
        let findings = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.notes, "note")];
        let findings: Vec<String> = findings
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, noun)| counted(number, noun))
            .collect();
        if !findings.is_empty() {
            write!(out, "; {}", findings.join(", "))?;
        }
        writeln!(out, " [{}]", duration(elapsed_ms))?;
        if summary.obligations_judged < summary.obligations_total && self.detail != Detail::Verbose {
            let dim = self.palette.dim;
            writeln!(out, "{dim}-v says which obligations were not judged, and why{dim:#}")?;
        }
        let warned = || results.results.iter().any(SubjectResult::warned_unexpectedly);
        if self.deny_warnings && summary.failed == 0 && warned() {
            writeln!(out, "{fail}warnings are denied{fail:#}: the verdicts stand, and the exit code is 1")?;
        }
        for score in &results.mutation {
            let style = if score.is_full() { pass } else { warn };
            let (suite, told) = (harmless(&score.suite), score.told());
            writeln!(out, "mutation score of {suite}: {style}{}{style:#}", harmless(&told))?;
        }
        if !results.complete {
            writeln!(out, "{warn}incomplete{warn:#}: not everything that was selected was run")?;
        }
        Ok(())
    }

    /// The failures once more, so that the end of a long output is enough to see them.
    fn failures(&mut self, results: &Results) -> io::Result<()> {
        for result in &results.results {
            let Palette { fail, warn, .. } = self.palette;
            let subject = harmless(&result.subject);
            match result.verdict {
                Verdict::Fail if result.failed_as_expected() => {}
                Verdict::Fail => {
                    let word = if result.is_flaky() { "FLAKY" } else { "FAIL" };
                    writeln!(self.out, "{fail}{word}{fail:#} {subject}: {}", broken(result))?;
                }
                Verdict::NotJudged => writeln!(self.out, "{warn}NOT JUDGED{warn:#} {subject}{}", reason(result))?,
                Verdict::Unsupported if !result.optional && self.detail == Detail::Verbose => {
                    writeln!(self.out, "{warn}UNSUPPORTED{warn:#} {subject}{}", reason(result))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the file of expected failures comes to: the declarations that no longer say the truth.
    fn declarations(&mut self, expected: &DeclaredFailures) -> io::Result<()> {
        let Palette { fail, id, dim, .. } = self.palette;
        let file = harmless(&expected.file);
        for stale in &expected.stale {
            let message = harmless(&stale.message);
            writeln!(self.out, "{fail}STALE{fail:#} {id}{file}:{}{id:#}: {message}", stale.line)?;
        }
        if expected.aside > 0 && self.detail == Detail::Verbose {
            let entries = counted(expected.aside, "expected failure");
            writeln!(
                self.out,
                "{dim}{file}: {entries} left aside: for other emitters, or for what was not run{dim:#}"
            )?;
        }
        Ok(())
    }
}

/// The ids of the obligations that unexpected errors name, each once, in the order found.
fn broken(result: &SubjectResult) -> String {
    const SHOWN: usize = 5;
    let mut ids: Vec<&str> = Vec::new();
    let errors = result.findings.iter().filter(|finding| finding.severity == Severity::Error);
    for finding in errors.filter(|finding| result.expectation(finding).is_none()) {
        if !ids.contains(&finding.obligation.as_str()) {
            ids.push(&finding.obligation);
        }
    }
    let more = ids.len().saturating_sub(SHOWN);
    ids.truncate(SHOWN);
    let ids = harmless(&ids.join(", ")).into_owned();
    if more > 0 { format!("{ids} and {more} more") } else { ids }
}

fn reason(result: &SubjectResult) -> String {
    match result.reason.as_deref() {
        Some(reason) if !reason.is_empty() => format!(": {}", harmless(reason)),
        _ => String::new(),
    }
}

/// Writes one subject: its line and, as far as the detail asks for it, its findings.
///
/// # Errors
/// Where the writer refuses.
pub fn subject(out: &mut dyn Write, palette: &Palette, detail: Detail, result: &SubjectResult) -> io::Result<()> {
    let quiet = matches!(detail, Detail::Quiet | Detail::Summary);
    let as_expected = result.failed_as_expected();
    let wanted = match result.verdict {
        Verdict::Fail if as_expected => !quiet,
        Verdict::Pass | Verdict::Unsupported => !quiet,
        Verdict::Fail | Verdict::NotJudged => detail != Detail::Summary,
    };
    if !wanted {
        return Ok(());
    }
    let (style, word) = match result.verdict {
        Verdict::Pass => (palette.pass, "PASS"),
        Verdict::Fail if as_expected => (palette.warn, "FAIL AS EXPECTED"),
        Verdict::Fail if result.is_flaky() => (palette.fail, "FLAKY"),
        Verdict::Fail => (palette.fail, "FAIL"),
        Verdict::NotJudged => (palette.warn, "NOT JUDGED"),
        Verdict::Unsupported => (palette.warn, "UNSUPPORTED"),
    };
    let dim = palette.dim;
    write!(out, "{style}{word}{style:#} {}", harmless(&result.subject))?;
    match result.verdict {
        Verdict::Pass => {
            let skipped = match unjudged(result) {
                Some(skipped) if detail != Detail::Verbose => format!(" ({skipped})"),
                _ => String::new(),
            };
            writeln!(out, " {dim}[{}]{skipped}{dim:#}", duration(result.duration_ms))?;
        }
        Verdict::Fail => writeln!(out)?,
        Verdict::NotJudged | Verdict::Unsupported => writeln!(out, "{}", reason(result))?,
    }
    details(out, palette, detail, result)
}

/// Writes what was found about one subject.
///
/// # Errors
/// Where the writer refuses.
pub fn details(out: &mut dyn Write, palette: &Palette, detail: Detail, result: &SubjectResult) -> io::Result<()> {
    let verbose = detail == Detail::Verbose;
    let document = result.documents.first().map(|document| document.name.as_str());
    let (errors, remarks): (Vec<&Finding>, Vec<&Finding>) =
        result.findings.iter().partition(|finding| finding.severity == Severity::Error);
    let (expected, errors): (Vec<&Finding>, Vec<&Finding>) =
        errors.into_iter().partition(|finding| result.expectation(finding).is_some());
    let shown = if verbose { errors.len() } else { SHOWN_ERRORS };
    for finding in errors.iter().take(shown) {
        finding::full(out, palette, finding, document)?;
    }
    more(out, palette, errors.len().saturating_sub(shown), "error")?;
    let shown = if verbose { expected.len() } else { SHOWN_REMARKS };
    for finding in expected.iter().take(shown) {
        if verbose {
            finding::full(out, palette, finding, document)?;
        } else {
            finding::compact(out, palette, finding, document)?;
        }
    }
    more(out, palette, expected.len().saturating_sub(shown), "expected error")?;
    result.expected.iter().try_for_each(|known| expectation(out, palette, known))?;
    if verbose {
        remarks.iter().try_for_each(|finding| finding::full(out, palette, finding, document))?;
    } else if detail == Detail::Normal {
        for finding in remarks.iter().take(SHOWN_REMARKS) {
            finding::compact(out, palette, finding, document)?;
        }
        more(out, palette, remarks.len().saturating_sub(SHOWN_REMARKS), "remark")?;
    }
    if verbose {
        not_judged(out, palette, &result.not_judged)?;
    } else if detail == Detail::Normal
        && result.verdict == Verdict::Fail
        && !result.failed_as_expected()
        && let Some(skipped) = unjudged(result)
    {
        let dim = palette.dim;
        writeln!(out, "  {dim}{skipped}{dim:#}")?;
    }
    if result.failed_as_expected() && !verbose {
        return Ok(());
    }
    if let Some(stderr) = result.stderr.as_deref().filter(|text| !text.trim().is_empty()) {
        standard_error(out, palette, stderr, verbose)?;
    }
    if let (Verdict::Fail | Verdict::NotJudged, Some(reproduce)) = (result.verdict, &result.reproduce) {
        let Palette { frame, id, .. } = palette;
        writeln!(out, "    {frame}={frame:#} {id}reproduce{id:#}: {}", harmless(reproduce))?;
    }
    Ok(())
}

/// Why a failure was expected, in one line.
fn expectation(out: &mut dyn Write, palette: &Palette, known: &ExpectedFailure) -> io::Result<()> {
    let Palette { frame, id, .. } = palette;
    let word = if known.flaky { "flaky" } else { "expected" };
    let mut about = Vec::new();
    about.extend(known.issue.clone());
    about.extend(known.owner.as_ref().map(|owner| format!("owner {owner}")));
    about.extend(known.expires.as_ref().map(|day| format!("until {day}")));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    let text = format!("{}: {}{about}", known.obligation, known.reason);
    writeln!(out, "    {frame}={frame:#} {id}{word}{id:#}: {}", harmless(&text))
}

/// That not every obligation was judged, if so.
fn unjudged(result: &SubjectResult) -> Option<String> {
    let Coverage { judged, total } = result.obligations;
    (judged < total).then(|| format!("{} of {} not judged", total - judged, counted(total, "obligation")))
}

fn more(out: &mut dyn Write, palette: &Palette, number: usize, noun: &str) -> io::Result<()> {
    if number == 0 {
        return Ok(());
    }
    let dim = palette.dim;
    writeln!(out, "  {dim}… and {} more (-v shows all, and so does --format json){dim:#}", counted(number, noun))
}

/// What could not be judged: each obligation once, with its first reason and the number of places.
fn not_judged(out: &mut dyn Write, palette: &Palette, entries: &[NotJudged]) -> io::Result<()> {
    let dim = palette.dim;
    let mut seen: Vec<(&str, &NotJudged, usize)> = Vec::new();
    for entry in entries {
        match seen.iter_mut().find(|(id, ..)| *id == entry.obligation) {
            Some((_, _, places)) => *places += 1,
            None => seen.push((&entry.obligation, entry, 1)),
        }
    }
    for (id, entry, places) in seen {
        let at = if entry.pointer.is_empty() { String::new() } else { format!(" at {}", harmless(&entry.pointer)) };
        let rest = if places > 1 { format!(" (and {} more)", counted(places - 1, "place")) } else { String::new() };
        writeln!(out, "  {dim}not judged: {}{at}: {}{rest}{dim:#}", harmless(id), harmless(&entry.reason))?;
    }
    Ok(())
}

fn standard_error(out: &mut dyn Write, palette: &Palette, text: &str, all: bool) -> io::Result<()> {
    let Palette { frame, dim, .. } = palette;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let skipped = if all { 0 } else { lines.len().saturating_sub(SHOWN_STDERR) };
    writeln!(out, "    {frame}={frame:#} the emitter's standard error:")?;
    if skipped > 0 {
        writeln!(out, "    {frame}│{frame:#} {dim}… {} before (-v shows all){dim:#}", counted(skipped, "line"))?;
    }
    for line in lines.iter().skip(skipped) {
        writeln!(out, "    {frame}│{frame:#} {}", harmless(line))?;
    }
    Ok(())
}
