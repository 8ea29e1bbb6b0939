//! The stages that one document goes through.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use super::rules::SUITE;
use super::{Checker, STACK};
use crate::digest;
use crate::document::{self, Document, Kind, Value};
use crate::finding::{Finding, NotJudged, Severity};
use crate::obligation::Judge;
use crate::run::results::{Coverage, EmittedDocument, SubjectResult, Verdict};
use crate::suite::{self, Suite, Version};

/// Documents past this many bytes are validated and judged on two threads; below it, starting a thread costs more than it
/// saves.
const PARALLEL_FROM: usize = 1 << 20;

/// Why no obligation is judged on a document that there is not.
const UNREAD: &str = "the document could not be read";

/// What a stage found: findings, and what it could not judge.
type Found = (Vec<Finding>, Vec<NotJudged>);

/// What judging one document yielded.
#[derive(Default)]
pub struct Judged {
    /// The suite it was judged by; `None` where no suite claims it.
    pub suite: Option<&'static Suite>,
    /// The document, if it could be read.
    pub document: Option<Document>,
    /// In the order of the stages: document, schema, obligations.
    pub findings: Vec<Finding>,
    pub not_judged: Vec<NotJudged>,
    pub emitted: Option<EmittedDocument>,
    /// What broke inside conform, if anything did.
    pub fault: Option<String>,
}

impl Judged {
    /// The result of a subject that is this one document.
    pub fn into_result(self, subject: String, duration: Duration) -> SubjectResult {
        let obligations = match self.suite {
            Some(suite) => coverage(suite, &self.not_judged),
            None => Coverage::default(),
        };
        let mut result = SubjectResult {
            subject,
            suite: self.suite.map(|suite| suite.id.to_owned()),
            verdict: verdict(&self.findings),
            optional: false,
            findings: self.findings,
            not_judged: self.not_judged,
            obligations,
            duration_ms: milliseconds(duration),
            repeats: None,
            documents: self.emitted.into_iter().collect(),
            expected: Vec::new(),
            reason: None,
            reproduce: None,
            stderr: None,
        };
        if let Some(fault) = self.fault {
            mark_fault(&mut result, &fault);
        }
        result
    }
}

impl Checker {
    /// What a document comes to that could not be opened or read.
    pub(super) fn unread(&self, finding: Finding) -> Judged {
        let not_judged = self.suite.map_or_else(Vec::new, |suite| unjudged(suite, UNREAD));
        Judged { suite: self.suite, findings: vec![finding], not_judged, ..Judged::default() }
    }

    /// Takes one document through every stage. Without `suite` the document's own version field decides.
    pub fn stages(&self, name: &str, bytes: Vec<u8>, suite: Option<&'static Suite>) -> Judged {
        let size = bytes.len();
        let mut judged = Judged { suite, ..Judged::default() };
        match guarded(|| document::read_beside(bytes, &self.limits, digest::sha256)) {
            Ok((reading, sha256)) => {
                judged.findings = reading.findings;
                judged.document = reading.document;
                judged.emitted = Some(EmittedDocument { name: name.to_owned(), bytes: size as u64, sha256 });
            }
            Err(fault) => judged.fault = Some(fault),
        }
        let Some(document) = &judged.document else {
            if judged.fault.is_none() && verdict(&judged.findings) != Verdict::Fail {
                judged.fault = Some("the document was refused without a reason".to_owned());
            }
            if let Some(suite) = judged.suite {
                judged.not_judged = unjudged(suite, UNREAD);
            }
            return judged;
        };
        let Some(suite) = judged.suite.or_else(|| suite::of(document)) else {
            judged.findings.extend(self.unclaimed(document));
            return judged;
        };
        judged.suite = Some(suite);
        let (schema, obligations) = if size < PARALLEL_FROM {
            (self.schema_stage(suite, document), self.obligation_stage(suite, document))
        } else {
            self.both_stages(suite, document)
        };
        for stage in [schema, obligations] {
            match stage {
                Ok((findings, not_judged)) => {
                    judged.findings.extend(findings);
                    judged.not_judged.extend(not_judged);
                }
                Err(fault) => judged.fault = Some(fault),
            }
        }
        judged
    }

    fn both_stages(
        &self,
        suite: &'static Suite,
        document: &Document,
    ) -> (Result<Found, String>, Result<Found, String>) {
        thread::scope(|scope| {
            let schema =
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.schema_stage(suite, document));
            let obligations = self.obligation_stage(suite, document);
            let schema = match schema {
                Ok(thread) => thread.join().unwrap_or_else(|panic| Err(panic_text(&*panic))),
                // No thread to be had: one after the other, then.
                Err(_) => self.schema_stage(suite, document),
            };
            (schema, obligations)
        })
    }

    fn schema_stage(&self, suite: &'static Suite, document: &Document) -> Result<Found, String> {
        guarded(|| {
            let mut judge = Judge::new(&self.settings);
            self.schemas.validate_with_parts(suite.schema, suite.parts, document.root(), &mut judge)?;
            Ok(judge.finish())
        })
        .flatten()
    }

    fn obligation_stage(&self, suite: &'static Suite, document: &Document) -> Result<Found, String> {
        guarded(|| {
            let mut judge = Judge::new(&self.settings);
            suite.family().judge(suite, document, &mut judge);
            judge.finish()
        })
    }

    /// The finding on a document that no suite claims.
    fn unclaimed(&self, document: &Document) -> Vec<Finding> {
        let root = document.root();
        let known: Vec<&str> = suite::all().map(|suite| suite.id).collect();
        let mut fields: Vec<(&str, Value<'_>)> = Vec::new();
        for suite in suite::all() {
            let (Version::Text(key, _) | Version::NumberWith(key, _, _)) = suite.version;
            if let Some(value) = root.get(key)
                && !fields.iter().any(|(other, _)| *other == key)
            {
                fields.push((key, value));
            }
        }
        let found = if root.kind() != Kind::Object {
            format!("the document is {}, not an object", with_article(root.kind()))
        } else if let Some((key, value)) = fields.first() {
            format!("its {key} is {}", brief(*value))
        } else {
            let mut keys: Vec<&str> = Vec::new();
            for suite in suite::all() {
                let (Version::Text(key, _) | Version::NumberWith(key, _, _)) = suite.version;
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            match keys.as_slice() {
                [] => "it has no version field".to_owned(),
                keys => format!("it has no version field ({})", keys.join(", ")),
            }
        };
        let near = fields.iter().find_map(|(_, value)| nearest(value.as_str()?, known.iter().copied()));
        let help = match near {
            Some(near) => {
                format!("did the emitter mean {near}? `--suite ID` judges the document by a suite all the same")
            }
            None => {
                "name the document's kind in its version field, or judge it by a suite with `--suite ID`".to_owned()
            }
        };
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let at = fields.first().map_or(root, |(_, value)| *value);
        let mut judge = Judge::new(&self.settings);
        judge.by(SUITE);
        let message = format!("no suite claims this document: {found}; the suites are {known}");
        judge.finding(at, message).help(help);
        judge.finish().0
    }
}

/// Whether a result was spoiled by a fault of conform's own; such a check ends with exit code 70.
pub fn is_fault(result: &SubjectResult) -> bool {
    result.reason.as_deref().is_some_and(|reason| reason.starts_with(FAULT))
}

const FAULT: &str = "fault of conform";

/// Marks a result as spoiled by a fault of conform's own. What was found before it stays.
pub(super) fn mark_fault(result: &mut SubjectResult, fault: &str) {
    result.reason = Some(format!("{FAULT}: {fault}"));
    result.obligations.judged = 0;
    if result.verdict == Verdict::Pass {
        result.verdict = Verdict::NotJudged;
    }
}

/// Adds what a later stage found to a result.
pub(crate) fn extend(
    result: &mut SubjectResult,
    suite: &'static Suite,
    findings: Vec<Finding>,
    not_judged: Vec<NotJudged>,
) {
    result.findings.extend(findings);
    result.not_judged.extend(not_judged);
    if matches!(result.verdict, Verdict::Pass | Verdict::Fail) {
        result.verdict = verdict(&result.findings);
        result.obligations = coverage(suite, &result.not_judged);
    }
}

/// Runs a stage; a panic in it becomes its message.
pub(crate) fn guarded<T>(stage: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(stage)).map_err(|panic| panic_text(&*panic))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// `fail` exactly where a finding is an error.
pub(crate) fn verdict(findings: &[Finding]) -> Verdict {
    if findings.iter().any(|finding| finding.severity == Severity::Error) { Verdict::Fail } else { Verdict::Pass }
}

/// How many of a suite's obligations were judged in full.
pub(crate) fn coverage(suite: &'static Suite, not_judged: &[NotJudged]) -> Coverage {
    let skipped: HashSet<&str> = not_judged.iter().map(|entry| entry.obligation.as_str()).collect();
    let rules = suite.family().rules(suite);
    Coverage { judged: rules.iter().filter(|rule| !skipped.contains(rule.id)).count(), total: rules.len() }
}

/// Every obligation of a suite as not judged, for one reason.
pub(crate) fn unjudged(suite: &'static Suite, reason: &str) -> Vec<NotJudged> {
    let rules = suite.family().rules(suite);
    rules
        .iter()
        .map(|rule| NotJudged { obligation: rule.id.to_owned(), reason: reason.to_owned(), pointer: String::new() })
        .collect()
}

/// The nearest of some names to one that is none of them, if any is near enough to be meant.
pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn with_article(kind: Kind) -> String {
    let article = if kind == Kind::Array { "an" } else { "a" };
    match kind {
        Kind::Null => "null".to_owned(),
        kind => format!("{article} {}", kind.name()),
    }
}

/// A value as a message quotes it.
fn brief(value: Value<'_>) -> String {
    const LONGEST: usize = 60;
    match value.kind() {
        kind @ (Kind::Array | Kind::Object) => with_article(kind),
        _ => {
            let text = value.to_json().to_string();
            match text.char_indices().nth(LONGEST) {
                Some((cut, _)) => format!("{}…", &text[..cut]),
                None => text,
            }
        }
    }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    // Microseconds are as fine as a wall clock is worth here.
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;
    use crate::obligation::Settings;
    use crate::run::conclusion::{Conclusion, conclude};
    use crate::run::results::Results;
    use crate::schema::Schemas;

    /// A suite that cannot be judged, because of a fault of conform's own.
    static FAULTY: Suite = Suite {
        id: "faulty",
        title: "A suite without its schema",
        family: "mavai",
        schema: "there-is-no-such-schema",
        parts: &[],
        version: Version::Text("kind", "faulty"),
    };

    fn checker(suite: Option<&'static Suite>) -> Checker {
        let schemas = Schemas::embedded().unwrap();
        Checker { schemas, settings: Settings::default(), limits: Limits::default(), suite }
    }

    #[test]
    fn a_fault_is_never_a_pass_and_ends_in_its_own_exit_code() {
        let document = br#"{"kind": "faulty"}"#.to_vec();
        let faulty = checker(Some(&FAULTY)).judge("a", document.clone());
        assert!(is_fault(&faulty));
        assert_ne!(faulty.verdict, Verdict::Pass);
        assert_eq!(faulty.obligations.judged, 0);
        let sound = checker(None).judge("b", document);
        assert!(!is_fault(&sound));
        let results = Results::new(None, jiff::Timestamp::UNIX_EPOCH, vec![faulty, sound], 0);
        assert_eq!(conclude(&results, false), Conclusion::Fault);
    }

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(guarded(|| 1), Ok(1));
        let silent = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let plain = guarded(|| panic!("out of order"));
        let formatted = guarded(|| panic!("out of {}", "order"));
        std::panic::set_hook(silent);
        assert_eq!(plain, Err::<(), _>("out of order".to_owned()));
        assert_eq!(formatted, Err::<(), _>("out of order".to_owned()));
    }

    #[test]
    fn what_is_not_judged_anywhere_is_not_covered() {
        let suite = suite::all().next().unwrap();
        let all = coverage(suite, &[]);
        assert_eq!(all.judged, all.total);
        let rules = suite.family().rules(suite);
        let at = |pointer: &str| NotJudged {
            obligation: rules[0].id.to_owned(),
            reason: "broken".to_owned(),
            pointer: pointer.to_owned(),
        };
        assert_eq!(coverage(suite, &[at("/a"), at("/b")]).judged, all.total - 1);
        assert_eq!(coverage(suite, &unjudged(suite, "unread")).judged, 0);
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = ["mavai-optimize-1", "mavai-explore-1", "torneo-epreuve-v1"];
        assert_eq!(nearest("mavai-optimise-1", names), Some("mavai-optimize-1"));
        assert_eq!(nearest("xyzzy", names), None);
    }
}
