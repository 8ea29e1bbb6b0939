//! What a YAML parser's error means, in this project's words.

use granit_parser::{ErrorKind, ScanError};

use super::Limits;
use super::notes::Note;
use super::rules::{DEPTH, PARSE};

/// The note for an error that stopped the parser.
pub(super) fn note(error: &ScanError, source: &str, limits: &Limits) -> Note {
    let at = sign(error.kind(), source, offset(error, source));
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return depth(at, limits);
    }
    let (message, help) = describe(error.kind(), source, at);
    let note = Note::new(&PARSE, at, 1, message);
    Note { help: help.map(str::to_owned), ..note }
}

/// Nesting past the limit.
pub(super) fn depth(at: usize, limits: &Limits) -> Note {
    Note::new(&DEPTH, at, 1, format!("arrays and objects nest deeper than {}", limits.depth))
        .help("nest less, or raise the limit with --max-depth")
}

/// Byte offset of an error.
pub(super) fn offset(error: &ScanError, source: &str) -> usize {
    let marker = error.marker();
    marker
        .byte_offset()
        .or_else(|| source.char_indices().nth(marker.index()).map(|(at, _)| at))
        .unwrap_or(source.len())
        .min(source.len())
}

/// The tab or the `-` itself, where that is the fault and the parser stands behind it.
fn sign(kind: &ErrorKind, source: &str, at: usize) -> usize {
    use ErrorKind as E;
    let fault = match kind {
        E::TabNotAllowed | E::TabInBlockIndentation | E::TabInIndentation | E::TabAtBlockScalarStart => '\t',
        E::ExpectedBlockMappingKey | E::ExpectedDocumentStart => '-',
        _ => return at,
    };
    let before = source.get(..at).unwrap_or_default().trim_end_matches(' ');
    if before.ends_with(fault) && !source.get(at..).is_some_and(|rest| rest.starts_with(fault)) {
        before.len() - 1
    } else {
        at
    }
}

fn describe(kind: &ErrorKind, source: &str, at: usize) -> (String, Option<&'static str>) {
    use ErrorKind as E;
    let found = match source.get(at..).and_then(|rest| rest.chars().next()) {
        None => "the end of the document".to_owned(),
        Some('\n' | '\r') => "the end of the line".to_owned(),
        Some('\t') => "a tab".to_owned(),
        Some(' ') => "a space".to_owned(),
        Some(c) => format!("`{}`", c.escape_debug()),
    };
    let indent = Some("indent with spaces; entries of one mapping or sequence start in the same column");
    let quote = Some("put text that holds `: `, ` #` or starts with a sign of YAML's in quotes");
    match kind {
        E::UnclosedFlowCollection { open } => {
            let close = if *open == '[' { ']' } else { '}' };
            (format!("`{open}` opens here and is not closed: `{close}` is missing"), None)
        }
        E::UnexpectedEofFlowSequence => ("the document ends where `,` or `]` is expected".to_owned(), None),
        E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => {
            ("the document ends where `,` or `}` is expected".to_owned(), None)
        }
        E::UnexpectedEofBlockSequence | E::UnexpectedEofBlockMapping | E::UnexpectedEof => {
            ("the document ends in the middle of a value".to_owned(), None)
        }
        E::MismatchedFlowCollectionEnd { open, close } => (format!("`{close}` where `{open}` is open"), None),
        E::MisplacedFlowCollectionEnd => (format!("{found} closes nothing"), quote),
        E::ExpectedFlowMappingSeparator => (format!("{found} where `,` or `}}` is expected"), None),
        E::ExpectedFlowSequenceSeparator => (format!("{found} where `,` or `]` is expected"), None),
        E::ExpectedBlockMappingKey => (format!("{found} where a key is expected"), indent),
        E::ExpectedBlockSequenceEntry => (format!("{found} where `- ` is expected"), indent),
        E::ExpectedNodeContent => (format!("{found} where a value is expected"), quote),
        E::ExpectedDocumentStart => (format!("{found} follows the document's end"), indent),
        E::InvalidDocumentEnd => (format!("{found} follows `...` on its line"), None),
        E::UnknownAnchor => (
            "the alias names an anchor that is not declared before it".to_owned(),
            Some("declare it with `&`, or put text that starts with `*` in quotes"),
        ),
        E::SimpleKeyExpected => ("a key stands here, but no `:` follows it on its line".to_owned(), quote),
        E::InvalidSimpleKey => ("the key before this `:` has more than 65,536 characters".to_owned(), None),
        E::MappingValueNotAllowed => (format!("{found} gives a value where none may stand"), quote),
        E::MappingKeyNotAllowed => (format!("{found} starts a key where none may stand"), quote),
        E::InvalidIndentation | E::InvalidFlowScalarIndent | E::InvalidQuotedScalarIndent => {
            (format!("{found} is indented less than what it belongs to"), indent)
        }
        E::InvalidBlockScalarIndent => ("the line is indented less than the block of text it is in".to_owned(), indent),
        E::TabNotAllowed | E::TabInBlockIndentation | E::TabInIndentation | E::TabAtBlockScalarStart => {
            ("a tab stands where YAML takes only spaces for indentation".to_owned(), Some("indent with spaces"))
        }
        E::TabInPlainScalar => ("a tab stands in unquoted text".to_owned(), quote),
        E::BlockEntryInFlowCollection => {
            ("`- ` stands inside brackets, where items are divided by `,`".to_owned(), None)
        }
        E::BlockSequenceEntryNotAllowed => ("`- ` stands where no sequence may start".to_owned(), indent),
        E::UnclosedQuotedScalar => ("the quote that opens here is not closed".to_owned(), None),
        E::DocumentIndicatorInQuotedScalar => {
            ("`---` or `...` stands at the start of a line inside quotes".to_owned(), None)
        }
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => (
            format!("{found} follows the closing quote"),
            Some("double a single quote inside single quotes, write \\\" inside double quotes"),
        ),
        E::UnknownQuotedScalarEscape => (
            "the double-quoted text holds an escape that YAML does not have".to_owned(),
            Some("write a backslash as \\\\"),
        ),
        E::InvalidQuotedScalarHexEscape | E::InvalidLowSurrogateHexEscape => (
            "the double-quoted text holds an escape without its hexadecimal digits".to_owned(),
            Some("\\x takes two digits, \\u four, \\U eight"),
        ),
        E::InvalidUnicodeEscape => ("the double-quoted text holds an escape past U+10FFFF".to_owned(), None),
        E::UndeclaredTagHandle => ("the tag's handle is not declared".to_owned(), Some("leave tags out")),
        E::UnsupportedYamlMajorVersion => ("the `%YAML` directive asks for a version that is not 1.x".to_owned(), None),
        E::BomInsideDocument => ("a byte order mark (U+FEFF) stands inside the document".to_owned(), None),
        E::UnexpectedCharacter { character } => (
            format!("`{}` starts no value", character.escape_debug()),
            Some("put text that starts with a sign of YAML's in quotes"),
        ),
        E::CommentNotSeparated => ("a comment needs a space before its `#`".to_owned(), quote),
        other => (format!("{found}: {other}"), None),
    }
}
