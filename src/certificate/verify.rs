//! Verifying a certificate: everything in it that can be derived is derived again, and compared with what was entered.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;

use super::compare;
use super::evidence::{Shelf, places};
use super::identity;
use super::keys::PublicKey;
use super::read::Read;
use super::replay;
use super::seal::{Attested, Suites, assemble, stated};
use super::statement::{EvidenceForm, Predicate, ScenarioResult};
use super::version::fixed;
use crate::check::Checker;
use crate::digest;
use crate::document::{self, Limits};
use crate::emitter::{RawDocument, RunLimits};
use crate::expected::Expectations;
use crate::obligation::{Judge, Settings};
use crate::report::words::counted;
use crate::run::plan::Job;
use crate::run::results::SubjectResult;
use crate::run::score::MutationScore;
use crate::schema::Schemas;

/// Id of the schema that statements keep.
const SCHEMA: &str = "conform-certificate-1";

/// Differences of one kind that are listed; the others are counted.
const LISTED: usize = 50;

/// What to verify, and by what.
pub struct Verify<'v> {
    pub certificate: &'v Read,
    /// A folder or an archive.
    pub evidence: &'v Path,
    pub key: Option<&'v PublicKey>,
    /// With the certificate's own settings and limits.
    pub checker: &'v Checker,
    /// Every scenario that this conform knows.
    pub jobs: &'v [Job],
    /// How well the certificate's suites, as this conform has them, notice what is broken.
    pub mutation: &'v [MutationScore],
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    pub checks: Vec<Check>,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is as the certificate says; the text says what was looked at.
    Holds(String),
    /// It is not; each text names one difference.
    Differs(Vec<String>),
    /// It could not be checked; the text says why, and what to do.
    NotChecked(String),
}

impl Verification {
    pub fn differs(&self) -> bool {
        self.checks.iter().any(|check| matches!(check.outcome, Outcome::Differs(_)))
    }

    pub fn is_complete(&self) -> bool {
        !self.checks.iter().any(|check| matches!(check.outcome, Outcome::NotChecked(_)))
    }
}

impl Verify<'_> {
    /// Checks everything. Judges documents on the threads of the current rayon pool, whose stacks must be as large as
    /// [`crate::check::STACK`].
    pub fn run(&self) -> Verification {
        let predicate = &self.certificate.statement.predicate;
        let (evidence, shelf) = self.evidence(predicate);
        let (results, judged) = self.results(predicate, shelf.as_ref());
        let mut checks = vec![
            Check { name: "form", outcome: self.form() },
            Check { name: "signature", outcome: self.signature() },
            Check { name: "suites", outcome: self.suites(predicate) },
            Check { name: "mutation", outcome: self.mutation(predicate) },
            Check { name: "evidence", outcome: evidence },
            Check { name: "results", outcome: results },
        ];
        let whole = self.whole(
            predicate,
            judged,
            checks.iter().all(|check| matches!(check.outcome, Outcome::Holds(_) | Outcome::NotChecked(_))),
        );
        checks.push(Check { name: "verdict", outcome: whole });
        Verification { checks }
    }

    fn form(&self) -> Outcome {
        let mut differences = self.certificate.faults.clone();
        let checked = Schemas::embedded().and_then(|schemas| {
            let reading = document::read(self.certificate.payload.clone(), &Limits::default());
            let document = reading.document.ok_or("the statement cannot be read as a document")?;
            let settings = Settings::default();
            let mut judge = Judge::new(&settings);
            schemas.validate(SCHEMA, document.root(), &mut judge)?;
            Ok(judge.finish().0)
        });
        match checked {
            Ok(findings) => differences.extend(findings.into_iter().map(|finding| {
                let place = finding.place.map(|place| place.pointer).unwrap_or_default();
                format!("{} at {place}: {}", finding.obligation, finding.message)
            })),
            Err(problem) => differences.push(problem),
        }
        if let Err(moving) = fixed(&self.certificate.statement.predicate.emitter.version) {
            differences.push(moving.to_string());
        }
        outcome(differences, || "canonical, keeps its schema, and has the checksum of its content".to_owned())
    }

    fn signature(&self) -> Outcome {
        match (&self.certificate.envelope, self.key) {
            (None, None) => Outcome::Holds("there is none, and none was asked for".to_owned()),
            (None, Some(_)) => Outcome::Differs(vec!["the certificate is not signed".to_owned()]),
            (Some(envelope), _) if envelope.signatures.is_empty() => {
                Outcome::Differs(vec!["the envelope holds no signature".to_owned()])
            }
            (Some(envelope), None) => {
                let ids: Vec<&str> = envelope.signatures.iter().map(|signature| signature.keyid.as_str()).collect();
                Outcome::NotChecked(format!("signed by the key {}; give its public key with --key", ids.join(", ")))
            }
            (Some(envelope), Some(key)) => match envelope.check(&self.certificate.payload, key) {
                Ok(()) => match envelope.signatures.len() {
                    1 => Outcome::Holds("by the key given".to_owned()),
                    several => Outcome::NotChecked(format!(
                        "signed by the key given; the other {} signatures need other keys",
                        several - 1
                    )),
                },
                Err(problem) => Outcome::Differs(vec![problem]),
            },
        }
    }

    /// Whether this conform has the suites, schemas and obligations that were judged by.
    fn suites(&self, predicate: &Predicate) -> Outcome {
        let named = |id: &str| predicate.suites.iter().any(|suite| suite.id == id);
        let own = identity::suites(self.jobs, named, self.checker);
        let mut differences = Vec::new();
        for entered in &predicate.suites {
            match own.iter().find(|suite| suite.id == entered.id) {
                None => differences.push(format!("this conform has no suite {}", entered.id)),
                Some(own) => compare::suite(entered, own, &mut differences),
            }
        }
        if differences.is_empty() && predicate.suites != own {
            differences.push("the suites are in another order, or one stands there twice".to_owned());
        }
        let digests = |related: &[super::statement::NamedDigest]| -> BTreeSet<String> {
            related.iter().map(|related| related.sha256.clone()).collect()
        };
        if digests(&predicate.judging.related) != digests(&identity::related(self.checker)) {
            let names: Vec<&str> = predicate.judging.related.iter().map(|related| related.name.as_str()).collect();
            differences.push(match names.as_slice() {
                [] => "documents are given with --related, and the certificate was issued without any".to_owned(),
                names => {
                    format!("it was judged beside other related documents: give {} with --related", names.join(", "))
                }
            });
        }
        outcome(differences, || {
            let names: Vec<String> =
                own.iter().map(|suite| format!("{} ({})", suite.id, counted(suite.scenarios, "scenario"))).collect();
            names.join(", ")
        })
    }

    /// Whether the suites notice as much of what is broken as the certificate says. A suite that misses something takes nothing from
    /// what was found about the emitter; only, that it passed shows less, and so the certificate is not wholly verified.
    fn mutation(&self, predicate: &Predicate) -> Outcome {
        let mut differences = Vec::new();
        compare::mutation(&predicate.mutation, self.mutation, &mut differences);
        let told = |scores: &mut dyn Iterator<Item = &MutationScore>| {
            scores.map(|score| format!("{}: {}", score.suite, score.told())).collect::<Vec<_>>().join("; ")
        };
        let lacking = told(&mut self.mutation.iter().filter(|score| !score.is_full()));
        if differences.is_empty() && !lacking.is_empty() {
            return Outcome::NotChecked(format!("as stated, and a suite that misses faults proves less: {lacking}"));
        }
        outcome(differences, || told(&mut self.mutation.iter()))
    }

    /// Whether the evidence is what the certificate says, no more and no less. What the documents are is checked as they are
    /// read.
    fn evidence(&self, predicate: &Predicate) -> (Outcome, Option<Shelf>) {
        let shelf = match Shelf::open(self.evidence) {
            Ok(shelf) => shelf,
            Err(fault) => return (Outcome::Differs(vec![fault.to_string()]), None),
        };
        let mut differences = Vec::new();
        if let (EvidenceForm::Tar, Some(entered)) = (predicate.evidence.form, &predicate.evidence.sha256)
            && self.evidence.is_file()
        {
            match digest::of_file(self.evidence) {
                Ok(own) if own == *entered => {}
                Ok(own) => differences.push(format!("the archive's sha256 is {own}, the certificate has {entered}")),
                Err(error) => differences.push(format!("{}: {error}", self.evidence.display())),
            }
        }
        let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
        for document in predicate.results.iter().flat_map(|result| &result.documents) {
            if expected.insert(&document.evidence, document.bytes).is_some() {
                differences.push(format!("{} is named twice", document.evidence));
            }
        }
        for (place, bytes) in &expected {
            match shelf.size(place) {
                None => differences.push(format!("{place} is missing")),
                Some(size) if size != *bytes => {
                    differences.push(format!("{place} has {size} bytes, the certificate has {bytes}"));
                }
                Some(_) => {}
            }
        }
        let stray = shelf.files().filter(|(place, _)| !expected.contains_key(place));
        differences.extend(stray.map(|(place, _)| format!("{place} is there, and the certificate does not know it")));
        let total: u64 = expected.values().fold(0, |sum, bytes| sum.saturating_add(*bytes));
        let (documents, total) = (expected.len(), usize::try_from(total).unwrap_or(usize::MAX));
        (
            outcome(differences, || {
                format!("{}, {}, and nothing else", counted(documents, "document"), counted(total, "byte"))
            }),
            Some(shelf),
        )
    }

    /// Judges every scenario again. Returns the results as derived; as entered where nothing can be derived.
    fn results(&self, predicate: &Predicate, shelf: Option<&Shelf>) -> (Outcome, Vec<SubjectResult>) {
        let jobs: HashMap<String, &Job> = self
            .jobs
            .iter()
            .filter(|job| predicate.suites.iter().any(|suite| suite.id == job.suite.id))
            .map(|job| (job.name(), job))
            .collect();
        let again: Vec<(SubjectResult, Vec<String>)> =
            predicate.results.par_iter().map(|entered| self.again(entered, &jobs, shelf)).collect();
        let mut differences = Vec::new();
        let mut seen = HashSet::new();
        let mut results = Vec::new();
        for (result, found) in again {
            if !seen.insert(result.subject.clone()) {
                differences.push(format!("{} stands there twice", result.subject));
            }
            differences.extend(found);
            results.push(result);
        }
        let count = results.len();
        (outcome(differences, || format!("{count} judged again, to the same verdicts and findings")), results)
    }

    fn again(
        &self,
        entered: &ScenarioResult,
        jobs: &HashMap<String, &Job>,
        shelf: Option<&Shelf>,
    ) -> (SubjectResult, Vec<String>) {
        let subject = &entered.subject;
        let as_entered = |difference: Option<String>| (replay::entered(entered), difference.into_iter().collect());
        let Some(job) = jobs.get(subject).copied() else {
            // Only how a session ended belongs to no scenario.
            let session = subject == "session"
                && entered.documents.is_empty()
                && entered.findings.iter().all(super::statement::Found::is_about_the_process);
            return as_entered((!session).then(|| format!("{subject} is no scenario of these suites")));
        };
        let mut differences = Vec::new();
        let documents = match load(entered, shelf, &mut differences) {
            Ok(documents) => documents,
            Err(problem) => return as_entered(Some(format!("{subject} was not judged again: {problem}"))),
        };
        match replay::judge(self.checker, job, entered, documents) {
            Some(result) => {
                differences.extend(compare::result(entered, &stated(&result, Some(job))));
                (result, differences)
            }
            None => as_entered(Some(format!("{subject} could not be judged again"))),
        }
    }

    /// Whether the statement as a whole follows from the results.
    fn whole(&self, predicate: &Predicate, mut results: Vec<SubjectResult>, so_far: bool) -> Outcome {
        let date = predicate.date.parse::<jiff::Timestamp>();
        let Ok(date) = date else { return Outcome::Differs(vec![format!("the date {:?} is no time", predicate.date)]) };
        let day = jiff::tz::TimeZone::UTC.to_datetime(date).date();
        let expectations = match Expectations::stated(&predicate.expected, &predicate.emitter.name, day) {
            Ok(expectations) => expectations,
            Err(problem) => return Outcome::Differs(vec![format!("an expected failure: {problem}")]),
        };
        results.iter_mut().for_each(|result| expectations.settle(result));
        let attested = Attested {
            date: predicate.date.clone(),
            emitter: predicate.emitter.clone(),
            conform: predicate.conform.clone(),
            platform: predicate.platform.clone(),
            judging: predicate.judging.clone(),
            not_run: predicate.not_run.clone(),
            evidence: predicate.evidence.clone(),
        };
        let suites = Suites { of: predicate.suites.clone(), mutation: self.mutation.to_vec() };
        let derived = assemble(attested, suites, &results, self.jobs, Some(&expectations));
        let mut entered = self.certificate.statement.clone();
        entered.predicate.checksum = None;
        let mut differences = Vec::new();
        match (serde_json::to_value(&entered), serde_json::to_value(&derived)) {
            (Ok(entered), Ok(derived)) => compare::statement(&entered, &derived, &mut differences),
            _ => differences.push("the statement cannot be written down again".to_owned()),
        }
        // Whatever no other check named.
        if differences.is_empty() && so_far && entered != derived {
            differences.push("the statement as a whole is not what follows from its results".to_owned());
        }
        let follows = if so_far { "as follows from the results" } else { "if everything else held" };
        outcome(differences, || format!("{}, {follows}", predicate.verdict.as_str()))
    }
}

/// The documents of a result, from the evidence.
///
/// # Errors
/// Where they are not to be had; the text says why.
fn load(
    entered: &ScenarioResult,
    shelf: Option<&Shelf>,
    differences: &mut Vec<String>,
) -> Result<Vec<RawDocument>, String> {
    let names = entered.documents.iter().map(|document| document.name.as_str());
    if places(&entered.subject, names).iter().ne(entered.documents.iter().map(|document| &document.evidence)) {
        return Err("its documents are not where documents of these names are kept".to_owned());
    }
    let total = entered.documents.iter().fold(0u64, |sum, document| sum.saturating_add(document.bytes));
    let most = RunLimits::default().output;
    if total > most {
        return Err(format!("its documents have {total} bytes, and no emitter may write more than {most}"));
    }
    let mut documents = Vec::new();
    for document in &entered.documents {
        let shelf = shelf.ok_or("the evidence cannot be read")?;
        match shelf.size(&document.evidence) {
            Some(size) if size == document.bytes => {}
            Some(_) => return Err(format!("{} has another size", document.evidence)),
            None => return Err(format!("{} is missing", document.evidence)),
        }
        let bytes = shelf.read(&document.evidence).map_err(|fault| fault.to_string())?;
        let own = digest::sha256(&bytes);
        if own != document.sha256 {
            differences
                .push(format!("{}: its sha256 is {own}, the certificate has {}", document.evidence, document.sha256));
        }
        documents.push(RawDocument { name: document.name.clone(), bytes });
    }
    Ok(documents)
}

fn outcome(mut differences: Vec<String>, holds: impl FnOnce() -> String) -> Outcome {
    if differences.is_empty() {
        return Outcome::Holds(holds());
    }
    let more = differences.len().saturating_sub(LISTED);
    if more > 0 {
        differences.truncate(LISTED);
        differences.push(format!("… and {more} more"));
    }
    Outcome::Differs(differences)
}
