//! Where a document is in the evidence. Names come from the emitter and may be anything: one that could lead elsewhere, or
//! that another document's name gets in the way of, is replaced by the document's number.

use super::ustar;

/// Where the documents of a scenario are, in their order. `subject` is `suite/scenario`.
pub fn places<'n>(subject: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    let mut places = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        // On some systems names that differ in case only are one.
        let key = name.to_lowercase();
        let own = format!("{subject}/{name}");
        let free = !taken.iter().any(|other| *other == key || nested(other, &key) || nested(&key, other));
        places.push(if free && name.split('/').all(harmless) && ustar::fits(&own) {
            taken.push(key);
            own
        } else {
            format!("{subject}/~{}", at + 1)
        });
    }
    places
}

/// Whether a scenario's documents can be kept under its name.
pub fn fits(subject: &str) -> bool {
    subject.split('/').all(harmless) && ustar::fits(&format!("{subject}/~1000"))
}

/// Whether one name is that of a folder which the other is in.
fn nested(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a part of a path is the plain name of something in the folder before it.
fn harmless(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.starts_with('~') && !part.contains(|c: char| c.is_control() || c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_kept() {
        assert_eq!(
            places("s/a", ["stdout", "out/run.yaml", "out/ünï 2.yaml"]),
            ["s/a/stdout", "s/a/out/run.yaml", "s/a/out/ünï 2.yaml"]
        );
    }

    #[test]
    fn names_that_lead_elsewhere_become_numbers() {
        for name in ["", ".", "..", "../x", "/etc/passwd", "a//b", "a/../../b", "a\0b", "a\nb", "~1", "a\\b", "a/~b"] {
            assert_eq!(places("s/a", [name]), ["s/a/~1"], "{name:?}");
        }
        assert_eq!(places("s/a", ["n".repeat(101).as_str()]), ["s/a/~1"]);
    }

    #[test]
    fn names_that_are_in_each_others_way_become_numbers() {
        let names = ["a", "a", "A", "a/b", "c/d", "c", "b"];
        assert_eq!(places("s/a", names), ["s/a/a", "s/a/~2", "s/a/~3", "s/a/~4", "s/a/c/d", "s/a/~6", "s/a/b"]);
    }
}
