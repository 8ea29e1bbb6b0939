//! Digests in their text form, `sha256:` and 43 characters of base64url without padding, alone or at the end of a ref.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use sha2::{Digest as _, Sha256};

/// Reads base64url whose last character may carry stray bits, so that a value can be compared although it is written in a way
/// that `orbiplex/canonical-base64url` reports.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The text form of a digest: `sha256:` and base64url.
pub fn digest_text(digest: &[u8; 32]) -> String {
    format!("sha256:{}", base64url(digest))
}

/// Base64url without padding.
pub fn base64url(bytes: &[u8]) -> String {
    LENIENT.encode(bytes)
}

/// `N` bytes as read from base64url, and whether they were written the one canonical way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded<const N: usize> {
    pub bytes: [u8; N],
    pub canonical: bool,
}

/// Reads exactly `N` bytes of base64url without padding; stray bits in the last character are kept apart. `None` where the
/// text is anything else.
pub fn decode<const N: usize>(text: &str) -> Option<Decoded<N>> {
    if text.len() != (N * 8).div_ceil(6) {
        return None;
    }
    let mut bytes = [0; N];
    let length = LENIENT.decode_slice(text, &mut bytes).ok()?;
    (length == N).then(|| Decoded { bytes, canonical: base64url(&bytes) == text })
}

/// Reads a digest's text form, `sha256:` and 43 characters.
pub fn read_digest(text: &str) -> Option<Decoded<32>> {
    decode(text.strip_prefix("sha256:")?)
}

/// Reads the digest at the end of a ref such as `object-store:sha256:…`, given what comes before `sha256:`.
pub fn read_ref(text: &str, kind: &str) -> Option<Decoded<32>> {
    read_digest(text.strip_prefix(kind)?.strip_prefix(':')?)
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
