//! From results to a statement, and from a statement to bytes. Issuing and verifying go the same way: what a certificate says
//! is assembled by one function, from a run or from its evidence.

use std::collections::HashMap;

use serde::Serialize;

use super::evidence::places;
use super::statement::{DigestSet, EmitterFile};
use super::statement::{
    Emitter, Evidence, Judging, PREDICATE, Platform, Predicate, STATEMENT, ScenarioResult, Statement, Subject, Suite,
    Tool,
};
use super::verdict::conclude;
use crate::digest::sha256;
use crate::expected::Expectations;
use crate::run::plan::Job;
use crate::run::results::{Coverage, SubjectResult};
use crate::run::score::MutationScore;

/// What only the run itself could know.
#[derive(Debug, Clone)]
pub struct Attested {
    pub date: String,
    pub emitter: Emitter,
    pub conform: Tool,
    pub platform: Platform,
    pub judging: Judging,
    pub not_run: Vec<String>,
    pub evidence: Evidence,
}

/// What was judged by.
#[derive(Debug, Clone)]
pub struct Suites {
    pub of: Vec<Suite>,
    /// How well each of them notices what is broken.
    pub mutation: Vec<MutationScore>,
}

/// Says what results amount to. `jobs` are all scenarios that the suites have.
pub fn assemble(
    attested: Attested,
    suites: Suites,
    results: &[SubjectResult],
    jobs: &[Job],
    expectations: Option<&Expectations>,
) -> Statement {
    let Suites { of: suites, mutation } = suites;
    let Attested { date, emitter, conform, platform, judging, not_run, evidence } = attested;
    let covered: Vec<&Job> = jobs.iter().filter(|job| suites.iter().any(|suite| suite.id == job.suite.id)).collect();
    let by_name: HashMap<String, &Job> = covered.iter().map(|job| (job.name(), *job)).collect();
    let (verdict, exceptions) = conclude(results, &covered, &not_run, judging.deny_warnings, expectations);
    let mut coverage = Coverage::default();
    for result in results {
        coverage.judged += result.obligations.judged;
        coverage.total += result.obligations.total;
    }
    let expected = expectations.map(|known| known.declared(results.iter().map(|result| result.subject.as_str())));
    Statement {
        kind: STATEMENT.to_owned(),
        subject: subjects(&emitter.files),
        predicate_type: PREDICATE.to_owned(),
        predicate: Predicate {
            verdict,
            exceptions,
            date,
            emitter,
            conform,
            platform,
            judging,
            suites,
            mutation,
            coverage,
            expected: expected.unwrap_or_default(),
            results: results.iter().map(|result| stated(result, by_name.get(&result.subject).copied())).collect(),
            not_run,
            evidence,
            checksum: None,
        },
    }
}

/// A result as a certificate states it.
pub(super) fn stated(result: &SubjectResult, job: Option<&Job>) -> ScenarioResult {
    let names = result.documents.iter().map(|document| document.name.as_str());
    ScenarioResult::of(result, job.map(|job| job.scenario.sha256.as_str()), places(&result.subject, names))
}

/// The files by their names, each once.
fn subjects(files: &[EmitterFile]) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path).to_owned();
        let subject = Subject { name, digest: DigestSet { sha256: file.sha256.clone() } };
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    subjects
}

/// The canonical form (RFC 8785) of a statement, its checksum put in.
///
/// # Errors
/// Where it has no canonical form: a number in it that JSON cannot say.
pub fn bytes(mut statement: Statement) -> Result<Vec<u8>, String> {
    statement.predicate.checksum = Some(checksum(&statement)?);
    canonical(&statement)
}

/// The checksum that a statement should have.
pub(super) fn checksum(statement: &Statement) -> Result<String, String> {
    let mut statement = statement.clone();
    statement.predicate.checksum = None;
    Ok(sha256(&canonical(&statement)?))
}

/// The canonical form of anything.
///
/// # Errors
/// Where it has none.
pub fn canonical(value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json_canonicalizer::to_vec(value).map_err(|error| format!("no canonical JSON: {error}"))
}
