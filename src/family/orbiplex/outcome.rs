//! The outcome and its refusal code.

use super::canonical::shorten;
use super::record::{Record, Records, Text, member_pointer};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Records>] = &[Obligation {
    rule: Rule {
        id: "orbiplex/code-iff-refused",
        title: "a refused run names a code, and no other does",
        demand: "`refusal/code` stands exactly where the outcome is `refused`. A verifier that was evaluated and said no is \
                 `verification-failed`, without a code; one that timed out, lacked a check or was breached is `refused`, with the \
                 code of that. An unknown outcome stays unknown, and a cancelled run needs no code.",
        basis: Basis::Stated,
        severity: Severity::Error,
        group: "outcome",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/refusal~1code", "\"verifier/timeout\"")],
            show: "/refusal~1code",
            also: &[],
        },
    },
    judge: code_iff_refused,
}];

fn code_iff_refused(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(outcome) = Text::needed(record.root, "outcome", judge) else { return };
    let code = record.root.get("refusal/code");
    if outcome.text == "refused" {
        if code.is_none() {
            // The schema asks for it there, and reports it.
            judge.not_judged(member_pointer(record.root, "refusal/code"), "`refusal/code` is missing");
        }
        return;
    }
    let Some(code) = code else { return };
    let named = code.as_str().map(shorten).unwrap_or_default();
    let help = match outcome.text {
        "verification-failed" => format!(
            "`verification-failed` is a verifier's own no; where `{named}` is what ended the run, the outcome is `refused`"
        ),
        "unknown" => "an unknown outcome stays unknown: leave the code out, and do not guess one afterwards".to_owned(),
        _ => format!("leave the code out, or say `refused` where `{named}` is what ended the run"),
    };
    judge
        .finding(code, format!("a run that is `{}` names a refusal code", shorten(outcome.text)))
        .mark(outcome.at, "only `refused` has a code")
        .help(help);
}
