//! Results as TAP 14: a test point for each subject, with a YAML block for what did not pass.

use std::io::{self, Write};

use serde::Serialize;

use super::words::{harmless, reasons};
use crate::finding::Finding;
use crate::run::results::{Results, SubjectResult, Verdict};

/// Writes results. What was selected and never run has no test point: the plan counts it, so that no harness takes the run for
/// complete.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "TAP version 14")?;
    let planned = results.results.len() + results.summary.not_run;
    if planned == 0 {
        return writeln!(to, "1..0 # SKIP nothing selected");
    }
    writeln!(to, "1..{planned}")?;
    for (at, result) in results.results.iter().enumerate() {
        point(to, at + 1, result)?;
    }
    for stale in results.expected.iter().flat_map(|expected| &expected.stale) {
        writeln!(to, "# stale expected failure, line {}: {}", stale.line, harmless(&stale.message))?;
    }
    if results.summary.not_run > 0 {
        writeln!(to, "Bail out! {} of {planned} not run", results.summary.not_run)?;
    }
    Ok(())
}

fn point(to: &mut dyn Write, number: usize, result: &SubjectResult) -> io::Result<()> {
    let name = escaped(&result.subject);
    let reason = result.reason.as_deref().map(escaped).unwrap_or_default();
    match result.verdict {
        Verdict::Pass => return writeln!(to, "ok {number} - {name}"),
        Verdict::Unsupported => return writeln!(to, "ok {number} - {name} # SKIP {reason}"),
        // What is declared to fail is what TAP calls to do: it is shown, and fails no harness.
        Verdict::Fail if result.failed_as_expected() => {
            writeln!(to, "not ok {number} - {name} # TODO {}", escaped(&reasons(result)))?;
        }
        Verdict::Fail | Verdict::NotJudged => writeln!(to, "not ok {number} - {name}")?,
    }
    let first = result.errors().next();
    let diagnosis = Diagnosis {
        message: first.map_or(result.reason.as_deref().unwrap_or("not judged"), |finding| &finding.message),
        severity: if result.verdict == Verdict::Fail { "fail" } else { "not judged" },
        duration_ms: result.duration_ms,
        findings: result.findings.iter().map(|finding| Found::of(result, finding)).collect(),
        reproduce: result.reproduce.as_deref(),
        stderr: result.stderr.as_deref(),
    };
    let yaml = serde_yaml::to_string(&diagnosis).map_err(io::Error::other)?;
    writeln!(to, "  ---")?;
    yaml.lines().try_for_each(|line| if line.is_empty() { writeln!(to) } else { writeln!(to, "  {line}") })?;
    writeln!(to, "  ...")
}

#[derive(Serialize)]
struct Diagnosis<'r> {
    message: &'r str,
    severity: &'static str,
    duration_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Found<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduce: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'r str>,
}

#[derive(Serialize)]
struct Found<'r> {
    obligation: &'r str,
    severity: &'static str,
    basis: &'static str,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<At<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entered: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<&'r str>,
}

#[derive(Serialize)]
struct At<'r> {
    file: &'r str,
    line: u32,
    column: u32,
    pointer: &'r str,
}

impl<'r> Found<'r> {
    fn of(result: &'r SubjectResult, finding: &'r Finding) -> Self {
        let comparison = finding.comparison.as_ref();
        Found {
            obligation: &finding.obligation,
            severity: finding.severity.as_str(),
            basis: finding.basis.as_str(),
            message: &finding.message,
            at: finding.place.as_ref().map(|place| At {
                file: result.document_of(finding).unwrap_or("document"),
                line: place.line,
                column: place.column,
                pointer: &place.pointer,
            }),
            help: finding.help.as_deref(),
            entered: comparison.map(|comparison| comparison.entered.as_str()),
            derived: comparison.map(|comparison| comparison.derived.as_str()),
        }
    }
}

/// A description in one line, in which nothing is a directive.
fn escaped(text: &str) -> String {
    harmless(text).replace('\\', "\\\\").replace('#', "\\#")
}
