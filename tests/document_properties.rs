//! Documents: what holds for every text.

use conform::document::{Document, Kind, Limits, Value, read};
use conform::finding::Severity;
use proptest::prelude::*;

/// Any JSON value; integers within 64 bits, as the tree holds them.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        "[a-z]{1,8}",
        any::<String>(),
        prop::sample::select(vec![
            "",
            "null",
            "~",
            "yes",
            "1",
            "1.5",
            "0x1F",
            "- a",
            "a: b",
            "#",
            "a #b",
            "\n",
            "a\nb\n",
            " a",
            "a ",
            "'",
            "\"",
            "\\",
            "&a",
            "*a",
            "!a",
            "%a",
            "@",
            "`",
            "{",
            "[",
            "|",
            ">",
            "?",
            ":",
            "-",
            "---",
            "...",
            "2026-01-01",
            "\u{7f}",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "\t",
            "\r",
            "a\tb",
            "\u{1f980}",
            "1e3",
            ".inf",
            "012",
            "1_000",
            "<<",
            "=",
            "\u{ffff}",
            "\0",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Into::into),
        text.clone().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::vec((text.clone(), inner), 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Pieces of YAML and JSON, for texts that get further than noise would.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b: ",
        "key:",
        " ",
        "  ",
        "\n",
        "\n  ",
        "\n    ",
        "- ",
        "-\n",
        "? ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "\"",
        "'",
        "\\",
        "\\u",
        "d834",
        "\\x41",
        "#",
        " # c",
        "|",
        ">",
        "|-\n",
        "&a ",
        "*a",
        "!!str ",
        "!t ",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "1",
        "1.5",
        "yes",
        ".inf",
        "~",
        "null",
        "\t",
        "\r\n",
        "\r",
        "\u{7f}",
        "\u{85}",
        "\0",
        "é",
        "\u{1f980}",
        "\u{feff}",
        "\u{2028}",
        "<<",
        "\"a\"",
        "'b'",
        "\"a\": ",
        "true",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn visit<'d>(value: Value<'d>, each: &mut dyn FnMut(Value<'d>)) {
    each(value);
    value.items().for_each(|item| visit(item, each));
    value.members().for_each(|(key, value)| {
        each(key);
        visit(value, each);
    });
}

/// Reads, and checks what holds for every reading.
fn checked(bytes: Vec<u8>) -> Option<Document> {
    let reading = read(bytes, &Limits { bytes: 1 << 20, depth: 40, alias_nodes: 500 });
    let errors = reading.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    assert!(reading.document.is_some() || errors > 0);
    for finding in &reading.findings {
        let place = finding.place.as_ref().expect("a place");
        assert!(place.line > 0 && place.column > 0);
        if let Some(document) = &reading.document {
            assert!(document.at(&place.pointer).is_some(), "{} in {:?}", place.pointer, document.source());
        }
    }
    let document = reading.document?;
    let unique = reading.findings.iter().all(|finding| finding.obligation != "document/duplicate-key");
    visit(document.root(), &mut |value| {
        let place = value.place();
        assert!(document.source().is_char_boundary(value.offset()));
        if unique {
            let there = document.at(&place.pointer).expect("a pointer leads to its value");
            assert!(there == value || value.kind() == Kind::String, "{} in {:?}", place.pointer, document.source());
        }
        value.snippet_line("");
    });
    Some(document)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        checked(bytes);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        checked(text.into_bytes());
    }

    #[test]
    fn pieces_of_yaml_are_read_or_refused(text in pieces()) {
        checked(text.into_bytes());
    }

    #[test]
    fn damaged_documents_are_read_or_refused(
        value in json(),
        as_yaml in any::<bool>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..4),
    ) {
        let text = if as_yaml { serde_yaml::to_string(&value).unwrap() } else { serde_json::to_string_pretty(&value).unwrap() };
        let mut bytes = text.into_bytes();
        for (at, byte, how) in damage {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        checked(bytes);
    }

    #[test]
    fn json_is_read_as_it_was_written(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let reading = read(text.clone().into_bytes(), &Limits::default());
        prop_assert!(reading.findings.is_empty(), "{:?} in {text:?}", reading.findings);
        prop_assert_eq!(reading.document.unwrap().root().to_json(), value);
        checked(text.into_bytes());
    }

    #[test]
    fn yaml_is_read_as_it_was_written(value in json()) {
        let text = serde_yaml::to_string(&value).unwrap();
        // The writer follows YAML 1.1, where these end lines.
        prop_assume!(!text.contains(['\u{85}', '\u{2028}', '\u{2029}']));
        let reading = read(text.clone().into_bytes(), &Limits::default());
        let errors: Vec<_> = reading.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        prop_assert!(errors.is_empty(), "{errors:?} in {text:?}");
        prop_assert_eq!(reading.document.unwrap().root().to_json(), value, "{:?}", text);
        checked(text.into_bytes());
    }
}
