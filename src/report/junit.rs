//! Results as JUnit XML, as build servers read it.
//!
//! What a document got wrong is a `<failure>`; an emitter that crashed, hung or emitted nothing, and whatever was not judged,
//! is an `<error>`; what the emitter does not support, and what failed as it was expected to, is `<skipped>`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::palette::Palette;
use super::pretty::{self, Detail};
use crate::finding::{Finding, Severity};
use crate::run::results::{Coverage, Results, SubjectResult, Verdict};

/// Writes results.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new("conform");
    let mut total = 0.0;
    for (suite, members) in by_suite(results) {
        let mut testsuite = TestSuite::new(suite);
        let mut coverage = Coverage::default();
        let mut milliseconds = 0.0;
        for result in members {
            coverage.judged += result.obligations.judged;
            coverage.total += result.obligations.total;
            milliseconds += result.duration_ms;
            testsuite.add_test_case(case(suite, result));
        }
        total += milliseconds;
        testsuite.set_time(time(milliseconds));
        testsuite.add_property(Property::new("conform.version", &*results.conform.version));
        if let Some(emitter) = &results.emitter {
            testsuite.add_property(Property::new("emitter.name", &*emitter.name));
            if let Some(version) = &emitter.version {
                testsuite.add_property(Property::new("emitter.version", &**version));
            }
        }
        testsuite.add_property(Property::new("obligations.judged", coverage.judged.to_string()));
        testsuite.add_property(Property::new("obligations.total", coverage.total.to_string()));
        report.add_test_suite(testsuite);
    }
    report.set_time(time(total));
    // XML has no place for these two, and quick-junit lets them through.
    let xml = report.to_string().map_err(io::Error::other)?.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    to.write_all(without_skipped(&xml).as_bytes())
}

/// Without the count of skipped tests in the outermost element: the schemas that build servers go by do not have it there.
fn without_skipped(xml: &str) -> String {
    let attribute = || {
        let start = xml.find("<testsuites ")?;
        let end = start + xml[start..].find('>')?;
        let from = start + xml[start..end].find(" skipped=\"")?;
        let length = xml[from + " skipped=\"".len()..end].find('"')? + " skipped=\"\"".len();
        Some((from, from + length))
    };
    match attribute() {
        Some((from, to)) => [&xml[..from], &xml[to..]].concat(),
        None => xml.to_owned(),
    }
}

/// Results by suite, the suites in the order in which they first appear.
pub(super) fn by_suite(results: &Results) -> Vec<(&str, Vec<&SubjectResult>)> {
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    let mut suites: Vec<(&str, Vec<&SubjectResult>)> = Vec::new();
    for result in &results.results {
        let suite = result.suite.as_deref().unwrap_or("no suite");
        let at = *order.entry(suite).or_insert(suites.len());
        if at == suites.len() {
            suites.push((suite, Vec::new()));
        }
        suites[at].1.push(result);
    }
    suites
}

fn case(suite: &str, result: &SubjectResult) -> TestCase {
    let mut status = match result.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Unsupported => TestCaseStatus::skipped(),
        Verdict::Fail if result.failed_as_expected() => TestCaseStatus::skipped(),
        Verdict::NotJudged => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Fail => {
            let in_a_document = errors(result).any(|finding| !finding.obligation.starts_with("process/"));
            let kind = if in_a_document { NonSuccessKind::Failure } else { NonSuccessKind::Error };
            TestCaseStatus::non_success(kind)
        }
    };
    match result.verdict {
        Verdict::Pass => {}
        Verdict::Unsupported => {
            status.set_message(result.reason.as_deref().unwrap_or("unsupported by the emitter"));
        }
        Verdict::NotJudged => {
            status.set_type("not-judged").set_message(result.reason.as_deref().unwrap_or("not judged"));
            status.set_description(text(result));
        }
        Verdict::Fail if result.failed_as_expected() => {
            status.set_type("expected-failure").set_message(super::words::reasons(result));
            status.set_description(text(result));
        }
        Verdict::Fail => {
            if let Some(first) = errors(result).next() {
                status.set_type(&*first.obligation).set_message(message(first, errors(result).count() - 1));
            }
            status.set_description(text(result));
        }
    }
    let name = result.subject.strip_prefix(suite).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&result.subject);
    let mut case = TestCase::new(name, status);
    case.set_classname(suite).set_time(time(result.duration_ms));
    if let Some(stderr) = &result.stderr {
        case.set_system_err(&**stderr);
    }
    case
}

fn errors(result: &SubjectResult) -> impl Iterator<Item = &Finding> {
    result.findings.iter().filter(|finding| finding.severity == Severity::Error)
}

fn message(first: &Finding, more: usize) -> String {
    match more {
        0 => format!("{}: {}", first.obligation, first.message),
        more => format!("{}: {} (and {} more)", first.obligation, first.message, super::words::counted(more, "error")),
    }
}

fn text(result: &SubjectResult) -> String {
    let mut text = Vec::new();
    // A vector refuses nothing.
    let _ = pretty::subject(&mut text, &Palette::plain(), Detail::Normal, result);
    String::from_utf8_lossy(&text).into_owned()
}

fn time(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}
