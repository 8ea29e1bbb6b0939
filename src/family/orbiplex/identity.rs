//! The record's name by content: `execution/ref`.

use super::canonical::{self, Fault};
use super::digest::{digest_text, read_ref, sha256};
use super::mistakes;
use super::record::{REF, REF_KIND, Record, Records, SIGNATURE, Text, members};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Records>] = &[Obligation {
    rule: Rule {
        id: "orbiplex/execution-ref",
        title: "the record is named by its content",
        demand: "`execution/ref` is `corpus-task-pack-execution:` and the digest of the record's canonical JSON (RFC 8785) \
                 without `execution/ref` and without `signature`. Everything else is covered, an adoption ref and the \
                 idempotency key too; strings are taken code point for code point, without Unicode normalisation.",
        basis: Basis::Derived,
        severity: Severity::Error,
        group: "identity",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/recorded-at", "\"2026-10-01T08:00:01Z\"")],
            show: "/execution~1ref",
            also: &["orbiplex/signature"],
        },
    },
    judge: execution_ref,
}];

/// The ref that a record of this content has.
pub fn derived_ref(content: &[u8]) -> String {
    format!("{REF_KIND}:{}", digest_text(&sha256(content)))
}

/// The bytes that the signature of a record must cover: its canonical JSON without `signature` and with the ref that follows
/// from its content, whichever it has.
///
/// # Errors
/// Where the record has no canonical form.
pub fn payload_of(record: Value<'_>) -> Result<Vec<u8>, Fault<'_>> {
    let name = derived_ref(&canonical::bytes(record, &[REF, SIGNATURE])?);
    let mut members = members(record, &[REF, SIGNATURE]);
    members.insert(REF.to_owned(), name.into());
    // What has canonical content has a canonical payload: only a string was added.
    serde_json_canonicalizer::to_vec(&members).map_err(|_| Fault::Number(record))
}

fn execution_ref(record: &Record<'_>, judge: &mut Judge<'_>) {
    let content = match &record.content {
        Ok(content) => content,
        Err(fault) => {
            judge
                .finding(
                    fault.at(),
                    format!("the record has no canonical form, so nothing can name it: {}", fault.reason()),
                )
                .help("keep integers below 2^53 and every key once in its object");
            return;
        }
    };
    let Some(stated) = Text::needed(record.root, REF, judge) else { return };
    let Some(digest) = read_ref(stated.text, REF_KIND) else {
        judge.not_judged(stated.at.pointer(), format!("it is not of the form `{REF_KIND}:sha256:…`"));
        return;
    };
    if digest.bytes == sha256(content) {
        return;
    }
    let mistake = if judge.settings.brief { None } else { mistakes::of_ref(record.root, &digest.bytes) };
    let mistake = mistake.unwrap_or("something was changed after the ref was computed");
    judge
        .finding(stated.at, "the ref is not the digest of the record's content")
        .label(format!("the content's is {}", digest_text(&sha256(content))))
        .help(format!(
            "{mistake}; the ref is the SHA-256 of the {} bytes of canonical JSON without `{REF}` and `{SIGNATURE}`: {}",
            content.len(),
            derived_ref(content)
        ));
}
