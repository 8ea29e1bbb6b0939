//! Ed25519 keys in the files that OpenSSL and others use: PKCS#8 for the private key, SubjectPublicKeyInfo for the public one,
//! both as PEM.

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeypairBytes};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::digest::sha256;

/// A key that signs.
pub struct PrivateKey(SigningKey);

/// A key that checks signatures.
#[derive(Debug, Clone)]
pub struct PublicKey(VerifyingKey);

/// Why a text is no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoKey(String);

impl std::fmt::Display for NoKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoKey {}

impl PrivateKey {
    /// A new key, from the system's source of randomness.
    ///
    /// # Errors
    /// Where the system has none.
    pub fn generate() -> Result<Self, NoKey> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| NoKey(format!("the system gives no random numbers: {error}")))?;
        Ok(PrivateKey(SigningKey::from_bytes(&seed)))
    }

    /// Reads a PKCS#8 PEM file (version 1 or 2).
    ///
    /// # Errors
    /// Where it holds no Ed25519 private key; the text says what it holds.
    pub fn from_pem(pem: &str) -> Result<Self, NoKey> {
        let key = SigningKey::from_pkcs8_pem(pem.trim());
        key.map(PrivateKey).map_err(|error| no_key(pem, "PRIVATE KEY", "private", &error))
    }

    /// The key as a PKCS#8 PEM file. Version 1, which is the one that every OpenSSL reads.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_pem(&self) -> Result<String, NoKey> {
        let pair = KeypairBytes { secret_key: self.0.to_bytes(), public_key: None };
        let pem = pair.to_pkcs8_pem(LineEnding::LF).map_err(|error| NoKey(error.to_string()))?;
        Ok(pem.as_str().to_owned())
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl PublicKey {
    /// Reads a SubjectPublicKeyInfo PEM file.
    ///
    /// # Errors
    /// Where it holds no Ed25519 public key; the text says what it holds.
    pub fn from_pem(pem: &str) -> Result<Self, NoKey> {
        let key = VerifyingKey::from_public_key_pem(pem.trim());
        key.map(PublicKey).map_err(|error| no_key(pem, "PUBLIC KEY", "public", &error))
    }

    /// The key as a SubjectPublicKeyInfo PEM file.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_pem(&self) -> Result<String, NoKey> {
        self.0.to_public_key_pem(LineEnding::LF).map_err(|error| NoKey(error.to_string()))
    }

    /// What envelopes call it: SHA-256 of its DER form.
    ///
    /// # Errors
    /// None that is known.
    pub fn id(&self) -> Result<String, NoKey> {
        let der = self.0.to_public_key_der().map_err(|error| NoKey(error.to_string()))?;
        Ok(sha256(der.as_bytes()))
    }

    /// Whether a signature is this key's over the message. Strict: no other bytes are the same signature.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature).is_ok_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }
}

fn no_key(pem: &str, label: &str, kind: &str, error: &dyn std::fmt::Display) -> NoKey {
    let wanted = format!("an Ed25519 {kind} key in PEM (-----BEGIN {label}-----)");
    let found = pem.trim_start().strip_prefix("-----BEGIN ").and_then(|rest| rest.split("-----").next());
    NoKey(match found {
        Some(found) if found == label => format!("is not {wanted}: {error}"),
        Some("ENCRYPTED PRIVATE KEY") => {
            format!("is an encrypted private key, where {wanted} was expected; decrypt it with `openssl pkey` first")
        }
        Some(found) => {
            let found: String = found.chars().filter(|c| !c.is_control()).take(40).collect();
            format!("holds a {found}, where {wanted} was expected")
        }
        None => format!("is no PEM file, where {wanted} was expected"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example key of RFC 8410, section 10.3, in both versions of PKCS#8; its public key is in section 10.1.
    const V1: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
    const V2: &str = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";

    #[test]
    fn the_example_keys_of_rfc_8410_are_read_and_written() {
        let key = PrivateKey::from_pem(V1).unwrap();
        assert_eq!(key.to_pem().unwrap(), V1);
        assert_eq!(key.public().to_pem().unwrap(), PUBLIC);
        assert_eq!(PrivateKey::from_pem(V2).unwrap().to_pem().unwrap(), V1);
        assert_eq!(PublicKey::from_pem(PUBLIC).unwrap().id(), key.public().id());
    }

    #[test]
    fn a_file_that_is_no_key_is_told_from_one() {
        let said = |pem: &str| PrivateKey::from_pem(pem).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said(PUBLIC).starts_with("holds a PUBLIC KEY, where an Ed25519 private key"));
        assert!(said("").starts_with("is no PEM file"));
        assert!(said("-----BEGIN ENCRYPTED PRIVATE KEY-----\n").contains("decrypt it"));
        assert!(said(&V1.replace("BQYDK2Vw", "BQYDK2Vx")).starts_with("is not an Ed25519 private key"));
        assert!(PublicKey::from_pem(V1).unwrap_err().to_string().starts_with("holds a PRIVATE KEY"));
    }
}
