//! The document as a whole: what its runs have in common, its keys, its identities and its time.

use std::str::FromStr;

use super::delivery::excerpt;
use super::model::{Inputs, Run, Stated, text};
use crate::document::{Document, Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Model, Obligation, Rule};

/// Longest key or identity, in characters.
pub const LONGEST_KEY: usize = 256;

/// Places kept of what is collected over the runs; a judge shows no more.
const KEPT: usize = 200;

/// The marker for tables of obligations on a whole document.
pub struct WholeModel;

impl Model for WholeModel {
    type Of<'d> = Whole<'d>;
}

/// What is collected over all runs of one document.
pub struct Whole<'d> {
    pub document: &'d Document,
    pub inputs: Option<Inputs<'d>>,
    /// Uses of an inputIndex that `inputs` does not state.
    pub unknown_inputs: Vec<Stated<'d, u64>>,
    /// Excerpts of inputs in failure entries, where `inputs` does not state the same text.
    pub entry_excerpts: Vec<Value<'d>>,
    /// The first entry that states its kind, the first that does not, and how many do not.
    pub kind_stated: Option<Value<'d>>,
    pub kind_unstated: Option<Value<'d>>,
    pub kinds_unstated: usize,
}

impl<'d> Whole<'d> {
    pub fn new(document: &'d Document, inputs: Option<Inputs<'d>>) -> Self {
        Whole {
            document,
            inputs,
            unknown_inputs: Vec::new(),
            entry_excerpts: Vec::new(),
            kind_stated: None,
            kind_unstated: None,
            kinds_unstated: 0,
        }
    }

    /// Collects what one run adds.
    pub fn note(&mut self, run: &Run<'d>) {
        for entry in run.distributions().flat_map(|distribution| &distribution.entries) {
            if entry.kind.is_absent() {
                self.kinds_unstated += 1;
                self.kind_unstated.get_or_insert(entry.at);
            } else {
                self.kind_stated.get_or_insert(entry.at);
            }
            self.note_input(entry.input.get());
            if let Some(stated) = entry.excerpt.get().filter(|_| self.entry_excerpts.len() < KEPT) {
                self.entry_excerpts.push(stated.at);
            }
        }
        for row in run.criterion_list.iter().flat_map(|criterion| &criterion.rows) {
            self.note_input(row.input.get());
        }
    }

    fn note_input(&mut self, used: Option<Stated<'d, u64>>) {
        let (Some(used), Some(inputs)) = (used, self.inputs) else { return };
        let known = match inputs.stated_count {
            Some(count) => used.value < count,
            None => inputs.get(used.value).is_some(),
        };
        if !known && self.unknown_inputs.len() < KEPT {
            self.unknown_inputs.push(used);
        }
    }
}

pub const OBLIGATIONS: &[Obligation<WholeModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/kind-stated-throughout",
            title: "Kind is stated throughout or nowhere",
            demand: "A document that states kind on one failure entry states it on all: a reader takes absence for \"not stated\", never \
                     for \"evaluated\".",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "failureDistribution",
            example: Example {
                good: &[],
                bad: &[Edit::Remove("/iterations/0/statistics/failureDistribution/1/kind")],
                show: "/iterations/0/statistics/failureDistribution",
                also: &[],
            },
        },
        judge: kind_stated_throughout,
    },
    Obligation {
        rule: Rule {
            id: "mavai/key-bounded",
            title: "Keys and identities are bounded",
            demand: "Every mapping key, and every identity (contract, experiment, configuration, condition, check, path, form), has at most \
                     256 characters.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "keys and text",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/serviceContractId",
                    "\"basket-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
                )],
                show: "/serviceContractId",
                also: &[],
            },
        },
        judge: key_bounded,
    },
    Obligation {
        rule: Rule {
            id: "mavai/utc-instant",
            title: "The time of emission is a UTC instant",
            demand: "generatedAt is an instant that the calendar has, in RFC 3339 and in UTC (Z or +00:00).",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "keys and text",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/generatedAt", r#""2026-10-01T10:00:00+02:00""#)],
                show: "/generatedAt",
                also: &[],
            },
        },
        judge: utc_instant,
    },
];

fn kind_stated_throughout(whole: &Whole<'_>, judge: &mut Judge<'_>) {
    let (Some(stated), Some(unstated)) = (whole.kind_stated, whole.kind_unstated) else { return };
    judge
        .finding(unstated, format!("{} failure entries state no kind, beside others that do", whole.kinds_unstated))
        .mark(stated, "states its kind")
        .help("state `kind` on every entry: evaluated or delivery");
}

/// Members whose string value is an identity.
const IDENTITIES: [&str; 8] =
    ["serviceContractId", "experimentId", "configuration", "configurationName", "condition", "check", "path", "form"];

fn key_bounded(whole: &Whole<'_>, judge: &mut Judge<'_>) {
    // Long strings are rare: find them in one pass over the arena, and only then ask what they are.
    for long in whole.document.long_strings(LONGEST_KEY) {
        let length = long.as_str().unwrap_or_default().chars().count();
        if length <= LONGEST_KEY {
            continue;
        }
        let (parent, key) = whole.document.holder(long);
        if parent.kind() != Kind::Object {
            continue;
        }
        if key == Some(long) {
            judge
                .finding(
                    long,
                    format!("the key {} has {length} characters; at most {LONGEST_KEY} are allowed", excerpt_of(long)),
                )
                .help("bound keys, and keep input and response text out of them");
        } else if let Some(name) = key.and_then(Value::as_str).filter(|name| IDENTITIES.contains(name)) {
            judge
                .finding(
                    long,
                    format!("the identity `{name}` has {length} characters; at most {LONGEST_KEY} are allowed"),
                )
                .help("bound the identity, and keep it distinct from the others");
        }
    }
}

fn excerpt_of(value: Value<'_>) -> String {
    excerpt(value.as_str().unwrap_or_default())
}

fn utc_instant(whole: &Whole<'_>, judge: &mut Judge<'_>) {
    let Some(generated) = text(whole.document.root(), "generatedAt").need(judge) else { return };
    let problem = match jiff::Timestamp::from_str(generated.value) {
        Err(_) => "is no instant that the calendar has, written as RFC 3339 demands",
        Ok(_) if !is_utc(generated.value) => "is not in UTC",
        Ok(_) => return,
    };
    judge
        .finding(generated.at, format!("generatedAt is {}, which {problem}", excerpt(generated.value)))
        .help("write the time of emission as 2026-10-01T08:00:00Z");
}

fn is_utc(instant: &str) -> bool {
    instant.ends_with(['Z', 'z']) || instant.ends_with("+00:00")
}
