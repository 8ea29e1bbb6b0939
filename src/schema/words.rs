//! Values, lists and places in words, short enough for one line.

use crate::document::{Kind, Value};

/// Longest excerpt of a value, in characters.
const EXCERPT: usize = 60;

/// What a value is, in a few words: `the string "abc"`, `the number 1.5`, `an array of 3 items`.
pub(super) fn excerpt(value: Value<'_>) -> String {
    match value.kind() {
        Kind::Null => "null".to_owned(),
        Kind::False => "the boolean false".to_owned(),
        Kind::True => "the boolean true".to_owned(),
        Kind::Int | Kind::Float => format!("the number {}", cut(value.written(), EXCERPT)),
        Kind::String => match value.as_str().unwrap_or_default() {
            "" => "an empty string".to_owned(),
            text => format!("the string {}", quoted(text)),
        },
        Kind::Array if value.is_empty() => "an empty array".to_owned(),
        Kind::Array => format!("an array of {}", counted(value.len() as u64, "item")),
        Kind::Object if value.is_empty() => "an empty object".to_owned(),
        Kind::Object => format!("an object of {}", counted(value.len() as u64, "member")),
    }
}

/// `1 item`, `2 items`.
pub(super) fn counted(count: u64, part: &str) -> String {
    if count == 1 { format!("1 {part}") } else { format!("{count} {part}s") }
}

/// A text in double quotes with its control characters escaped, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let (shown, rest) = match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    let escaped = format!("{shown:?}");
    format!("{}{rest}\"", escaped.strip_suffix('"').unwrap_or(&escaped))
}

/// A name between back quotes, cut where it is long.
pub(super) fn name(text: &str) -> String {
    let quoted = quoted(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// A value of a schema as JSON.
pub(super) fn json(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => quoted(text),
        value => cut(&value.to_string(), EXCERPT),
    }
}

/// The text, cut after so many characters.
pub(super) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn list(items: impl IntoIterator<Item = impl Into<String>>, last: &str) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    match (items.pop(), items.is_empty()) {
        (None, _) => String::new(),
        (Some(only), true) => only,
        (Some(end), false) => format!("{} {last} {end}", items.join(", ")),
    }
}

/// What a sentence calls a value: its key, with the positions below it (`tools[1]`), or `the document`. A key itself is called
/// one.
pub(super) fn subject(value: Value<'_>) -> String {
    let mut here = value.document().root();
    let (mut key, mut positions) = (None, String::new());
    while here != value {
        let ids = here.member_ids();
        // Subtrees are contiguous and in order: the one that holds the value is the last that starts at or before it.
        let Some(at) = ids.partition_point(|&id| id <= value.id()).checked_sub(1) else { break };
        if here.kind() == Kind::Object {
            key = here.sibling(ids[at & !1]).as_str();
            positions.clear();
            if at % 2 == 0 {
                return format!("the key {}", name(key.unwrap_or_default()));
            }
        } else {
            positions.push_str(&format!("[{at}]"));
        }
        here = here.sibling(ids[at]);
    }
    match key {
        Some(key) if positions.is_empty() => name(key),
        Some(key) => format!("`{}{positions}`", name(key).trim_matches('`')),
        None if positions.is_empty() => "the document".to_owned(),
        None => format!("item `{positions}`"),
    }
}

/// The object or array that a value (or a key) belongs to.
pub(super) fn parent(value: Value<'_>) -> Option<Value<'_>> {
    let mut here = value.document().root();
    while here != value {
        let ids = here.member_ids();
        let at = ids.partition_point(|&id| id <= value.id()).checked_sub(1)?;
        let member = here.sibling(*ids.get(at)?);
        if member == value {
            return Some(here);
        }
        here = member;
    }
    None
}

/// The option that a word was probably meant to be, if one is near enough.
pub(super) fn nearest<'o>(word: &str, options: impl IntoIterator<Item = &'o str>) -> Option<&'o str> {
    const LONGEST: usize = 64;
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    if word.len() > LONGEST {
        return None;
    }
    let word = plain(word);
    let near = (word.chars().count() / 3).clamp(1, 3);
    options
        .into_iter()
        .filter(|option| option.len() <= LONGEST)
        .map(|option| (strsim::osa_distance(&word, &plain(option)), option))
        .filter(|(distance, option)| *distance <= near && *distance < option.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, option)| option)
}
