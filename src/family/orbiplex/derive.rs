//! What follows from a record's own content, step by step, for a person whose ref or signature does not fit.

use std::fmt::Write as _;

use super::canonical;
use super::digest::{digest_text, hex, sha256};
use super::identity::{derived_ref, payload_of};
use super::kinds::EXECUTION;
use super::record::{REF, SIGNATURE, Text};
use super::scheme;
use crate::document::{Document, Kind};

/// Prints the ref, the bytes that are signed and the host id that follow from a record, and says where the record differs.
///
/// # Errors
/// Where the document is no object, or has no canonical form.
pub fn derive(document: &Document) -> Result<String, String> {
    let root = document.root();
    if root.kind() != Kind::Object {
        return Err(format!("an execution record is an object, not {}", root.kind().name()));
    }
    let no_form = |fault: canonical::Fault<'_>| {
        let place = fault.at().place();
        format!("{}:{}: the record has no canonical form: {}", place.line, place.column, fault.reason())
    };
    let content = canonical::bytes(root, &[REF, SIGNATURE]).map_err(no_form)?;
    let payload = payload_of(root).map_err(no_form)?;
    let prefix = scheme::wrap_prefix(EXECUTION.domain, payload.len());
    let name = derived_ref(&content);
    let signature = root.get(SIGNATURE);
    let public = signature.and_then(|signature| Text::of(signature, "key/public"));
    let host = public.map(|public| match scheme::read_key(public.text) {
        Ok(_) => format!("{}{}", scheme::NODE_PREFIX, public.text),
        Err(fault) => format!("none: `signature/key/public` is no key, {fault}"),
    });

    let mut out = String::new();
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(out, "{label:<16}{value}");
    };
    line("content", &format!("{} bytes: canonical JSON without `{REF}` and `{SIGNATURE}`", content.len()));
    line("", &digest_text(&sha256(&content)));
    line("", &format!("hex {}", hex(&sha256(&content))));
    line(REF, &name);
    line("", &compared(Text::of(root, REF).map(|text| text.text), &name));
    line("payload", &format!("{} bytes: canonical JSON with this `{REF}`, without `{SIGNATURE}`", payload.len()));
    line("", &format!("hex {}", hex(&sha256(&payload))));
    line("domain", &format!("{} ({} bytes)", EXECUTION.domain, EXECUTION.domain.len()));
    line("wrap", &format!("{} bytes that stand before the payload", prefix.len()));
    line("", &format!("hex {}", hex(&prefix)));
    line("message", "SHA-256 of wrap and payload: Ed25519 signs these 32 bytes");
    line("", &format!("hex {}", hex(&scheme::message(EXECUTION.domain, &payload))));
    line("host/node-id", host.as_deref().unwrap_or("none: the record names no `signature/key/public`"));
    if let Some(host) = &host {
        line("", &compared(Text::of(root, "host/node-id").map(|text| text.text), host));
    }
    let _ = write!(out, "\nThe canonical content:\n{}\n", String::from_utf8_lossy(&content));
    Ok(out)
}

fn compared(stated: Option<&str>, derived: &str) -> String {
    match stated {
        Some(stated) if stated == derived => "as the record has it".to_owned(),
        Some(stated) => format!("the record has {}", canonical::shorten(stated)),
        None => "the record has none".to_owned(),
    }
}
