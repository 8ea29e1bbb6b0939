//! Every subject with its findings, for who fixes them.

use std::collections::HashMap;

use super::diff::{self, Row};
use super::groups::Groups;
use super::shown;
use crate::catalogue;
use crate::finding::{Finding, Severity, SnippetLine};
use crate::report::finding::DIFF_CONTEXT;
use crate::report::words::{counted, duration};
use crate::run::results::{ExpectedFailure, Results, SubjectResult, Verdict};

/// Findings of one subject that are shown.
const SHOWN: usize = 25;
/// Lines of standard error that are shown.
const STDERR_LINES: usize = 40;
/// Roughly the bytes that details may take. Past them subjects keep their line only: a page of thousands of failures is slow to
/// open, and nobody reads it to the end.
const BUDGET: usize = 1 << 20;
/// Roughly the bytes of markup around one finding, and around one line of a snippet or a comparison.
const FINDING_MARKUP: usize = 700;
const LINE_MARKUP: usize = 90;
/// Failed subjects up to this many are unfolded from the start.
const UNFOLDED: usize = 10;

pub struct Subjects {
    pub noun: &'static str,
    /// Subjects with something to say, the worst first, otherwise in the order of the results.
    pub list: Vec<Subject>,
    /// That some of them have no details here.
    pub left_out: Option<String>,
    /// Those that passed without a word.
    pub clean: Vec<Clean>,
    pub filters: Vec<Filter>,
    pub suites: Vec<String>,
    pub groups: Vec<String>,
}

/// A radio button that leaves only some subjects to be seen.
pub struct Filter {
    pub class: &'static str,
    pub word: &'static str,
    pub count: usize,
}

pub struct Clean {
    pub suite: usize,
    pub name: String,
}

pub struct Subject {
    pub at: usize,
    pub suite_name: Option<String>,
    pub name: String,
    pub classes: String,
    pub class: &'static str,
    pub verdict: &'static str,
    pub open: bool,
    /// Whether there is nothing to unfold: its details are left out.
    pub bare: bool,
    /// Errors and warnings, or the reason.
    pub tail: String,
    pub duration: String,
    pub reason: Option<String>,
    pub findings: Vec<Found>,
    /// That more findings are in the results than are shown.
    pub more: Option<String>,
    pub unjudged: Vec<(String, String)>,
    pub unjudged_text: Option<String>,
    pub stderr: Option<String>,
    pub reproduce: Option<String>,
}

pub struct Found {
    pub class: &'static str,
    pub severity: &'static str,
    pub obligation: String,
    /// Whether the page explains the obligation.
    pub linked: bool,
    pub basis: &'static str,
    pub message: String,
    pub place: Option<(String, String)>,
    pub snippet: Vec<Line>,
    pub comparison: Option<(&'static str, &'static str, Vec<Row>)>,
    pub help: Option<String>,
    /// What was declared beforehand about it.
    pub expected: Option<String>,
}

/// A line of a snippet, cut where it is marked.
pub struct Line {
    pub number: u32,
    pub before: String,
    pub marked: String,
    pub after: String,
    pub label: String,
}

/// The class and the word for what a subject came to.
pub fn verdict(result: &SubjectResult) -> (&'static str, &'static str) {
    match result.verdict {
        Verdict::Fail if result.failed_as_expected() => ("exp", "failed as expected"),
        _ if result.is_flaky() => ("flaky", "flaky"),
        Verdict::Pass => ("pass", "passed"),
        Verdict::Fail => ("fail", "failed"),
        Verdict::NotJudged => ("none", "not judged"),
        Verdict::Unsupported => ("unsup", "unsupported"),
    }
}

/// Whether there is more to say of a subject than that it passed.
pub fn has_details(result: &SubjectResult) -> bool {
    result.verdict != Verdict::Pass || !result.findings.is_empty() || !result.not_judged.is_empty()
}

impl Subjects {
    pub fn of(results: &Results, groups: &Groups) -> Self {
        let explained: HashMap<&str, ()> = catalogue::all().into_iter().map(|entry| (entry.id, ())).collect();
        let mut subjects = Subjects {
            noun: if results.emitter.is_some() { "scenario" } else { "document" },
            list: Vec::new(),
            left_out: None,
            clean: Vec::new(),
            filters: Vec::new(),
            suites: Vec::new(),
            groups: Vec::new(),
        };
        let failed = results.summary.failed;
        let mut spent = 0;
        // The worst first, so that what is to be fixed is at the top, and has its details where not all can.
        let mut order: Vec<(usize, &SubjectResult)> = results.results.iter().enumerate().collect();
        order.sort_by_key(|(_, result)| rank(result));
        for (at, result) in order {
            let suite = position(&mut subjects.suites, &result.suite.as_deref().map_or("no suite".into(), shown));
            if !has_details(result) {
                subjects.clean.push(Clean { suite, name: shown(&result.subject) });
                continue;
            }
            let mut subject = Subject::of(at, result);
            subject.open = result.verdict == Verdict::Fail && !result.failed_as_expected() && failed <= UNFOLDED;
            subject.classes = subjects.classes(result, suite, groups);
            if spent < BUDGET {
                subject.fill(result, &explained);
                spent += subject.size();
            } else {
                subject.bare = true;
            }
            subjects.list.push(subject);
        }
        let bare = subjects.list.iter().filter(|subject| subject.bare).count();
        subjects.left_out = (bare > 0).then(|| {
            let last = counted(bare, subjects.noun);
            format!("The last {last} stand without details, to keep the page short; the JSON results have them.")
        });
        subjects.filters = filters(results);
        subjects
    }

    /// The classes that filters look at: verdict, suite, groups of what was found.
    fn classes(&mut self, result: &SubjectResult, suite: usize, groups: &Groups) -> String {
        let class = if result.failed_as_expected() { "exp" } else { result.verdict.class() };
        let mut classes = format!("{class} u{suite}");
        if result.is_flaky() {
            classes.push_str(" flaky");
        }
        if result.findings.iter().any(|finding| finding.severity == Severity::Warning) {
            classes.push_str(" warned");
        }
        let mut seen: Vec<&str> = Vec::new();
        for finding in &result.findings {
            let group = groups.of(&finding.obligation);
            if !seen.contains(&group) {
                seen.push(group);
                let at = position(&mut self.groups, &shown(group));
                classes.push_str(&format!(" g{at}"));
            }
        }
        classes
    }
}

fn rank(result: &SubjectResult) -> u8 {
    match result.verdict {
        Verdict::Fail if result.failed_as_expected() => 2,
        Verdict::Fail => 0,
        Verdict::NotJudged => 1,
        Verdict::Unsupported => 3,
        Verdict::Pass => 4,
    }
}

fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|other| other == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

fn filters(results: &Results) -> Vec<Filter> {
    let summary = &results.summary;
    let warned =
        results.results.iter().filter(|result| result.findings.iter().any(|f| f.severity == Severity::Warning)).count();
    let filters = [
        ("fail", "failed", summary.failed),
        ("exp", "failed as expected", summary.expected_failures),
        ("flaky", "flaky", summary.flaky),
        ("warned", "with warnings", warned),
        ("none", "not judged", summary.not_judged),
        ("unsup", "unsupported", summary.unsupported),
        ("pass", "passed", summary.passed),
    ];
    let filters = filters.into_iter().filter(|(.., count)| *count > 0);
    filters.map(|(class, word, count)| Filter { class, word, count }).collect()
}

impl Subject {
    fn of(at: usize, result: &SubjectResult) -> Self {
        let (class, verdict) = verdict(result);
        Subject {
            at,
            suite_name: result.suite.as_deref().filter(|suite| result.subject.starts_with(*suite)).map(shown),
            name: shown(result.short_name()),
            classes: String::new(),
            class,
            verdict,
            open: false,
            bare: false,
            tail: tail(result),
            duration: duration(result.duration_ms),
            reason: None,
            findings: Vec::new(),
            more: None,
            unjudged: Vec::new(),
            unjudged_text: None,
            stderr: None,
            reproduce: result.reproduce.as_deref().map(shown),
        }
    }

    fn fill(&mut self, result: &SubjectResult, explained: &HashMap<&str, ()>) {
        self.reason =
            result.reason.as_deref().map(shown).filter(|reason| !reason.trim().is_empty() && *reason != self.tail);
        let mut findings: Vec<&Finding> = result.findings.iter().collect();
        // The worst first; the order among equals is that in which they were found.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let more = findings.len().saturating_sub(SHOWN);
        self.more = (more > 0).then(|| format!("… and {} more; the JSON results have them.", counted(more, "finding")));
        self.findings = findings.into_iter().take(SHOWN).map(|finding| found(result, finding, explained)).collect();
        self.unjudged = unjudged(result);
        let (judged, total) = (result.obligations.judged, result.obligations.total);
        self.unjudged_text =
            (judged < total).then(|| format!("{} of {} not judged", total - judged, counted(total, "obligation")));
        self.stderr = result.stderr.as_deref().filter(|text| !text.trim().is_empty()).map(last_lines);
    }

    fn size(&self) -> usize {
        let findings = self.findings.iter().map(Found::size).sum::<usize>();
        let unjudged = self.unjudged.iter().map(|(id, why)| id.len() + why.len() + LINE_MARKUP).sum::<usize>();
        FINDING_MARKUP + findings + unjudged + self.stderr.as_ref().map_or(0, String::len)
    }
}

impl Found {
    fn size(&self) -> usize {
        let text = self.message.len() + self.obligation.len() + self.help.as_ref().map_or(0, String::len);
        let snippet: usize = self
            .snippet
            .iter()
            .map(|line| line.before.len() + line.marked.len() + line.after.len() + LINE_MARKUP)
            .sum();
        let rows = self.comparison.iter().flat_map(|(.., rows)| rows);
        let sides = |row: &Row| row.left.as_ref().map_or(0, String::len) + row.right.as_ref().map_or(0, String::len);
        let comparison: usize = rows.map(|row| sides(row) + LINE_MARKUP).sum();
        FINDING_MARKUP + text + snippet + comparison
    }
}

fn tail(result: &SubjectResult) -> String {
    let count = |severity| result.findings.iter().filter(|finding| finding.severity == severity).count();
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts = counts.map(|(severity, noun)| (count(severity), noun));
    let counts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
    if !counts.is_empty() {
        return counts.join(", ");
    }
    match result.reason.as_deref().filter(|reason| !reason.trim().is_empty()) {
        Some(reason) => shown(reason),
        None => {
            let left = result.obligations.total.saturating_sub(result.obligations.judged);
            if left > 0 { format!("{} not judged", counted(left, "obligation")) } else { String::new() }
        }
    }
}

fn found(result: &SubjectResult, finding: &Finding, explained: &HashMap<&str, ()>) -> Found {
    let (class, severity) = match finding.severity {
        Severity::Error => ("fail", "error"),
        Severity::Warning => ("warn", "warning"),
        Severity::Note => ("note", "note"),
    };
    Found {
        class,
        severity,
        obligation: shown(&finding.obligation),
        linked: explained.contains_key(finding.obligation.as_str()),
        basis: finding.basis.as_str(),
        message: shown(&finding.message),
        place: finding.place.as_ref().map(|place| {
            let name = result.document_of(finding).unwrap_or("document");
            (format!("{}:{}:{}", shown(name), place.line, place.column), shown(&place.pointer))
        }),
        snippet: finding.snippet.iter().map(line).collect(),
        comparison: finding.comparison.as_ref().map(|comparison| {
            let (left, right) = comparison.sides.labels();
            (left, right, diff::rows(comparison, DIFF_CONTEXT))
        }),
        help: finding.help.as_deref().map(shown),
        expected: result.expectation(finding).map(expected),
    }
}

/// A declaration in a sentence: its reason, where it is worked on, by whom, until when.
pub fn expected(expected: &ExpectedFailure) -> String {
    let mut text = shown(&expected.reason);
    let more = [("", &expected.issue), ("owner ", &expected.owner), ("until ", &expected.expires)];
    for (what, value) in more {
        if let Some(value) = value {
            text.push_str(&format!("; {what}{}", shown(value)));
        }
    }
    if expected.flaky {
        text.push_str("; fails at times");
    }
    text
}

fn line(line: &SnippetLine) -> Line {
    let text = shown(&line.text);
    let (start, width, label) = match &line.mark {
        Some(mark) => ((mark.column as usize).saturating_sub(1), mark.width as usize, shown(&mark.label)),
        None => (usize::MAX, 0, String::new()),
    };
    Line {
        number: line.line,
        before: text.chars().take(start).collect(),
        marked: text.chars().skip(start).take(width).collect(),
        after: text.chars().skip(start.saturating_add(width)).collect(),
        label,
    }
}

/// What was not judged: each obligation once, with its first reason.
fn unjudged(result: &SubjectResult) -> Vec<(String, String)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &result.not_judged {
        match reasons.iter_mut().find(|(reason, _)| *reason == entry.reason) {
            Some((_, ids)) if ids.contains(&entry.obligation.as_str()) => {}
            Some((_, ids)) => ids.push(&entry.obligation),
            None => reasons.push((&entry.reason, vec![&entry.obligation])),
        }
    }
    let told = reasons.into_iter().map(|(reason, ids)| {
        const NAMED: usize = 6;
        let more = ids.len().saturating_sub(NAMED);
        let named: Vec<String> = ids.iter().take(NAMED).map(|id| shown(id)).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (shown(reason), format!("{}{more}", named.join(", ")))
    });
    told.collect()
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let skipped = lines.len().saturating_sub(STDERR_LINES);
    let mut out = if skipped > 0 { format!("… {} before\n", counted(skipped, "line")) } else { String::new() };
    for line in &lines[skipped..] {
        out.push_str(&shown(line));
        out.push('\n');
    }
    out
}
