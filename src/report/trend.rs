//! What changed between two runs, as far as their results tell.

use std::collections::HashMap;

use crate::run::results::{Results, SubjectResult, Verdict};

/// The subjects of a run beside those of an earlier one.
pub struct Trend<'r> {
    pub previous: &'r Results,
    /// Failed, and did not before (or were not there before).
    pub broken: Vec<&'r SubjectResult>,
    /// Pass, and failed before.
    pub mended: Vec<&'r SubjectResult>,
    /// Were judged before, and are not any more: unsupported or not judged now.
    pub lost: Vec<&'r SubjectResult>,
    /// Were not there before.
    pub added: usize,
    /// Names of those that are not there any more.
    pub removed: Vec<&'r str>,
}

impl<'r> Trend<'r> {
    pub fn of(results: &'r Results, previous: &'r Results) -> Self {
        let before: HashMap<&str, Verdict> =
            previous.results.iter().map(|result| (result.subject.as_str(), result.verdict)).collect();
        let now: HashMap<&str, ()> = results.results.iter().map(|result| (result.subject.as_str(), ())).collect();
        let mut trend = Trend {
            previous,
            broken: Vec::new(),
            mended: Vec::new(),
            lost: Vec::new(),
            added: 0,
            removed: previous
                .results
                .iter()
                .map(|result| result.subject.as_str())
                .filter(|subject| !now.contains_key(subject))
                .collect(),
        };
        for result in &results.results {
            let was = before.get(result.subject.as_str()).copied();
            trend.added += usize::from(was.is_none());
            match (was, result.verdict) {
                (Some(Verdict::Fail), Verdict::Fail) => {}
                (_, Verdict::Fail) if result.failed_as_expected() => {}
                (_, Verdict::Fail) => trend.broken.push(result),
                (Some(Verdict::Fail), Verdict::Pass) => trend.mended.push(result),
                (Some(Verdict::Pass | Verdict::Fail), Verdict::Unsupported | Verdict::NotJudged) => {
                    trend.lost.push(result);
                }
                _ => {}
            }
        }
        trend
    }

    /// Whether no subject's verdict changed and none came or went.
    pub fn is_level(&self) -> bool {
        self.broken.is_empty()
            && self.mended.is_empty()
            && self.lost.is_empty()
            && self.added == 0
            && self.removed.is_empty()
    }
}
