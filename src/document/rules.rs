//! What every document owes before its content is judged at all: rules about its text, with a sample that keeps each and one
//! that breaks it.

use super::Limits;
use crate::finding::{Basis, Severity};

/// A rule about a document's text. The id is public interface and never changes.
#[derive(Debug, Clone, Copy)]
pub struct TextRule {
    /// `document/name`.
    pub id: &'static str,
    /// A few words, for tables.
    pub title: &'static str,
    /// What it demands, in one or two sentences.
    pub demand: &'static str,
    pub severity: Severity,
    pub basis: Basis,
    /// A document that keeps the rule.
    pub good: &'static [u8],
    /// A document that breaks it; `None` where no text can (a file that cannot be opened).
    pub bad: Option<&'static [u8]>,
    /// The limits that both samples are read under.
    pub limits: Limits,
}

/// Every rule about a document's text, in the order in which reading meets them.
pub static RULES: &[&TextRule] = &[
    &UNREADABLE,
    &SIZE,
    &UTF8,
    &EMPTY,
    &PARSE,
    &CONTROL_CHARACTER,
    &SURROGATE,
    &DUPLICATE_KEY,
    &KEY_LENGTH,
    &NUMBER_RANGE,
    &ALIAS,
    &DEPTH,
    &ONE_DOCUMENT,
    &STABLE_TYPE,
];

const fn stated(
    id: &'static str,
    title: &'static str,
    demand: &'static str,
    good: &'static [u8],
    bad: &'static [u8],
) -> TextRule {
    TextRule {
        id,
        title,
        demand,
        severity: Severity::Error,
        basis: Basis::Stated,
        good,
        bad: Some(bad),
        limits: Limits::DEFAULT,
    }
}

pub static UNREADABLE: TextRule = TextRule {
    bad: None,
    ..stated(
        "document/unreadable",
        "the document can be read",
        "A document is a regular file that can be opened and read to its end, or standard input.",
        b"a: 1\n",
        b"",
    )
};

pub static SIZE: TextRule = TextRule {
    limits: Limits { bytes: 8, ..Limits::DEFAULT },
    ..stated(
        "document/size",
        "within the size limit",
        "A document has no more bytes than the limit allows (256 MiB unless `--max-bytes` says otherwise).",
        b"a: 1\n",
        b"a: 1234567\n",
    )
};

pub static UTF8: TextRule = stated(
    "document/utf8",
    "encoded in UTF-8",
    "A document is valid UTF-8. JSON starts without a byte order mark (RFC 8259, section 8.1); before YAML one is allowed.",
    b"name: caf\xc3\xa9\n",
    b"name: caf\xe9\n",
);

pub static EMPTY: TextRule = stated(
    "document/empty",
    "holds a document",
    "What was emitted holds a document: more than no bytes, white space, comments or a bare `---`.",
    b"# run 7\na: 1\n",
    b"# run 7\n",
);

pub static PARSE: TextRule = stated(
    "document/parse",
    "well-formed",
    "A document is well-formed YAML 1.2 or JSON (RFC 8259). Its keys are strings, and its tags those of YAML's core schema.",
    b"a: [1, 2]\n",
    b"a: [1, 2\n",
);

pub static CONTROL_CHARACTER: TextRule = stated(
    "document/control-character",
    "printable characters only",
    "Every character of a YAML stream is printable (YAML 1.2.2, production 1), inside quotes too; JSON strings hold no raw \
     U+0000 to U+001F. Others are written as escapes. A strict loader refuses the whole file.",
    b"a: \"\\x7f\"\n",
    b"a: \"\x7f\"\n",
);

pub static SURROGATE: TextRule = stated(
    "document/surrogate",
    "escapes name whole characters",
    "An escape names a character, and half a surrogate pair is none. JSON writes a character past U+FFFF as two escapes that \
     form a pair; YAML has no such pairs and writes `\\U` with eight digits.",
    b"a: \"\\U0001d11e\"\n",
    b"a: \"\\ud834\"\n",
);

pub static DUPLICATE_KEY: TextRule = stated(
    "document/duplicate-key",
    "keys are unique",
    "The keys of one object differ from one another (YAML 1.2.2, section 3.2.1.3; RFC 8259 says SHOULD, and loaders keep one \
     member and drop the other without a word).",
    b"a: 1\nb: 2\n",
    b"a: 1\na: 2\n",
);

pub static KEY_LENGTH: TextRule = stated(
    "document/key-length",
    "keys of at most 1,024 characters",
    "The written form of a YAML key without `?` has at most 1,024 characters (YAML 1.2.2, sections 7.4 and 8.2.2), escapes and \
     quotes counted.",
    b"a: 1\n",
    LONG_KEY,
);

pub static NUMBER_RANGE: TextRule = stated(
    "document/number-range",
    "numbers that JSON can hold",
    "A number is finite and within the range of a double: not `.inf`, not `.nan`, not 1e400. Reading goes on with the largest \
     double of the same sign, and with 0 for `.nan`, so that the value's type stays a number.",
    b"a: 1.0e+308\n",
    b"a: .inf\n",
);

pub static ALIAS: TextRule = stated(
    "document/alias",
    "aliases that end",
    "An alias stands outside of what it repeats, and all aliases of a document together add no more nodes and no more depth \
     than the limits allow (10,000 nodes unless `--max-alias-nodes` says otherwise).",
    b"a: &x [1]\nb: *x\n",
    b"a: &x [*x]\n",
);

pub static DEPTH: TextRule = TextRule {
    limits: Limits { depth: 2, ..Limits::DEFAULT },
    ..stated(
        "document/depth",
        "within the depth limit",
        "Arrays and objects nest no deeper than the limit allows (128 unless `--max-depth` says otherwise).",
        b"a: [1]\n",
        b"a: [[1]]\n",
    )
};

pub static ONE_DOCUMENT: TextRule = stated(
    "document/one-document",
    "one document",
    "A file holds one document: one YAML document, or one JSON value. Only the first is judged.",
    b"---\na: 1\n",
    b"a: 1\n---\nb: 2\n",
);

pub static STABLE_TYPE: TextRule = TextRule {
    severity: Severity::Warning,
    basis: Basis::Reading,
    ..stated(
        "document/stable-type",
        "one type in YAML 1.1 and 1.2",
        "An unquoted scalar has the same type and value for loaders of YAML 1.1 and of YAML 1.2. A timestamp, `yes`, `1:20`, \
         `012`, `1_000` and `1e-7` have not; quotes, or another way to write the number, settle it.",
        b"day: \"2026-01-01\"\n",
        b"day: 2026-01-01\n",
    )
};

/// A plain key of 1,025 characters.
const LONG_KEY: &[u8] = &{
    let mut text = [b'k'; 1029];
    text[1025] = b':';
    text[1026] = b' ';
    text[1027] = b'1';
    text[1028] = b'\n';
    text
};
