//! DSSE envelopes (Dead Simple Signing Envelope, version 1.0): a payload, and signatures over what it is and says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::keys::{NoKey, PrivateKey, PublicKey};

/// The type of an in-toto statement as a payload.
pub const PAYLOAD: &str = "application/vnd.in-toto+json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    /// Base64, as are the signatures.
    pub payload: String,
    pub payload_type: String,
    pub signatures: Vec<EnvelopeSignature>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeSignature {
    /// SHA-256 of the public key's DER form.
    pub keyid: String,
    pub sig: String,
}

/// What is signed: the payload's type and bytes, each with its length before it, so that neither can pass for the other.
fn pre_authentication_encoding(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut encoding = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len()).into_bytes();
    encoding.extend_from_slice(payload);
    encoding
}

/// Signs a payload.
///
/// # Errors
/// None that is known.
pub fn sign(payload: &[u8], key: &PrivateKey) -> Result<Envelope, NoKey> {
    let signature = key.sign(&pre_authentication_encoding(PAYLOAD, payload));
    Ok(Envelope {
        payload: STANDARD.encode(payload),
        payload_type: PAYLOAD.to_owned(),
        signatures: vec![EnvelopeSignature { keyid: key.public().id()?, sig: STANDARD.encode(signature) }],
    })
}

impl Envelope {
    /// The payload's bytes.
    ///
    /// # Errors
    /// Where it is no Base64.
    pub fn decode(&self) -> Result<Vec<u8>, String> {
        STANDARD.decode(&self.payload).map_err(|error| format!("its payload is no Base64: {error}"))
    }

    /// Checks that a key signed this.
    ///
    /// # Errors
    /// Where it did not; the text says what is there instead.
    pub fn check(&self, payload: &[u8], key: &PublicKey) -> Result<(), String> {
        let id = key.id().map_err(|error| error.to_string())?;
        if self.payload_type != PAYLOAD {
            return Err(format!("the payload's type is {:?}, where {PAYLOAD:?} was expected", self.payload_type));
        }
        let Some(signature) = self.signatures.iter().find(|signature| signature.keyid == id) else {
            let ids: Vec<&str> = self.signatures.iter().map(|signature| signature.keyid.as_str()).collect();
            return Err(format!("it is signed by the key {}, and the one given is {id}", ids.join(", ")));
        };
        let bytes = STANDARD.decode(&signature.sig).map_err(|error| format!("the signature is no Base64: {error}"))?;
        if key.verifies(&pre_authentication_encoding(&self.payload_type, payload), &bytes) {
            Ok(())
        } else {
            Err(format!("the signature is not that of the key {id} over this content"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_the_one_of_the_dsse_protocol() {
        assert_eq!(
            pre_authentication_encoding("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
        // Lengths are in bytes.
        assert_eq!(pre_authentication_encoding("ü", b""), "DSSEv1 2 ü 0 ".as_bytes());
    }

    #[test]
    fn only_the_key_that_signed_is_found_to_have_signed() {
        let (key, other) = (PrivateKey::generate().unwrap(), PrivateKey::generate().unwrap());
        let envelope = sign(b"{}", &key).unwrap();
        assert_eq!(envelope.check(b"{}", &key.public()), Ok(()));
        assert!(envelope.check(b"{ }", &key.public()).is_err());
        assert!(envelope.check(b"{}", &other.public()).unwrap_err().starts_with("it is signed by the key "));
        let mut passed_off = envelope.clone();
        passed_off.signatures[0].keyid = other.public().id().unwrap();
        assert!(passed_off.check(b"{}", &other.public()).unwrap_err().starts_with("the signature is not that"));
        let mut retyped = envelope;
        retyped.payload_type = "text/plain".to_owned();
        assert!(retyped.check(b"{}", &key.public()).is_err());
    }
}
