//! Identity: how long a baseline holds, and whether it is still the text that was emitted.

use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::baseline::{Baseline, BaselineModel};
use super::model::{count, object, text};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<BaselineModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/expiration",
            title: "A baseline expires when it says",
            demand: "Where expiresAt is stated, it is generatedAt + expiresInDays days.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "keys and text",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/expiration/expiresAt", r#""2026-12-01T08:00:00Z""#)],
                show: "/expiration",
                also: &[],
            },
        },
        judge: expiration,
    },
    Obligation {
        rule: Rule {
            id: "mavai/content-fingerprint",
            title: "The fingerprint is of the text before it",
            demand: "A contentFingerprint that is a SHA-256 in hexadecimal (with or without the prefix sha256:) is that of the document's UTF-8 text up \
                     to the line that states it. Two released emitters do so and refuse to read a baseline that was changed since; a fingerprint of \
                     another form is not judged.",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "identity",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/contentFingerprint",
                    r#""sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
                )],
                show: "/contentFingerprint",
                also: &[],
            },
        },
        judge: fingerprint,
    },
];

fn expiration(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let root = baseline.document.root();
    let Some(block) = object(root, "expiration").if_stated(judge) else { return };
    let Some(stated) = text(block.value, "expiresAt").if_stated(judge) else { return };
    let (Some(days), Some(generated)) =
        (count(block.value, "expiresInDays").need(judge), text(root, "generatedAt").need(judge))
    else {
        return;
    };
    let instants = (jiff::Timestamp::from_str(generated.value), jiff::Timestamp::from_str(stated.value));
    let (Ok(from), Ok(until)) = instants else {
        judge.not_judged(stated.at.pointer(), "generatedAt or expiresAt is no instant");
        return;
    };
    let span =
        jiff::SignedDuration::from_hours(i64::try_from(days.value.saturating_mul(24)).unwrap_or(i64::MAX / 3600));
    let agrees = from
        .checked_add(span)
        .is_ok_and(|expected| expected.duration_until(until).abs() < jiff::SignedDuration::from_secs(1));
    if !agrees {
        judge
            .finding(stated.at, format!("expiresAt is not {} days after generatedAt", days.value))
            .mark(generated.at, "")
            .mark(days.at, "");
    }
}

fn fingerprint(baseline: &Baseline<'_>, judge: &mut Judge<'_>) {
    let root = baseline.document.root();
    let Some(stated) = text(root, "contentFingerprint").need(judge) else { return };
    let hex = stated.value.strip_prefix("sha256:").unwrap_or(stated.value);
    if hex.len() != 64 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        judge.not_judged(stated.at.pointer(), "the fingerprint is no SHA-256 in hexadecimal");
        return;
    }
    let source = baseline.document.source();
    let key = root.key("contentFingerprint").map_or(0, Value::offset);
    let line = source.get(..key).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let digest = Sha256::digest(source.get(..line).unwrap_or_default().as_bytes());
    let expected: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if !hex.eq_ignore_ascii_case(&expected) {
        judge.finding(stated.at, format!("the text before this line has the SHA-256 {expected}")).help(
            "the document was changed after it was emitted, or the fingerprint covers something else; emit it again",
        );
    }
}
