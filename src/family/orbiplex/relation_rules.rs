//! What the relation gate demands, in words, with examples: the record of the example names documents in `example/related`.

use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Rule};

/// Edits that make the example record name another of the example's decisions, by its digest.
macro_rules! decided_by {
    ($digest:literal) => {
        &[
            Edit::Set("/decision~1ref", concat!("\"corpus-experiment-chair-decision:sha256:", $digest, "\"")),
            Edit::Set("/decision~1digest", concat!("\"sha256:", $digest, "\"")),
        ]
    };
}

pub const DIGEST: Rule = Rule {
    id: "orbiplex/relation-digest",
    title: "the documents that a record names are sound",
    demand: "The proposal, the review, the decision and the adoption that the record names have the content that their refs are \
             the digests of, and each has a signature that verifies under its own domain.",
    basis: Basis::Derived,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[],
        bad: decided_by!("1HQTU-nt-gU3mrdINtWh67yOw2WiRTqAjZXkkPNbdNI"),
        show: "/decision~1ref",
        also: &[],
    },
};

pub const CANDIDATE: Rule = Rule {
    id: "orbiplex/relation-candidate",
    title: "what was approved is what was run",
    demand: "The candidate is the same, member for member, in the proposal, in the review, in the decision and in the record, and \
             the target is the proposal's. An approval never carries over to a corrected candidate, even under the same name.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[],
        bad: &[Edit::Set("/target/binding~1ref", "\"operator-task-local-binding:example-other\"")],
        show: "/target",
        also: &[],
    },
};

pub const CHAIN: Rule = Rule {
    id: "orbiplex/relation-chain",
    title: "review and decision are of this proposal",
    demand: "The review names the record's proposal, and the decision names that proposal and the record's review, each by ref and \
             digest.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[],
        bad: decided_by!("FcLjdULTld2NUGyy8QavZq49QSwndV6AXrxUAhg7LWA"),
        show: "/decision~1ref",
        also: &[],
    },
};

pub const VERDICT: Rule = Rule {
    id: "orbiplex/relation-verdict",
    title: "the experiment was admitted",
    demand: "The review's verdict is `accept`, the decision is `admit-reviewed-candidate`, and the proposal's executor mode is \
             `deterministic-host-compiler`.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[],
        bad: decided_by!("9FfyEPrhzAiPMAoaUT19fsB1yscE9pSN-gPA8iM1gPY"),
        show: "/decision~1ref",
        also: &[],
    },
};

pub const ROOM: Rule = Rule {
    id: "orbiplex/relation-room",
    title: "the record stays in its context",
    demand: "The query and the room of the record are those of its review and of its decision.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[],
        bad: decided_by!("2JGB1_L3JLyhkTiYi0Q841UhPVWrdQeo6KcMqmLuOFQ"),
        show: "/decision~1ref",
        also: &[],
    },
};

pub const ADOPTION: Rule = Rule {
    id: "orbiplex/relation-adoption",
    title: "a historical proposal is adopted",
    demand: "Where the proposal is of another query or room than the record, the record names an adoption, which carries that very \
             proposal unmodified and is for the record's query and room. An adoption of a proposal that is of this context already \
             is a warning (a reading).",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "relation",
    example: Example {
        good: &[
            Edit::Set("/proposal~1ref", "\"corpus-experiment:sha256:yzAmiKnnRUF6HnRun4jaWsHikjcbwrjuzGhu_ItGAYw\""),
            Edit::Set("/proposal~1digest", "\"sha256:yzAmiKnnRUF6HnRun4jaWsHikjcbwrjuzGhu_ItGAYw\""),
            Edit::Set(
                "/review~1ref",
                "\"corpus-experiment-review:sha256:fScXhWjVLIh2pvBZLaFMR065VfTXX-X-I1fQNPVsrMA\"",
            ),
            Edit::Set("/review~1digest", "\"sha256:fScXhWjVLIh2pvBZLaFMR065VfTXX-X-I1fQNPVsrMA\""),
            Edit::Set(
                "/decision~1ref",
                "\"corpus-experiment-chair-decision:sha256:Kq0vmh8tNtZPTeg6rrXMBHWjzo5vjmcl_J3qtU2yj0M\"",
            ),
            Edit::Set("/decision~1digest", "\"sha256:Kq0vmh8tNtZPTeg6rrXMBHWjzo5vjmcl_J3qtU2yj0M\""),
            Edit::Set(
                "/candidate~1adoption-ref",
                "\"corpus-task-pack-candidate-adoption:sha256:O20F8vuoC8J2ECGdaICoxDi6yPP0BHY6bXiHdp4e0s4\"",
            ),
        ],
        bad: &[Edit::Remove("/candidate~1adoption-ref")],
        show: "/candidate~1adoption-ref",
        also: &[],
    },
};
