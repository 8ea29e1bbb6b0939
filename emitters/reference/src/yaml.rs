//! A small YAML writer whose output means the same to readers of YAML 1.1 and 1.2.
//!
//! Block style throughout. A string is written plain only where it is a word that no reader takes for anything else, and in double
//! quotes otherwise; numbers are written in the forms that both versions read as numbers.

use std::fmt::Write;

use serde_json::{Number, Value};

/// YAML's limit on an implicit key: the colon comes within 1,024 characters of the key's start. Some readers count bytes instead, so
/// bytes are what is counted here.
const IMPLICIT_KEY: usize = 1024;

/// Words that some version or reader of YAML takes for a boolean, a null or a number, in lower case.
const TYPED_WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];

/// Writes a value as one YAML document, ending in a line feed.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(entries) if !entries.is_empty() => mapping(&mut out, entries, 0, false),
        Value::Array(items) if !items.is_empty() => sequence(&mut out, items, 0),
        scalar => {
            out.push_str(&inline(scalar));
            out.push('\n');
        }
    }
    out
}

/// Writes the entries of a mapping. `started` says that the first line's indentation is already there, as after a sequence's dash.
fn mapping(out: &mut String, entries: &serde_json::Map<String, Value>, indent: usize, mut started: bool) {
    for (key, value) in entries {
        if !std::mem::take(&mut started) {
            spaces(out, indent);
        }
        let key = string(key);
        if key.len() > IMPLICIT_KEY {
            out.push_str("? ");
            out.push_str(&key);
            out.push('\n');
            spaces(out, indent);
        } else {
            out.push_str(&key);
        }
        out.push(':');
        nested(out, value, indent);
    }
}

fn sequence(out: &mut String, items: &[Value], indent: usize) {
    for item in items {
        spaces(out, indent);
        out.push('-');
        match item {
            Value::Object(entries) if !entries.is_empty() => {
                out.push(' ');
                mapping(out, entries, indent + 2, true);
            }
            value => nested(out, value, indent),
        }
    }
}

/// Writes the value that stands after a colon or a dash: on the same line, or indented below.
fn nested(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            out.push('\n');
            mapping(out, entries, indent + 2, false);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            sequence(out, items, indent + 2);
        }
        scalar => {
            out.push(' ');
            out.push_str(&inline(scalar));
            out.push('\n');
        }
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => self::number(number),
        Value::String(text) => string(text),
        // Filled collections are written as blocks by the callers.
        Value::Array(_) => "[]".to_owned(),
        Value::Object(_) => "{}".to_owned(),
    }
}

fn spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// A number in a form that both versions read as that number: YAML 1.1 takes `1e-7` and `1e16` for strings, since it wants a point in
/// the mantissa and a sign in the exponent.
fn number(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let shortest = format!("{float:?}");
    match shortest.split_once('e') {
        None => shortest,
        Some((mantissa, exponent)) => {
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{mantissa}{point}e{sign}{exponent}")
        }
    }
}

/// A string, plain where nothing can misread it and in double quotes otherwise.
fn string(text: &str) -> String {
    if is_word(text) { text.to_owned() } else { quoted(text) }
}

/// Letters, digits, hyphens and underscores, after a letter, and no word that has a type.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        && !TYPED_WORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => escape(&mut out, c),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The shortest numeric escape that YAML has for a character.
fn escape(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xFF => write!(out, "\\x{code:02X}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
        _ => write!(out, "\\U{code:08X}"),
    };
}

/// Characters that YAML does not allow in a document, that a reader may drop or fold, or that a person cannot see: controls, line and
/// paragraph separators, marks of byte order and direction, spaces that look like others, noncharacters and private use.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\x1F' | '\x7F'..='\u{A0}' | '\u{AD}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
        || u32::from(c) & 0xFFFE == 0xFFFE
}
