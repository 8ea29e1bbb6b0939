//! One declaration: what is expected to fail, and why.

use std::ops::RangeInclusive;

use glob::{MatchOptions, Pattern};
use jiff::civil::Date;

use crate::run::results::{DeclaredFailure, ExpectedFailure};

/// One `[[expected]]` table.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Glob over emitters' names.
    pub(super) emitter: Pattern,
    /// Glob over `suite/scenario`; without a slash, over scenarios' names.
    pub(super) scenario: Pattern,
    /// Glob over obligations' ids.
    pub(super) obligation: Pattern,
    pub(super) reason: String,
    pub(super) issue: Option<String>,
    pub(super) owner: Option<String>,
    /// The last day on which it holds.
    pub(super) expires: Option<Date>,
    /// Whether it fails at times and passes at others.
    pub(super) flaky: bool,
    /// Its lines in the file, from the header to the last field.
    pub(super) lines: RangeInclusive<usize>,
}

/// In names a `*` stays within a part between slashes.
const WITHIN_PARTS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Entry {
    /// A declaration as a certificate states it.
    pub(super) fn stated(declared: &DeclaredFailure) -> Result<Self, String> {
        let DeclaredFailure { emitter, scenario, expected } = declared;
        let pattern = |text: &str| Pattern::new(text).map_err(|error| format!("{text:?} is no glob: {error}"));
        let expires = expected.expires.as_deref().map(|day| day.parse().map_err(|_| format!("{day:?} is no day")));
        Ok(Entry {
            emitter: pattern(emitter)?,
            scenario: pattern(scenario)?,
            obligation: pattern(&expected.obligation)?,
            reason: expected.reason.clone(),
            issue: expected.issue.clone(),
            owner: expected.owner.clone(),
            expires: expires.transpose()?,
            flaky: expected.flaky,
            lines: 0..=0,
        })
    }

    pub(super) fn is_for(&self, emitter: &str) -> bool {
        self.emitter.matches(emitter)
    }

    pub(super) fn has_expired(&self, day: Date) -> bool {
        self.expires.is_some_and(|last| last < day)
    }

    /// Whether it is about a scenario, given as `suite/scenario`.
    pub(super) fn is_about(&self, subject: &str) -> bool {
        let name = match subject.rsplit_once('/') {
            Some((_, name)) if !self.scenario.as_str().contains('/') => name,
            _ => subject,
        };
        self.scenario.matches_with(name, WITHIN_PARTS)
    }

    /// Whether it excuses the failure of an obligation in a scenario.
    pub(super) fn covers(&self, subject: &str, obligation: &str) -> bool {
        self.obligation.matches(obligation) && self.is_about(subject)
    }

    /// The obligation, where it names exactly one.
    pub(super) fn one_obligation(&self) -> Option<&str> {
        let text = self.obligation.as_str();
        (!text.contains(['*', '?', '['])).then_some(text)
    }

    pub(super) fn expected(&self, obligation: &str) -> ExpectedFailure {
        ExpectedFailure {
            obligation: obligation.to_owned(),
            reason: self.reason.clone(),
            issue: self.issue.clone(),
            owner: self.owner.clone(),
            expires: self.expires.map(|day| day.to_string()),
            flaky: self.flaky,
        }
    }

    pub(super) fn declared(&self) -> DeclaredFailure {
        DeclaredFailure {
            emitter: self.emitter.as_str().to_owned(),
            scenario: self.scenario.as_str().to_owned(),
            expected: self.expected(self.obligation.as_str()),
        }
    }
}
