//! What to do about a finding, where the document itself shows what was probably meant.

use jsonschema::JsonType;

use super::cause::{Cause, Demand};
use super::files::SchemaFiles;
use super::message::{OPTIONS_SHOWN, message, type_words};
use super::unique::first_repeat;
use super::words::{cut, list, name, nearest, parent, quoted, subject};
use crate::document::{Kind, Style, Value};

/// Advice on a cause, if there is any that goes beyond the message.
pub(super) fn help(cause: &Cause, at: Value<'_>, files: &SchemaFiles) -> Option<String> {
    match &cause.demand {
        Demand::Type(types) => other_type(types, at),
        Demand::Enum(options) => of_enumeration(at, options),
        Demand::Required(keys) => {
            let (key, misspelt) = misspelt_key(cause, keys, at, files)?;
            Some(format!("{} may be meant: call it {}", name(misspelt.as_str()?), name(key)))
        }
        Demand::NoMember(_) => {
            let object = parent(at)?;
            let missing = allowed(cause, files)?.filter(|key| object.get(key).is_none());
            nearest(at.as_str()?, missing).map(|key| format!("did you mean {}?", name(key)))
        }
        Demand::Format(format) if format == "date-time" => date_time(at.as_str()?),
        Demand::Pattern(pattern) => outer_space(at.as_str()?).or_else(|| utc(at.as_str()?, pattern)),
        Demand::NoBranch(_, branches) => {
            let fails = |(at_branch, cause): (usize, &Option<Cause>)| {
                let cause = cause.as_ref()?;
                let why = message(cause, at.document().value(cause.node)?, files);
                Some(format!("form {} fails because {why}", at_branch + 1))
            };
            let fails: Vec<_> = branches.iter().enumerate().filter_map(fails).take(3).collect();
            Some(fails.join("; "))
        }
        _ => None,
    }
}

/// Another place that belongs to the finding, with a few words on it.
pub(super) fn related<'d>(cause: &Cause, at: Value<'d>, files: &SchemaFiles) -> Option<(Value<'d>, &'static str)> {
    match &cause.demand {
        Demand::Unique => first_repeat(at).map(|(_, repeat)| (repeat, "again here")),
        Demand::Required(keys) => misspelt_key(cause, keys, at, files).map(|(_, key)| (key, "this one?")),
        _ => None,
    }
}

fn other_type(types: &[JsonType], at: Value<'_>) -> Option<String> {
    let wants = |kind| types.contains(&kind);
    let number = wants(JsonType::Number) || wants(JsonType::Integer);
    match at.kind() {
        Kind::String => {
            let text = at.as_str()?.trim();
            let is_number = text.parse::<f64>().ok();
            if number && is_number.is_some_and(f64::is_finite)
                || wants(JsonType::Boolean) && matches!(text, "true" | "false")
            {
                Some("write it without quotes".to_owned())
            } else if number && (is_number.is_some() || matches!(text, ".nan" | ".inf" | "-.inf" | ".NaN")) {
                Some("a document can only state finite numbers".to_owned())
            } else {
                None
            }
        }
        Kind::Null => Some("leave an optional member out instead of stating null".to_owned()),
        Kind::Int | Kind::Float if wants(JsonType::String) && at.style() == Style::Plain => {
            Some(format!("write it in quotes: {}", quoted(at.written())))
        }
        Kind::True | Kind::False if types == [JsonType::String] && at.style() == Style::Plain => {
            Some(format!("write it in quotes: {}", quoted(at.written())))
        }
        Kind::Float if wants(JsonType::Integer) => Some("an integer has no fraction".to_owned()),
        Kind::Object | Kind::Array if !at.is_empty() => {
            let [kind @ (JsonType::Array | JsonType::Object)] = types else { return None };
            Some(format!("state the entries as {}", type_words(*kind)))
        }
        _ => None,
    }
}

fn of_enumeration(at: Value<'_>, options: &[serde_json::Value]) -> Option<String> {
    /// Longer lists are not in the message, and the help names the nearest of them.
    const NAMED: usize = 5;
    let word = at.as_str()?;
    let words = || options.iter().filter_map(serde_json::Value::as_str);
    if let Some(meant) = nearest(word, words()) {
        return Some(format!("did you mean {}?", quoted(meant)));
    }
    // The one enumeration that its own schema tells readers not to enforce.
    if subject(at) == "`provenance`" && words().eq(["criterion", "input"]) {
        let help = "readers are told to take an unknown value for \"criterion\", but the schema's enumeration refuses it in a document";
        return Some(help.to_owned());
    }
    if options.len() <= OPTIONS_SHOWN {
        return None;
    }
    let word = cut(word, 64);
    let mut others: Vec<_> = words().map(|option| (strsim::osa_distance(&word, option), option)).collect();
    others.sort();
    let others = others.into_iter().take(NAMED).map(|(_, option)| option);
    Some(format!("the nearest of them are {}", list(others, "and")))
}

/// A missing name, and a key of the object that the schema does not know and that resembles it.
fn misspelt_key<'c, 'd>(
    cause: &Cause,
    missing: &'c [String],
    object: Value<'d>,
    files: &SchemaFiles,
) -> Option<(&'c str, Value<'d>)> {
    /// An object with more members than this is no record whose author mistyped a name.
    const MEMBERS: usize = 200;
    if object.len() > MEMBERS {
        return None;
    }
    let known: Vec<&str> = allowed(cause, files)?.collect();
    let unknown = || object.members().filter_map(|(key, _)| key.as_str()).filter(|key| !known.contains(key));
    missing.iter().find_map(|missing| Some((missing.as_str(), object.key(nearest(missing, unknown())?)?)))
}

/// The member names that the schema around a keyword knows.
fn allowed<'f>(cause: &Cause, files: &'f SchemaFiles) -> Option<impl Iterator<Item = &'f str>> {
    let place = cause.schema.as_ref()?;
    let schema = files.at(&place.address)?.schema().ok()?;
    let mut pointer = place.pointer.as_str();
    while let Some((outer, _)) = pointer.rsplit_once('/') {
        if let Some(properties) = schema.pointer(outer)?.get("properties").and_then(serde_json::Value::as_object)
            && !outer.ends_with("/then")
        {
            return Some(properties.keys().map(String::as_str));
        }
        pointer = outer;
    }
    None
}

fn is_instant(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

fn date_time(text: &str) -> Option<String> {
    let other_day = || Some(format!("{}01{}", text.get(..8)?, text.get(10..)?));
    if is_instant(&format!("{text}Z")) {
        Some("add the offset: `Z` for UTC".to_owned())
    } else if text.trim() != text {
        outer_space(text)
    } else if text.contains(' ') && is_instant(text) {
        Some("put `T` between date and time".to_owned())
    } else if !is_instant(text) && other_day().is_some_and(|text| is_instant(&text)) {
        Some("there is no such day".to_owned())
    } else {
        None
    }
}

/// Advice where a pattern wants an instant in UTC and the text is an instant in another form.
fn utc(text: &str, pattern: &str) -> Option<String> {
    (pattern.ends_with("Z$") && is_instant(text)).then(|| "state it in UTC, ending in `Z`".to_owned())
}

fn outer_space(text: &str) -> Option<String> {
    if text.ends_with(['\n', '\r']) {
        Some("it ends in a line break: remove that".to_owned())
    } else if text.trim() != text {
        Some("it begins or ends with white space: remove that".to_owned())
    } else {
        None
    }
}
