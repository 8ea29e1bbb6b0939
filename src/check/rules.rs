//! The rule that holds before a suite is known.

use crate::finding::{Basis, Severity};
use crate::obligation::{Example, Rule};

/// A document says what it is.
pub static SUITE: Rule = Rule {
    id: "document/suite",
    title: "a suite claims the document",
    demand: "A document names its kind in its version field, and a suite knows that kind. What no suite claims cannot be judged, and \
             is not passed over: it fails.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "document",
    example: Example { good: &[], bad: &[], show: "", also: &[] },
};
