//! Documents: every fault of a text is found at its place, and everything else about the document is read all the same.

use conform::document::rules::RULES;
use conform::document::{Document, Limits, Reading, read};
use conform::finding::Severity;

fn reading(text: impl AsRef<[u8]>) -> Reading {
    read(text.as_ref().to_vec(), &Limits::default())
}

/// The findings as `id line:column pointer`.
fn places(reading: &Reading) -> Vec<String> {
    reading
        .findings
        .iter()
        .map(|finding| {
            let Some(place) = finding.place.clone() else { return finding.obligation.clone() };
            let space = if place.pointer.is_empty() { "" } else { " " };
            format!("{} {}:{}{space}{}", finding.obligation, place.line, place.column, place.pointer)
        })
        .collect()
}

fn document(text: impl AsRef<[u8]>) -> Document {
    let reading = reading(text);
    assert_eq!(places(&reading), [""; 0]);
    reading.document.expect("a text without faults is a document")
}

/// Reads a text that must have these faults, and returns its value as JSON if it has one.
fn faults(text: impl AsRef<[u8]>, expected: &[&str]) -> Option<String> {
    let reading = reading(text.as_ref());
    assert_eq!(places(&reading), expected, "in {:?}", String::from_utf8_lossy(text.as_ref()));
    let error = reading.findings.iter().any(|finding| finding.severity == Severity::Error);
    assert!(reading.document.is_some() || error, "without a document, an error says why");
    reading.document.map(|document| document.root().to_json().to_string())
}

fn message(text: impl AsRef<[u8]>) -> String {
    reading(text).findings.first().expect("a finding").message.clone()
}

#[test]
fn every_rule_is_kept_by_its_good_sample_and_broken_by_its_bad_one() {
    for rule in RULES {
        let good = read(rule.good.to_vec(), &rule.limits);
        assert_eq!(places(&good), [""; 0], "{}", rule.id);
        assert!(good.document.is_some());
        let Some(bad) = rule.bad else { continue };
        let bad = read(bad.to_vec(), &rule.limits);
        let ids: Vec<&str> = bad.findings.iter().map(|finding| finding.obligation.as_str()).collect();
        assert_eq!(ids, [rule.id]);
        assert_eq!(bad.findings[0].severity, rule.severity);
        assert_eq!(bad.findings[0].basis, rule.basis);
    }
}

#[test]
fn yaml_and_json_give_the_same_values() {
    let yaml = "a: 1\nb: [x, 2.5, true, null]\nc:\n- d: 'it''s'\n  e: \"\\u00e9\"\nf: {}\n";
    let json = r#"{"a": 1, "b": ["x", 2.5, true, null], "c": [{"d": "it's", "e": "\u00e9"}], "f": {}}"#;
    assert!(document(yaml).root().same_as(document(json).root()));
}

#[test]
fn invalid_utf8() {
    assert_eq!(faults(b"a: 1\nb: \xff\n", &["document/utf8 2:4"]), None);
    assert_eq!(message(b"a: 1\nb: \xff\n"), "0xFF at byte offset 8 is no UTF-8");
    assert_eq!(message(b"a: \xe2\x82"), "the document ends inside a character: 0xE2 0x82 at byte offset 3");
}

#[test]
fn other_unicode_encodings_are_named() {
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> { "a: 1\n".encode_utf16().flat_map(order).collect() };
    assert_eq!(message(wide(u16::to_le_bytes)), "the bytes are UTF-16 (little-endian), where UTF-8 is expected");
    assert_eq!(message(wide(u16::to_be_bytes)), "the bytes are UTF-16 (big-endian), where UTF-8 is expected");
    assert_eq!(message(b"\xff\xfea\0"), "the bytes are UTF-16 (little-endian), where UTF-8 is expected");
    assert_eq!(message(b"\0\0\xfe\xff\0\0\0a"), "the bytes are UTF-32 (big-endian), where UTF-8 is expected");
    faults(b"\xff\xfea\0", &["document/utf8 1:1"]);
}

#[test]
fn a_byte_order_mark_is_legal_before_yaml_only() {
    assert_eq!(document("\u{feff}a: 1\n").at("/a").unwrap().place().column, 4);
    assert_eq!(faults("\u{feff}{\"a\": 1}", &["document/utf8 1:1"]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("a: 1\n\u{feff}b: 2\n", &["document/parse 2:1"]), None);
}

#[test]
fn nothing_is_no_document() {
    for text in ["", " \n\n", "# only a comment\n", "---\n", "---\n...\n", "\u{feff}", "\t\n"] {
        assert_eq!(faults(text, &["document/empty 1:1"]), None, "{text:?}");
    }
}

#[test]
fn syntax_errors_in_yaml() {
    for (text, place) in [
        ("a: [1, 2\n", "document/parse 1:4"),
        ("a: {b: 1\n", "document/parse 1:4"),
        ("a: \"b\n", "document/parse 1:4"),
        ("a:\n\tb: 1\n", "document/parse 2:1"),
        ("a: *b\n", "document/parse 1:4"),
        ("a: b: c\n", "document/parse 1:5"),
        ("a: \"b\" c\n", "document/parse 1:8"),
        ("a: 1\n b: 2\n", "document/parse 2:3"),
        ("a: @b\n", "document/parse 1:4"),
        ("a: \"\\u{1f}\"\n", "document/parse 1:4"),
        ("a: 1\n- b\n", "document/parse 2:1"),
        ("[a]: 1\n", "document/parse 1:1"),
        ("? {a: 1}\n: 2\n", "document/parse 1:3"),
        ("a: 1\n... b\n", "document/parse 2:5"),
    ] {
        faults(text, &[place]);
    }
}

#[test]
fn syntax_errors_in_json() {
    for (text, place) in [
        ("{\"a\": 1", "document/parse 1:8"),
        ("{\"a\": [1, 2}", "document/parse 1:12"),
        ("{\"a\": tru e: f}", "document/parse 1:7"),
        ("{\"a\" 1}", "document/parse 1:6"),
        ("{\"a\": \"b}", "document/parse 1:7"),
        ("[1, 2]]", "document/parse 1:7"),
    ] {
        assert!(message(text).contains("JSON"), "{}", message(text));
        faults(text, &[place]);
    }
}

#[test]
fn what_is_no_json_may_be_yaml() {
    assert_eq!(faults("{a: 1, 'b': [c, d], # note\n}", &[]).unwrap(), r#"{"a":1,"b":["c","d"]}"#);
    assert_eq!(faults("{\"a\": 1} # note\n", &[]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("\"a\": 1\n", &[]).unwrap(), r#"{"a":1}"#);
}

#[test]
fn keys_are_text() {
    assert_eq!(faults("1: a\ntrue: b\n", &[]).unwrap(), r#"{"1":"a","true":"b"}"#);
    assert_eq!(faults("~: a\n", &["document/parse 1:1 /~0"]).unwrap(), r#"{"~":"a"}"#);
    assert_eq!(faults("&k 1: a\nb: {*k : c}\n", &[]).unwrap(), r#"{"1":"a","b":{"1":"c"}}"#);
}

#[test]
fn tags_of_the_core_schema_are_obeyed_and_others_refused() {
    assert_eq!(
        faults("a: !!str 1\nb: !!int \"2\"\nc: !!float 3\nd: ! 4\n", &[]).unwrap(),
        r#"{"a":"1","b":2,"c":3.0,"d":"4"}"#
    );
    assert_eq!(faults("a: !!seq [1]\nb: !!map {c: 1}\n", &[]).unwrap(), r#"{"a":[1],"b":{"c":1}}"#);
    assert_eq!(faults("a: !!null\nb: !!bool true\n", &[]).unwrap(), r#"{"a":null,"b":true}"#);
    assert_eq!(faults("a: !money 5\n", &["document/parse 1:4"]).unwrap(), r#"{"a":5}"#);
    assert_eq!(faults("a: !!set {b: null}\n", &["document/parse 1:4"]).unwrap(), r#"{"a":{"b":null}}"#);
    assert_eq!(faults("a: !!int x\n", &["document/parse 1:4 /a"]).unwrap(), r#"{"a":"x"}"#);
    assert!(message("a: !money 5\n").contains("!money"));
}

#[test]
fn duplicate_keys_keep_both_members() {
    let text = "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 4\n";
    let reading = reading(text);
    assert_eq!(places(&reading), ["document/duplicate-key 5:3 /b/c", "document/duplicate-key 6:1 /a"]);
    assert_eq!(reading.document.as_ref().unwrap().root().len(), 3);
    let lines: Vec<(u32, &str)> = reading.findings[0]
        .snippet
        .iter()
        .map(|line| (line.line, line.mark.as_ref().unwrap().label.as_str()))
        .collect();
    assert_eq!(lines, [(3, "first"), (5, "again")]);
    assert!(reading.findings[0].message.contains("\"c\""), "{}", reading.findings[0].message);
    faults(r#"{"a": 1, "\u0061": 2}"#, &["document/duplicate-key 1:10 /a"]);
    let many: String = (0..40).map(|n| format!("k{}: 1\n", n % 39)).collect();
    faults(many, &["document/duplicate-key 40:1 /k0"]);
}

#[test]
fn one_document_a_stream() {
    assert_eq!(faults("a: 1\n---\nb: 2\n---\nc: 3\n", &["document/one-document 2:1"]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("a: 1\n...\n---\nb: 2\n", &["document/one-document 3:1"]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("{\"a\": 1}\n{\"a\": 2}\n", &["document/one-document 2:1"]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("--- {\"a\": 1}\n--- {\"a\": 2}\n", &["document/one-document 2:1"]).unwrap(), r#"{"a":1}"#);
    assert_eq!(faults("---\na: 1\n...\n", &[]).unwrap(), r#"{"a":1}"#);
}

#[test]
fn control_characters() {
    let text = "a: \"x\u{7f}y\"\nb: z\u{81}\n# \u{1}\nc: \u{ffff}\nd: 'q\0'\n";
    let value = faults(
        text,
        &[
            "document/control-character 1:6 /a",
            "document/control-character 2:5 /b",
            "document/control-character 3:3",
            "document/control-character 4:4 /c",
            "document/control-character 5:6 /d",
        ],
    );
    assert_eq!(value.unwrap(), "{\"a\":\"x\u{7f}y\",\"b\":\"z\u{81}\",\"c\":\"\u{ffff}\",\"d\":\"q\\u0000\"}");
    assert_eq!(message("a: \u{7f}\n"), "the character U+007F is not printable");
    // Escaped, and what YAML counts as printable.
    faults("a: \"\\x7f\\0\\uffff\u{85}\u{a0}\u{feff}\t\"\n", &[]);
    assert_eq!(faults("{\"a\": \"\u{1}\"}", &["document/control-character 1:8 /a"]).unwrap(), r#"{"a":"\u0001"}"#);
    faults("{\"a\": \"b\\\\\n\"}", &["document/control-character 1:11 /a"]);
    faults("{\"a\": \"\u{7f}\u{81}\"}", &[]);
}

#[test]
fn many_faults_of_one_kind_are_counted() {
    let text: String = (0..50).map(|n| format!("k{n}: yes\n")).collect();
    let reading = reading(text);
    assert_eq!(reading.findings.len(), 21);
    assert_eq!(reading.findings[20].message, "30 more places break this rule, from here on");
    assert_eq!(reading.findings[20].place.as_ref().unwrap().line, 21);
}

#[test]
fn keys_past_1024_characters() {
    let (long, fit) = ("k".repeat(1025), "k".repeat(1024));
    assert_eq!(faults(format!("{fit}: 1\n"), &[]).unwrap(), format!("{{\"{fit}\":1}}"));
    faults(format!("a: 1\n{long}: 1\nb: 2\n"), &[&format!("document/key-length 2:1 /{long}")]);
    faults(format!("a: {{b: 1, \"{long}\": 1}}\n"), &[&format!("document/key-length 1:11 /a/{long}")]);
    faults(format!("? {long}\n: 1\n"), &[]);
    // The written form counts: 205 escapes of five characters and two quotes.
    let escaped = "\\x41b".repeat(205);
    faults(format!("\"{escaped}\": 1\n"), &[&format!("document/key-length 1:1 /{}", "Ab".repeat(205))]);
    let wide = "é".repeat(1000);
    faults(format!("{wide}: 1\n"), &[]);
    // JSON has no such limit.
    faults(format!("{{\"{long}\": 1}}"), &[]);
}

#[test]
fn halves_of_surrogate_pairs() {
    assert_eq!(faults(r#"{"a": "\ud834\udd1e"}"#, &[]).unwrap(), "{\"a\":\"\u{1d11e}\"}");
    assert_eq!(
        faults(
            r#"{"a": "x\ud834", "b": "\udd1e\ud834"}"#,
            &["document/surrogate 1:9 /a", "document/surrogate 1:24 /b", "document/surrogate 1:30 /b",]
        )
        .unwrap(),
        "{\"a\":\"x\u{fffd}\",\"b\":\"\u{fffd}\u{fffd}\"}"
    );
    // YAML escapes name characters, so a pair names none.
    assert_eq!(faults("a: \"\\ud834\\udd1e\"\n", &["document/surrogate 1:5 /a"]).unwrap(), "{\"a\":\"\u{1d11e}\"}");
    let text = "a: '\\ud834'\nb: \"x\\ud834y\"\nc: \\udd1e\nd: |\n  \\ud834\n  z\ne: \"\\\\ud834\"\n";
    assert_eq!(
        faults(text, &["document/surrogate 2:6 /b"]).unwrap(),
        "{\"a\":\"\\\\ud834\",\"b\":\"x\u{fffd}y\",\"c\":\"\\\\udd1e\",\"d\":\"\\\\ud834\\nz\\n\",\"e\":\"\\\\ud834\"}"
    );
    faults("a: \"\\U0000d834\"\n", &["document/surrogate 1:5 /a"]);
}

#[test]
fn numbers_that_json_cannot_hold() {
    let max = f64::MAX;
    for (text, value) in [(".inf", max), ("-.INF", -max), ("1e400", max), ("-1e400", -max), (".nan", 0.0)] {
        let reading = reading(format!("a: {text}\n"));
        assert_eq!(places(&reading), ["document/number-range 1:4 /a"]);
        assert_eq!(reading.document.unwrap().at("/a").unwrap().as_f64(), Some(value));
    }
    faults(r#"{"a": 1e400}"#, &["document/number-range 1:7 /a"]);
    faults("a: '.inf'\nb: +.nan\nc: nan\n", &[]);
}

#[test]
fn aliases() {
    assert_eq!(faults("a: &x {b: [1]}\nc: [*x, *x]\n", &[]).unwrap(), r#"{"a":{"b":[1]},"c":[{"b":[1]},{"b":[1]}]}"#);
    assert_eq!(faults("a: &x 1\nb: &x 2\nc: *x\n", &[]).unwrap(), r#"{"a":1,"b":2,"c":2}"#);
    assert_eq!(faults("a: &x [*x]\n", &["document/alias 1:8"]), None);
    let bomb: String = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned()
        + &(1..9)
            .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(", ")))
            .collect::<String>();
    let reading = reading(&bomb);
    assert_eq!(reading.findings[0].obligation, "document/alias");
    assert!(reading.findings[0].help.as_deref().unwrap().contains("--max-alias-nodes"));
}

#[test]
fn aliases_deepen_within_the_depth_limit() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    faults(format!("a: &a {}\nb: [*a]\n", deep(126)), &[]);
    faults(format!("a: &a {}\nb: [*a]\n", deep(127)), &["document/depth 2:5"]);
}

#[test]
fn limits() {
    let small = Limits { bytes: 10, ..Limits::default() };
    let reading = read(b"a: 12345678\n".to_vec(), &small);
    assert_eq!(places(&reading), ["document/size"]);
    assert!(reading.findings[0].help.as_deref().unwrap().contains("--max-bytes"));
    for text in ["- ".repeat(20_000), "[".repeat(20_000), "{\"a\":".repeat(20_000), "{a: ".repeat(20_000)] {
        let reading = read(text.clone().into_bytes(), &Limits::default());
        assert_eq!(reading.findings[0].obligation, "document/depth");
        assert!(reading.findings[0].help.as_deref().unwrap().contains("--max-depth"));
        assert!(reading.document.is_none());
    }
    faults("[".repeat(128) + &"]".repeat(128), &[]);
    faults("- ".repeat(128) + "x", &[]);
    faults("- ".repeat(129) + "x", &["document/depth 1:257"]);
    faults("- ".repeat(128) + "[x]", &["document/depth 1:257"]);
    faults("[".repeat(129) + &"]".repeat(129), &["document/depth 1:129"]);
}

#[test]
fn types_that_depend_on_the_yaml_version() {
    for scalar in [
        "2026-01-01",
        "2026-11-30T05:50:13Z",
        "2026-1-3 5:50:13.5 +01:00",
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "N",
        "1:20",
        "12:30:45",
        "1:20.5",
        "1e-7",
        "1e16",
        "1.5e3",
        "-.5",
        "0o17",
        "012",
        "08",
        "1_000",
        "1_0.5",
        "0b101",
        "-0x1F",
        "0x_1F",
        "1._",
        "<<",
        "=",
    ] {
        faults(format!("- {scalar}\n"), &["document/stable-type 1:3 /0"]);
        faults(format!("- \"{scalar}\"\n- {scalar} x\n"), &[]);
    }
    for scalar in [
        "1",
        "-1",
        "+1",
        "0",
        "07",
        "00",
        "1.5",
        ".5",
        "1.",
        "1.5e+3",
        "0x1F",
        "true",
        "False",
        "null",
        "~",
        "2026-01",
        "1:60",
        "nan",
        "x",
        "-",
        "1.2.3",
        "12345678901234567890",
        "2026-01-01x",
        "on-line",
        ".",
        "+",
        "1,000",
        "v1.0",
    ] {
        let text = format!("[{}]\n", if scalar == "-" { "a-" } else { scalar });
        faults(text, &[]);
    }
    faults("yes: 1\n<<: {a: 1}\n", &["document/stable-type 1:1 /yes", "document/stable-type 2:1 /<<"]);
}

#[test]
fn scalars_follow_the_core_schema() {
    for (text, json) in [
        ("017", "17"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("0b101", "\"0b101\""),
        ("1_000", "\"1_000\""),
        ("1e3", "1000.0"),
        ("1.", "1.0"),
        ("-.5", "-0.5"),
        ("Null", "null"),
        ("NULL", "null"),
        ("nUll", "\"nUll\""),
        ("TRUE", "true"),
        ("yes", "\"yes\""),
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("9223372036854775807", "9223372036854775807"),
        ("0xFFFFFFFFFFFFFFFF", "1.8446744073709552e+19"),
        ("12:30:45", "\"12:30:45\""),
        ("+12", "12"),
        ("0o8", "\"0o8\""),
        ("0x", "\"0x\""),
        (".", "\".\""),
        ("1e", "\"1e\""),
        ("+", "\"+\""),
        ("~", "null"),
    ] {
        let value = reading(format!("- {text}\n")).document.unwrap().root().to_json()[0].to_string();
        assert_eq!(value, json, "{text}");
    }
}

#[test]
fn every_key_and_value_has_its_place() {
    for line_break in ["\n", "\r\n", "\r"] {
        let text = ["# c", "é: [ü, \"b\"]", "c:", "  d:", "  - e: 1.50", "    f: 'g'", "h:", "i: |", "  j", "  k", ""]
            .join(line_break);
        let document = document(&text);
        let place = |pointer: &str| {
            let place = document.at(pointer).unwrap().place();
            assert_eq!(place.pointer, pointer);
            (place.line, place.column)
        };
        assert_eq!(place(""), (2, 1));
        assert_eq!(place("/é"), (2, 4));
        assert_eq!(place("/é/0"), (2, 5));
        assert_eq!(place("/é/1"), (2, 8));
        assert_eq!(place("/c"), (4, 3));
        assert_eq!(place("/c/d"), (5, 3));
        assert_eq!(place("/c/d/0/e"), (5, 8));
        assert_eq!(place("/c/d/0/f"), (6, 8));
        assert_eq!(place("/h"), (7, 2));
        assert_eq!(place("/i"), (9, 3));
        let written = |pointer: &str| document.at(pointer).unwrap().written();
        assert_eq!(written("/c/d/0/e"), "1.50");
        assert_eq!(written("/c/d/0/f"), "'g'");
        assert_eq!(document.at("/i").unwrap().as_str(), Some("j\nk\n"));
        let key = document.at("/c/d/0").unwrap().key("f").unwrap().place();
        assert_eq!((key.line, key.column, key.pointer.as_str()), (6, 5, "/c/d/0/f"));
    }
}
