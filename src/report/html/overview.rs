//! What a run comes to, for who decides: verdicts, obligations, what was not judged, and what changed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::groups::{Cell, Groups, by_suite, cells};
use super::{percent, shown, when};
use crate::catalogue;
use crate::report::trend::Trend;
use crate::report::words::counted;
use crate::run::conclusion::Conclusion;
use crate::run::results::{Results, SubjectResult, Summary, Verdict};
use crate::run::score::MutationScore;

/// Rows of a ranking that are shown.
const RANKED: usize = 10;
/// Names in a list of changes that are shown.
const NAMES: usize = 20;

pub struct Overview {
    /// The whole in a few sentences.
    pub sentences: String,
    pub noun: &'static str,
    pub total: usize,
    pub passed: String,
    /// Parts of the ring and of the bar, in the order drawn.
    pub verdicts: Vec<Part>,
    pub judged: usize,
    pub obligations: usize,
    pub groups: Vec<Bar>,
    pub broken: Vec<Broken>,
    /// How many more obligations are broken than are ranked.
    pub more_broken: usize,
    pub unjudged: Vec<Unjudged>,
    pub more_unjudged: usize,
    pub mutation: Vec<Mutation>,
    pub change: Option<Change>,
    /// Expected failures that no longer hold: place and message.
    pub stale: Vec<(String, String)>,
}

/// A part of a whole that a chart shows.
pub struct Part {
    pub class: &'static str,
    pub word: &'static str,
    pub count: usize,
    pub percent: f64,
    /// Where it starts.
    pub from: f64,
}

/// A group of obligations, over all subjects.
pub struct Bar {
    pub name: String,
    pub kept: usize,
    pub warned: usize,
    pub broken: usize,
    pub not_judged: usize,
    pub parts: Vec<Part>,
}

/// An obligation that is broken most.
pub struct Broken {
    pub id: String,
    pub title: String,
    pub subjects: usize,
    pub percent: f64,
}

/// A reason why obligations were not judged.
pub struct Unjudged {
    pub reason: String,
    pub subjects: usize,
    pub obligations: usize,
}

/// How well a suite notices what is broken.
pub struct Mutation {
    pub suite: String,
    pub killed: usize,
    pub survived: usize,
    pub operators: usize,
    pub covered: usize,
    pub obligations: usize,
    /// The parts of the bar, killed before survived.
    pub parts: Vec<Part>,
    /// What it lacks, by name.
    pub lacks: Vec<(&'static str, String)>,
    /// How it was come by.
    pub mutants: usize,
    pub seed: u64,
}

/// What changed since an earlier run.
pub struct Change {
    pub since: String,
    pub before: Vec<Part>,
    pub before_text: String,
    pub now_text: String,
    pub lists: Vec<ChangeList>,
    pub level: bool,
    /// That the earlier run was of something else, if so.
    pub doubt: Option<String>,
}

/// Subjects that changed in the same way.
pub struct ChangeList {
    pub class: &'static str,
    pub what: &'static str,
    pub count: usize,
    /// Some of them, with the position of those that the page has details of.
    pub names: Vec<(Option<usize>, String)>,
}

impl Overview {
    pub fn of(results: &Results, previous: Option<&Results>, groups: &Groups) -> Self {
        let noun = if results.emitter.is_some() { "scenario" } else { "document" };
        let total = results.results.len() + results.summary.not_run;
        let (broken, more_broken) = broken(results);
        let (unjudged, more_unjudged) = unjudged(results);
        Overview {
            sentences: sentences(results, noun, total),
            noun,
            total,
            passed: (results.summary.passed * 100).checked_div(total).unwrap_or(0).to_string(),
            verdicts: verdicts(&results.summary, total),
            judged: results.summary.obligations_judged,
            obligations: results.summary.obligations_total,
            groups: bars(results, groups),
            broken,
            more_broken,
            unjudged,
            more_unjudged,
            mutation: results.mutation.iter().map(mutation).collect(),
            change: previous.map(|previous| change(results, previous)),
            stale: results
                .expected
                .iter()
                .flat_map(|expected| expected.stale.iter().map(|entry| (&expected.file, entry)))
                .map(|(file, entry)| (format!("{}:{}", shown(file), entry.line), shown(&entry.message)))
                .collect(),
        }
    }
}

fn sentences(results: &Results, noun: &str, total: usize) -> String {
    let summary = &results.summary;
    let obligations: HashSet<&str> =
        results.results.iter().flat_map(SubjectResult::errors).map(|finding| finding.obligation.as_str()).collect();
    let mut text = match Conclusion::of(results) {
        Conclusion::Conformant if total == 1 => format!("The one {noun} passed."),
        Conclusion::Conformant if summary.passed == total => format!("All {total} {noun}s passed."),
        Conclusion::Conformant => format!("{} passed.", of_all(summary.passed, total, noun)),
        Conclusion::NotConformant if summary.failed == 0 => match stale(results) {
            0 => format!("No {noun} failed, but {}, and warnings are denied.", counted(summary.warnings, "warning")),
            stale => format!("No {noun} failed unexpectedly, but {} no longer hold.", counted(stale, "declaration")),
        },
        Conclusion::NotConformant => format!(
            "{} failed: {} over {}.",
            of_all(summary.failed, total, noun),
            counted(summary.errors, "error"),
            counted(obligations.len(), "broken obligation")
        ),
        Conclusion::Incomplete => format!("No {noun} failed, but not everything that had to be judged was."),
        Conclusion::Fault => {
            "Something broke inside conform; what it says of that subject says nothing of the emitter.".to_owned()
        }
    };
    if summary.expected_failures > 0 {
        text.push_str(&format!(" {} failed as declared beforehand.", counted(summary.expected_failures, noun)));
    }
    if summary.flaky > 0 {
        let verb = if summary.flaky == 1 { "changes" } else { "change" };
        text.push_str(&format!(" {} {verb} verdict from one emission to the next.", counted(summary.flaky, noun)));
    }
    let missing = summary.obligations_total - summary.obligations_judged.min(summary.obligations_total);
    match missing {
        0 => text.push_str(" Every obligation was judged."),
        _ => text.push_str(&format!(
            " {missing} of {} were not judged and count for nothing.",
            counted(summary.obligations_total, "obligation")
        )),
    }
    if summary.not_run > 0 {
        text.push_str(&format!(" {} selected and never run.", counted(summary.not_run, noun)));
    }
    text
}

/// How many declarations of expected failures no longer say the truth.
fn stale(results: &Results) -> usize {
    results.expected.as_ref().map_or(0, |expected| expected.stale.len())
}

fn of_all(part: usize, total: usize, noun: &str) -> String {
    format!("{part} of {}", counted(total, noun))
}

fn verdicts(summary: &Summary, total: usize) -> Vec<Part> {
    parts(
        [
            ("pass", "passed", summary.passed),
            ("fail", "failed", summary.failed),
            ("exp", "failed as expected", summary.expected_failures),
            ("unsup", "unsupported", summary.unsupported),
            ("none", "not judged", summary.not_judged),
            ("none", "not run", summary.not_run),
        ],
        total,
    )
}

/// The parts that there are, each behind the one before.
fn parts<const N: usize>(counts: [(&'static str, &'static str, usize); N], total: usize) -> Vec<Part> {
    let mut from = 0.0;
    let mut parts = Vec::new();
    for (class, word, count) in counts.into_iter().filter(|(.., count)| *count > 0) {
        let percent = percent(count, total);
        parts.push(Part { class, word, count, percent, from });
        from += percent;
    }
    parts
}

fn bars(results: &Results, groups: &Groups) -> Vec<Bar> {
    let mut order: Vec<String> = Vec::new();
    let mut sums: HashMap<String, Cell> = HashMap::new();
    for (suite, members) in by_suite(results) {
        let columns = groups.of_suite(suite, results.emitter.is_some(), &members);
        for column in &columns {
            if !order.contains(&column.name) {
                order.push(column.name.clone());
            }
        }
        for (_, result) in members {
            for (column, cell) in columns.iter().zip(cells(groups, &columns, result)) {
                let sum = sums.entry(column.name.clone()).or_default();
                sum.total += cell.total;
                sum.broken += cell.broken;
                sum.warned += cell.warned;
                sum.not_judged += cell.not_judged;
            }
        }
    }
    // The scenario's own judgement comes last, wherever it was met first.
    if let Some(at) = order.iter().position(|name| *name == "scenario") {
        let scenario = order.remove(at);
        order.push(scenario);
    }
    let bar = |name: String| {
        let sum = sums.get(&name).copied().unwrap_or_default();
        let kept = sum.kept();
        Bar {
            name: shown(&name),
            kept,
            warned: sum.warned,
            broken: sum.broken,
            not_judged: sum.not_judged,
            parts: parts(
                [
                    ("pass", "kept", kept),
                    ("warn", "warned of", sum.warned),
                    ("fail", "broken", sum.broken),
                    ("none", "not judged", sum.not_judged),
                ],
                sum.total,
            ),
        }
    };
    order.into_iter().map(bar).collect()
}

fn broken(results: &Results) -> (Vec<Broken>, usize) {
    let titles: HashMap<&str, &str> = catalogue::all().into_iter().map(|entry| (entry.id, entry.title)).collect();
    let mut subjects: BTreeMap<&str, usize> = BTreeMap::new();
    for result in &results.results {
        let ids: HashSet<&str> = result.errors().map(|finding| finding.obligation.as_str()).collect();
        for id in ids {
            *subjects.entry(id).or_default() += 1;
        }
    }
    let mut ranked: Vec<(&str, usize)> = subjects.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let more = ranked.len().saturating_sub(RANKED);
    let broken = ranked.into_iter().take(RANKED).map(|(id, subjects)| Broken {
        id: shown(id),
        title: titles.get(id).map(|title| (*title).to_owned()).unwrap_or_default(),
        subjects,
        percent: percent(subjects, results.results.len()),
    });
    (broken.collect(), more)
}

fn unjudged(results: &Results) -> (Vec<Unjudged>, usize) {
    let mut reasons: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for result in &results.results {
        // Each obligation once, for the first reason that there is, so that the rows come to what was not judged in all.
        let mut seen: HashSet<&str> = HashSet::new();
        let mut here: HashMap<&str, usize> = HashMap::new();
        for entry in result.not_judged.iter().filter(|entry| seen.insert(&entry.obligation)) {
            *here.entry(&entry.reason).or_default() += 1;
        }
        for (reason, obligations) in here {
            let sum = reasons.entry(reason).or_default();
            sum.0 += 1;
            sum.1 += obligations;
        }
    }
    let mut ranked: Vec<(&str, (usize, usize))> = reasons.into_iter().collect();
    ranked.sort_by(|a, b| b.1.1.cmp(&a.1.1).then(a.0.cmp(b.0)));
    let more = ranked.len().saturating_sub(RANKED);
    let entries = ranked.into_iter().take(RANKED);
    let entries =
        entries.map(|(reason, (subjects, obligations))| Unjudged { reason: shown(reason), subjects, obligations });
    (entries.collect(), more)
}

fn mutation(score: &MutationScore) -> Mutation {
    let lists = [("Survived", &score.survived), ("No operator for", &score.uncovered)];
    let lacks = lists.into_iter().filter(|(_, names)| !names.is_empty());
    Mutation {
        suite: shown(&score.suite),
        killed: score.killed,
        survived: score.survived.len(),
        operators: score.operators,
        covered: score.covered,
        obligations: score.obligations,
        parts: parts([("pass", "killed", score.killed), ("fail", "survived", score.survived.len())], score.operators),
        lacks: lacks.map(|(what, names)| (what, shown(&names.join(", ")))).collect(),
        mutants: score.mutants,
        seed: score.seed,
    }
}

fn change(results: &Results, previous: &Results) -> Change {
    let trend = Trend::of(results, previous);
    let at: HashMap<&str, usize> =
        results.results.iter().enumerate().map(|(at, result)| (result.subject.as_str(), at)).collect();
    let linked = |subjects: &[&SubjectResult]| {
        let names = subjects.iter().take(NAMES).map(|result| {
            let place = at.get(result.subject.as_str()).copied();
            (place.filter(|_| super::subjects::has_details(result)), shown(&result.subject))
        });
        names.collect::<Vec<_>>()
    };
    let removed = trend.removed.iter().take(NAMES).map(|name| (None, shown(name))).collect();
    let list = |class, what, count, names| ChangeList { class, what, count, names };
    let mut lists = vec![
        list("fail", "newly failed", trend.broken.len(), linked(&trend.broken)),
        list("pass", "passed again", trend.mended.len(), linked(&trend.mended)),
        list("none", "no longer judged", trend.lost.len(), linked(&trend.lost)),
        list("none", "added", trend.added, Vec::new()),
        list("none", "removed", trend.removed.len(), removed),
    ];
    lists.retain(|list| list.count > 0);
    let text = |results: &Results| {
        let total = results.results.len() + results.summary.not_run;
        format!("{} of {total} passed, {}", results.summary.passed, counted(results.summary.errors, "error"))
    };
    let name = |results: &Results| results.emitter.as_ref().map(|emitter| emitter.name.clone()).unwrap_or_default();
    let before_total = previous.results.len() + previous.summary.not_run;
    Change {
        since: when(&previous.started),
        before: verdicts(&previous.summary, before_total),
        before_text: text(previous),
        now_text: text(results),
        level: trend.is_level(),
        lists,
        doubt: (name(results) != name(previous)).then(|| format!("The earlier run was of {}.", shown(&name(previous)))),
    }
}

impl Verdict {
    /// The class that style sheets know it by.
    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::NotJudged => "none",
            Verdict::Unsupported => "unsup",
        }
    }
}
