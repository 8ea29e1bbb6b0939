//! One scenario emitted several times: whether the emitter says the same each time, and whether it is judged the same.

use std::sync::Mutex;

use super::conduct::{Conducted, conduct};
use super::emit::Emit;
use super::plan::Job;
use super::results::{Repeats, SubjectResult, Verdict};
use super::rules::{FLAKY, UNSTABLE};
use crate::check::{Checker, guarded};
use crate::document::{self, Kind, Limits, Value};
use crate::emitter::{Emission, RawDocument};
use crate::finding::{Comparison, Finding, Sides};
use crate::suite::Suite;
use crate::suite::scenario::Scenario;

/// Has a scenario emitted and judged so many times. The result is the worst of them, with what is to be said of them together.
pub fn conduct_repeatedly(
    checker: &Checker,
    emit: &dyn Emit,
    job: &Job,
    reproduce: Option<String>,
    times: u32,
) -> Conducted {
    if times <= 1 {
        return conduct(checker, emit, job, reproduce);
    }
    let recording = Recording { emit, documents: Mutex::default() };
    let mut repeats = Repeats::default();
    let mut results: Vec<SubjectResult> = Vec::new();
    for _ in 0..times {
        match conduct(checker, &recording, job, reproduce.clone()) {
            Conducted::Judged(result) => {
                repeats.count(result.verdict);
                results.push(result);
            }
            ended => return ended,
        }
    }
    let duration_ms = results.iter().map(|result| result.duration_ms).sum();
    let worst = results.iter().map(|result| badness(result.verdict)).max();
    let Some(mut result) = results.into_iter().find(|result| Some(badness(result.verdict)) == worst) else {
        return Conducted::Interrupted;
    };
    result.duration_ms = duration_ms;
    result.repeats = Some(repeats);
    let emissions = recording.documents.into_inner().unwrap_or_default();
    // A comparison that breaks says nothing, and changes no verdict.
    let unstable = guarded(|| unstable(&emissions, &checker.limits)).ok().flatten();
    result.findings.extend(unstable);
    result.findings.extend(repeats.is_flaky().then(|| flaky(repeats)));
    Conducted::Judged(result)
}

fn badness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Unsupported => 1,
        Verdict::NotJudged => 2,
        Verdict::Fail => 3,
    }
}

/// Hands emissions on, and keeps the documents of each.
struct Recording<'e> {
    emit: &'e dyn Emit,
    documents: Mutex<Vec<Vec<RawDocument>>>,
}

impl Emit for Recording<'_> {
    fn emit(&self, suite: &Suite, scenario: &Scenario) -> Emission {
        let emission = self.emit.emit(suite, scenario);
        if let Ok(mut documents) = self.documents.lock() {
            documents.push(emission.documents.clone());
        }
        emission
    }
}

fn flaky(repeats: Repeats) -> Finding {
    let counts = [
        (repeats.passed, "passed"),
        (repeats.failed, "failed"),
        (repeats.unsupported, "unsupported"),
        (repeats.not_judged, "not judged"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let message = format!("the verdict changes: of {} emissions, {}", repeats.total(), counts.join(", "));
    Finding::placeless(FLAKY.id, FLAKY.basis, FLAKY.severity, message)
        .help("make the document depend on nothing but the scenario; the verdict that counts is the worst")
}

/// The first emission that differs from the first of all, in what may not differ.
fn unstable(emissions: &[Vec<RawDocument>], limits: &Limits) -> Option<Finding> {
    // Emissions without a document (a crash) are another matter, which the verdicts tell.
    let mut emissions = emissions.iter().enumerate().filter(|(_, documents)| !documents.is_empty());
    let (_, first) = emissions.next()?;
    let told: Vec<String> = first.iter().map(|document| telling(document, limits)).collect();
    for (at, other) in emissions {
        let names = |documents: &[RawDocument]| {
            let names: Vec<&str> = documents.iter().map(|document| document.name.as_str()).collect();
            names.join(", ")
        };
        if names(first) != names(other) {
            let message = format!("emission 1 wrote {}, emission {} wrote {}", names(first), at + 1, names(other));
            return Some(finding(message));
        }
        for ((document, entered), again) in first.iter().zip(&told).zip(other) {
            if document.bytes == again.bytes {
                continue;
            }
            let derived = telling(again, limits);
            if *entered != derived {
                let message = format!("{} of emission {} differs from that of emission 1", document.name, at + 1);
                let mut finding = finding(message);
                finding.comparison = Some(Comparison { entered: entered.clone(), derived, sides: Sides::Emissions });
                return Some(finding);
            }
        }
    }
    None
}

fn finding(message: String) -> Finding {
    Finding::placeless(UNSTABLE.id, UNSTABLE.basis, UNSTABLE.severity, message)
        .help("make the document depend on nothing but the scenario: no order of a hash table, no random seed")
}

/// A document as one line for each value, in the document's own order, without what may differ. One that cannot be read is told
/// as it stands.
fn telling(document: &RawDocument, limits: &Limits) -> String {
    match document::read(document.bytes.clone(), limits).document {
        Some(tree) => {
            let mut lines = String::new();
            tell(tree.root(), "", false, &mut lines);
            lines
        }
        None => String::from_utf8_lossy(&document.bytes).into_owned(),
    }
}

fn tell(value: Value<'_>, pointer: &str, masked: bool, lines: &mut String) {
    let mut line = |text: &str| {
        lines.push_str(if pointer.is_empty() { "/" } else { pointer });
        lines.push_str(": ");
        lines.push_str(text);
        lines.push('\n');
    };
    match value.kind() {
        _ if masked && value.kind() != Kind::Object => line("(a time)"),
        Kind::Object if value.is_empty() => line("{}"),
        Kind::Array if value.is_empty() => line("[]"),
        Kind::Object => {
            for (key, member) in value.members() {
                let key = key.as_str().unwrap_or_default();
                let token = key.replace('~', "~0").replace('/', "~1");
                tell(member, &format!("{pointer}/{token}"), may_differ(key, member), lines);
            }
        }
        Kind::Array => {
            for (at, item) in value.items().enumerate() {
                tell(item, &format!("{pointer}/{at}"), is_instant(item), lines);
            }
        }
        _ => line(&value.to_json().to_string()),
    }
}

/// Whether a member may differ between two emissions of one scenario: an instant, a measured time, and a signature over either.
fn may_differ(key: &str, value: Value<'_>) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    is_instant(value) || name == "latency" || name == "signature" || name.ends_with("Ms")
}

fn is_instant(value: Value<'_>) -> bool {
    value.as_str().is_some_and(|text| text.len() >= 20 && text.parse::<jiff::Timestamp>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emission(text: &str) -> Vec<RawDocument> {
        vec![RawDocument { name: "stdout".to_owned(), bytes: text.as_bytes().to_vec() }]
    }

    fn difference(texts: &[&str]) -> Option<Finding> {
        let emissions: Vec<_> = texts.iter().map(|text| emission(text)).collect();
        unstable(&emissions, &Limits::default())
    }

    #[test]
    fn instants_and_measured_times_may_differ() {
        let one =
            "generatedAt: '2026-01-01T00:00:00Z'\nlatency: {p50Ms: 1, sortedPassingLatenciesMs: [1, 2]}\nscore: 1\n";
        let two =
            "generatedAt: '2026-01-01T00:00:01.5Z'\nlatency: {p50Ms: 2, sortedPassingLatenciesMs: [3, 9]}\nscore: 1\n";
        assert_eq!(difference(&[one, two, one]), None);
    }

    #[test]
    fn anything_else_may_not() {
        let finding = difference(&["a: 1\nb: 2\n", "a: 1\nb: 2\n", "a: 1\nb: 3\n"]).unwrap();
        assert_eq!(finding.message, "stdout of emission 3 differs from that of emission 1");
        let comparison = finding.comparison.unwrap();
        assert_eq!((comparison.entered.as_str(), comparison.derived.as_str()), ("/a: 1\n/b: 2\n", "/a: 1\n/b: 3\n"));
        assert_eq!(comparison.sides, Sides::Emissions);
    }

    #[test]
    fn the_order_of_members_is_part_of_a_document() {
        assert!(difference(&["a: 1\nb: 2\n", "b: 2\na: 1\n"]).is_some());
        assert!(difference(&["{a: 1}\n", "a: 1\n"]).is_none());
    }

    #[test]
    fn a_crash_is_no_difference_of_documents() {
        assert_eq!(unstable(&[emission("a: 1"), Vec::new(), emission("a: 1")], &Limits::default()), None);
    }
}
