//! Inputs: stated once for the document, referred to by index, with an excerpt only for orientation.

use std::collections::HashMap;

use super::delivery::excerpt;
use super::model::{Run, RunModel};
use super::whole::{Whole, WholeModel};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

/// On the whole document.
pub const DOCUMENT: &[Obligation<WholeModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/inputs-complete",
            title: "Every input is stated, once",
            demand: "Where the document states inputs, their indices are unique and every inputIndex used anywhere in the document is one of \
                     them. Emitters of the family state them in the order 0..k-1: another order is a warning.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "inputs",
            example: Example { good: &[], bad: &[Edit::Remove("/inputs/2")], show: "/inputs", also: &[] },
        },
        judge: complete,
    },
    Obligation {
        rule: Rule {
            id: "mavai/excerpt-not-a-path",
            title: "An excerpt is no path",
            demand: "An input's excerpt shows the input (a file's document name, a text's beginning): it is never an absolute path, nor a \
                     language's representation of one.",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "inputs",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/inputs/1/inputExcerpt", r#""PosixPath('/home/ann/inputs/pear.txt')""#)],
                show: "/inputs/1",
                also: &[],
            },
        },
        judge: not_a_path,
    },
];

/// On each run.
pub const RUN: &[Obligation<RunModel>] = &[Obligation {
    rule: Rule {
        id: "mavai/input-excerpt-agrees",
        title: "Excerpts of one input agree",
        demand: "A failure entry's inputExcerpt is the one that inputs states for its inputIndex.",
        basis: Basis::Family,
        severity: Severity::Warning,
        group: "inputs",
        example: Example {
            good: &[],
            bad: &[Edit::Set(
                "/iterations/0/statistics/failureDistribution/0",
                r#"{"condition": "parses as json", "kind": "evaluated", "inputIndex": 1, "inputExcerpt": "a plum", "count": 2}"#,
            )],
            show: "/iterations/0/statistics/failureDistribution/0",
            also: &[],
        },
    },
    judge: excerpt_agrees,
}];

fn complete(whole: &Whole<'_>, judge: &mut Judge<'_>) {
    let Some(inputs) = whole.inputs else { return };
    let mut first_by_index = HashMap::with_capacity(inputs.at.len());
    let mut before: Option<u64> = None;
    let mut in_order = true;
    for item in inputs.at.items() {
        let Some(index) = item.get("inputIndex").and_then(Value::as_u64) else {
            judge.not_judged(item.pointer(), "its inputIndex cannot be read");
            return;
        };
        if let Some(first) = first_by_index.insert(index, item) {
            judge.finding(item, format!("input {index} is stated a second time")).mark(first, "the first");
        } else if index != before.map_or(0, |before| before.saturating_add(1)) && in_order {
            in_order = false;
            judge
                .finding(item, format!("input {index} stands at position {}", first_by_index.len() - 1))
                .severity(Severity::Warning)
                .help("state the inputs in the order 0..k-1; the family's emitters do");
        }
        before = Some(index);
    }
    for unknown in &whole.unknown_inputs {
        judge
            .finding(
                unknown.at,
                format!(
                    "inputIndex {} is not among the {} inputs that the document states",
                    unknown.value,
                    inputs.at.len()
                ),
            )
            .mark(inputs.at, "")
            .help("state every input that the run drove, not only those that failed");
    }
}

fn not_a_path(whole: &Whole<'_>, judge: &mut Judge<'_>) {
    let inputs = whole.inputs.iter().flat_map(|inputs| inputs.at.items()).filter_map(|item| item.get("inputExcerpt"));
    for stated in inputs.chain(whole.entry_excerpts.iter().copied()) {
        if let Some(text) = stated.as_str().filter(|text| is_path(text)) {
            judge
                .finding(stated, format!("the excerpt {} is a path on somebody's machine", excerpt(text)))
                .help("show the file's name, or the beginning of its text");
        }
    }
}

/// Whether a text is nothing but an absolute path of two segments or more, or a language's representation of one.
fn is_path(text: &str) -> bool {
    let quoted = |prefix: &str| text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(['\'', '"', '/']));
    if ["PosixPath(", "WindowsPath(", "PurePosixPath(", "PureWindowsPath(", "Path(", "File(", "PathBuf("]
        .into_iter()
        .any(quoted)
    {
        return true;
    }
    let bare = text.strip_prefix("file://").unwrap_or(text);
    let unix = bare.strip_prefix('/').is_some_and(|rest| {
        let mut segments = rest.split('/');
        rest.contains('/') && segments.all(|segment| !segment.is_empty() && !segment.contains(char::is_whitespace))
    });
    let mut chars = bare.chars();
    let windows = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && chars.next().is_some_and(|c| c == '\\')
        && !bare.contains('\n');
    unix || windows
}

fn excerpt_agrees(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(inputs) = run.inputs else { return };
    for entry in run.distributions().flat_map(|distribution| &distribution.entries) {
        let (Some(index), Some(stated)) = (entry.input.get(), entry.excerpt.get()) else { continue };
        let Some(own) = inputs.get(index.value).and_then(|input| input.get("inputExcerpt")) else { continue };
        let Some(text) = own.as_str().filter(|&text| text != stated.value) else { continue };
        judge
            .finding(
                stated.at,
                format!("inputExcerpt is {}, but input {} is {}", excerpt(stated.value), index.value, excerpt(text)),
            )
            .mark(own, format!("input {}", index.value));
    }
}
