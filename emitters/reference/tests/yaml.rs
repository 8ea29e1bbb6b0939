//! The YAML writer: whatever goes in comes out again, through another implementation's reader.

use conform_reference_emitter::yaml::write;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn read(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn tree() -> impl Strategy<Value = Value> {
    let number = any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Value::from);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        number,
        any::<String>().prop_map(Value::from),
        "[-?:,\\[\\]{}#&*!|>'\"%@` a0~=<.\n\t]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_read_back(value in tree()) {
        prop_assert_eq!(read(&write(&value)), value);
    }

    #[test]
    fn any_string_is_read_back_as_key_and_value(text in any::<String>()) {
        let value = json!({ text.clone(): text });
        prop_assert_eq!(read(&write(&value)), value);
    }

    #[test]
    fn nothing_is_written_that_yaml_forbids_or_that_cannot_be_seen(text in any::<String>()) {
        let written = write(&json!({ text.clone(): text }));
        prop_assert!(written.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", written);
    }
}

#[test]
fn every_character_is_read_back() {
    for c in '\0'..='\u{10FFFF}' {
        // One character a document would take minutes; all of a row of 256 go into one.
        if u32::from(c) % 256 == 0 {
            let row: String = (u32::from(c)..u32::from(c) + 256).filter_map(char::from_u32).collect();
            let value = json!({ row.clone(): row });
            assert_eq!(read(&write(&value)), value);
        }
    }
}

#[test]
fn strings_that_look_like_something_else_are_quoted() {
    for text in [
        "",
        "~",
        "null",
        "Null",
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "N",
        "true",
        "FALSE",
        "1:20",
        "2026-01-01",
        "012",
        "0x1F",
        "0o7",
        "0b1",
        "1_000",
        "1e-7",
        "1.0",
        ".5",
        "+1",
        "-",
        ".inf",
        "-.Inf",
        ".nan",
        "=",
        "<<",
        "? a",
        "- a",
        "a: b",
        "a #b",
        " a",
        "a ",
        "a\n",
        "@a",
        "`a",
        "%a",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "[",
        "{",
        "'",
        "---",
        "...",
    ] {
        let written = write(&json!([text]));
        assert!(written.starts_with("- \""), "{written}");
    }
}

#[test]
fn words_are_written_plain() {
    assert_eq!(
        write(&json!({ "schemaVersion": "mavai-optimize-1", "basis": "passing-samples" })),
        "schemaVersion: mavai-optimize-1\nbasis: passing-samples\n"
    );
}

#[test]
fn numbers_are_numbers_in_both_versions() {
    let written = write(&json!([0, -3, 0.5, 1.0, 1e-7, 1.5e-7, 1e16, 1e300, 18446744073709551615u64]));
    assert_eq!(written, "- 0\n- -3\n- 0.5\n- 1.0\n- 1.0e-7\n- 1.5e-7\n- 1.0e+16\n- 1.0e+300\n- 18446744073709551615\n");
}

#[test]
fn a_key_longer_than_an_implicit_one_may_be_is_written_as_an_explicit_one() {
    // Quotes and escapes count: 255 controls take 255 * 4 + 2 characters, which is within the limit; one more is not.
    let (short, long) = ("\u{1}".repeat(255), "\u{1}".repeat(256));
    let value = json!({ "outer": [{ short.clone(): 1, long.clone(): { "a": [1, 2] }, "z": long }] });
    let written = write(&value);
    assert_eq!(written.matches("? ").count(), 1);
    // Astral characters are four bytes each, and there are readers that count bytes.
    let astral = json!({ "🧺".repeat(256): 1 });
    assert!(write(&astral).starts_with("? "));
    assert_eq!(read(&write(&astral)), astral);
    for line in written.lines().filter(|line| !line.trim_start().starts_with("? ")) {
        assert!(line.find("\": ").is_none_or(|colon| colon < 1024 + 4), "{line}");
    }
    assert_eq!(read(&written), value);
}

#[test]
fn empty_collections_and_nesting() {
    let value =
        json!({ "a": [], "b": {}, "c": [[1, [2]], [], {}, [{ "d": {} }], { "e": [{ "f": 1, "g": 2 }] }], "h": null });
    assert_eq!(read(&write(&value)), value);
    for top in [json!([]), json!({}), json!("text"), json!(1.5), Value::Null] {
        assert_eq!(read(&write(&top)), top);
    }
}
