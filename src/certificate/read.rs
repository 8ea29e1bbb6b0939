//! From a file to a certificate: a statement, in an envelope or bare.

use std::fmt;

use serde_json::Value;

use super::envelope::Envelope;
use super::seal::{canonical, checksum};
use super::statement::{PREDICATE, STATEMENT, Statement};

/// The largest file that is read as a certificate.
pub const MOST_BYTES: u64 = 256 << 20;

/// A certificate as it was read. Nothing of it is checked but its form.
#[derive(Debug, Clone)]
pub struct Read {
    pub statement: Statement,
    /// The statement's bytes, which a signature is over.
    pub payload: Vec<u8>,
    pub envelope: Option<Envelope>,
    /// What is wrong with its form: bytes that were changed since it was issued.
    pub faults: Vec<String>,
}

/// Why a file is no certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

/// Reads a certificate.
///
/// # Errors
/// Where the bytes are none.
pub fn read(bytes: &[u8]) -> Result<Read, Unreadable> {
    let unreadable = |problem: String| Unreadable(format!("is no certificate: {problem}"));
    let mut faults = Vec::new();
    let mut form = |what: &str, canonical: Result<Vec<u8>, String>, bytes: &[u8]| match canonical {
        Ok(canonical) if canonical == bytes => {}
        Ok(canonical) => {
            let at = canonical.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            faults.push(format!("{what} is not in canonical form (RFC 8785): byte {} was changed or added", at + 1));
        }
        Err(problem) => faults.push(format!("{what} has no canonical form: {problem}")),
    };
    let value: Value = serde_json::from_slice(bytes).map_err(|error| unreadable(format!("no JSON: {error}")))?;
    let (payload, envelope) = if value.get("payload").is_some() {
        let envelope: Envelope =
            serde_json::from_value(value).map_err(|error| unreadable(format!("its envelope: {error}")))?;
        form("the envelope", canonical(&envelope).map(with_newline), bytes);
        (envelope.decode().map_err(unreadable)?, Some(envelope))
    } else {
        let payload = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        form("the file", Ok(with_newline(payload.to_vec())), bytes);
        (payload.to_vec(), None)
    };
    let value: Value =
        serde_json::from_slice(&payload).map_err(|error| unreadable(format!("its statement is no JSON: {error}")))?;
    for (member, expected) in [("_type", STATEMENT), ("predicateType", PREDICATE)] {
        match value.get(member).and_then(Value::as_str) {
            Some(found) if found == expected => {}
            Some(found) => {
                return Err(unreadable(format!("its {member} is {found:?}, where {expected:?} was expected")));
            }
            None => return Err(unreadable(format!("it has no {member}, where {expected:?} was expected"))),
        }
    }
    // From the text once more: what stands twice in an object is an error there, and gone in a value.
    let statement: Statement =
        serde_json::from_slice(&payload).map_err(|error| unreadable(format!("its statement: {error}")))?;
    form("the statement", canonical(&statement), &payload);
    match (checksum(&statement), &statement.predicate.checksum) {
        (Ok(right), Some(entered)) if right == *entered => {}
        (Ok(right), Some(entered)) => {
            faults
                .push(format!("the checksum is {entered}, and that of the content is {right}: something was changed"));
        }
        (Ok(_), None) => faults.push("it has no checksum".to_owned()),
        (Err(problem), _) => faults.push(problem),
    }
    Ok(Read { statement, payload, envelope, faults })
}

/// The bytes of a file: text ends with a line break.
pub fn with_newline(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(b'\n');
    bytes
}
