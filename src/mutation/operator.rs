//! Operators: named ways to break a valid document.

use serde_json::Value;

use super::base::Base;
use super::choice::Choice;

/// One way to break a valid document.
#[derive(Debug, Clone, Copy)]
pub struct Operator {
    /// Unique within its family, e.g. `observed-rate-swapped`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// The obligations that every mutant of it breaks. The first is the one that it is for.
    pub breaks: &'static [&'static str],
    /// Obligations that a mutant may break with them, since in some documents the same fault necessarily breaks both. What
    /// ends in `/` or `-` stands for all ids that begin with it.
    pub may: &'static [&'static str],
    pub apply: Apply,
}

/// How an operator works.
#[derive(Debug, Clone, Copy)]
pub enum Apply {
    /// On the values; the notation stays sound. Returns the JSON Pointer of the fault, or `None` where the document offers no place.
    Tree(fn(&mut Draft<'_>, &mut dyn Choice) -> Option<String>),
    /// On the values, where the schema of the suite says so: the keyword whose demand is broken.
    Schema(&'static str),
    /// On the text. Returns the broken text, or `None` where the text offers no place.
    Text(fn(&Base, &mut dyn Choice) -> Option<Vec<u8>>),
}

/// Which part of an emitter an operator stands in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The text itself.
    Lexical,
    /// What a schema states.
    Structural,
    /// What only obligations state.
    Semantic,
}

impl Layer {
    /// The word that output uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Layer::Lexical => "lexical",
            Layer::Structural => "structural",
            Layer::Semantic => "semantic",
        }
    }
}

impl Operator {
    pub const fn new(
        name: &'static str,
        what: &'static str,
        breaks: &'static [&'static str],
        apply: fn(&mut Draft<'_>, &mut dyn Choice) -> Option<String>,
    ) -> Self {
        Operator { name, what, breaks, may: &[], apply: Apply::Tree(apply) }
    }

    /// The same operator, whose mutants may break these too.
    #[must_use]
    pub const fn may(mut self, may: &'static [&'static str]) -> Self {
        self.may = may;
        self
    }

    /// The obligation that it is for.
    pub fn obligation(&self) -> &'static str {
        self.breaks.first().copied().unwrap_or_default()
    }

    pub fn layer(&self) -> Layer {
        match self.apply {
            Apply::Tree(_) => Layer::Semantic,
            Apply::Schema(_) => Layer::Structural,
            Apply::Text(_) => Layer::Lexical,
        }
    }

    /// Whether a mutant may break an obligation as an error.
    pub fn allows(&self, obligation: &str) -> bool {
        self.breaks.contains(&obligation)
            || self.may.iter().any(|&id| id == obligation || id.ends_with(['/', '-']) && obligation.starts_with(id))
    }
}

/// A document on its way to becoming a mutant.
pub struct Draft<'b> {
    pub base: &'b Base,
    pub document: Value,
    /// A valid document of the same check, where the fault only shows beside it. It comes first.
    pub twin: Option<Value>,
}
