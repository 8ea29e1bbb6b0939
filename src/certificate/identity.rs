//! The identity of what documents are judged by: suites, scenarios, schemas, obligations, related documents.

use std::fmt::Write as _;

use super::statement::{NamedDigest, Obligations, Suite};
use crate::check::Checker;
use crate::digest::sha256;
use crate::run::plan::Job;
use crate::suite;

/// The identity of every suite that has one of these scenarios. `jobs` are all scenarios that the suites have.
pub fn suites(jobs: &[Job], selected: impl Fn(&str) -> bool, checker: &Checker) -> Vec<Suite> {
    let suites = suite::all().filter(|suite| selected(suite.id));
    suites.map(|suite| identity(suite, jobs, checker)).collect()
}

fn identity(suite: &suite::Suite, jobs: &[Job], checker: &Checker) -> Suite {
    let mut scenarios: Vec<(&str, &str)> = jobs
        .iter()
        .filter(|job| job.suite.id == suite.id)
        .map(|job| (job.scenario.name.as_str(), job.scenario.sha256.as_str()))
        .collect();
    scenarios.sort_unstable();
    let listing = scenarios.iter().fold(String::new(), |mut lines, (name, digest)| {
        let _ = writeln!(lines, "{digest}  {name}");
        lines
    });
    let schemas: Vec<&str> =
        std::iter::once(suite.schema).chain(suite.parts.iter().map(|(_, schema)| *schema)).collect();
    let schemas = checker.schemas.texts(&schemas).into_iter();
    Suite {
        id: suite.id.to_owned(),
        scenarios: scenarios.len(),
        sha256: sha256(listing.as_bytes()),
        schemas: schemas
            .map(|(id, text)| NamedDigest { name: id.to_owned(), sha256: sha256(text.as_bytes()) })
            .collect(),
        obligations: obligations(suite),
    }
}

fn obligations(suite: &suite::Suite) -> Obligations {
    let family = suite.family();
    let mut rules = family.rules(suite);
    rules.extend(family.scenario_rules(suite));
    let listing = rules.iter().fold(String::new(), |mut lines, rule| {
        let _ = writeln!(lines, "{} {} {} {}", rule.id, rule.basis.as_str(), rule.severity.as_str(), rule.demand);
        lines
    });
    Obligations { count: rules.len(), sha256: sha256(listing.as_bytes()) }
}

/// The identity of the documents that judged ones may refer to.
pub fn related(checker: &Checker) -> Vec<NamedDigest> {
    let digest = |(name, document): &(String, crate::document::Document)| NamedDigest {
        name: name.clone(),
        sha256: sha256(document.source().as_bytes()),
    };
    checker.settings.related.iter().map(digest).collect()
}
