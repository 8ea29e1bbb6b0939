//! Faults met while reading, kept small until the text has been read; then they become findings with places and snippets.

use super::place::LineIndex;
use super::rules::TextRule;
use super::snippet::marked_line;
use super::tree::{Document, NodeId, Value};
use crate::finding::{Finding, Place};

/// Faults against one rule past this many are counted and reported as one.
const SHOWN_PER_RULE: usize = 20;

/// One fault.
pub(super) struct Note {
    pub rule: &'static TextRule,
    /// Byte offset in the text.
    pub at: usize,
    /// Bytes to underline; at least one character is.
    pub width: usize,
    pub message: String,
    pub help: Option<String>,
    /// A few words beside the underlined part; may be empty.
    pub label: &'static str,
    /// Another place that belongs to the fault: offset, width and label.
    pub twin: Option<(usize, usize, &'static str)>,
    /// The node at fault, where the fault knows it.
    pub node: Option<NodeId>,
}

impl Note {
    pub fn new(rule: &'static TextRule, at: usize, width: usize, message: impl Into<String>) -> Self {
        Note { rule, at, width, message: message.into(), help: None, label: "", twin: None, node: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    pub fn node(mut self, node: NodeId) -> Self {
        self.node = Some(node);
        self
    }

    pub fn twin(mut self, at: usize, width: usize, label: &'static str) -> Self {
        self.twin = Some((at, width, label));
        self
    }
}

/// The faults of one reading.
#[derive(Default)]
pub(super) struct Notes {
    shown: Vec<Note>,
    /// For each rule met: how often, and where its first fault that is not shown stands.
    counts: Vec<(&'static TextRule, usize, usize)>,
}

impl Notes {
    /// Takes a fault; one past the number shown is only counted, and its text never made.
    pub fn add(&mut self, rule: &'static TextRule, at: usize, note: impl FnOnce() -> Note) {
        let entry = match self.counts.iter().position(|(known, ..)| known.id == rule.id) {
            Some(known) => &mut self.counts[known],
            None => {
                self.counts.push((rule, 0, 0));
                let last = self.counts.len() - 1;
                &mut self.counts[last]
            }
        };
        entry.1 += 1;
        if entry.1 <= SHOWN_PER_RULE {
            self.shown.push(note());
        } else if entry.1 == SHOWN_PER_RULE + 1 {
            entry.2 = at;
        }
    }

    /// Takes a fault that can occur only a few times in one reading.
    pub fn push(&mut self, note: Note) {
        self.add(note.rule, note.at, || note);
    }

    /// Takes over the faults of another pass, made against rules that this one has none of.
    pub fn append(&mut self, other: Notes) {
        self.shown.extend(other.shown);
        self.counts.extend(other.counts);
    }

    /// How often a rule was broken.
    pub fn count(&self, rule: &TextRule) -> usize {
        self.counts.iter().find(|(known, ..)| known.id == rule.id).map_or(0, |&(_, count, _)| count)
    }

    /// The findings, in the order of their places. With a document, they name the values that they are about.
    pub fn into_findings(mut self, source: &str, document: Option<&Document>) -> Vec<Finding> {
        if self.shown.is_empty() {
            return Vec::new();
        }
        for &(rule, count, at) in &self.counts {
            if let Some(more) = count.checked_sub(SHOWN_PER_RULE).filter(|&more| more > 0) {
                let others = if more == 1 { "place breaks" } else { "places break" };
                let message = format!("{more} more {others} this rule, from here on");
                self.shown.push(Note::new(rule, at, 1, message));
            }
        }
        self.shown.sort_by_key(|note| note.at);
        if let Some(document) = document {
            find_nodes(&mut self.shown, document);
        }
        let own;
        let lines = match document {
            Some(document) => document.lines(),
            None => {
                own = LineIndex::new(source);
                &own
            }
        };
        self.shown.into_iter().map(|note| finding(note, source, lines, document)).collect()
    }
}

/// Looks up the scalars that hold the places of notes which do not know their node.
fn find_nodes(notes: &mut [Note], document: &Document) {
    if notes.iter().all(|note| note.node.is_some()) {
        return;
    }
    for (id, node) in document.nodes.iter().enumerate() {
        let (start, end) = (node.offset as usize, node.offset as usize + node.written as usize);
        let first = notes.partition_point(|note| note.at < start);
        for note in notes[first..].iter_mut().take_while(|note| note.at < end) {
            note.node.get_or_insert(id as NodeId);
        }
    }
}

fn finding(note: Note, source: &str, lines: &LineIndex, document: Option<&Document>) -> Finding {
    let (line, column) = lines.line_column(source, note.at);
    let pointer = match (document, note.node) {
        (Some(document), Some(id)) => Value::new(document, id).map(Value::pointer).unwrap_or_default(),
        _ => String::new(),
    };
    let mut finding = Finding::placeless(note.rule.id, note.rule.basis, note.rule.severity, note.message);
    finding.place = Some(Place { pointer, line, column });
    finding.help = note.help;
    if source.is_empty() {
        return finding;
    }
    finding.snippet.push(marked_line(source, lines, note.at, characters(source, note.at, note.width), note.label));
    if let Some((at, width, label)) = note.twin {
        let twin = marked_line(source, lines, at, characters(source, at, width), label);
        if twin.line != line {
            let before = usize::from(twin.line > line);
            finding.snippet.insert(before, twin);
        }
    }
    finding
}

/// Number of characters on the line of a place among its next bytes.
fn characters(source: &str, at: usize, width: usize) -> usize {
    let start = source.floor_char_boundary(at);
    let end = source.ceil_char_boundary(at.saturating_add(width));
    source[start..end.max(start)].chars().take_while(|&c| c != '\n' && c != '\r').count()
}
