//! The sentence of a finding: what was found and what was expected.

use jsonschema::JsonType;

use super::cause::{Cause, Demand};
use super::condition::Condition;
use super::files::SchemaFiles;
use super::unique::first_repeat;
use super::words::{counted, cut, excerpt, json, list, name, parent, quoted, subject};
use crate::document::{Kind, Value};

/// Longer lists of allowed values are counted, not shown.
pub(super) const OPTIONS_SHOWN: usize = 8;

pub(super) fn message(cause: &Cause, at: Value<'_>, files: &SchemaFiles) -> String {
    let what = subject(at);
    let is = |expected: String| format!("{what} is {}, expected {expected}", excerpt(at));
    match &cause.demand {
        Demand::Type(types) => is(list(types.iter().map(|kind| type_words(*kind)), "or")),
        Demand::Const(value) => is(json(value)),
        Demand::Enum(options) if options.len() > OPTIONS_SHOWN => is(format!("one of {} values", options.len())),
        Demand::Enum(options) => is(list(options.iter().map(json), "or")),
        Demand::Required(keys) => {
            let when = Condition::of(cause, files).and_then(|condition| condition.words());
            let when = when.map(|when| format!(" when {when}")).unwrap_or_default();
            let are = if keys.len() == 1 { "is" } else { "are" };
            format!("{what} lacks {}, which {are} required{when}", list(keys.iter().map(|key| name(key)), "and"))
        }
        Demand::NoMember(_) => {
            let owner = parent(at).map_or_else(|| "the object".to_owned(), subject);
            format!("{} is not a member that {owner} may have", name(at.as_str().unwrap_or_default()))
        }
        Demand::Format(format) => is(format_words(format)),
        Demand::Pattern(pattern) => is(format!("a text that matches `{}`", cut(pattern, 120))),
        Demand::Bound(keyword, limit) => {
            let bound = match *keyword {
                "minimum" => "at least",
                "maximum" => "at most",
                "exclusiveMinimum" => "more than",
                _ => "less than",
            };
            is(format!("{bound} {limit}"))
        }
        Demand::Count(keyword, limit) => {
            let bound = if keyword.starts_with("min") { "at least" } else { "at most" };
            let part = match at.kind() {
                Kind::String => "character",
                Kind::Object => "member",
                _ => "item",
            };
            let expected = format!("{bound} {}", counted(*limit, part));
            match at.as_str() {
                Some(text) if !text.is_empty() => {
                    let length = counted(text.chars().count() as u64, "character");
                    format!("{what} is a string of {length}, {}, expected {expected}", quoted(text))
                }
                _ => is(expected),
            }
        }
        Demand::MultipleOf(step) => is(format!("a multiple of {step}")),
        Demand::Unique => match first_repeat(at) {
            Some((_, repeat)) => format!("{what} holds {} twice, expected items that all differ", excerpt(repeat)),
            None => format!("{what} holds an item twice, expected items that all differ"),
        },
        Demand::Contains => {
            format!("{what} is {}, and too few of its items are of the kind that it must contain", excerpt(at))
        }
        Demand::Excluded(_) => format!("{what} is {}, which is not allowed here", excerpt(at)),
        Demand::NoBranch(_, branches) => is(format!("one of {} forms, and it has none of them", branches.len())),
        Demand::ManyBranches => is("exactly one of several forms, and it has more than one of them".to_owned()),
        Demand::Other(_, own_words) => format!("{what}: {}", cut(own_words, 200)),
        Demand::TooDeep(depth, limit) => {
            format!("{what} is nested {depth} levels deep or more, expected at most {limit}: it was not validated")
        }
        Demand::CutShort(limit) => format!("the document has more than {limit} errors; the rest was not collected"),
    }
}

pub(super) fn type_words(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn format_words(format: &str) -> String {
    let words = match format {
        "date-time" => "a date and time with offset (RFC 3339), like 2026-01-31T08:30:00Z",
        "date" => "a date (RFC 3339), like 2026-01-31",
        "time" => "a time with offset (RFC 3339), like 08:30:00Z",
        "uri" => "a URI",
        "uuid" => "a UUID",
        "email" => "an e-mail address",
        format => return format!("a text in the format {}", name(format)),
    };
    words.to_owned()
}
