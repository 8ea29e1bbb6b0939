//! Which documents a consumer is given.

use crate::mutation::base::{Base, pretty};
use crate::mutation::choice::Seeded;
use crate::mutation::examine::Examiner;
use crate::mutation::mutant::{break_by, is_told_by_scenario};
use crate::mutation::operator::{Layer, Operator};
use crate::mutation::{operators, source};
use crate::suite::Suite;

/// What is planned for a suite.
pub struct Plan {
    pub subjects: Vec<Subject>,
    /// The names of all subjects that there may be, selected or not.
    pub names: Vec<String>,
    /// Operators that make nothing for a consumer that sees one document alone: what they break only warns, or shows only beside
    /// other documents or against a scenario.
    pub left_out: Vec<String>,
}

/// Documents that are told of together: all valid ones, or the mutants of one operator.
pub struct Subject {
    pub suite: &'static Suite,
    /// `None` for the valid documents.
    pub operator: Option<&'static Operator>,
    pub cases: Vec<Case>,
}

/// One document.
pub struct Case {
    /// The valid document that it is, or was made of.
    pub base: String,
    pub valid: String,
    /// What the consumer is given.
    pub text: Vec<u8>,
    pub pointer: String,
}

impl Subject {
    /// `suite/operator`, or `suite/valid`.
    pub fn name(&self) -> String {
        name(self.suite, self.operator)
    }
}

fn name(suite: &Suite, operator: Option<&Operator>) -> String {
    format!("{}/{}", suite.id, operator.map_or("valid", |operator| operator.name))
}

/// What is wanted of the mutants.
pub struct Wanted<'w> {
    /// What they follow from.
    pub seed: u64,
    /// Most mutants of each operator.
    pub count: usize,
    /// Only operators of this layer.
    pub layer: Option<Layer>,
    /// Which subjects, by name.
    pub selects: &'w dyn Fn(&str) -> bool,
}

/// The documents for a suite: its valid ones, and of every operator at most so many mutants that are invalid by themselves.
///
/// # Errors
/// Where something broke inside conform; the text says what.
pub fn plan(suite: &'static Suite, wanted: &Wanted<'_>) -> Result<Plan, String> {
    let examiner = Examiner::new(Vec::new())?;
    let bases = source::fixed(suite)?;
    let mut plan = Plan { subjects: Vec::new(), names: vec![name(suite, None)], left_out: Vec::new() };
    if (wanted.selects)(&name(suite, None)) {
        let cases =
            bases.iter().map(|base| case(base, base.json().as_bytes().to_vec(), String::new(), false)).collect();
        plan.subjects.push(Subject { suite, operator: None, cases });
    }
    for (at, operator) in operators(suite, examiner.schemas()).into_iter().enumerate() {
        if wanted.layer.is_some_and(|layer| layer != operator.layer()) {
            continue;
        }
        let name = name(suite, Some(operator));
        plan.names.push(name.clone());
        if !(wanted.selects)(&name) {
            continue;
        }
        let cases = if is_told_by_scenario(operator, suite) {
            Vec::new()
        } else {
            mutants(operator, &bases, &examiner, Seeded::nth(wanted.seed, at as u64), wanted.count)?
        };
        if cases.is_empty() {
            plan.left_out.push(name);
        } else {
            plan.subjects.push(Subject { suite, operator: Some(operator), cases });
        }
    }
    Ok(plan)
}

fn mutants(
    operator: &'static Operator,
    bases: &[Base],
    examiner: &Examiner,
    mut choice: Seeded,
    count: usize,
) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for base in bases {
        if cases.len() == count {
            break;
        }
        let Some(mut mutant) = break_by(operator, base, examiner.schemas(), &mut choice) else { continue };
        mutant.twin = None;
        if !examiner.examine(&mutant)?.is_invalid() {
            continue;
        }
        let text = mutant.document.as_ref().map_or(mutant.bytes, |document| pretty(document).into_bytes());
        let unmarked = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
        let yaml = !unmarked.trim_ascii_start().starts_with(b"{");
        cases.push(case(base, text, mutant.pointer, yaml));
    }
    Ok(cases)
}

fn case(base: &Base, text: Vec<u8>, pointer: String, yaml: bool) -> Case {
    let valid = if yaml { base.yaml() } else { base.json() }.to_owned();
    Case { base: base.name.clone(), valid, text, pointer }
}
