//! What a consumer owes, as `list` and `explain` show it.

use crate::finding::{Basis, Severity};
use crate::obligation::{Example, Rule};

const UNSHOWN: Example = Example { good: &[], bad: &[], show: "", also: &[] };

/// A valid document is accepted.
pub static ACCEPTS: Rule = Rule {
    id: "validator/accepts-valid",
    title: "a valid document is accepted",
    demand: "A validator accepts every valid document of the suite: it exits with 0.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "validator",
    example: UNSHOWN,
};

/// A mutant is refused.
pub static REFUSES: Rule = Rule {
    id: "validator/refuses-mutant",
    title: "an invalid document is refused",
    demand: "A validator refuses every document that breaks an obligation of the suite: it exits with 1. With `--structural` only \
             documents are tried that break the suite's schema.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "validator",
    example: UNSHOWN,
};

/// There is an answer.
pub static ANSWERS: Rule = Rule {
    id: "validator/answers",
    title: "there is an answer",
    demand: "A validator answers with its exit code, 0 or 1, within the time limit, whatever it is given, and leaves no process behind.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "validator",
    example: UNSHOWN,
};

/// All of them, in the order in which they are listed.
pub static RULES: &[&Rule] = &[&ACCEPTS, &REFUSES, &ANSWERS];
