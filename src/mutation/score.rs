//! The mutation score of a suite: every operator applied to valid documents, and whether its mutants were caught.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::base::Base;
use super::choice::Seeded;
use super::examine::Examiner;
use super::mutant::break_by;
use super::operator::Operator;
use super::{lexical, obligations, operators, source};
use crate::run::score::MutationScore;
use crate::suite::Suite;

/// The seed of a score where nothing else is asked for.
pub const SEED: u64 = 1;
/// Mutants of each operator where nothing else is asked for.
pub const MUTANTS: usize = 10;

/// How a suite fares against its operators.
#[derive(Debug, Clone, Serialize)]
pub struct Score {
    pub suite: &'static str,
    /// What everything that was chosen follows from.
    pub seed: u64,
    /// Most mutants of each operator.
    pub mutants: usize,
    pub operators: Vec<Line>,
    /// Obligations that the suite has.
    pub obligations: usize,
    /// Obligations of the suite that no operator is for.
    pub uncovered: Vec<&'static str>,
    /// Rules about texts that no mutant can show, and why.
    pub beyond: &'static [(&'static str, &'static str)],
}

/// How the mutants of one operator fared.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    pub operator: &'static str,
    pub layer: &'static str,
    pub obligation: &'static str,
    pub what: &'static str,
    /// Mutants made; 0 where no valid document offered a place.
    pub mutants: usize,
    pub killed: usize,
    /// The first mutants that survived.
    pub survivors: Vec<Survivor>,
}

/// A mutant that was not caught as it should have been.
#[derive(Debug, Clone, Serialize)]
pub struct Survivor {
    pub base: String,
    pub pointer: String,
    /// Obligations that should have been reported.
    pub missed: Vec<String>,
    /// Errors that should not have been.
    pub stray: Vec<String>,
}

/// Survivors that a line keeps.
const KEPT: usize = 3;

impl Line {
    /// Whether there were mutants, and all were caught.
    pub fn is_killed(&self) -> bool {
        self.mutants > 0 && self.killed == self.mutants
    }
}

impl Score {
    /// Applies every operator of the suite to its valid documents, at most `count` times each, all following from the seed.
    ///
    /// # Errors
    /// Where something broke inside conform; the text says what.
    pub fn of(suite: &'static Suite, seed: u64, count: usize) -> Result<Self, String> {
        let examiner = Examiner::new(source::related(suite)?)?;
        let mut bases = source::fixed(suite)?;
        let mut choice = Seeded::new(seed);
        for _ in 0..count {
            bases.push(source::generated_document(suite, &mut choice)?);
        }
        let operators = operators(suite, examiner.schemas());
        let lines = operators
            .iter()
            .enumerate()
            .map(|(at, operator)| line(operator, &bases, &examiner, Seeded::nth(seed, at as u64), count))
            .collect::<Result<_, _>>()?;
        let covered: BTreeSet<&str> = operators.iter().flat_map(|operator| operator.breaks).copied().collect();
        let obligations = obligations(suite);
        let uncovered = obligations.iter().copied().filter(|id| !covered.contains(id)).collect();
        Ok(Score {
            suite: suite.id,
            seed,
            mutants: count,
            operators: lines,
            obligations: obligations.len(),
            uncovered,
            beyond: lexical::BEYOND,
        })
    }

    /// The score as results and certificates state it: with the usual seed and number of mutants, so that anyone comes to the same.
    ///
    /// # Errors
    /// As [`Score::of`].
    pub fn usual(suite: &'static Suite) -> Result<MutationScore, String> {
        Ok(Score::of(suite, SEED, MUTANTS)?.stated())
    }

    fn stated(&self) -> MutationScore {
        let (killed, operators) = self.killed();
        let survived = self.operators.iter().filter(|line| !line.is_killed());
        MutationScore {
            suite: self.suite.to_owned(),
            seed: self.seed,
            mutants: self.mutants,
            operators,
            killed,
            survived: survived.map(|line| line.operator.to_owned()).collect(),
            obligations: self.obligations,
            covered: self.obligations - self.uncovered.len(),
            uncovered: self.uncovered.iter().map(|id| (*id).to_owned()).collect(),
        }
    }

    /// Operators whose mutants were all caught, out of all.
    pub fn killed(&self) -> (usize, usize) {
        (self.operators.iter().filter(|line| line.is_killed()).count(), self.operators.len())
    }

    /// Whether every operator was killed and every obligation has one.
    pub fn is_full(&self) -> bool {
        self.uncovered.is_empty() && self.operators.iter().all(Line::is_killed)
    }

    /// The lines by obligation, in the order in which the suite lists its obligations; those of texts and schemas first.
    pub fn by_obligation(&self) -> Vec<(&'static str, Vec<&Line>)> {
        let mut order: BTreeMap<&str, usize> = BTreeMap::new();
        let mut groups: Vec<(&'static str, Vec<&Line>)> = Vec::new();
        for line in &self.operators {
            let at = *order.entry(line.obligation).or_insert_with(|| {
                groups.push((line.obligation, Vec::new()));
                groups.len() - 1
            });
            if let Some((_, lines)) = groups.get_mut(at) {
                lines.push(line);
            }
        }
        groups
    }
}

/// Applies one operator until it has made its mutants, to the documents in turn. Documents that offer no place are passed over.
fn line(
    operator: &'static Operator,
    bases: &[Base],
    examiner: &Examiner,
    mut choice: Seeded,
    count: usize,
) -> Result<Line, String> {
    let mut line = Line {
        operator: operator.name,
        layer: operator.layer().as_str(),
        obligation: operator.obligation(),
        what: operator.what,
        mutants: 0,
        killed: 0,
        survivors: Vec::new(),
    };
    for base in bases {
        if line.mutants == count.max(1) {
            break;
        }
        let Some(mutant) = break_by(operator, base, examiner.schemas(), &mut choice) else { continue };
        let examination =
            examiner.examine(&mutant).map_err(|fault| format!("{}: {}: {fault}", operator.name, base.name))?;
        line.mutants += 1;
        if examination.is_killed() {
            line.killed += 1;
        } else if line.survivors.len() < KEPT {
            line.survivors.push(Survivor {
                base: base.name.clone(),
                pointer: mutant.pointer,
                missed: examination.missed,
                stray: examination.stray,
            });
        }
    }
    Ok(line)
}
