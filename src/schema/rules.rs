//! The ids under which structural findings are reported, in words, for `explain` and `list`.

/// One keyword of JSON Schema, as far as a finding is reported under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordRule {
    /// The finding's id: `schema/` and the keyword.
    pub id: &'static str,
    /// A few words, for tables.
    pub title: &'static str,
    /// What it demands, in one sentence.
    pub demand: &'static str,
    /// A piece of JSON that keeps it, where the schema demands it.
    pub good: &'static str,
    /// The same piece, breaking it.
    pub bad: &'static str,
}

/// The rule with an id, e.g. `schema/required`.
pub fn by_id(id: &str) -> Option<&'static KeywordRule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Every id, sorted.
pub static RULES: &[KeywordRule] = &[
    KeywordRule {
        id: "schema/additionalProperties",
        title: "no other members",
        demand: "An object that its schema closes has no members but those that the schema names.",
        good: r#"{"played": 3, "concluded": 2}"#,
        bad: r#"{"played": 3, "concluded": 2, "lost": 1}"#,
    },
    KeywordRule {
        id: "schema/anyOf",
        title: "one of several forms",
        demand: "The value has at least one of the forms that the schema lists.",
        good: r#"{"limit": "20%"}"#,
        bad: r#"{"limit": "a few"}"#,
    },
    KeywordRule {
        id: "schema/const",
        title: "one value only",
        demand: "The value is exactly the one that the schema states.",
        good: r#"{"schemaVersion": "mavai-optimize-1"}"#,
        bad: r#"{"schemaVersion": "mavai-optimize-2"}"#,
    },
    KeywordRule {
        id: "schema/contains",
        title: "an item of a kind",
        demand: "The array has as many items of the kind that the schema describes as it demands, at least one unless it says otherwise.",
        good: r#"{"checks": ["syntax", "signature"]}"#,
        bad: r#"{"checks": ["syntax"]}"#,
    },
    KeywordRule {
        id: "schema/contentEncoding",
        title: "encoded text",
        demand: "The string is written in the encoding that the schema names, where the schema's draft asserts that.",
        good: r#"{"body": "aGVsbG8="}"#,
        bad: r#"{"body": "hello, all"}"#,
    },
    KeywordRule {
        id: "schema/contentMediaType",
        title: "text of a media type",
        demand: "The string holds a text of the media type that the schema names, where the schema's draft asserts that.",
        good: r#"{"body": "[1]"}"#,
        bad: r#"{"body": "[1"}"#,
    },
    KeywordRule {
        id: "schema/depth",
        title: "nested too deep to validate",
        demand: "A document is nested at most 10,000 levels deep, so that its schema can be applied to it.",
        good: r#"{"a": {"b": 1}}"#,
        bad: r#"{"a": {"a": {"a": "… and so on, 10,001 levels deep"}}}"#,
    },
    KeywordRule {
        id: "schema/enum",
        title: "one of some values",
        demand: "The value is one of those that the schema lists.",
        good: r#"{"objective": "MAXIMIZE"}"#,
        bad: r#"{"objective": "maximise"}"#,
    },
    KeywordRule {
        id: "schema/exclusiveMaximum",
        title: "less than a bound",
        demand: "The number is less than the bound.",
        good: r#"{"alpha": 0.05}"#,
        bad: r#"{"alpha": 1}"#,
    },
    KeywordRule {
        id: "schema/exclusiveMinimum",
        title: "more than a bound",
        demand: "The number is greater than the bound.",
        good: r#"{"alpha": 0.05}"#,
        bad: r#"{"alpha": 0}"#,
    },
    KeywordRule {
        id: "schema/false",
        title: "nothing allowed here",
        demand: "There is no value where the schema allows none.",
        good: r#"{"outcome": "draw"}"#,
        bad: r#"{"outcome": "draw", "winner": "tool-a"}"#,
    },
    KeywordRule {
        id: "schema/format",
        title: "a well-formed text",
        demand: "The string has the format that the schema names; a date-time is one of RFC 3339, offset included.",
        good: r#"{"generatedAt": "2026-01-31T08:30:00Z"}"#,
        bad: r#"{"generatedAt": "2026-01-31 08:30"}"#,
    },
    KeywordRule {
        id: "schema/items",
        title: "no further items",
        demand: "An array that its schema closes has no items beyond those that the schema describes.",
        good: r#"{"pair": ["tool-a", "tool-b"]}"#,
        bad: r#"{"pair": ["tool-a", "tool-b", "tool-c"]}"#,
    },
    KeywordRule {
        id: "schema/limit",
        title: "more errors than are collected",
        demand: "A note, not a rule: errors past the ten-thousandth in one document are not collected.",
        good: r#"{"rows": "right"}"#,
        bad: r#"{"rows": "… ten thousand of them wrong"}"#,
    },
    KeywordRule {
        id: "schema/maxItems",
        title: "at most so many items",
        demand: "The array has at most as many items as the schema says.",
        good: r#"{"tools": ["tool-a", "tool-b"]}"#,
        bad: r#"{"tools": ["tool-a", "tool-b", "tool-c"]}"#,
    },
    KeywordRule {
        id: "schema/maxLength",
        title: "at most so many characters",
        demand: "The string has at most as many characters (Unicode code points) as the schema says.",
        good: r#"{"key": "run-1"}"#,
        bad: r#"{"key": "run-1-of-very-many"}"#,
    },
    KeywordRule {
        id: "schema/maxProperties",
        title: "at most so many members",
        demand: "The object has at most as many members as the schema says.",
        good: r#"{"factors": {"a": 1}}"#,
        bad: r#"{"factors": {"a": 1, "b": 2}}"#,
    },
    KeywordRule {
        id: "schema/maximum",
        title: "at most a bound",
        demand: "The number is no greater than the bound.",
        good: r#"{"observed": 0.75}"#,
        bad: r#"{"observed": 75}"#,
    },
    KeywordRule {
        id: "schema/minItems",
        title: "at least so many items",
        demand: "The array has at least as many items as the schema says.",
        good: r#"{"iterations": [1]}"#,
        bad: r#"{"iterations": []}"#,
    },
    KeywordRule {
        id: "schema/minLength",
        title: "at least so many characters",
        demand: "The string has at least as many characters (Unicode code points) as the schema says.",
        good: r#"{"match_id": "M1"}"#,
        bad: r#"{"match_id": ""}"#,
    },
    KeywordRule {
        id: "schema/minProperties",
        title: "at least so many members",
        demand: "The object has at least as many members as the schema says.",
        good: r#"{"criteria": {"tone": 1}}"#,
        bad: r#"{"criteria": {}}"#,
    },
    KeywordRule {
        id: "schema/minimum",
        title: "at least a bound",
        demand: "The number is no less than the bound.",
        good: r#"{"failures": 0}"#,
        bad: r#"{"failures": -1}"#,
    },
    KeywordRule {
        id: "schema/multipleOf",
        title: "a multiple of a number",
        demand: "The number is a whole multiple of the one that the schema states.",
        good: r#"{"step": 10}"#,
        bad: r#"{"step": 7}"#,
    },
    KeywordRule {
        id: "schema/not",
        title: "not of a certain form",
        demand: "The value does not have the form that the schema rules out.",
        good: r#"{"name": "tool-a"}"#,
        bad: r#"{"name": "unknown"}"#,
    },
    KeywordRule {
        id: "schema/oneOf",
        title: "exactly one of several forms",
        demand: "The value has exactly one of the forms that the schema lists.",
        good: r#"{"size": 3}"#,
        bad: r#"{"size": 15}"#,
    },
    KeywordRule {
        id: "schema/pattern",
        title: "a text of a certain shape",
        demand: "The string matches the regular expression of the schema (ECMA-262).",
        good: r#"{"optionalSlack": "20%"}"#,
        bad: r#"{"optionalSlack": "12.5%"}"#,
    },
    KeywordRule {
        id: "schema/required",
        title: "a member that must be there",
        demand: "The object has every member that the schema requires, always or under a condition that it states.",
        good: r#"{"score": 0.9}"#,
        bad: "{}",
    },
    KeywordRule {
        id: "schema/type",
        title: "a value of the right type",
        demand: "The value is of the type that the schema demands; a number without a fraction is an integer, however it is written.",
        good: r#"{"score": 0.9}"#,
        bad: r#"{"score": "0.9"}"#,
    },
    KeywordRule {
        id: "schema/unevaluatedItems",
        title: "no further items",
        demand: "The array has no items but those that some part of its schema describes.",
        good: r#"{"pair": ["tool-a"]}"#,
        bad: r#"{"pair": ["tool-a", "tool-b"]}"#,
    },
    KeywordRule {
        id: "schema/unevaluatedProperties",
        title: "no other members",
        demand: "The object has no members but those that some part of its schema describes.",
        good: r#"{"played": 3}"#,
        bad: r#"{"played": 3, "lost": 1}"#,
    },
    KeywordRule {
        id: "schema/uniqueItems",
        title: "items that all differ",
        demand: "No two items of the array are equal.",
        good: r#"{"tools": ["tool-a", "tool-b"]}"#,
        bad: r#"{"tools": ["tool-a", "tool-a"]}"#,
    },
];
