//! The kinds of signed documents: how each names itself by content, and the domain under which each is signed.

/// One kind of signed document.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// What a message calls it.
    pub name: &'static str,
    /// The member that names the document by content.
    pub ref_key: &'static str,
    /// What that ref begins with, before `:sha256:`.
    pub ref_kind: &'static str,
    /// The domain of its signature: the schema's family name and version, which differs from the ref's beginning.
    pub domain: &'static str,
}

/// The execution record itself.
pub static EXECUTION: Kind = Kind {
    name: "execution record",
    ref_key: "execution/ref",
    ref_kind: "corpus-task-pack-execution",
    domain: "corpus-experiment-task-pack-execution.v1",
};

/// The proposal (version 2) that a run executes.
pub static PROPOSAL: Kind = Kind {
    name: "proposal",
    ref_key: "proposal/ref",
    ref_kind: "corpus-experiment",
    domain: "corpus-reasoning-experiment-proposal.v2",
};

/// The review (version 4) of a proposal.
pub static REVIEW: Kind = Kind {
    name: "review",
    ref_key: "review/ref",
    ref_kind: "corpus-experiment-review",
    domain: "corpus-reasoning-experiment-review.v4",
};

/// The Chair's decision (version 2) over a review.
pub static DECISION: Kind = Kind {
    name: "decision",
    ref_key: "decision/ref",
    ref_kind: "corpus-experiment-chair-decision",
    domain: "corpus-reasoning-chair-experiment-decision.v2",
};

/// The owner's adoption of a historical candidate.
pub static ADOPTION: Kind = Kind {
    name: "adoption",
    ref_key: "adoption/ref",
    ref_kind: "corpus-task-pack-candidate-adoption",
    domain: "corpus-task-pack-candidate-adoption.v1",
};

/// Domains that a signature of an execution record has been made under by mistake: the ref's beginning, the siblings' domains
/// and the bare names.
pub const MISTAKEN_DOMAINS: &[&str] = &[
    "corpus-task-pack-execution.v1",
    "corpus-task-pack-execution",
    "corpus-experiment-task-pack-execution",
    "corpus-experiment-task-pack-execution.v2",
    "corpus-reasoning-experiment-proposal.v1",
    "corpus-reasoning-experiment-proposal.v2",
    "corpus-reasoning-experiment-review.v1",
    "corpus-reasoning-experiment-review.v2",
    "corpus-reasoning-experiment-review.v4",
    "corpus-reasoning-chair-experiment-decision.v1",
    "corpus-reasoning-chair-experiment-decision.v2",
    "corpus-reasoning-experiment-regeneration.v1",
    "corpus-task-pack-candidate-adoption.v1",
    "corpus-reasoning-answer-signature.v1",
    "",
];
