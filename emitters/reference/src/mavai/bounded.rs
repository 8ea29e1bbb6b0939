//! Text within the 256 characters that keys, identities and excerpts may have.

/// The longest key, identity or excerpt, in characters.
const LIMIT: usize = 256;

/// The beginning of a text, for a person's orientation: the whole of it, or its first 255 characters and an ellipsis.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LIMIT) {
        None => text.to_owned(),
        Some(_) => text.chars().take(LIMIT - 1).chain(['…']).collect(),
    }
}

/// A declared name as an identity: the name itself, or, where it is too long, its beginning and a digest of the whole, so that names
/// that begin alike stay apart.
pub fn identity(name: &str) -> String {
    match name.char_indices().nth(LIMIT) {
        None => name.to_owned(),
        Some(_) => {
            let digest = format!("~{:016x}", fnv1a(name.as_bytes()));
            name.chars().take(LIMIT - digest.len()).chain(digest.chars()).collect()
        }
    }
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_256_characters_are_left_alone() {
        for text in ["", "short", &"🧺".repeat(256)] {
            assert_eq!(excerpt(text), text);
            assert_eq!(identity(text), text);
        }
    }

    #[test]
    fn longer_ones_are_cut_to_256_characters() {
        let long = "🧺".repeat(257);
        assert_eq!(excerpt(&long), format!("{}…", "🧺".repeat(255)));
        assert_eq!(identity(&long).chars().count(), 256);
    }

    #[test]
    fn identities_that_begin_alike_stay_apart() {
        let [a, b] = ["a", "b"].map(|end| identity(&format!("{}{end}", "x".repeat(299))));
        assert_ne!(a, b);
        assert_eq!(fnv1a(b"foobar"), 0x85944171f73967e8);
    }
}
