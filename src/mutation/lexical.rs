//! Lexical operators: faults of the text, which leave nothing, or not everything, to be judged.

use serde_json::{Map, Value};

use super::base::Base;
use super::choice::{Choice, pick, word};
use super::operator::{Apply, Operator};

/// Where a text's fault leaves a document, it also has a member more or a value changed.
const ANY: &[&str] = &["schema/", "mavai/", "torneo/", "orbiplex/"];

const fn text(
    name: &'static str,
    what: &'static str,
    breaks: &'static [&'static str],
    apply: fn(&Base, &mut dyn Choice) -> Option<Vec<u8>>,
) -> Operator {
    Operator { name, what, breaks, may: &[], apply: Apply::Text(apply) }
}

pub const OPERATORS: &[Operator] = &[
    text("key-repeated-json", "a key stands twice in one JSON object", &["document/duplicate-key"], duplicate_in_json)
        .may(ANY),
    text("key-repeated-yaml", "a key stands twice in one YAML mapping", &["document/duplicate-key"], duplicate_in_yaml)
        .may(ANY),
    text("mark-before-json", "a byte order mark stands before the JSON text", &["document/utf8"], byte_order_mark),
    text("latin-1", "the text is not UTF-8", &["document/utf8"], not_utf8),
    text(
        "control-in-json",
        "a JSON string holds a raw control character",
        &["document/control-character"],
        control_in_json,
    )
    .may(ANY),
    text(
        "control-in-yaml",
        "a YAML scalar holds a character that is not printable",
        &["document/control-character"],
        control_in_yaml,
    )
    .may(ANY),
    text("timestamp-unquoted", "a YAML timestamp stands without quotes", &["document/stable-type"], unquoted),
    text("tab-indented", "a YAML line is indented with a tab", &["document/parse"], tab).may(&["document/"]),
    text("json-truncated", "the JSON text ends inside a value", &["document/parse"], truncated),
    text("json-comma-dropped", "a comma is missing between two JSON members", &["document/parse"], no_comma),
    text("json-second-value", "a second JSON value follows", &["document/one-document"], second_value),
    text("yaml-second-document", "a second YAML document follows", &["document/one-document"], second_document),
    text("key-of-1025", "a YAML key has 1,025 characters", &["document/key-length"], long_key).may(ANY),
    text("lone-surrogate", "an escape names half a character", &["document/surrogate"], surrogate).may(ANY),
    text("alias-bomb", "YAML aliases multiply", &["document/alias"], bomb).may(ANY),
    text("alias-in-itself", "a YAML alias stands inside of what it repeats", &["document/alias"], cycle).may(ANY),
    text("number-infinite", "a YAML number is infinite or none", &["document/number-range"], infinite).may(ANY),
    text("number-too-large", "a JSON number is larger than any double", &["document/number-range"], too_large).may(ANY),
    text("nothing", "there is no document", &["document/empty"], nothing),
    text("nested-too-deep", "arrays nest 200 deep", &["document/depth"], deep).may(ANY),
];

/// Rules about a text that no text breaks by itself, and why.
pub const BEYOND: &[(&str, &str)] = &[
    ("document/unreadable", "shown by a file that cannot be opened, not by a text"),
    ("document/size", "shown under a smaller limit than a mutant's 256 MiB"),
];

/// Lines of the JSON text that are one whole member with a scalar value, followed by a comma: position and text.
fn member_lines(json: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in json.split_inclusive('\n') {
        let member = line.trim_end().strip_suffix(',').unwrap_or_default();
        if member.trim_start().starts_with('"')
            && serde_json::from_str::<Map<String, Value>>(&format!("{{{member}}}")).is_ok()
        {
            found.push((at, line));
        }
        at += line.len();
    }
    found
}

fn duplicate_in_json(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut json = base.json().to_owned();
    let lines = member_lines(&json).into_iter().map(|(at, line)| (at, line.to_owned())).collect();
    let (at, line) = pick(choice, lines)?;
    json.insert_str(at, &line);
    Some(json.into_bytes())
}

/// Lines of the YAML text that are one whole member with a quoted or numeric value, not the first of a sequence's item.
fn yaml_lines(yaml: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in yaml.split_inclusive('\n') {
        let member = line.trim_start();
        let simple = member.split_once(": ").is_some_and(|(key, value)| {
            let word =
                !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/'));
            word && value.starts_with(|c: char| c == '"' || c.is_ascii_digit()) && value.ends_with('\n')
        });
        if simple {
            found.push((at, line));
        }
        at += line.len();
    }
    found
}

fn duplicate_in_yaml(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut yaml = base.yaml().to_owned();
    let lines = yaml_lines(&yaml).into_iter().map(|(at, line)| (at, line.to_owned())).collect();
    let (at, line) = pick(choice, lines)?;
    yaml.insert_str(at, &line);
    Some(yaml.into_bytes())
}

fn byte_order_mark(base: &Base, _: &mut dyn Choice) -> Option<Vec<u8>> {
    Some(format!("\u{feff}{}", base.json()).into_bytes())
}

fn not_utf8(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut bytes = base.json().as_bytes().to_vec();
    let letters: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_lowercase()).collect();
    let at = pick(choice, letters)?;
    bytes[at] = [0xe9, 0xff, 0xc0][choice.below(3)];
    Some(bytes)
}

/// The JSON text with a member more at its top, written as given.
fn with_member(base: &Base, member: &str) -> Option<Vec<u8>> {
    base.document().as_object().filter(|members| !members.is_empty())?;
    let json = base.json();
    Some(format!("{{\n  {member},{}", json.strip_prefix('{')?).into_bytes())
}

/// The YAML text with lines more at its top, written as given.
fn with_lines(base: &Base, lines: &str) -> Option<Vec<u8>> {
    base.document().as_object().filter(|members| !members.is_empty())?;
    Some(format!("{lines}\n{}", base.yaml()).into_bytes())
}

fn control_in_json(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let control = word(choice, &["\u{7}", "\u{0}", "\u{1b}", "\t"]);
    with_member(base, &format!("\"note\": \"a{control}b\""))
}

fn control_in_yaml(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let control = word(choice, &["\u{7f}", "\u{80}", "\u{7}", "\u{ffff}"]);
    with_lines(base, &format!("note: \"a{control}b\""))
}

fn unquoted(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut yaml = base.yaml().to_owned();
    let is_time = |value: &str| value.len() > 19 && value.starts_with("20") && value.as_bytes().get(10) == Some(&b'T');
    let mut found = Vec::new();
    for (at, line) in yaml_lines(&yaml) {
        let start = line.find(": \"").map(|colon| at + colon + 2);
        let value = line.trim_end().rsplit_once(": \"").and_then(|(_, value)| value.strip_suffix('"'));
        if let (Some(start), Some(value)) = (start, value.filter(|value| is_time(value))) {
            found.push((start, value.len()));
        }
    }
    let (start, length) = pick(choice, found)?;
    yaml.remove(start + 1 + length);
    yaml.remove(start);
    Some(yaml.into_bytes())
}

fn tab(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut yaml = base.yaml().to_owned();
    let indented = yaml_lines(&yaml).into_iter().filter(|(_, line)| line.starts_with("  ")).map(|(at, _)| at).collect();
    let at = pick(choice, indented)?;
    yaml.replace_range(at..at + 2, "\t");
    Some(yaml.into_bytes())
}

fn truncated(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let json = base.json();
    let end = json.trim_end().len().checked_sub(1)?;
    let mut at = choice.between(1, end);
    while !json.is_char_boundary(at) {
        at -= 1;
    }
    Some(json.as_bytes().get(..at)?.to_vec())
}

fn no_comma(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut json = base.json().to_owned();
    let commas = member_lines(&json).into_iter().map(|(at, line)| at + line.trim_end().len() - 1).collect();
    let at = pick(choice, commas)?;
    json.remove(at);
    Some(json.into_bytes())
}

fn second_value(base: &Base, _: &mut dyn Choice) -> Option<Vec<u8>> {
    Some(base.json().repeat(2).into_bytes())
}

fn second_document(base: &Base, _: &mut dyn Choice) -> Option<Vec<u8>> {
    Some(format!("{0}---\n{0}", base.yaml()).into_bytes())
}

fn long_key(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    with_lines(base, &format!("{}: 1", "k".repeat(1025 + choice.below(50))))
}

fn surrogate(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let half = word(choice, &["\\ud834", "\\udd1e", "\\ud834x", "\\udd1e\\ud834"]);
    with_member(base, &format!("\"note\": \"a{half}\""))
}

fn bomb(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    let mut lines = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]".to_owned();
    for level in 1..choice.between(6, 10) {
        let before = vec![format!("*a{}", level - 1); 10].join(", ");
        lines += &format!("\na{level}: &a{level} [{before}]");
    }
    with_lines(base, &lines)
}

fn cycle(base: &Base, _: &mut dyn Choice) -> Option<Vec<u8>> {
    with_lines(base, "note: &note [1, *note]")
}

fn infinite(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    with_lines(base, &format!("note: {}", word(choice, &[".inf", "-.inf", ".nan", "1e400"])))
}

fn too_large(base: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    with_member(base, &format!("\"note\": {}", word(choice, &["1e400", "-1e400", "1e999"])))
}

fn nothing(_: &Base, choice: &mut dyn Choice) -> Option<Vec<u8>> {
    Some(word(choice, &["", "\n", "# nothing\n", "---\n", "   \n\n"]).into())
}

fn deep(base: &Base, _: &mut dyn Choice) -> Option<Vec<u8>> {
    with_member(base, &format!("\"note\": {}{}", "[".repeat(200), "]".repeat(200)))
}
