//! Merging: the results of all shards of a run, put together to what the run in one piece would have come to.

use std::collections::HashMap;
use std::fmt;

use super::results::{Results, Shard, SubjectResult};
use super::shard;
use crate::suite;

/// Puts shards together. Each comes with the name that messages call it by. What the file of expected failures comes to is left
/// open, since that is known only of the whole.
///
/// # Errors
/// Where they are not the shards of one run, each once and with all that it was to run.
pub fn merge(mut shards: Vec<(String, Results)>) -> Result<Results, MergeError> {
    complete(&shards)?;
    same_run(&shards)?;
    placed(&shards)?;
    shards.sort_by_key(|(_, results)| results.shard.map(|shard| shard.index));
    let (started, duration_ms) = time(&shards);
    let mutation = shards.iter().map(|(_, results)| &results.mutation).find(|scores| !scores.is_empty()).cloned();
    let mutation = mutation.unwrap_or_default();
    let mut parts = shards.into_iter().map(|(_, results)| results);
    let Some(mut whole) = parts.next() else { return Err(MergeError::Nothing) };
    let mut not_run = whole.summary.not_run;
    let mut results = std::mem::take(&mut whole.results);
    for part in parts {
        not_run += part.summary.not_run;
        results.extend(part.results);
    }
    let order: HashMap<&str, usize> = suite::all().enumerate().map(|(at, suite)| (suite.id, at)).collect();
    let ends = ends(&mut results);
    let rank = |result: &SubjectResult| result.suite.as_deref().and_then(|id| order.get(id)).copied();
    results.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.subject.cmp(&b.subject)));
    let selected: usize = whole.selection.iter().map(|suite| suite.scenarios).sum();
    if results.len() + not_run != selected {
        return Err(MergeError::Incomplete { there: results.len() + not_run, selected });
    }
    results.extend(ends);
    // It is that of the suites, not of the shard: one shard that states it is enough.
    whole.mutation = mutation;
    whole.shard = None;
    whole.expected = None;
    whole.started = started;
    whole.conclude(results, not_run, duration_ms.unwrap_or_default());
    whole.duration_ms = duration_ms;
    Ok(whole)
}

/// Takes out what is no scenario's result: what was wrong with the end of each session. Together it is one result, as of one
/// session.
fn ends(results: &mut Vec<SubjectResult>) -> Option<SubjectResult> {
    let (ends, scenarios) = std::mem::take(results).into_iter().partition(is_end);
    *results = scenarios;
    let mut ends: std::vec::IntoIter<SubjectResult> = Vec::into_iter(ends);
    let mut end = ends.next()?;
    for other in ends {
        end.findings.extend(other.findings);
        end.duration_ms += other.duration_ms;
    }
    Some(end)
}

fn is_end(result: &SubjectResult) -> bool {
    result.suite.is_none()
}

/// Every shard is there, and once.
fn complete(shards: &[(String, Results)]) -> Result<(), MergeError> {
    let mut seen: HashMap<u32, &str> = HashMap::new();
    let mut of = None;
    for (name, results) in shards {
        let Some(Shard { index, of: parts }) = results.shard else { return Err(MergeError::Whole(name.clone())) };
        if *of.get_or_insert(parts) != parts {
            return Err(MergeError::Differ { what: "number of shards", one: shards[0].0.clone(), other: name.clone() });
        }
        if let Some(other) = seen.insert(index, name) {
            return Err(MergeError::Doubled { shard: index, one: other.to_owned(), other: name.clone() });
        }
    }
    let Some(of) = of else { return Err(MergeError::Nothing) };
    let missing: Vec<u32> = (1..=of).filter(|index| !seen.contains_key(index)).take(20).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Missing { missing, of }) }
}

/// All of them are of one emitter, judged by one conform under the same terms over the same selection.
fn same_run(shards: &[(String, Results)]) -> Result<(), MergeError> {
    let Some(((first, one), others)) = shards.split_first() else { return Err(MergeError::Nothing) };
    let scored = shards.iter().map(|(_, results)| &results.mutation).find(|scores| !scores.is_empty());
    for (name, other) in others {
        let checks = [
            ("version of conform", one.conform == other.conform),
            ("emitter", one.emitter == other.emitter),
            ("platform", one.platform == other.platform),
            ("terms (--strict, --deny, --repeat)", one.terms == other.terms),
            ("suites or scenarios", one.selection == other.selection),
            ("mutation score", scored.is_none_or(|score| other.mutation.is_empty() || other.mutation == *score)),
        ];
        if let Some((what, _)) = checks.into_iter().find(|(_, same)| !same) {
            return Err(MergeError::Differ { what, one: first.clone(), other: name.clone() });
        }
    }
    Ok(())
}

/// Each result is in the shard that its name puts it in, and once.
fn placed(shards: &[(String, Results)]) -> Result<(), MergeError> {
    for (name, results) in shards {
        let mut seen: HashMap<&str, ()> = HashMap::new();
        for result in results.results.iter().filter(|result| !is_end(result)) {
            let subject = &result.subject;
            if results.shard.is_some_and(|shard| !shard::holds(shard, subject)) {
                return Err(MergeError::Misplaced { file: name.clone(), subject: subject.clone() });
            }
            if seen.insert(subject, ()).is_some() {
                return Err(MergeError::Twice { file: name.clone(), subject: subject.clone() });
            }
        }
    }
    Ok(())
}

/// From the first start to the last end.
fn time(shards: &[(String, Results)]) -> (String, Option<f64>) {
    let spans = shards.iter().filter_map(|(_, results)| {
        let started: jiff::Timestamp = results.started.parse().ok()?;
        Some((started, results))
    });
    let spans: Vec<(jiff::Timestamp, &Results)> = spans.collect();
    let Some((first, earliest)) = spans.iter().min_by_key(|(started, _)| *started) else {
        return (shards.first().map(|(_, results)| results.started.clone()).unwrap_or_default(), None);
    };
    let ends: Option<Vec<f64>> = spans
        .iter()
        .map(|(started, results)| {
            let offset = started.duration_since(*first).as_secs_f64() * 1e3;
            results.duration_ms.map(|duration| offset + duration)
        })
        .collect();
    (earliest.started.clone(), ends.and_then(|ends| ends.into_iter().reduce(f64::max)))
}

/// Why shards do not make up a run. The text says which files, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeError {
    Nothing,
    /// A file holds a run in one piece, or a check.
    Whole(String),
    Missing {
        missing: Vec<u32>,
        of: u32,
    },
    Doubled {
        shard: u32,
        one: String,
        other: String,
    },
    Differ {
        what: &'static str,
        one: String,
        other: String,
    },
    Misplaced {
        file: String,
        subject: String,
    },
    Twice {
        file: String,
        subject: String,
    },
    Incomplete {
        there: usize,
        selected: usize,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Nothing => write!(f, "there is no shard"),
            MergeError::Whole(file) => {
                write!(f, "{file} is no shard; results of `conform --emitter … --shard I/N` are expected")
            }
            MergeError::Missing { missing, of } => {
                let missing: Vec<String> = missing.iter().map(|index| format!("{index}/{of}")).collect();
                write!(f, "missing shard {}; give the results of each", missing.join(", "))
            }
            MergeError::Doubled { shard, one, other } => {
                write!(f, "{one} and {other} are both shard {shard}; give each shard once")
            }
            MergeError::Differ { what, one, other } => {
                write!(f, "{one} and {other} are not of one run: the {what} differs; run every shard alike")
            }
            MergeError::Misplaced { file, subject } => {
                write!(f, "{file} has a result for {subject}, which belongs to another shard; run that shard again")
            }
            MergeError::Twice { file, subject } => {
                write!(f, "{file} has two results for {subject}; run that shard again")
            }
            MergeError::Incomplete { there, selected } => write!(
                f,
                "the shards account for {there} scenarios, and {selected} were selected; run the shards again"
            ),
        }
    }
}

impl std::error::Error for MergeError {}
