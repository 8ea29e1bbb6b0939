//! The example record, and the documents that it refers to. They are sealed with the key of the examples.

/// The plain example record.
pub const RECORD: &str = include_str!("example/record.json");

macro_rules! related {
    ($($name:literal),* $(,)?) => {
        &[$((concat!($name, ".json"), include_str!(concat!("example/related/", $name, ".json")))),*]
    };
}

/// What the record refers to, and what its edits refer to, by name.
pub const RELATED: &[(&str, &str)] = related![
    "proposal",
    "review",
    "decision",
    "candidate",
    "result",
    "adoption",
    "historical-proposal",
    "historical-review",
    "historical-decision",
    "other-review",
    "decision-over-other-review",
    "decision-for-revision",
    "decision-of-other-room",
    "decision-edited",
];
