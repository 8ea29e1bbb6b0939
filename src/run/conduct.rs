//! One scenario from its input to its result: emitted, judged document by document, and judged against what follows from the
//! input.

use std::time::Instant;

use super::emit::Emit;
use super::plan::Job;
use super::results::{SubjectResult, Verdict};
use super::rules::{DIFFERS, DOCUMENTS};
use crate::check::{Checker, Judged, guarded, unjudged};
use crate::document::Document;
use crate::emitter::{Emission, Outcome, RawDocument};
use crate::family::Sets;
use crate::finding::{Finding, NotJudged};
use crate::obligation::Judge;

/// How a scenario ended.
pub enum Conducted {
    /// With a result.
    Judged(SubjectResult),
    /// With a result that says that the emitter could not be started.
    NotStarted(SubjectResult),
    /// It was interrupted: it counts as not run.
    Interrupted,
}

/// Has a scenario emitted and judges what comes of it. `reproduce` is the command that runs it alone.
pub fn conduct(checker: &Checker, emit: &dyn Emit, job: &Job, reproduce: Option<String>) -> Conducted {
    let begun = Instant::now();
    let (judged, outcome, stderr) = match guarded(|| emit.emit(job.suite, &job.scenario)) {
        Ok(Emission { outcome: Outcome::Interrupted, .. }) => return Conducted::Interrupted,
        Ok(emission) => judge(checker, job, emission),
        Err(fault) => (Gathered { fault: Some(fault), ..Gathered::default() }, Outcome::Failed, String::new()),
    };
    let Gathered { findings, not_judged, documents, fault, reason } = judged;
    let whole = Judged { suite: Some(job.suite), document: None, findings, not_judged, emitted: None, fault };
    let mut result = whole.into_result(job.name(), begun.elapsed());
    result.documents = documents;
    result.optional = !job.scenario.required;
    result.reproduce = reproduce;
    if let Outcome::Unsupported(why) = &outcome {
        result.verdict = Verdict::Unsupported;
        result.reason = Some(why.clone()).filter(|why| !why.trim().is_empty());
    } else if let Some(reason) = reason {
        result.reason.get_or_insert(reason);
        if result.verdict == Verdict::Pass {
            result.verdict = Verdict::NotJudged;
        }
    }
    if matches!(result.verdict, Verdict::Fail | Verdict::NotJudged) && !stderr.trim().is_empty() {
        result.stderr = Some(stderr);
    }
    if outcome == Outcome::NotStarted { Conducted::NotStarted(result) } else { Conducted::Judged(result) }
}

/// What is known about a scenario while it is judged.
#[derive(Default)]
struct Gathered {
    findings: Vec<Finding>,
    not_judged: Vec<NotJudged>,
    documents: Vec<super::results::EmittedDocument>,
    fault: Option<String>,
    /// Why the scenario could not be judged although documents are there.
    reason: Option<String>,
}

fn judge(checker: &Checker, job: &Job, emission: Emission) -> (Gathered, Outcome, String) {
    let Emission { outcome, documents, findings, stderr, duration: _ } = emission;
    let mut scenario = Gathered { findings, ..Gathered::default() };
    match &outcome {
        Outcome::Emitted => judge_documents(checker, job, documents, &mut scenario),
        Outcome::Unsupported(_) => {
            scenario.not_judged = unjudged(job.suite, "the emitter does not support the scenario");
        }
        Outcome::Failed | Outcome::NotStarted | Outcome::Interrupted => {
            scenario.not_judged = unjudged(job.suite, "the emitter yielded no document");
        }
    }
    (scenario, outcome, stderr)
}

fn judge_documents(checker: &Checker, job: &Job, emitted: Vec<RawDocument>, scenario: &mut Gathered) {
    let family = job.suite.family();
    let expected = family.documents_per_scenario(job.suite);
    let several = emitted.len() > 1;
    let right_number = expected.is_none_or(|expected| expected == emitted.len());
    if let Some(expected) = expected.filter(|_| !right_number) {
        let names: Vec<&str> = emitted.iter().map(|document| document.name.as_str()).collect();
        let message = format!(
            "the emitter wrote {} documents ({}), where {expected} is expected",
            emitted.len(),
            names.join(", ")
        );
        scenario.findings.push(
            Finding::placeless(DOCUMENTS.id, DOCUMENTS.basis, DOCUMENTS.severity, message)
                .help("write the scenario's document to standard output, or as the only file under CONFORM_OUT"),
        );
    }
    let mut trees: Vec<Option<Document>> = Vec::new();
    for RawDocument { name, bytes } in emitted {
        let mut judged = checker.stages(&name, bytes, Some(job.suite));
        if several {
            judged.findings.iter_mut().for_each(|finding| finding.document = Some(name.clone()));
        }
        scenario.findings.append(&mut judged.findings);
        scenario.not_judged.append(&mut judged.not_judged);
        scenario.documents.extend(judged.emitted);
        scenario.fault = scenario.fault.take().or(judged.fault);
        trees.push(judged.document);
    }
    let trees: Option<Vec<&Document>> = trees.iter().map(Option::as_ref).collect();
    let Some(trees) = trees.filter(|_| right_number) else {
        let reason = "not every document of the scenario could be read, or there are too many".to_owned();
        let entry = NotJudged { obligation: DIFFERS.id.to_owned(), reason, pointer: String::new() };
        scenario.not_judged.push(entry);
        return;
    };
    let names: Vec<String> = scenario.documents.iter().map(|document| document.name.clone()).collect();
    if several {
        judge_set(checker, job, &trees, &names, scenario);
    }
    // One document needs no name: it is the scenario's.
    let mut judge = Judge::of_documents(&checker.settings, if several { names } else { Vec::new() });
    judge.by(DIFFERS);
    let outcome =
        guarded(move || (family.judge_scenario(job.suite, &job.scenario.input, &trees, &mut judge), judge.finish()));
    match outcome {
        Ok((outcome, (findings, not_judged))) => {
            scenario.findings.extend(findings);
            scenario.not_judged.extend(not_judged);
            if let Err(problem) = outcome {
                scenario.reason = Some(format!("the scenario's own input is malformed: {problem}"));
            }
        }
        Err(fault) => scenario.fault = Some(fault),
    }
}

/// Judges what only several documents show: those of one scenario are a set, wherever the emitter put them.
fn judge_set(checker: &Checker, job: &Job, trees: &[&Document], names: &[String], scenario: &mut Gathered) {
    let family = job.suite.family();
    if family.sets(job.suite) == Sets::None {
        return;
    }
    let found = guarded(|| {
        let mut judges: Vec<Judge<'_>> = trees.iter().map(|_| Judge::new(&checker.settings)).collect();
        family.judge_set(job.suite, trees, &mut judges);
        judges.into_iter().map(Judge::finish).collect::<Vec<_>>()
    });
    match found {
        Ok(found) => {
            for (name, (mut findings, not_judged)) in names.iter().zip(found) {
                findings.iter_mut().for_each(|finding| finding.document = Some(name.clone()));
                scenario.findings.append(&mut findings);
                scenario.not_judged.extend(not_judged);
            }
        }
        Err(fault) => scenario.fault = Some(fault),
    }
}
