//! Canonical JSON (RFC 8785), as far as records need it: their only number is an integer.
//!
//! Members are sorted by their names' UTF-16 code units, nothing stands between the tokens, and a string is written code point for code
//! point: it is never normalised.

use std::fmt::Write;

use serde_json::Value;

/// Integers beyond this are not exact as the double-precision numbers that RFC 8785 writes.
const EXACT: u64 = 1 << 53;

/// A number that this encoder does not write: it has a fraction, an exponent or too many digits.
#[derive(Debug, PartialEq)]
pub struct NotAnInteger(pub String);

/// A value's canonical text.
pub fn encode(value: &Value) -> Result<String, NotAnInteger> {
    let mut out = String::new();
    write(&mut out, value)?;
    Ok(out)
}

fn write(out: &mut String, value: &Value) -> Result<(), NotAnInteger> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => match number.as_i64() {
            Some(integer) if integer.unsigned_abs() <= EXACT => out.push_str(&integer.to_string()),
            _ => return Err(NotAnInteger(number.to_string())),
        },
        Value::String(text) => string(out, text),
        Value::Array(items) => list(out, ['[', ']'], items, write)?,
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            list(out, ['{', '}'], members, |out, (name, value)| {
                string(out, name);
                out.push(':');
                write(out, value)
            })?;
        }
    }
    Ok(())
}

fn list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut one: impl FnMut(&mut String, T) -> Result<(), NotAnInteger>,
) -> Result<(), NotAnInteger> {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        one(out, item)?;
    }
    out.push(close);
    Ok(())
}

/// Quotes, backslashes and the controls below U+0020 are escaped, the latter by their short form where there is one; nothing else is.
fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            // Writing to a string does not fail.
            '\0'..'\u{20}' => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// RFC 8785, section 3.2.3, with the characters that it sorts by code units and not by code points.
    #[test]
    fn members_are_sorted_by_utf16() {
        let value = json!({
            "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh", "1": "One",
            "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control", "\u{f6}": "Latin Small Letter O With Diaeresis",
        });
        let text = encode(&value).expect("no numbers");
        let positions: Vec<_> = ["Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"]
            .map(|word| text.find(word).expect("each is there"))
            .into();
        assert!(positions.is_sorted(), "{text}");
        assert!(text.starts_with(r#"{"\r":"Carriage Return","1":"One","#), "{text}");
    }

    /// The string of RFC 8785, section 3.2.2, and what is left as it is.
    #[test]
    fn strings_have_one_form() {
        assert_eq!(
            encode(&json!("\u{20ac}$\u{f}\nA'B\"\\\\\"/")),
            Ok("\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"".to_owned())
        );
        assert_eq!(encode(&json!("\u{8}\t\u{c}\r\0\u{1f}")), Ok(r#""\b\t\f\r\u0000\u001f""#.to_owned()));
        for text in ["\u{7f}", "\u{2028}", "e\u{301}", "\u{212b}", "\u{1f600}"] {
            assert_eq!(encode(&json!(text)), Ok(format!("\"{text}\"")));
        }
    }

    #[test]
    fn values_nest_without_spaces() {
        let value = json!({ "b": [1, {}, [], -7, null], "a": { "d": true, "c": false } });
        assert_eq!(encode(&value), Ok(r#"{"a":{"c":false,"d":true},"b":[1,{},[],-7,null]}"#.to_owned()));
    }

    #[test]
    fn other_numbers_are_refused() {
        assert_eq!(encode(&json!(9_007_199_254_740_992_u64)), Ok("9007199254740992".to_owned()));
        for number in [json!(0.5), json!(1.0), json!(9_007_199_254_740_993_u64), json!(u64::MAX)] {
            assert_eq!(encode(&json!([number])), Err(NotAnInteger(number.to_string())));
        }
    }
}
