//! The rules that a scenario itself sets, beside those of the suite.

use crate::finding::{Basis, Severity};
use crate::obligation::{Example, Rule};

const UNSHOWN: Example = Example { good: &[], bad: &[], show: "", also: &[] };

/// The documents say what follows from the scenario's input.
pub static DIFFERS: Rule = Rule {
    id: "scenario/differs",
    title: "the document follows from the scenario",
    demand: "The documents that an emitter makes of a scenario say what follows from the scenario's input: what was declared, \
             what happened, and what is derived from both. A document may be flawless in itself and still tell of something else.",
    basis: Basis::Derived,
    severity: Severity::Error,
    group: "scenario",
    example: UNSHOWN,
};

/// As many documents as the suite's scenarios yield.
pub static DOCUMENTS: Rule = Rule {
    id: "scenario/documents",
    title: "one document for a scenario",
    demand: "An emitter writes exactly one document for a scenario, on standard output or as the only file under CONFORM_OUT, \
             unless the suite's scenarios yield several.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "scenario",
    example: UNSHOWN,
};

/// The same scenario yields the same documents.
pub static UNSTABLE: Rule = Rule {
    id: "scenario/unstable",
    title: "the same scenario yields the same document",
    demand: "A scenario that is emitted again (`--repeat`) yields documents that say the same, in the same order. Instants, measured \
             times and signatures may differ.",
    basis: Basis::Derived,
    severity: Severity::Warning,
    group: "scenario",
    example: UNSHOWN,
};

/// The same scenario comes to the same verdict.
pub static FLAKY: Rule = Rule {
    id: "scenario/flaky",
    title: "the same scenario comes to the same verdict",
    demand: "A scenario that is emitted again (`--repeat`) is judged the same each time. Where it is not, the worst verdict counts: \
             whoever reads the documents gets the bad ones too.",
    basis: Basis::Derived,
    severity: Severity::Warning,
    group: "scenario",
    example: UNSHOWN,
};

/// All of them, in the order in which they are listed.
pub static RULES: &[&Rule] = &[&DOCUMENTS, &DIFFERS, &UNSTABLE, &FLAKY];
