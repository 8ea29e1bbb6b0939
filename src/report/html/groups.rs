//! The groups that obligations are shown by, and where each group stands in each suite.

use std::collections::HashMap;

use crate::catalogue;
use crate::run::results::{Results, SubjectResult};
use crate::suite;

/// Every obligation's group.
pub struct Groups {
    of: HashMap<&'static str, &'static str>,
}

/// A group of a suite's obligations.
pub struct Group {
    pub name: String,
    /// Ids; empty for the stages that are not tables of rules (the text, the schema, the process).
    pub obligations: Vec<&'static str>,
}

impl Groups {
    pub fn new() -> Self {
        Groups { of: catalogue::all().into_iter().map(|entry| (entry.id, entry.group)).collect() }
    }

    /// The group of an obligation: its own, or what its id starts with (a keyword of a schema).
    pub fn of<'a>(&self, obligation: &'a str) -> &'a str {
        match self.of.get(obligation) {
            Some(group) => group,
            None => obligation.split('/').next().unwrap_or(obligation),
        }
    }

    /// The groups of a suite in the order in which a document goes through them, and behind them what else was found something
    /// about: a validator's answers, say.
    pub fn of_suite(&self, id: Option<&str>, with_emitter: bool, members: &[(usize, &SubjectResult)]) -> Vec<Group> {
        let mut groups = self.demanded(id, with_emitter, members);
        for finding in members.iter().flat_map(|(_, result)| &result.findings) {
            let name = self.of(&finding.obligation);
            if !groups.iter().any(|group| group.name == name) {
                groups.push(Group { name: name.to_owned(), obligations: Vec::new() });
            }
        }
        groups
    }

    /// The groups that documents of a suite are judged by.
    fn demanded(&self, id: Option<&str>, with_emitter: bool, members: &[(usize, &SubjectResult)]) -> Vec<Group> {
        let stage = |name: &str| Group { name: name.to_owned(), obligations: Vec::new() };
        let mut groups = Vec::new();
        match id {
            // What no suite claims has been read, and no more.
            None => return vec![stage("document")],
            // No obligation of the suite was at stake: it was not an emitter's documents that were judged.
            Some(_) if members.iter().all(|(_, result)| result.obligations.total == 0) => return groups,
            Some(_) => {}
        }
        if with_emitter {
            groups.push(stage("process"));
        }
        groups.extend([stage("document"), stage("schema")]);
        if let Some(suite) = id.and_then(suite::by_id) {
            for rule in suite.family().rules(suite) {
                match groups.iter_mut().find(|group| group.name == rule.group) {
                    Some(group) => group.obligations.push(rule.id),
                    None => groups.push(Group { name: rule.group.to_owned(), obligations: vec![rule.id] }),
                }
            }
        }
        if with_emitter && !groups.iter().any(|group| group.name == "scenario") {
            groups.push(stage("scenario"));
        }
        groups
    }
}

/// What one subject came to in one group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Findings by severity.
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Obligations of the group: how many there are, broken (an error), warned of (and not broken), and not judged (and neither).
    pub total: usize,
    pub broken: usize,
    pub warned: usize,
    pub not_judged: usize,
}

impl Cell {
    pub fn kept(&self) -> usize {
        self.total.saturating_sub(self.broken + self.warned + self.not_judged)
    }
}

/// A subject's cells, one for each of the groups.
pub fn cells(groups: &Groups, columns: &[Group], result: &SubjectResult) -> Vec<Cell> {
    let mut broken: HashMap<&str, bool> = HashMap::new();
    let mut counts: HashMap<&str, Cell> = HashMap::new();
    for finding in &result.findings {
        let cell = counts.entry(groups.of(&finding.obligation)).or_default();
        let error = finding.severity == crate::finding::Severity::Error;
        match finding.severity {
            crate::finding::Severity::Error => cell.errors += 1,
            crate::finding::Severity::Warning => cell.warnings += 1,
            crate::finding::Severity::Note => {
                cell.notes += 1;
                continue;
            }
        }
        *broken.entry(&finding.obligation).or_default() |= error;
    }
    let mut skipped: HashMap<&str, bool> = HashMap::new();
    for entry in &result.not_judged {
        skipped.entry(&entry.obligation).or_default();
    }
    let no_document = result.documents.is_empty();
    let unread = result.obligations.judged == 0 && result.obligations.total > 0;
    columns
        .iter()
        .map(|group| {
            let mut cell = counts.get(group.name.as_str()).copied().unwrap_or_default();
            // A stage counts as one obligation: it was gone through, or it was not.
            let stage = [match group.name.as_str() {
                "scenario" => "scenario/differs",
                name => name,
            }];
            let ids: &[&str] = if group.obligations.is_empty() { &stage } else { &group.obligations };
            cell.total = ids.len();
            if group.obligations.is_empty() {
                cell.broken = usize::from(cell.errors > 0);
                cell.warned = usize::from(cell.errors == 0 && cell.warnings > 0);
                let unreached = match group.name.as_str() {
                    "document" | "scenario" => no_document,
                    // What could not be read has no structure to judge.
                    "schema" => no_document || unread,
                    _ => false,
                };
                let skipped = unreached || skipped.contains_key(stage[0]);
                cell.not_judged = usize::from(skipped && cell.broken + cell.warned == 0);
                return cell;
            }
            for id in ids {
                match broken.get(id) {
                    Some(true) => cell.broken += 1,
                    Some(false) => cell.warned += 1,
                    None => cell.not_judged += usize::from(skipped.contains_key(id)),
                }
            }
            cell
        })
        .collect()
}

/// Results by suite, with the position of each.
pub fn by_suite(results: &Results) -> Vec<(Option<&str>, Vec<(usize, &SubjectResult)>)> {
    let mut suites: Vec<(Option<&str>, Vec<(usize, &SubjectResult)>)> = Vec::new();
    let mut order: HashMap<Option<&str>, usize> = HashMap::new();
    for (at, result) in results.results.iter().enumerate() {
        let suite = result.suite.as_deref();
        let place = *order.entry(suite).or_insert(suites.len());
        match suites.get_mut(place) {
            Some((_, members)) => members.push((at, result)),
            None => suites.push((suite, vec![(at, result)])),
        }
    }
    suites
}
