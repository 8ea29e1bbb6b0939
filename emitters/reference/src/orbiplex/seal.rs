//! A record's seal: the ref that names it by its content, and the signature of the host that made it.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::canonical;
use crate::Refusal;

/// What a ref's digest follows.
const REF_PREFIX: &str = "corpus-task-pack-execution:";
/// What a signature of such a record is good for; one made for another purpose does not fit.
const DOMAIN: &[u8] = b"corpus-experiment-task-pack-execution.v1";
/// What every signed message of this system begins with.
const WRAP: &[u8] = b"orbiplex-sig-v1\0";
/// The multicodec of an Ed25519 public key, as an unsigned varint.
const ED25519_PUB: [u8; 2] = [0xed, 0x01];

/// The host that makes a record, with its key.
pub struct Host {
    key: SigningKey,
}

impl Host {
    /// The host with a key's seed, which is 64 hexadecimal digits.
    pub fn from_seed(hexadecimal: &str) -> Result<Self, Refusal> {
        let seed = bytes(hexadecimal).ok_or_else(|| {
            let length = hexadecimal.chars().count();
            Refusal::Broken(format!("input/signingSeed: {length} characters that are no 32 bytes in hexadecimal"))
        })?;
        Ok(Host { key: SigningKey::from_bytes(&seed) })
    }

    /// The public key in multibase: `z` and the base58btc of its multicodec and its 32 bytes.
    fn public(&self) -> String {
        let key = [&ED25519_PUB[..], self.key.verifying_key().as_bytes()].concat();
        format!("z{}", bs58::encode(key).into_string())
    }

    pub fn node_id(&self) -> String {
        format!("node:did:key:{}", self.public())
    }

    /// The record with its ref, which its content decides, and the signature, which covers the ref as well.
    pub fn seal(&self, mut record: Value) -> Result<Value, Refusal> {
        record["execution/ref"] = json!(format!("{REF_PREFIX}{}", digest(canonical(&record)?.as_bytes())));
        let signature = self.key.sign(&message(canonical(&record)?.as_bytes()));
        record["signature"] = json!({
            "alg": "ed25519+domain-v1",
            "key/public": self.public(),
            "value": BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes()),
        });
        Ok(record)
    }
}

/// A digest in its text form, `sha256:` and 43 characters of base64url.
pub fn digest(content: &[u8]) -> String {
    format!("sha256:{}", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(content)))
}

/// The 32 bytes that are signed in a payload's stead: it is wrapped with its domain, each after its length, and hashed.
fn message(payload: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(WRAP);
    hash.update((DOMAIN.len() as u32).to_be_bytes());
    hash.update(DOMAIN);
    hash.update((payload.len() as u64).to_be_bytes());
    hash.update(payload);
    hash.finalize().into()
}

fn canonical(record: &Value) -> Result<String, Refusal> {
    canonical::encode(record).map_err(|canonical::NotAnInteger(number)| {
        Refusal::Broken(format!("{number} is no integer that can be signed"))
    })
}

/// 32 bytes out of 64 hexadecimal digits.
fn bytes(hexadecimal: &str) -> Option<[u8; 32]> {
    let digits: Option<Vec<u32>> = hexadecimal.chars().map(|c| c.to_digit(16)).collect();
    let bytes: Vec<u8> = digits?
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect::<Option<_>>()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_32_bytes() {
        assert_eq!(bytes(&"0f".repeat(32)), Some([15; 32]));
        assert_eq!(bytes(&"FE".repeat(32)), Some([254; 32]));
        for wrong in ["", "0", &"0f".repeat(31), &"0f".repeat(33), &"0g".repeat(32), &"0".repeat(63), &"é".repeat(32)]
        {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    /// The key of RFC 8032's seed 00 01 … 1f, and the digest of nothing.
    #[test]
    fn keys_and_digests_have_their_text_forms() {
        let seed: String = (0..32).map(|byte| format!("{byte:02x}")).collect();
        let host = Host::from_seed(&seed).expect("a seed");
        assert_eq!(host.node_id(), "node:did:key:z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd");
        assert_eq!(digest(b""), "sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
}
