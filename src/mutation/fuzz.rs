//! Operators driven by raw bytes, for fuzzers and property tests: what a fuzz target runs, a test on the kept corpus runs too.

use std::sync::OnceLock;

use super::choice::{Bytes, Choice};
use super::examine::Examiner;
use super::mutant::break_by;
use super::operator::Operator;
use super::{operators, source};
use crate::suite::{self, Suite};

/// A suite's examiner and operators, made once.
struct Bench {
    suite: &'static Suite,
    examiner: Examiner,
    operators: Vec<&'static Operator>,
}

fn benches() -> Result<&'static [Bench], String> {
    static BENCHES: OnceLock<Result<Vec<Bench>, String>> = OnceLock::new();
    let made = BENCHES.get_or_init(|| {
        let bench = |suite| {
            let examiner = Examiner::new(source::related(suite)?)?;
            Ok(Bench { suite, operators: operators(suite, examiner.schemas()), examiner })
        };
        suite::all().map(bench).collect()
    });
    made.as_deref().map_err(Clone::clone)
}

/// Lets bytes choose a suite, a valid document of it and an operator; breaks the document, and judges both.
///
/// # Errors
/// Where the valid document has an error, or the mutant is not reported as the operator says it must be; the text shows both documents.
pub fn break_and_judge(bytes: &[u8]) -> Result<(), String> {
    let mut choice = Bytes::new(bytes);
    let benches = benches()?;
    let Some(bench) = benches.get(choice.below(benches.len())) else { return Ok(()) };
    bench.run(&mut choice)
}

/// As [`break_and_judge`], for one suite and any source of choices.
///
/// # Errors
/// As there.
pub fn break_and_judge_one(suite: &Suite, choice: &mut dyn Choice) -> Result<(), String> {
    let bench = benches()?.iter().find(|bench| bench.suite.id == suite.id);
    bench.ok_or_else(|| format!("{} is no suite", suite.id))?.run(choice)
}

impl Bench {
    fn run(&self, choice: &mut dyn Choice) -> Result<(), String> {
        let base = source::generated_document(self.suite, choice)?;
        let alarms = self.examiner.false_alarms(&base, base.json().as_bytes().to_vec())?;
        if let Some(alarm) = alarms.first() {
            let (id, message) = (&alarm.obligation, &alarm.message);
            return Err(format!(
                "a valid document of {} is refused: {id}: {message}\n{}",
                self.suite.id,
                base.document()
            ));
        }
        let Some(operator) = self.operators.get(choice.below(self.operators.len())) else { return Ok(()) };
        let Some(mutant) = break_by(operator, &base, self.examiner.schemas(), choice) else { return Ok(()) };
        let examination = self.examiner.examine(&mutant)?;
        if examination.is_killed() {
            return Ok(());
        }
        let found: Vec<String> = examination
            .findings
            .iter()
            .map(|finding| format!("  {} {}: {}", finding.severity.as_str(), finding.obligation, finding.message))
            .collect();
        Err(format!(
            "{} on a document of {} at {:?}: not reported {:?}, reported besides {:?}, in all\n{}\nmutant:\n{}\nmade of:\n{}",
            operator.name,
            self.suite.id,
            mutant.pointer,
            examination.missed,
            examination.stray,
            found.join("\n"),
            String::from_utf8_lossy(&mutant.bytes),
            base.document(),
        ))
    }
}
