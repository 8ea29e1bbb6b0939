//! Colours, by what they mean. A plain palette writes none.

use anstyle::{AnsiColor, Style};

/// The styles of everything that people read. Write `{style}text{style:#}`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Palette {
    pub pass: Style,
    pub fail: Style,
    pub warn: Style,
    pub note: Style,
    /// Ids and names.
    pub id: Style,
    /// Gutters and frames.
    pub frame: Style,
    /// What matters less.
    pub dim: Style,
    /// Lines that a document has and should not have.
    pub removed: Style,
    /// Lines that it lacks.
    pub added: Style,
}

impl Palette {
    /// No colour at all.
    pub fn plain() -> Self {
        Palette::default()
    }

    pub fn coloured() -> Self {
        let colour = |colour: AnsiColor| colour.on_default();
        Palette {
            pass: colour(AnsiColor::Green).bold(),
            fail: colour(AnsiColor::Red).bold(),
            warn: colour(AnsiColor::Yellow).bold(),
            note: colour(AnsiColor::Cyan),
            id: Style::new().bold(),
            frame: colour(AnsiColor::Blue),
            dim: Style::new().dimmed(),
            removed: colour(AnsiColor::Red),
            added: colour(AnsiColor::Green),
        }
    }
}
