//! Canonical JSON (RFC 8785): the bytes over which refs are computed and signatures made, straight from the value tree.
//!
//! Members are ordered by the UTF-16 code units of their keys, strings are kept code point for code point (no Unicode
//! normalisation) with the shortest escapes, and numbers are written as ECMAScript writes doubles.

use std::fmt::Write as _;

use crate::document::{Kind, Value};

/// Largest magnitude below which every integer is a double of its own (2^53 - 1).
const MAX_SAFE: u64 = (1 << 53) - 1;

/// Why a value has no canonical bytes, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault<'d> {
    /// An integer past 2^53 - 1, or no finite number: writers and readers of doubles disagree about it.
    Number(Value<'d>),
    /// A key that its object has already: which value counts is undefined.
    DuplicateKey(Value<'d>),
}

impl<'d> Fault<'d> {
    /// The number or key that is at fault.
    pub fn at(self) -> Value<'d> {
        let (Fault::Number(at) | Fault::DuplicateKey(at)) = self;
        at
    }

    /// What is at fault, as the end of a sentence.
    pub fn reason(self) -> String {
        match self {
            Fault::Number(at) => format!("the number {} cannot be kept exactly in a double", at.written()),
            Fault::DuplicateKey(at) => {
                format!("the key `{}` stands twice in its object", shorten(at.as_str().unwrap_or_default()))
            }
        }
    }
}

/// The canonical bytes of a value, without the members of the outermost object that have one of the keys `without`.
///
/// # Errors
/// Where the value has no canonical form: the first number or key at fault.
pub fn bytes<'d>(value: Value<'d>, without: &[&str]) -> Result<Vec<u8>, Fault<'d>> {
    let mut out = String::with_capacity(2048);
    write_value(&mut out, value, without)?;
    Ok(out.into_bytes())
}

fn write_value<'d>(out: &mut String, value: Value<'d>, without: &[&str]) -> Result<(), Fault<'d>> {
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::False => out.push_str("false"),
        Kind::True => out.push_str("true"),
        Kind::Int | Kind::Float => write_number(out, value)?,
        Kind::String => write_string(out, value.as_str().unwrap_or_default()),
        Kind::Array => {
            out.push('[');
            for (at, item) in value.items().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_value(out, item, &[])?;
            }
            out.push(']');
        }
        Kind::Object => write_object(out, value, without)?,
    }
    Ok(())
}

fn write_object<'d>(out: &mut String, object: Value<'d>, without: &[&str]) -> Result<(), Fault<'d>> {
    let mut members: Vec<(&str, Value<'d>, Value<'d>)> = object
        .members()
        .map(|(key, value)| (key.as_str().unwrap_or_default(), key, value))
        .filter(|(text, ..)| !without.contains(text))
        .collect();
    // The sort is stable, so that of two equal keys the later one is reported.
    members.sort_by(|(a, ..), (b, ..)| compare_keys(a, b));
    if let Some(pair) = members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Fault::DuplicateKey(pair[1].1));
    }
    out.push('{');
    for (at, (key, _, value)) in members.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_value(out, value, &[])?;
    }
    out.push('}');
    Ok(())
}

/// The order of keys: by UTF-16 code units, which differs from the order of code points past U+FFFF.
fn compare_keys(a: &str, b: &str) -> std::cmp::Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

fn write_number<'d>(out: &mut String, number: Value<'d>) -> Result<(), Fault<'d>> {
    let fault = Fault::Number(number);
    let double = number.as_f64().filter(|double| double.is_finite()).ok_or(fault)?;
    let integer_literal = number.written().bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+');
    if integer_literal && double.abs() > MAX_SAFE as f64 {
        return Err(fault);
    }
    if number.kind() == Kind::Int {
        // Below 2^53 an integer's decimal digits are what ECMAScript writes.
        let _ = write!(out, "{}", double as i64);
        return Ok(());
    }
    out.push_str(&serde_json_canonicalizer::to_string(&double).map_err(|_| fault)?);
    Ok(())
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x09 => out.push_str("\\t"),
            0x0a => out.push_str("\\n"),
            0x0c => out.push_str("\\f"),
            0x0d => out.push_str("\\r"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// The beginning of a text that may be of any length, for messages.
pub fn shorten(text: &str) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
