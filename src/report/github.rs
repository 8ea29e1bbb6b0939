//! Results as annotations of GitHub Actions: workflow commands that the runner reads off the log.
//!
//! Documents that were checked are files of the repository, as far as GitHub knows, and get annotations at their lines. What an
//! emitter wrote is in no file; those annotations name the scenario and quote the lines.

use std::borrow::Cow;
use std::io::{self, Write};

use super::words::{counted, harmless};
use crate::finding::{Finding, Severity};
use crate::run::conclusion::Conclusion;
use crate::run::results::{Results, SubjectResult, Verdict};

/// What a document from standard input is called.
const STDIN: &str = "<stdin>";

/// Writes results.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    // GitHub shows ten annotations of a level for a step. The first error of every subject, therefore, before any second one.
    for first in [true, false] {
        for result in &results.results {
            let errors = result.errors().filter(|finding| result.expectation(finding).is_none());
            for (at, finding) in errors.enumerate() {
                if (at == 0) == first {
                    annotation(to, results, result, finding)?;
                }
            }
        }
    }
    if let Some(expected) = &results.expected {
        for stale in &expected.stale {
            let properties = [
                ("file", expected.file.clone()),
                ("line", stale.line.to_string()),
                ("endLine", stale.last_line.to_string()),
                ("title", "expected failure that no longer holds".to_owned()),
            ];
            command(to, "error", &properties, &harmless(&stale.message))?;
        }
    }
    for result in &results.results {
        let why = match result.verdict {
            Verdict::NotJudged => "not judged",
            Verdict::Unsupported if !result.optional => "unsupported",
            _ => continue,
        };
        let reason = result.reason.as_deref().map_or(String::new(), |reason| format!(": {}", harmless(reason)));
        command(to, "warning", &[("title", result.subject.clone())], &format!("{why}{reason}"))?;
    }
    let expected = |result: &SubjectResult, finding: &Finding| result.expectation(finding).is_some();
    for severity in [Severity::Warning, Severity::Note] {
        for result in &results.results {
            let findings = result.findings.iter().filter(|finding| finding.severity == severity);
            for finding in findings.filter(|finding| !expected(result, finding)) {
                annotation(to, results, result, finding)?;
            }
        }
    }
    for result in &results.results {
        for finding in result.findings.iter().filter(|finding| expected(result, finding)) {
            annotation(to, results, result, finding)?;
        }
    }
    let summary = &results.summary;
    let counts = format!(
        "{} of {} passed; {} of {} judged; {}",
        summary.passed,
        results.results.len() + summary.not_run,
        summary.obligations_judged,
        counted(summary.obligations_total, "obligation"),
        counted(summary.errors, "error"),
    );
    let title = format!("conform: {}", Conclusion::of(results).as_str());
    command(to, "notice", &[("title", title)], &counts)
}

fn annotation(to: &mut dyn Write, results: &Results, result: &SubjectResult, finding: &Finding) -> io::Result<()> {
    let level = match finding.severity {
        // What was declared beforehand is known.
        _ if result.expectation(finding).is_some() => "notice",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    let in_file = results.emitter.is_none() && result.subject != STDIN;
    match (&finding.place, in_file) {
        (Some(place), true) => {
            properties.push(("file", result.subject.clone()));
            properties.push(("line", place.line.to_string()));
            properties.push(("col", place.column.to_string()));
            properties.push(("title", finding.obligation.clone()));
        }
        (None, true) => {
            properties.push(("file", result.subject.clone()));
            properties.push(("title", finding.obligation.clone()));
        }
        (_, false) => properties.push(("title", format!("{}: {}", result.subject, finding.obligation))),
    }
    command(to, level, &properties, &text(result, finding, in_file))
}

fn text(result: &SubjectResult, finding: &Finding, in_file: bool) -> String {
    let mut text = format!("({}) {}", finding.basis.as_str(), harmless(&finding.message));
    if let Some(place) = finding.place.as_ref().filter(|_| !in_file) {
        let name = result.document_of(finding).unwrap_or("document");
        text.push_str(&format!("\n{}:{}:{}  {}", harmless(name), place.line, place.column, harmless(&place.pointer)));
        for line in &finding.snippet {
            text.push_str(&format!("\n{:>5} | {}", line.line, harmless(&line.text)));
        }
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!("\nhelp: {}", harmless(help)));
    }
    if let Some(expected) = result.expectation(finding) {
        text.push_str(&format!("\nexpected: {}", harmless(&expected.reason)));
    }
    if let Some(reproduce) = result.reproduce.as_ref().filter(|_| finding.severity == Severity::Error) {
        text.push_str(&format!("\nreproduce: {}", harmless(reproduce)));
    }
    text
}

fn command(to: &mut dyn Write, level: &str, properties: &[(&str, String)], message: &str) -> io::Result<()> {
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escaped(&harmless(value), true))).collect();
    writeln!(to, "::{level} {}::{}", properties.join(","), escaped(message, false))
}

/// Text as workflow commands take it. Anything else could start a command of its own.
fn escaped(text: &str, property: bool) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '%' | '\r' | '\n') || (property && matches!(c, ':' | ','));
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if special(c) { out.push_str(&format!("%{:02X}", c as u32)) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_foreign_ends_a_command_or_starts_one() {
        assert_eq!(escaped("50%\r\n::error::x", false), "50%25%0D%0A::error::x");
        assert_eq!(escaped("a:b,c=%", true), "a%3Ab%2Cc=%25");
        assert_eq!(escaped("a:b,c", false), "a:b,c");
    }
}
