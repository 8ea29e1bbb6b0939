//! The block reader and the full parser: what the one accepts, the other reads to the same tree with the same findings.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use conform::document::{Document, Format, Kind, Limits, Reader, Reading, Value, read_with};
use proptest::prelude::*;

/// Everything that a tree says, node by node.
fn tree(document: &Document) -> String {
    let mut out = format!("{:?} {}\n", document.format(), document.node_count());
    node(document.root(), &mut out);
    out
}

fn node(value: Value<'_>, out: &mut String) {
    let content = match value.kind() {
        Kind::String => format!("{:?}", value.as_str()),
        Kind::Int => format!("{:?}", value.as_i64()),
        Kind::Float => format!("{:?}", value.as_f64().map(f64::to_bits)),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "{} {:?} {:?} at {} {:?} {content}",
        value.id(),
        value.kind(),
        value.style(),
        value.offset(),
        value.written()
    );
    value.items().for_each(|item| node(item, out));
    value.members().for_each(|(key, value)| {
        node(key, out);
        node(value, out);
    });
}

/// Compares both readers on a text; whether the block reader accepted it.
fn agree(text: &str, limits: &Limits) -> Result<bool, TestCaseError> {
    let read = |reader| read_with(text.as_bytes().to_vec(), limits, reader);
    let Reading { document: Some(block), findings: from_block } = read(Reader::Block) else { return Ok(false) };
    if block.format() == Format::Json {
        return Ok(false);
    }
    let full = read(Reader::Full);
    prop_assert!(full.document.is_some(), "{:?} in {text:?}", full.findings);
    prop_assert_eq!(tree(&block), tree(&full.document.unwrap()), "{:?}", text);
    prop_assert_eq!(from_block, full.findings, "{:?}", text);
    Ok(true)
}

fn accepted(text: &str) {
    assert!(agree(text, &Limits::default()).unwrap(), "not accepted: {text:?}");
}

fn left_to_the_parser(text: &str) {
    assert!(!agree(text, &Limits::default()).unwrap(), "accepted: {text:?}");
}

#[test]
fn what_emitters_wrote_is_read_alike_and_mostly_fast() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitted");
    let mut slow = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if !agree(&text, &Limits::default()).unwrap() {
            slow.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    slow.sort();
    insta::assert_snapshot!(slow.join("\n"), @r"
    baseltest-0.27.0.measure.unicode.yaml
    baseltest-0.27.0.optimize.ctl-del.yaml
    baseltest-0.27.0.optimize.ctl-surrogate.yaml
    baseltest-0.27.0.optimize.long-escaped-key.yaml
    feotest-0.5.0.optimize-fx.fx-nan-inf.yaml
    feotest-0.5.0.optimize-fx.fx-strings.yaml
    ");
}

#[test]
fn the_block_reader_knows_its_subset() {
    for text in [
        "a: 1\n",
        "---\na: 1\n",
        "# c\n\na:\n  b: 'x''y' # c\n  c: \"\\u00e9\\n\"\n\n# d\nd: {}\n",
        "- 1\n- - a\n  - b: 1\n    c: []\n- d: x\n",
        "a:\n- 1\n- b: 2\n  c:\n  - 3\nd:\ne:\n  - f:\n",
        "a: {\"b\": [1, 'x', y z], c: {}}\n",
        "a: |\n  x\n   y\n\n  z\nb: |-\n  #x\nc:\n  - |+\n    x\n\n",
        "a: http://b/c#d\n",
        "\"a b\" : 1\n",
        "'a': b",
        "a: -x\n",
        "  a: 1\n  b: 2\n",
        "yes: no\n2026-01-01: 1_000\n",
        "a: 1\na: 2\n",
        "a: b \n",
        "é: ü«»\n",
        "a:   # c\nb: 1\n",
        "a: x'y\"z\n",
        "- a: 1\n\n  b: 2\n",
        "a: [-1, +2, 0.5, a-b]\n",
        "a: \"\"\nb: ''\n",
        "a: <b\n",
        "a: (b)\n",
        "a: 12345678901234567890\nb: 0x1F\nc: 012\nd: -0\ne: -0.0\nf: 00.5\n",
        "a: |\n  x\n# c\nb: 1\n",
        "a: \"\tb\t\"\n",
        "a: ~\nb: null\n",
        "- a:\n  - 1\n  b: 2\n",
    ] {
        accepted(text);
    }
    for text in [
        "",
        "a",
        "- a\n b\n",
        "a: b\n  c\n",
        "a: b: c\n",
        "a: &x 1\n",
        "a: *x\n",
        "a: !t 1\n",
        "? a\n",
        "a: >\n  b\n",
        "a: \"b\n  c\"\n",
        "a:\n b\n",
        "a:\tb\n",
        "a: b\tc\n",
        "a: [1,\n  2]\n",
        "a: {b}\n",
        "a: [b: c]\n",
        "a: 1\n---\nb: 2\n",
        "a: 1\n...\n",
        "%YAML 1.2\n---\na: 1\n",
        "a: 1\r\n",
        "a: \u{7f}\n",
        "a: \"\\ud834\"\n",
        "a: .inf\n",
        "~: 1\n",
        "a: 1\n b: 2\n",
        "- a\nb: 1\n",
        "a: 1\n- b\n",
        "a: \"b\" c\n",
        "\"a\":b\n",
        "- \n- a\n",
        "a: @b\n",
        "a: 'b\n",
    ] {
        left_to_the_parser(text);
    }
    let deep: String = (0..129).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    left_to_the_parser(&deep);
    left_to_the_parser(&format!("{}: 1\n", "k".repeat(1025)));
}

/// Lines as emitters write them, with indents that sometimes miss.
fn lines() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "a",
        "b c",
        "\"d\"",
        "'e'",
        "é",
        "1",
        "yes",
        "f-g",
        "\"h\\u0041\"",
        "http://x",
        "a#b",
        "-k",
    ]);
    let scalar = prop::sample::select(vec![
        "1",
        "-2.5",
        "x y",
        "\"q\\n\"",
        "'s''t'",
        "true",
        "~",
        "{}",
        "[]",
        "[1, \"a\"]",
        "{\"b\": 1, c: d e}",
        "|",
        "|-",
        "|+",
        "2026-01-01",
        "1e-7",
        "012",
        "\"\"",
        "x: y",
        "x #y",
        "x# y",
        "a:b",
        "-",
        "- z",
        "\"a\" b",
        "[a",
        "{a: [b, {c: 1}]}",
        ">",
        "&a b",
        "",
        "'a",
        "\u{1f980}",
        "[ ]",
        "{ }",
        "[1, ]",
        "[a: b]",
        "{a: }",
        "[ 1 , 2 ]",
        "?",
        "? x",
        ":",
        ": x",
        "x:",
        "\"k\": 1",
        "{\"a\":1}",
        "0.5 ",
        "#x",
        "x\\ny",
        "\"\\x41\\U0001F980\\/\"",
        "|2",
        "-1",
        "--- x",
        "[-]",
        "[-1]",
        "[- 1]",
        "[a - b]",
    ]);
    let end = prop::sample::select(vec!["", "", "", "", " ", " # c", "#c", "\t", " #"]);
    let start = prop::sample::select(vec!["", "", "", "- ", "- - ", "-", "-  ", "# ", "---"]);
    let line =
        (0..5usize, 0..4u8, start, key, prop::sample::select(vec![": ", ": ", ": ", ":  ", " : ", ":"]), scalar, end)
            .prop_map(|(indent, shape, start, key, colon, scalar, end)| {
                let indent = " ".repeat(if indent == 4 { 1 } else { indent * 2 });
                match shape {
                    0 | 1 => format!("{indent}{start}{key}{colon}{scalar}{end}\n"),
                    2 => format!("{indent}{start}{key}:{end}\n"),
                    _ => format!("{indent}{start}{scalar}{end}\n"),
                }
            });
    let blank = prop::sample::select(vec!["\n".to_owned(), "  \n".to_owned(), "    \n".to_owned(), "# c\n".to_owned()]);
    prop::collection::vec(prop_oneof![6 => line, 1 => blank], 0..9).prop_map(|lines| lines.concat())
}

/// A document of nested collections, written in blocks with right indents.
#[derive(Debug, Clone)]
enum Block {
    Scalar(&'static str),
    Sequence(Vec<Block>),
    Mapping(Vec<(&'static str, Block)>),
}

impl Block {
    fn write(&self, indent: usize, tight: bool, out: &mut String) {
        let space = " ".repeat(indent);
        match self {
            Block::Scalar(text) => {
                // The lines of a literal block are indented with it.
                out.push_str(&text.replace('\n', &format!("\n{space}  ")));
                out.push('\n');
            }
            Block::Sequence(items) => {
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push_str(&space);
                    }
                    out.push_str("- ");
                    item.write(indent + 2, tight, out);
                }
            }
            Block::Mapping(members) => {
                for (at, (key, member)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push_str(&space);
                    }
                    out.push_str(key);
                    out.push(':');
                    match member {
                        Block::Scalar(_) => {
                            out.push(' ');
                            member.write(indent, tight, out);
                        }
                        _ => {
                            let deeper = indent + if tight && matches!(member, Block::Sequence(_)) { 0 } else { 2 };
                            out.push('\n');
                            out.push_str(&" ".repeat(deeper));
                            member.write(deeper, tight, out);
                        }
                    }
                }
            }
        }
    }
}

fn block() -> impl Strategy<Value = Block> {
    let scalar = prop::sample::select(vec![
        "1",
        "0.25",
        "text",
        "\"a: b\"",
        "'it''s'",
        "{}",
        "[]",
        "{\"i\": 0, \"t\": \"x\"}",
        "",
        "|\nx\n\ny",
        "|-\n  x",
        "yes",
        "\"\\u00e9\"",
        "x # c",
        "|+\nx\n",
    ])
    .prop_map(Block::Scalar);
    let key = prop::sample::select(vec!["a", "b", "c", "\"d e\"", "'f'", "g h", "2"]);
    scalar.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Block::Sequence),
            prop::collection::vec((key.clone(), inner), 1..4).prop_map(Block::Mapping),
        ]
    })
}

/// Bytes that mean something in YAML.
fn signs() -> impl Strategy<Value = u8> {
    prop::sample::select(b" \n\n:-#'\"{}[],|a\\\t.0&".to_vec())
}

/// Replaces, removes or inserts bytes.
fn damage_bytes(bytes: &mut Vec<u8>, damage: &[(prop::sample::Index, u8, u8)]) {
    for &(at, byte, how) in damage {
        let at = at.index(bytes.len().max(1)).min(bytes.len());
        match how {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.insert(at, byte),
        }
    }
}

/// What emitters wrote, the small documents of it.
fn emitted() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitted");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    files.filter(|bytes| (1..4000).contains(&bytes.len())).collect()
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn readers_agree_on_lines(text in lines()) {
        agree(&text, &Limits { depth: 6, ..Limits::default() })?;
    }

    #[test]
    fn readers_agree_on_blocks_and_their_damage(
        block in block(),
        tight in any::<bool>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), signs(), 0..3u8), 0..3),
    ) {
        let mut text = String::new();
        block.write(0, tight, &mut text);
        let mut bytes = text.into_bytes();
        damage_bytes(&mut bytes, &damage);
        agree(&String::from_utf8_lossy(&bytes), &Limits::default())?;
    }

    #[test]
    fn readers_agree_on_damaged_documents(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), signs(), 0..3u8), 1..4),
    ) {
        let files = emitted();
        let mut bytes = which.get(&files).clone();
        damage_bytes(&mut bytes, &damage);
        agree(&String::from_utf8_lossy(&bytes), &Limits::default())?;
    }

    #[test]
    fn readers_agree_on_what_a_writer_writes(seed in prop::collection::vec(any::<String>(), 1..6)) {
        let value: serde_json::Value = seed.iter().map(|text| serde_json::json!({ text: [text, 1, { "k": text }] })).collect();
        agree(&serde_yaml::to_string(&value).unwrap(), &Limits::default())?;
    }
}
