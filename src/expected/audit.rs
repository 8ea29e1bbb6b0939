//! Declarations held against what a run came to: which of them no longer say the truth.

use std::ops::RangeInclusive;

use super::Expectations;
use super::entry::Entry;
use crate::check::nearest;
use crate::finding::Severity;
use crate::run::results::{DeclaredFailures, StaleEntry, StaleKind, SubjectResult, Verdict};

/// Names that a declaration may use, whether or not this run has anything to do with them.
pub struct Known<'k> {
    /// Every scenario there is, as `suite/scenario`.
    pub scenarios: &'k [String],
    /// Every obligation's id.
    pub obligations: &'k [&'k str],
}

/// The subject that stands for a session's end.
const SESSION: &str = "session";

/// Scenarios that a message names before it only counts.
const NAMED: usize = 3;

impl Expectations {
    /// What the declarations come to, held against the results of the run: those in force, and those that are stale.
    ///
    /// A declaration for another emitter, or for scenarios that exist and were not run, is left for another run to judge.
    pub fn audit(&self, results: &[SubjectResult], known: &Known<'_>) -> DeclaredFailures {
        let mut stale = Vec::new();
        let mut aside = 0;
        for entry in &self.entries {
            match self.judge(entry, results, known) {
                Found::Aside => aside += 1,
                Found::Holds => {}
                Found::Stale(kind, problem) => stale.push(self.stale(entry, kind, &problem)),
            }
        }
        DeclaredFailures {
            file: self.file.clone(),
            in_force: self.declared(results.iter().map(|result| result.subject.as_str())),
            aside,
            stale,
        }
    }

    fn judge(&self, entry: &Entry, results: &[SubjectResult], known: &Known<'_>) -> Found {
        if !entry.is_for(&self.emitter) {
            return Found::Aside;
        }
        if let Some(last) = entry.expires.filter(|_| entry.has_expired(self.day)) {
            return Found::Stale(StaleKind::Expired, format!("it expired on {last}, and this run is of {}", self.day));
        }
        if let Some(nothing) = matches_nothing(entry, known) {
            return Found::Stale(StaleKind::MatchesNothing, nothing);
        }
        let concerned: Vec<&SubjectResult> = results.iter().filter(|result| entry.is_about(&result.subject)).collect();
        if concerned.is_empty() {
            return Found::Aside;
        }
        if entry.flaky {
            return Found::Holds;
        }
        let passing: Vec<&str> =
            concerned.iter().filter(|result| keeps(entry, result)).map(|result| result.subject.as_str()).collect();
        let obligation = entry.obligation.as_str();
        if passing.is_empty() {
            Found::Holds
        } else if concerned.iter().any(|result| breaks(entry, result)) {
            let problem = format!("{obligation} no longer fails in {}", listed(&passing));
            Found::Stale(StaleKind::PassesPartly, problem)
        } else {
            Found::Stale(StaleKind::Passes, format!("{obligation} passes in {}", listed(&passing)))
        }
    }

    fn stale(&self, entry: &Entry, kind: StaleKind, problem: &str) -> StaleEntry {
        let lines = span(&entry.lines);
        let advice = match kind {
            StaleKind::PassesPartly => format!("narrow its globs to what still fails ({lines})"),
            StaleKind::Expired => format!("remove {lines}, or decide anew until when it holds"),
            StaleKind::Passes | StaleKind::MatchesNothing => format!("remove {lines}"),
        };
        StaleEntry {
            kind,
            line: *entry.lines.start(),
            last_line: *entry.lines.end(),
            message: format!("{problem}; {advice}"),
        }
    }
}

/// What a declaration is found to be.
enum Found {
    /// Not this run's concern.
    Aside,
    /// True, or not to be told.
    Holds,
    Stale(StaleKind, String),
}

fn matches_nothing(entry: &Entry, known: &Known<'_>) -> Option<String> {
    let (scenario, obligation) = (entry.scenario.as_str(), entry.obligation.as_str());
    let scenarios = || known.scenarios.iter().map(String::as_str);
    if !scenarios().chain([SESSION]).any(|name| entry.is_about(name)) {
        let near = nearest(scenario, scenarios());
        let near = near.or_else(|| nearest(scenario, scenarios().filter_map(|name| name.split('/').nth(1))));
        return Some(format!("no scenario is called {scenario}{}", meant(near)));
    }
    if !known.obligations.iter().any(|id| entry.obligation.matches(id)) {
        let near = nearest(obligation, known.obligations.iter().copied());
        return Some(format!("no obligation is called {obligation}{}", meant(near)));
    }
    None
}

fn meant(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(" (is {near} meant?)"))
}

/// Whether what was declared to fail fails.
fn breaks(entry: &Entry, result: &SubjectResult) -> bool {
    let fails = |severity| severity != Severity::Note;
    result.findings.iter().any(|finding| fails(finding.severity) && entry.obligation.matches(&finding.obligation))
}

/// Whether what was declared to fail was judged and does not. Where an earlier stage failed for another reason, or the
/// obligation was not judged, that cannot be told.
fn keeps(entry: &Entry, result: &SubjectResult) -> bool {
    if breaks(entry, result) {
        return false;
    }
    let unjudged = |id: &str| result.not_judged.iter().any(|entry| entry.obligation == id);
    match result.verdict {
        Verdict::Unsupported | Verdict::NotJudged => false,
        Verdict::Pass => entry.one_obligation().is_none_or(|id| !unjudged(id)),
        Verdict::Fail => {
            let early = |id: &str| id.starts_with("process/") || id.starts_with("document/");
            let hidden = result.findings.iter().any(|finding| early(&finding.obligation));
            !hidden && !result.not_judged.iter().any(|left| entry.obligation.matches(&left.obligation))
        }
    }
}

fn listed(subjects: &[&str]) -> String {
    let named = subjects.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match subjects.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn span(lines: &RangeInclusive<usize>) -> String {
    if lines.start() == lines.end() {
        format!("line {}", lines.start())
    } else {
        format!("lines {} to {}", lines.start(), lines.end())
    }
}
