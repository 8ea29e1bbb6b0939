//! What a plain YAML scalar is: the core schema of YAML 1.2 (section 10.3.2), and where YAML 1.1 loaders see something else.

use super::tree::Kind;

/// The value of a plain scalar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Resolved {
    String,
    /// Null, a boolean, or a number that a double holds, with its payload.
    Scalar(Kind, u64),
    /// A number that no finite double holds, with the value to go on with.
    OutOfRange(f64),
}

/// Resolves a plain scalar by the core schema.
pub(super) fn resolve(text: &str) -> Resolved {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else { return Resolved::Scalar(Kind::Null, 0) };
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        b'~' | b'n' | b'N' if matches!(text, "~" | "null" | "Null" | "NULL") => Resolved::Scalar(Kind::Null, 0),
        b't' | b'T' if matches!(text, "true" | "True" | "TRUE") => Resolved::Scalar(Kind::True, 0),
        b'f' | b'F' if matches!(text, "false" | "False" | "FALSE") => Resolved::Scalar(Kind::False, 0),
        _ => Resolved::String,
    }
}

fn number(text: &str) -> Resolved {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => return Resolved::OutOfRange(-f64::MAX),
        ".inf" | ".Inf" | ".INF" => return Resolved::OutOfRange(f64::MAX),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Resolved::OutOfRange(0.0),
        _ => {}
    }
    match decimal(unsigned.as_bytes()) {
        Some(Decimal::Integer) => match text.parse::<i64>() {
            Ok(value) => Resolved::Scalar(Kind::Int, value as u64),
            Err(_) => float(text),
        },
        Some(Decimal::Fraction) => float(text),
        None => Resolved::String,
    }
}

/// A number in base 8 or 16; the core schema knows no sign before it.
fn radix(digits: &str, base: u32) -> Resolved {
    if digits.is_empty() || !digits.bytes().all(|byte| char::from(byte).is_digit(base)) {
        return Resolved::String;
    }
    match i64::from_str_radix(digits, base) {
        Ok(value) => Resolved::Scalar(Kind::Int, value as u64),
        Err(_) => finite(
            digits
                .chars()
                .filter_map(|c| c.to_digit(base))
                .fold(0.0, |value, digit| value * f64::from(base) + f64::from(digit)),
        ),
    }
}

fn float(text: &str) -> Resolved {
    text.parse().map_or(Resolved::String, finite)
}

fn finite(value: f64) -> Resolved {
    if value.is_finite() {
        Resolved::Scalar(Kind::Float, value.to_bits())
    } else {
        Resolved::OutOfRange(f64::MAX.copysign(value))
    }
}

enum Decimal {
    Integer,
    Fraction,
}

/// `[0-9]+`, or `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
fn decimal(bytes: &[u8]) -> Option<Decimal> {
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut at = whole;
    if at == bytes.len() && whole > 0 {
        return Some(Decimal::Integer);
    }
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        at += 1 + fraction;
    }
    if whole == 0 && fraction == 0 {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    (at == bytes.len()).then_some(Decimal::Fraction)
}

/// What a YAML 1.1 loader makes of a plain scalar, where that differs from what the core schema of 1.2 says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unstable {
    /// What it is to a loader of YAML 1.1.
    pub in_1_1: &'static str,
    /// What it is in YAML 1.2.
    pub in_1_2: &'static str,
}

/// Compares YAML 1.1 (its type repository, with the patterns that PyYAML uses, and `y` and `n` besides) with the core schema.
pub(super) fn unstable(text: &str) -> Option<Unstable> {
    match text.as_bytes().first()? {
        b'0'..=b'9' | b'+' | b'-' | b'.' | b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' | b'<' | b'=' => {}
        _ => return None,
    }
    let old = old_type(text);
    let new = match resolve(text) {
        // Numbers out of range have a finding of their own.
        Resolved::OutOfRange(_) => return None,
        Resolved::String => "a string",
        Resolved::Scalar(Kind::Int, _) => "an integer",
        Resolved::Scalar(Kind::Float, _) => "a number",
        Resolved::Scalar(Kind::Null, _) => "null",
        Resolved::Scalar(..) => "a boolean",
    };
    let in_1_1 = match old {
        Old::String => "a string",
        Old::Boolean => "a boolean",
        Old::Integer => "an integer",
        Old::Octal => "an octal integer",
        Old::Float => "a number",
        Old::Sexagesimal => "a number in base 60",
        Old::Timestamp => "a timestamp",
        Old::Merge => "a merge of another mapping",
        Old::Value => "a default value",
        Old::Null => "null",
    };
    let same = in_1_1 == new
        // An integer past 64 bits is held as a number by value.
        || (old == Old::Integer && new == "a number" && decimal_integer(text))
        // One significant digit has the same value in base 8 and 10.
        || (old == Old::Octal && new == "an integer" && text.trim_start_matches(['+', '-', '0']).len() <= 1);
    (!same).then_some(Unstable { in_1_1, in_1_2: new })
}

fn decimal_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    !digits.contains('_')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Old {
    String,
    Boolean,
    Integer,
    Octal,
    Float,
    Sexagesimal,
    Timestamp,
    Merge,
    Value,
    Null,
}

fn old_type(text: &str) -> Old {
    match text {
        "<<" => return Old::Merge,
        "=" => return Old::Value,
        "null" | "Null" | "NULL" => return Old::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "n" | "N" | "no" | "No" | "NO" | "on" | "On" | "ON" | "off" | "Off"
        | "OFF" => return Old::Boolean,
        _ => {}
    }
    if timestamp(text.as_bytes()) {
        return Old::Timestamp;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let signed = unsigned.len() != text.len();
    old_float(unsigned, signed).or_else(|| old_integer(unsigned)).unwrap_or(Old::String)
}

/// `[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?`, `\.[0-9][0-9_]*([eE][-+][0-9]+)?` (without a sign) and the base-60 form.
fn old_float(unsigned: &str, signed: bool) -> Option<Old> {
    let (whole, rest) = unsigned.split_once('.')?;
    let digits_or_lines = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let fraction = match rest.find(['e', 'E']) {
        Some(at) => {
            let exponent = rest[at + 1..].strip_prefix(['+', '-'])?;
            if exponent.is_empty() || !exponent.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            &rest[..at]
        }
        None => rest,
    };
    if !digits_or_lines(fraction) {
        return None;
    }
    if whole.is_empty() {
        return (!signed && fraction.starts_with(|c: char| c.is_ascii_digit())).then_some(Old::Float);
    }
    if !whole.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if digits_or_lines(whole) {
        return Some(Old::Float);
    }
    (fraction.len() == rest.len() && base_60(whole)).then_some(Old::Sexagesimal)
}

fn old_integer(unsigned: &str) -> Option<Old> {
    let made_of =
        |digits: &str, of: fn(u8) -> bool| !digits.is_empty() && digits.bytes().all(|byte| byte == b'_' || of(byte));
    if let Some(digits) = unsigned.strip_prefix("0b") {
        return made_of(digits, |byte| matches!(byte, b'0' | b'1')).then_some(Old::Integer);
    }
    if let Some(digits) = unsigned.strip_prefix("0x") {
        return made_of(digits, |byte| byte.is_ascii_hexdigit()).then_some(Old::Integer);
    }
    match unsigned.as_bytes() {
        [b'0'] => Some(Old::Integer),
        [b'0', ..] => made_of(&unsigned[1..], |byte| matches!(byte, b'0'..=b'7')).then_some(Old::Octal),
        [b'1'..=b'9', ..] if made_of(unsigned, |byte| byte.is_ascii_digit()) => Some(Old::Integer),
        [b'1'..=b'9', ..] if base_60(unsigned) => Some(Old::Sexagesimal),
        _ => None,
    }
}

/// `[0-9][0-9_]*(:[0-5]?[0-9])+`; the first digit has been looked at.
fn base_60(text: &str) -> bool {
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let mut places = 0;
    let well_formed = parts.all(|part| {
        places += 1;
        match part.as_bytes() {
            [digit] => digit.is_ascii_digit(),
            [ten, digit] => matches!(ten, b'0'..=b'5') && digit.is_ascii_digit(),
            _ => false,
        }
    });
    well_formed && places > 0 && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// `yyyy-mm-dd`, or a date, then `T`, `t` or blanks, a time, a fraction and a zone.
fn timestamp(bytes: &[u8]) -> bool {
    let mut rest = Cursor { bytes, at: 0 };
    if !(rest.digits(4, 4) && rest.byte(b'-')) {
        return false;
    }
    let month = rest.at;
    if !(rest.digits(1, 2) && rest.byte(b'-')) {
        return false;
    }
    let two_digit_month = rest.at - month == 3;
    let day = rest.at;
    if !rest.digits(1, 2) {
        return false;
    }
    if rest.at == bytes.len() {
        return two_digit_month && rest.at - day == 2;
    }
    if !(rest.byte(b'T') || rest.byte(b't') || rest.blanks() > 0) {
        return false;
    }
    if !(rest.digits(1, 2) && rest.byte(b':') && rest.digits(2, 2) && rest.byte(b':') && rest.digits(2, 2)) {
        return false;
    }
    if rest.byte(b'.') {
        rest.digits(0, usize::MAX);
    }
    if rest.at == bytes.len() {
        return true;
    }
    rest.blanks();
    if !rest.byte(b'Z') {
        if !((rest.byte(b'+') || rest.byte(b'-')) && rest.digits(1, 2)) {
            return false;
        }
        if rest.byte(b':') && !rest.digits(2, 2) {
            return false;
        }
    }
    rest.at == bytes.len()
}

struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self, least: usize, most: usize) -> bool {
        let count = self.bytes[self.at..].iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count >= least
    }

    fn blanks(&mut self) -> usize {
        let count = self.bytes[self.at..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        self.at += count;
        count
    }
}
