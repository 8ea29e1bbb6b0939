//! Sealing: names a document by content and signs it, for the examples, for documents that are changed on purpose, and for the
//! oracle. Ed25519 is deterministic, so a document and a seed have exactly one seal.

use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;

use super::digest::{base64url, digest_text, sha256};
use super::kinds::{EXECUTION, Kind};
use super::scheme;

/// Seed of the key that signs examples: the bytes 00 to 1f. It is public, so its signatures prove nothing.
pub const EXAMPLE_SEED: [u8; 32] = {
    let mut seed = [0; 32];
    let mut at = 0;
    while at < 32 {
        seed[at] = at as u8;
        at += 1;
    }
    seed
};

/// Obligations about the seal itself: what breaks one of them must stay broken.
const ABOUT_THE_SEAL: [&str; 2] = ["orbiplex/execution-ref", "orbiplex/signature"];

/// Seals an execution record again, with the key of the examples, after an edit that breaks an obligation; not where the
/// obligation is about the seal itself.
///
/// # Errors
/// Where the record cannot be sealed: see [`Signer::seal`].
pub fn after_edit(obligation: &str, record: &mut Value) -> Result<(), String> {
    if ABOUT_THE_SEAL.contains(&obligation) {
        return Ok(());
    }
    Signer::example().seal(&EXECUTION, "host/node-id", record)
}

/// A signing key and what is written of it.
pub struct Signer {
    key: SigningKey,
}

impl Signer {
    /// The signer that RFC 8032 derives from a seed.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Signer { key: SigningKey::from_bytes(seed) }
    }

    /// The signer of the examples.
    pub fn example() -> Self {
        Signer::from_seed(&EXAMPLE_SEED)
    }

    /// The public key as `key/public` writes it.
    pub fn key_text(&self) -> String {
        scheme::key_text(self.key.verifying_key().as_bytes())
    }

    /// The node id of the host whose key this is.
    pub fn node_id(&self) -> String {
        format!("{}{}", scheme::NODE_PREFIX, self.key_text())
    }

    /// Signs a payload under a domain and returns the signature as `signature/value` writes it.
    pub fn sign(&self, domain: &str, payload: &[u8]) -> String {
        self.sign_bytes(&scheme::message(domain, payload))
    }

    /// Signs bytes as they stand, without the scheme's wrapping.
    pub fn sign_bytes(&self, bytes: &[u8]) -> String {
        base64url(&self.key.sign(bytes).to_bytes())
    }

    /// Computes a document's ref and signature and puts them in, over those that it has. A document whose node id is the key
    /// that it was signed with (`node_key` names the member) gets this signer's node id.
    ///
    /// # Errors
    /// Where the document is no object or has no canonical form.
    pub fn seal(&self, kind: &Kind, node_key: &str, document: &mut Value) -> Result<(), String> {
        let members = document.as_object_mut().ok_or_else(|| format!("an {} is an object", kind.name))?;
        let signed_with = members.get("signature").and_then(|signature| signature["key/public"].as_str());
        let node =
            members.get(node_key).and_then(Value::as_str).and_then(|node| node.strip_prefix(scheme::NODE_PREFIX));
        if node.is_some() && node == signed_with {
            members.insert(node_key.to_owned(), self.node_id().into());
        }
        let mut content = members.clone();
        content.shift_remove(kind.ref_key);
        content.shift_remove("signature");
        let name = format!("{}:{}", kind.ref_kind, digest_text(&sha256(&canonical(&content)?)));
        content.insert(kind.ref_key.to_owned(), name.clone().into());
        let value = self.sign(kind.domain, &canonical(&content)?);
        members.insert(kind.ref_key.to_owned(), name.into());
        members.insert(
            "signature".to_owned(),
            serde_json::json!({ "alg": scheme::ALGORITHM, "key/public": self.key_text(), "value": value }),
        );
        Ok(())
    }
}

fn canonical(members: &serde_json::Map<String, Value>) -> Result<Vec<u8>, String> {
    serde_json_canonicalizer::to_vec(members).map_err(|error| format!("no canonical form: {error}"))
}
