//! Seals that do not hold.

use serde_json::Value;

use super::stray_digest;
use crate::family::orbiplex::seal::Signer;
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{set, text};

// The signature covers the ref: what is wrong with the one is wrong with the other.
const REF: &[&str] = &["orbiplex/execution-ref", "orbiplex/signature"];
const SIGNATURE: &[&str] = &["orbiplex/signature"];
const SIGNER: &[&str] = &["orbiplex/signer-is-host"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("edited-after-sealing", "a member was changed after the record was signed", REF, edited),
    Operator::new("ref-of-other-content", "the ref is of other content", REF, other_ref),
    Operator::new("signature-bit-flipped", "one character of the signature is another", SIGNATURE, flipped),
    Operator::new("signature-zeroed", "the signature is all zeros", SIGNATURE, zeroed),
    Operator::new("signature-halves-swapped", "the halves of the signature change places", SIGNATURE, halves),
    Operator::new(
        "signature-of-other-domain",
        "the signature was made for another kind of document",
        SIGNATURE,
        other_domain,
    ),
    Operator::new("host-of-other-key", "the host is not the one that signed", SIGNER, other_host),
];

fn edited(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (key, value) = match choice.below(3) {
        0 => ("recorded-at", "2031-01-01T00:00:00Z"),
        1 => ("idempotency/key", "edited after the fact"),
        _ => ("run/ref", "operator-task-run:edited"),
    };
    if text(document, "", key) == Some(value) {
        return None;
    }
    set(document, "", key, value)?;
    Some(format!("/{}", key.replace('/', "~1")))
}

fn other_ref(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let other = format!("corpus-task-pack-execution:{}", stray_digest(choice));
    set(&mut draft.document, "", "execution/ref", other)?;
    Some("/execution~1ref".to_owned())
}

fn put(document: &mut Value, signature: String) -> Option<String> {
    set(document, "/signature", "value", signature)?;
    Some("/signature/value".to_owned())
}

fn flipped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let mut letters: Vec<char> = text(&draft.document, "/signature", "value")?.chars().collect();
    // All but the last, which carries bits that are none.
    let at = pick(choice, (0..letters.len().checked_sub(1)?).collect())?;
    letters[at] = if letters[at] == 'A' { 'B' } else { 'A' };
    put(&mut draft.document, letters.into_iter().collect())
}

fn zeroed(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    put(&mut draft.document, "A".repeat(86))
}

fn halves(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let bytes = engine.decode(text(&draft.document, "/signature", "value")?).ok()?;
    let (first, second) = bytes.split_at_checked(32)?;
    put(&mut draft.document, engine.encode([second, first].concat()))
}

fn other_domain(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let domain = ["corpus-task-pack-execution.v1", "corpus-experiment-review.v1", ""][choice.below(3)];
    let mut content = draft.document.clone();
    content.as_object_mut()?.shift_remove("signature");
    let payload = serde_json_canonicalizer::to_vec(&content).ok()?;
    // The record is another host's, whose key is not at hand: it is sealed by the examples' key first.
    let signer = Signer::example();
    if text(&draft.document, "/signature", "key/public") != Some(signer.key_text().as_str()) {
        return None;
    }
    let signature = signer.sign(domain, &payload);
    put(&mut draft.document, signature)
}

fn other_host(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let number = choice.below(16) as u8;
    let node = |number: u8| Signer::from_seed(&[0xc0 | (number % 16); 32]).node_id();
    // A generated record's host may be one of these.
    let right = text(&draft.document, "", "host/node-id").map(str::to_owned);
    let other = (number..=number + 1).map(node).find(|other| Some(other) != right.as_ref())?;
    set(&mut draft.document, "", "host/node-id", other)?;
    Some("/host~1node-id".to_owned())
}
