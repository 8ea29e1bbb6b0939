//! What a run comes to in a few words: a badge for a README.

use std::io::{self, Write};

use serde::Serialize;

use crate::run::conclusion::Conclusion;
use crate::run::results::Results;

const LABEL: &str = "conform";
/// Space on each side of a word, in tenths of a pixel, as the text is drawn at ten times its size.
const PADDING: usize = 60;

/// Writes the badge as an SVG image: no font, script or image from elsewhere, the words as text.
///
/// # Errors
/// Where the writer refuses.
pub fn svg(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    let (message, colours) = (message(results), Colours::of(Conclusion::of(results)));
    let (left_text, right_text) = (width(LABEL), width(&message));
    let (left, right) = (left_text + 2 * PADDING, right_text + 2 * PADDING);
    let pixels = |tenths: usize| format!("{}.{}", tenths / 10, tenths % 10);
    let (left_width, right_width, whole) = (pixels(left), pixels(right), pixels(left + right));
    let middle = left + right / 2;
    // The text carries `textLength`, so that it fits whatever font is there.
    write!(
        to,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{LABEL}: {message}">
<title>{LABEL}: {message}</title>
<clipPath id="r"><rect width="{whole}" height="20" rx="3" fill="#fff"/></clipPath>
<g clip-path="url(#r)"><rect width="{left_width}" height="20" fill="#3d444d"/><rect x="{left_width}" width="{right_width}" height="20" fill="{fill}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="110">
<text transform="scale(.1)" x="{label_middle}" y="140" textLength="{left_text}">{LABEL}</text>
<text transform="scale(.1)" x="{middle}" y="140" textLength="{right_text}">{message}</text>
</g>
</svg>
"##,
        fill = colours.hex,
        label_middle = left / 2,
    )
}

/// Writes the badge as the JSON that the endpoint badge of shields.io reads.
///
/// # Errors
/// Where the writer refuses.
pub fn endpoint(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Endpoint<'b> {
        schema_version: u32,
        label: &'b str,
        message: &'b str,
        color: &'b str,
    }
    let message = message(results);
    let color = Colours::of(Conclusion::of(results)).name;
    serde_json::to_writer_pretty(&mut *to, &Endpoint { schema_version: 1, label: LABEL, message: &message, color })?;
    writeln!(to)
}

/// The conclusion and how many passed. Nothing foreign is in it.
fn message(results: &Results) -> String {
    let total = results.results.len() + results.summary.not_run;
    let word = match Conclusion::of(results) {
        Conclusion::Fault => "fault",
        other => other.as_str(),
    };
    format!("{word} {}/{total}", results.summary.passed)
}

struct Colours {
    /// White text on it has a contrast of at least 4.5.
    hex: &'static str,
    name: &'static str,
}

impl Colours {
    fn of(conclusion: Conclusion) -> Self {
        let (hex, name) = match conclusion {
            Conclusion::Conformant => ("#1a7f37", "brightgreen"),
            Conclusion::NotConformant => ("#cf222e", "red"),
            Conclusion::Incomplete => ("#8a5a00", "yellow"),
            Conclusion::Fault => ("#57606a", "lightgrey"),
        };
        Colours { hex, name }
    }
}

/// The width of a text in Verdana at 11 pixels, in tenths of a pixel.
fn width(text: &str) -> usize {
    let character = |c: char| match c {
        'i' | 'l' | 'j' => 30,
        'f' | 't' | 'r' | ' ' => 43,
        '/' | 'I' => 50,
        'm' => 107,
        'w' => 90,
        'c' | 's' | 'z' => 58,
        _ => 68,
    };
    text.chars().map(character).sum()
}
