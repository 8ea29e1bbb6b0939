//! What may stand in a certificate as an emitter's version: the name of one state of it, for good.

use std::fmt;

/// Words that name whatever is newest, or nothing at all.
const MOVING: &[&str] = &[
    "canary",
    "current",
    "default",
    "dev",
    "devel",
    "develop",
    "development",
    "edge",
    "head",
    "latest",
    "main",
    "master",
    "newest",
    "next",
    "nightly",
    "none",
    "snapshot",
    "stable",
    "tip",
    "trunk",
    "unknown",
    "unstable",
    "unversioned",
];

/// Why something is no version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moving {
    version: String,
    why: &'static str,
}

impl fmt::Display for Moving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the emitter's version is {:?}, which {}; ", self.version, self.why)?;
        f.write_str("state the version or the commit that was run, e.g. \"1.4.2\"")
    }
}

impl std::error::Error for Moving {}

/// Accepts the name of one state.
///
/// # Errors
/// Where the name is that of a branch, a tag that moves or a range, or says nothing.
pub fn fixed(version: &str) -> Result<(), Moving> {
    let refused = |why| Err(Moving { version: version.to_owned(), why });
    let word = version.trim().to_lowercase();
    let last = word.rsplit('/').next().unwrap_or_default();
    if word.is_empty() {
        refused("says nothing")
    } else if word.starts_with("refs/heads/") || word.starts_with("refs/remotes/") || word.starts_with("origin/") {
        refused("is the name of a branch")
    } else if MOVING.contains(&last) {
        refused("names whatever is newest at a time")
    } else if last.ends_with("-snapshot") {
        refused("names a build that is replaced by later ones")
    } else if word.contains(['*', '^', '~', '<', '>', '=']) || word.split('.').any(|part| part == "x") {
        refused("is a range of versions")
    } else if !word.contains(|c: char| c.is_ascii_digit()) {
        refused("has no digit in it, as the name of a branch may")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_move_are_refused() {
        for version in [
            "main",
            "MAIN",
            " latest ",
            "HEAD",
            "refs/heads/release-1",
            "origin/release-1",
            "feature/latest",
            "nightly",
            "1.0-SNAPSHOT",
            "^1.2",
            "1.x",
            "1.*",
            ">=2",
            "",
            "  ",
            "dev",
            "release",
            "my-branch",
            "v",
        ] {
            assert!(fixed(version).is_err(), "{version}");
        }
    }

    #[test]
    fn names_of_one_state_are_accepted() {
        for version in [
            "1.2.3",
            "v0.1",
            "0.1.0-rc.1",
            "2026-11-30",
            "1.4.2+linux.x86",
            "3f2a1bc",
            "my-emitter 4",
            "main-12-g3f2a1bc",
            "1.0-beta",
            "refs/tags/v1.0",
        ] {
            assert_eq!(fixed(version), Ok(()), "{version}");
        }
    }
}
