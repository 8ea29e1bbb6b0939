//! The signature scheme `ed25519+domain-v1`: what is signed, how keys and signatures are written, and what verifies.
//!
//! A payload is wrapped with its domain and hashed, and Ed25519 (RFC 8032, pure) signs the 32 bytes of the hash.

use std::fmt;

use ed25519_dalek::{Signature, VerifyingKey};

use super::digest::{hex, sha256};

/// The scheme's name, the value of `signature/alg`.
pub const ALGORITHM: &str = "ed25519+domain-v1";

/// What a node id holds before the key.
pub const NODE_PREFIX: &str = "node:did:key:";

/// What every wrapped payload begins with.
const TAG: &[u8] = b"orbiplex-sig-v1\0";

/// Multicodec prefix of an Ed25519 public key (0xed as a varint).
const ED25519_PUB: [u8; 2] = [0xed, 0x01];

/// Longest written key that is decoded: decoding base58 takes quadratic time.
const MAX_KEY_CHARS: usize = 128;

/// The order of the group that Ed25519 works in, little-endian: the S of a signature must be below it.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// What stands before the payload when it is wrapped: the tag, the domain's length as 32 bits big-endian, the domain, and the
/// payload's length as 64 bits big-endian.
pub fn wrap_prefix(domain: &str, payload_len: usize) -> Vec<u8> {
    let mut prefix = Vec::with_capacity(TAG.len() + 12 + domain.len());
    prefix.extend_from_slice(TAG);
    prefix.extend_from_slice(&(domain.len() as u32).to_be_bytes());
    prefix.extend_from_slice(domain.as_bytes());
    prefix.extend_from_slice(&(payload_len as u64).to_be_bytes());
    prefix
}

/// The wrapped payload, before it is hashed.
pub fn wrapped(domain: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = wrap_prefix(domain, payload.len());
    bytes.extend_from_slice(payload);
    bytes
}

/// The 32 bytes that Ed25519 signs.
pub fn message(domain: &str, payload: &[u8]) -> [u8; 32] {
    sha256(&wrapped(domain, payload))
}

/// A public key as `key/public` writes it: multibase `z`, base58btc of the multicodec prefix and the 32 bytes.
pub fn key_text(key: &[u8; 32]) -> String {
    let mut bytes = [0; 34];
    bytes[..2].copy_from_slice(&ED25519_PUB);
    bytes[2..].copy_from_slice(key);
    format!("z{}", bs58::encode(bytes).into_string())
}

/// Why a written key is no key that a signature may be verified with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFault {
    NoMultibase,
    TooLong,
    NotBase58,
    Length(usize),
    Codec([u8; 2]),
    NoPoint,
    NotCanonical,
    SmallOrder,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFault::NoMultibase => f.write_str("it does not begin with `z`, the multibase letter of base58btc"),
            KeyFault::TooLong => write!(f, "it is longer than {MAX_KEY_CHARS} characters"),
            KeyFault::NotBase58 => {
                f.write_str("it has a character that base58btc does not have (0, O, I and l are left out)")
            }
            KeyFault::Length(length) => {
                write!(f, "it decodes to {length} bytes, not to 34 (ed 01 and 32 bytes of key)")
            }
            KeyFault::Codec(codec) => write!(f, "its codec is {}, not ed01 (Ed25519 public key)", hex(codec)),
            KeyFault::NoPoint => f.write_str("its 32 bytes are no point of the curve"),
            KeyFault::NotCanonical => f.write_str("its 32 bytes are not the canonical encoding of their point"),
            KeyFault::SmallOrder => f.write_str("its point is of small order, so that anyone can sign for it"),
        }
    }
}

/// Reads a key as `key/public` writes it.
///
/// # Errors
/// Where it is malformed or admits forgeries.
pub fn read_key(text: &str) -> Result<VerifyingKey, KeyFault> {
    let base58 = text.strip_prefix('z').ok_or(KeyFault::NoMultibase)?;
    if text.len() > MAX_KEY_CHARS {
        return Err(KeyFault::TooLong);
    }
    let bytes = bs58::decode(base58).into_vec().map_err(|_| KeyFault::NotBase58)?;
    let Ok([first, second, point @ ..]) = <[u8; 34]>::try_from(bytes.as_slice()) else {
        return Err(KeyFault::Length(bytes.len()));
    };
    if [first, second] != ED25519_PUB {
        return Err(KeyFault::Codec([first, second]));
    }
    let key = VerifyingKey::from_bytes(&point).map_err(|_| KeyFault::NoPoint)?;
    if key.to_edwards().compress().to_bytes() != point {
        return Err(KeyFault::NotCanonical);
    }
    if key.is_weak() {
        return Err(KeyFault::SmallOrder);
    }
    Ok(key)
}

/// Why 64 bytes are no signature of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureFault {
    /// The second half is not below the group's order: a second writing of the same signature.
    NotReduced,
    /// It was made of something else, or with another key.
    Mismatch,
}

/// Verifies strictly: RFC 8032 without its cofactor, and neither key nor commitment of small order.
///
/// # Errors
/// Where it does not verify.
pub fn verify(key: &VerifyingKey, message: &[u8], signature: &[u8; 64]) -> Result<(), SignatureFault> {
    let scalar = signature[32..].iter().rev();
    if scalar.ge(ORDER.iter().rev()) {
        return Err(SignatureFault::NotReduced);
    }
    key.verify_strict(message, &Signature::from_bytes(signature)).map_err(|_| SignatureFault::Mismatch)
}
