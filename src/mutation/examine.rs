//! Examining mutants: whether the obligations that an operator breaks are reported, and no others.

use std::collections::BTreeSet;

use super::base::Base;
use super::mutant::Mutant;
use crate::check::{Checker, guarded};
use crate::document::{self, Document, Limits};
use crate::finding::{Finding, Severity};
use crate::obligation::{Judge, Settings};
use crate::schema::Schemas;
use crate::suite::Suite;

/// Judges bases and mutants through every stage that a checked document goes through.
pub struct Examiner {
    checker: Checker,
}

/// What came of a mutant.
#[derive(Debug, Clone)]
pub struct Examination {
    pub findings: Vec<Finding>,
    /// Obligations that the operator breaks and nothing reported.
    pub missed: Vec<String>,
    /// Errors that the operator does not account for.
    pub stray: Vec<String>,
}

impl Examination {
    /// Whether every intended obligation was reported, and no other error.
    pub fn is_killed(&self) -> bool {
        self.missed.is_empty() && self.stray.is_empty()
    }

    /// Whether the mutant is one that a consumer must refuse: it has an error, not merely a warning.
    pub fn is_invalid(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

impl Examiner {
    /// An examiner that judges beside documents that others refer to (name and document).
    ///
    /// # Errors
    /// Where an embedded schema is broken, a fault of conform's own.
    pub fn new(related: Vec<(String, Document)>) -> Result<Self, String> {
        Ok(Examiner {
            checker: Checker {
                schemas: Schemas::embedded()?,
                settings: Settings { strict: false, related, brief: true },
                limits: Limits::default(),
                suite: None,
            },
        })
    }

    pub fn schemas(&self) -> &Schemas {
        &self.checker.schemas
    }

    /// What is found in a mutant.
    ///
    /// # Errors
    /// Where something broke inside conform; the text says what.
    pub fn examine(&self, mutant: &Mutant) -> Result<Examination, String> {
        let findings =
            self.findings(mutant.suite, mutant.bytes.clone(), mutant.twin.as_ref(), mutant.input.as_ref())?;
        let reported: BTreeSet<&str> = findings.iter().map(|finding| finding.obligation.as_str()).collect();
        let missed =
            mutant.operator.breaks.iter().filter(|id| !reported.contains(**id)).map(|id| (*id).to_owned()).collect();
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        let stray: BTreeSet<&str> =
            errors.map(|finding| finding.obligation.as_str()).filter(|id| !mutant.operator.allows(id)).collect();
        let stray = stray.into_iter().map(str::to_owned).collect();
        Ok(Examination { findings, missed, stray })
    }

    /// The errors in a document that should be valid, against its scenario too if it has one. It should have none.
    ///
    /// # Errors
    /// Where something broke inside conform; the text says what.
    pub fn false_alarms(&self, base: &Base, text: Vec<u8>) -> Result<Vec<Finding>, String> {
        let mut findings = self.findings(base.suite, text, None, base.input.as_ref())?;
        findings.retain(|finding| finding.severity == Severity::Error);
        Ok(findings)
    }

    fn findings(
        &self,
        suite: &'static Suite,
        bytes: Vec<u8>,
        twin: Option<&serde_json::Value>,
        input: Option<&serde_json::Value>,
    ) -> Result<Vec<Finding>, String> {
        let judged = self.checker.stages("mutant", bytes, Some(suite));
        if let Some(fault) = judged.fault {
            return Err(fault);
        }
        let mut findings = judged.findings;
        let Some(document) = judged.document else { return Ok(findings) };
        let family = suite.family();
        if let Some(twin) = twin {
            let twin = document::read(twin.to_string().into_bytes(), &self.checker.limits).document;
            let twin = twin.ok_or("the document beside the mutant cannot be read")?;
            let of_set = guarded(|| {
                let mut judges = vec![Judge::new(&self.checker.settings), Judge::new(&self.checker.settings)];
                family.judge_set(suite, &[&twin, &document], &mut judges);
                judges.into_iter().flat_map(|judge| judge.finish().0).collect::<Vec<_>>()
            })?;
            findings.extend(of_set);
        }
        if let Some(input) = input {
            let against = guarded(|| {
                let mut judge = Judge::new(&self.checker.settings);
                judge.by(crate::run::rules::DIFFERS);
                family.judge_scenario(suite, input, &[&document], &mut judge).map(|()| judge.finish().0)
            })
            .flatten()?;
            findings.extend(against);
        }
        Ok(findings)
    }
}
