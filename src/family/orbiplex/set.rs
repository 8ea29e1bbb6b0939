//! Several records of one check: what one host keeps unique across them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::canonical::{self, shorten};
use super::record::{REF, SIGNATURE, Text};
use crate::document::{Document, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Rule};

const CONFLICT: Rule = Rule {
    id: "orbiplex/idempotency-conflict",
    title: "one idempotency key, one content",
    demand: "Two records of one host with the same `idempotency/key`, or two records with the same `execution/ref`, have the same \
             content: changed content under the same identity is a conflict, not a second record.",
    basis: Basis::Stated,
    severity: Severity::Error,
    group: "set",
    example: Example {
        good: &[],
        bad: &[Edit::Set("/recorded-at", "\"2026-10-01T09:00:00Z\"")],
        show: "/idempotency~1key",
        also: &[],
    },
};

const RUN: Rule = Rule {
    id: "orbiplex/run-repeated",
    title: "one run for a proposal",
    demand: "A proposal is run once, and a retry finds the run that there is: two runs of one proposal are suspicious.",
    basis: Basis::Stated,
    severity: Severity::Warning,
    group: "set",
    example: Example {
        good: &[],
        bad: &[
            Edit::Set("/run~1ref", "\"operator-task-run:example-2\""),
            Edit::Set("/idempotency~1key", "\"example-2\""),
            Edit::Set("/environment~1ref", "\"environment:example-2\""),
            Edit::Set("/evidence/0/environment~1ref", "\"environment:example-2\""),
            Edit::Set("/evidence/1/environment~1ref", "\"environment:example-2\""),
        ],
        show: "/run~1ref",
        also: &[],
    },
};

const INSTANCE: Rule = Rule {
    id: "orbiplex/instance-reused",
    title: "one instance for a run",
    demand: "Each run has an instance of its own, which is never used again: one `environment/ref` in two runs of one host is \
             suspicious.",
    basis: Basis::Stated,
    severity: Severity::Warning,
    group: "set",
    example: Example {
        good: &[],
        bad: &[
            Edit::Set("/run~1ref", "\"operator-task-run:example-2\""),
            Edit::Set("/idempotency~1key", "\"example-2\""),
            Edit::Set("/proposal~1ref", "\"corpus-experiment:sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o\""),
            Edit::Set("/proposal~1digest", "\"sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o\""),
        ],
        show: "/environment~1ref",
        also: &[],
    },
};

/// The rules over several records.
pub static RULES: [Rule; 3] = [CONFLICT, RUN, INSTANCE];

/// Judges records together. A record is compared with the first that has the same key, and the finding is the later one's.
pub fn judge(documents: &[&Document], judges: &mut [Judge<'_>]) {
    let mut by_key = HashMap::new();
    let mut by_ref = HashMap::new();
    let mut by_proposal = HashMap::new();
    let mut by_instance = HashMap::new();
    for (document, judge) in documents.iter().zip(judges) {
        let root = document.root();
        let host = Text::of(root, "host/node-id").map(|host| host.text);
        judge.by(CONFLICT);
        let key = Text::of(root, "idempotency/key");
        let name = Text::of(root, REF);
        let conflict = host
            .zip(key)
            .and_then(|(host, key)| first(&mut by_key, (host, key.text), root))
            .filter(|earlier| !same_content(*earlier, root));
        let reported = conflict.is_some();
        if let (Some(earlier), Some(key)) = (conflict, key) {
            judge
                .finding(key.at, format!("{} of this host has the same key and other content", record(earlier)))
                .help("a retry repeats the record that there is; other content needs a key of its own");
        }
        let conflict =
            name.and_then(|name| first(&mut by_ref, name.text, root)).filter(|earlier| !same_content(*earlier, root));
        if let (Some(_), Some(name), false) = (conflict, name, reported) {
            judge
                .finding(name.at, "another record has the same `execution/ref` and other content")
                .help("compute the ref from the record's own content");
        }
        let Some(run) = Text::of(root, "run/ref") else { continue };
        let other_run =
            |earlier: &Value<'_>| Text::of(*earlier, "run/ref").is_some_and(|earlier| earlier.text != run.text);
        judge.by(RUN);
        let earlier = Text::of(root, "proposal/ref").and_then(|proposal| first(&mut by_proposal, proposal.text, root));
        if let Some(earlier) = earlier.filter(other_run) {
            judge
                .finding(run.at, format!("{} is of another run of the same proposal", record(earlier)))
                .help("a retry finds the run that there is instead of starting another");
        }
        judge.by(INSTANCE);
        let instance = Text::of(root, "environment/ref");
        let earlier =
            host.zip(instance).and_then(|(host, instance)| first(&mut by_instance, (host, instance.text), root));
        if let (Some(earlier), Some(instance)) = (earlier.filter(other_run), instance) {
            judge
                .finding(instance.at, format!("{} is of another run that used the same instance", record(earlier)))
                .help("give each run an instance of its own and destroy it afterwards");
        }
    }
}

/// The first record under a key, if this one is not it.
fn first<'d, K: Eq + std::hash::Hash>(
    seen: &mut HashMap<K, Value<'d>>,
    key: K,
    record: Value<'d>,
) -> Option<Value<'d>> {
    match seen.entry(key) {
        Entry::Occupied(earlier) => Some(*earlier.get()),
        Entry::Vacant(place) => {
            place.insert(record);
            None
        }
    }
}

/// Whether two records say the same, apart from ref and signature. What has no canonical form is judged elsewhere.
fn same_content(a: Value<'_>, b: Value<'_>) -> bool {
    match (canonical::bytes(a, &[REF, SIGNATURE]), canonical::bytes(b, &[REF, SIGNATURE])) {
        (Ok(a), Ok(b)) => a == b,
        _ => true,
    }
}

fn record(earlier: Value<'_>) -> String {
    let name = Text::of(earlier, REF).map_or("without a ref", |name| name.text);
    format!("the record `{}`", shorten(name))
}
