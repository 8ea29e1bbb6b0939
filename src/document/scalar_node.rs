//! One YAML scalar as a node of the tree: its type by style, tag and text, and the notes that it deserves.

use std::borrow::Cow;

use granit_parser::{ScalarStyle, Tag};

use super::builder::{Builder, Written};
use super::notes::{Note, Notes};
use super::rules::{NUMBER_RANGE, PARSE, STABLE_TYPE};
use super::scalar::{Resolved, resolve, unstable};
use super::tree::{Kind, NodeId, Style};

/// A scalar as the parser gives it.
pub(super) struct Scalar<'a, 't> {
    pub value: Cow<'t, str>,
    pub style: ScalarStyle,
    pub tag: Option<&'a Tag>,
    pub written: Written,
}

impl Scalar<'_, '_> {
    fn style(&self) -> Style {
        if self.style == ScalarStyle::Plain { Style::Plain } else { Style::Quoted }
    }

    /// Nothing was written: the parser makes up a null for `key:` and `- `.
    fn is_absent(&self) -> bool {
        self.style == ScalarStyle::Plain && self.written.len == 0
    }

    /// The core-schema type that the tag gives, `str` for `!`; the node's own where there is no tag.
    fn tag(&self) -> Tagged<'_> {
        match self.tag {
            None => Tagged::No,
            Some(tag) if tag.original() == "!" => Tagged::Core("str"),
            Some(tag) => match tag.core_suffix() {
                Some(suffix) if !matches!(suffix, "seq" | "map") => Tagged::Core(suffix),
                _ => Tagged::Unknown,
            },
        }
    }
}

enum Tagged<'a> {
    No,
    Core(&'a str),
    Unknown,
}

/// Pushes a scalar as a value.
pub(super) fn push_value(
    scalar: Scalar<'_, '_>,
    text: &str,
    builder: &mut Builder,
    notes: &mut Notes,
    tag_at: (usize, usize),
) {
    let written = scalar.written;
    let value = if scalar.is_absent() { "" } else { &*scalar.value };
    match scalar.tag() {
        Tagged::Core("str") => push_string(&scalar, text, builder),
        Tagged::Core(suffix) => match tagged_value(suffix, value) {
            Some(Resolved::Scalar(kind, payload)) => {
                builder.scalar(kind, payload, written);
            }
            Some(Resolved::OutOfRange(stand_in)) => push_out_of_range(value, stand_in, written, builder, notes),
            Some(Resolved::String) | None => {
                let message = format!("`{}` is no value for the tag !!{suffix}", brief(value));
                notes.add(&PARSE, tag_at.0, || Note::new(&PARSE, tag_at.0, tag_at.1, message).node(builder.next_id()));
                push_string(&scalar, text, builder);
            }
        },
        tagged => {
            if let (Tagged::Unknown, Some(tag)) = (tagged, scalar.tag) {
                note_tag(notes, tag, "a scalar", tag_at.0, tag_at.1);
            }
            if scalar.style == ScalarStyle::Plain {
                push_plain(&scalar, value, text, builder, notes);
            } else {
                push_string(&scalar, text, builder);
            }
        }
    }
}

fn push_plain(scalar: &Scalar<'_, '_>, value: &str, text: &str, builder: &mut Builder, notes: &mut Notes) {
    note_unstable(value, scalar.written, builder.next_id(), notes);
    match resolve(value) {
        Resolved::String => push_string(scalar, text, builder),
        Resolved::Scalar(kind, payload) => {
            builder.scalar(kind, payload, scalar.written);
        }
        Resolved::OutOfRange(stand_in) => push_out_of_range(value, stand_in, scalar.written, builder, notes),
    }
}

/// Pushes a scalar as a key: whatever its type would be, the key is its text.
pub(super) fn push_key(
    scalar: Scalar<'_, '_>,
    text: &str,
    builder: &mut Builder,
    notes: &mut Notes,
    tag_at: (usize, usize),
) {
    let Written { offset, len } = scalar.written;
    let node = builder.next_id();
    match scalar.tag() {
        Tagged::Unknown => {
            if let Some(tag) = scalar.tag {
                note_tag(notes, tag, "a key", tag_at.0, tag_at.1);
            }
        }
        Tagged::Core(_) => {}
        Tagged::No if scalar.style != ScalarStyle::Plain => {}
        Tagged::No => {
            let value = if scalar.is_absent() { "" } else { &*scalar.value };
            if let Resolved::Scalar(Kind::Null, _) = resolve(value) {
                notes.add(&PARSE, offset, || {
                    Note::new(&PARSE, offset, len, "a key is null, where a string is expected")
                        .help("name the key, or put `null` or `~` in quotes if that is its name")
                        .node(node)
                });
            }
            note_unstable(value, scalar.written, node, notes);
        }
    }
    push_string(&scalar, text, builder);
}

/// Pushes a string; one that stands verbatim in the text is not copied.
fn push_string(scalar: &Scalar<'_, '_>, text: &str, builder: &mut Builder) {
    if scalar.is_absent() {
        builder.source_string(scalar.written.offset, 0, scalar.style(), scalar.written);
        return;
    }
    match &scalar.value {
        Cow::Borrowed(value) if let Some(start) = place_in(value, text) => {
            builder.source_string(start, value.len(), scalar.style(), scalar.written);
        }
        value => {
            builder.string(value, scalar.style(), scalar.written);
        }
    }
}

/// Where a slice of a text starts in it.
fn place_in(slice: &str, text: &str) -> Option<usize> {
    let start = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (start + slice.len() <= text.len()).then_some(start)
}

fn push_out_of_range(value: &str, stand_in: f64, written: Written, builder: &mut Builder, notes: &mut Notes) {
    let node = builder.next_id();
    notes.add(&NUMBER_RANGE, written.offset, || {
        let message = format!("`{}` is a number that JSON cannot hold", brief(value));
        Note::new(&NUMBER_RANGE, written.offset, written.len, message)
            .help("write a finite number between -1.8e308 and 1.8e308, or leave the member out")
            .node(node)
    });
    builder.scalar(Kind::Float, stand_in.to_bits(), written);
}

/// Warns of a plain scalar whose type depends on the loader.
pub(super) fn note_unstable(value: &str, written: Written, node: NodeId, notes: &mut Notes) {
    let Some(found) = unstable(value) else { return };
    notes.add(&STABLE_TYPE, written.offset, || {
        let message = format!(
            "`{}` without quotes is {} to YAML 1.2 loaders, but {} to those of YAML 1.1",
            brief(value),
            found.in_1_2,
            found.in_1_1
        );
        let help = match found.in_1_2 {
            "a string" => "put it in quotes",
            "an integer" => "write the number in base 10 without leading zeros",
            _ => "write the number with a point, and its exponent with a sign: 1.0e-7",
        };
        Note::new(&STABLE_TYPE, written.offset, written.len, message).help(help).node(node)
    });
}

/// Refuses a tag.
pub(super) fn note_tag(notes: &mut Notes, tag: &Tag, on: &str, at: usize, width: usize) {
    notes.add(&PARSE, at, || {
        let message =
            format!("the tag {} stands on {on}; it is none of the core schema's for it", brief(&tag.original()));
        Note::new(&PARSE, at, width, message)
            .help("leave tags out: JSON has none, and loaders refuse what they do not know")
    });
}

/// The value that a core-schema tag makes of a text; `None` where it makes none.
fn tagged_value(suffix: &str, value: &str) -> Option<Resolved> {
    let resolved = resolve(value);
    let fits = match (suffix, resolved) {
        ("null", Resolved::Scalar(Kind::Null, _)) => true,
        ("bool", Resolved::Scalar(Kind::True | Kind::False, _)) => true,
        ("int", Resolved::Scalar(Kind::Int, _)) => true,
        ("int", Resolved::Scalar(Kind::Float, bits)) => {
            // An integer past 64 bits; a text with a point or an exponent is none.
            f64::from_bits(bits).fract() == 0.0 && (value.starts_with("0x") || !value.contains(['.', 'e', 'E']))
        }
        ("float", Resolved::OutOfRange(_)) => true,
        ("float", Resolved::Scalar(Kind::Float, _)) => true,
        ("float", Resolved::Scalar(Kind::Int, payload)) => {
            return Some(Resolved::Scalar(Kind::Float, (payload as i64 as f64).to_bits()));
        }
        _ => false,
    };
    fits.then_some(resolved)
}

fn brief(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
