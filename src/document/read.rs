//! From bytes to a document: which notation it is, and what keeps it from being one.

use std::thread;

use super::builder::Builder;
use super::encoding::{self, BYTE_ORDER_MARK, Undecoded};
use super::json::{self, Fault, FaultKind};
use super::notes::{Note, Notes};
use super::rules::{DEPTH, DUPLICATE_KEY, ONE_DOCUMENT, PARSE, SIZE, UTF8};
use super::tree::{Document, Format, NodeId, Value};
use super::{Limits, block, yaml};
use crate::finding::Finding;

/// What came of reading one document. Without a document, at least one finding of severity error says why; with one, the
/// findings say what a strict loader would refuse all the same (a duplicate key, say).
pub struct Reading {
    pub document: Option<Document>,
    pub findings: Vec<Finding>,
}

/// Which reader takes YAML; both give the same tree and the same findings.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The block reader for the texts that it is sure of, and the full parser for the rest.
    Fast,
    /// The full parser for every document.
    Full,
    /// The block reader alone: what it is not sure of is not read.
    Block,
}

/// Reads one document from its bytes. The content decides whether it is JSON or YAML, never a name.
///
/// What is JSON (RFC 8259) is read as JSON. Everything else is read as YAML, and where that fails too, the findings are those
/// of the notation that the text looks like.
pub fn read(bytes: Vec<u8>, limits: &Limits) -> Reading {
    read_with(bytes, limits, Reader::Fast)
}

/// Reads one document, and has something else done with its bytes: beside the reading, on a thread of its own, where the
/// document is big enough for that to pay.
pub fn read_beside<T: Send>(bytes: Vec<u8>, limits: &Limits, beside: impl Fn(&[u8]) -> T + Sync) -> (Reading, T) {
    read_any(bytes, limits, Reader::Fast, beside)
}

/// Reads with a given reader for YAML, to hold the readers against each other.
#[doc(hidden)]
pub fn read_with(bytes: Vec<u8>, limits: &Limits, reader: Reader) -> Reading {
    read_any(bytes, limits, reader, |_| ()).0
}

/// Documents from this size on are read beside whatever else is done with their bytes; below it, a thread costs more.
const BESIDE_FROM: usize = 1 << 20;

fn read_any<T: Send>(
    bytes: Vec<u8>,
    limits: &Limits,
    reader: Reader,
    beside: impl Fn(&[u8]) -> T + Sync,
) -> (Reading, T) {
    if bytes.len() as u64 > limits.most_bytes() {
        let findings = vec![size_finding(bytes.len() as u64, limits)];
        return (Reading { document: None, findings }, beside(&bytes));
    }
    let mut source = match encoding::decode(bytes) {
        Ok(source) => source,
        Err(Undecoded { bytes, notes, shown }) => {
            return (Reading { document: None, findings: notes.into_findings(&shown, None) }, beside(&bytes));
        }
    };
    let text = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&source);
    let marked = text.len() < source.len();
    let (mut read, done) = if source.len() < BESIDE_FROM {
        (any(text, limits, reader), beside(source.as_bytes()))
    } else {
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, || beside(source.as_bytes()));
            let read = any(text, limits, reader);
            // Without a thread to be had, or after a panic in it, here and now.
            let done = thread.ok().and_then(|thread| thread.join().ok());
            (read, done.unwrap_or_else(|| beside(source.as_bytes())))
        })
    };
    if marked {
        source.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    if marked && read.format == Format::Json {
        read.notes.push(
            Note::new(&UTF8, 0, 1, "a byte order mark stands before the JSON text, where RFC 8259 allows none")
                .help("write UTF-8 without a byte order mark"),
        );
    }
    (read.finish(source), done)
}

/// The finding for a document of this many bytes or more, where that is past the limit.
pub(super) fn size_finding(bytes: u64, limits: &Limits) -> Finding {
    let message = format!("the document has {bytes} bytes or more, and the limit is {}", limits.most_bytes());
    Finding::placeless(SIZE.id, SIZE.basis, SIZE.severity, message)
        .help("emit less, or raise the limit with --max-bytes (at most 4294967295)")
}

/// A text read in one notation: the tree if there is one, and the faults.
struct Read {
    format: Format,
    builder: Option<Builder>,
    notes: Notes,
}

impl Read {
    fn finish(mut self, source: String) -> Reading {
        let Some(builder) = self.builder else {
            return Reading { document: None, findings: self.notes.into_findings(&source, None) };
        };
        match builder.finish(source, self.format) {
            Ok((document, duplicates)) => {
                for (key, first) in duplicates {
                    note_duplicate(&document, key, first, &mut self.notes);
                }
                let findings = self.notes.into_findings(document.source(), Some(&document));
                Reading { document: Some(document), findings }
            }
            Err(source) => {
                self.notes.push(Note::new(&PARSE, 0, 1, "the text holds no whole value"));
                Reading { document: None, findings: self.notes.into_findings(&source, None) }
            }
        }
    }
}

fn note_duplicate(document: &Document, key: NodeId, first: NodeId, notes: &mut Notes) {
    let (Some(again), Some(first)) = (Value::new(document, key), Value::new(document, first)) else { return };
    notes.add(&DUPLICATE_KEY, again.offset(), || {
        let mut name: String = again.as_str().unwrap_or_default().chars().take(80).collect();
        if name.len() < again.as_str().unwrap_or_default().len() {
            name.push('…');
        }
        let (line, column) = document.lines().line_column(document.source(), first.offset());
        let message = format!("the key {name:?} stands twice in one object: first at {line}:{column}, and again here");
        Note::new(&DUPLICATE_KEY, again.offset(), again.written().len(), message)
            .help("loaders keep one of the two and drop the other: keep the one that is meant")
            .label("again")
            .twin(first.offset(), first.written().len(), "first")
            .node(key)
    });
}

fn any(source: &str, limits: &Limits, reader: Reader) -> Read {
    let start = source.trim_start_matches([' ', '\t', '\r', '\n']);
    if !start.starts_with(|c: char| matches!(c, '{' | '[' | '"' | '-' | '0'..='9' | 't' | 'f' | 'n')) {
        return as_yaml(source, limits, reader);
    }
    let mut builder = Builder::new(source.len());
    let mut notes = Notes::default();
    let fault = match json::read(source, &mut builder, &mut notes, limits.depth) {
        Ok(()) => return Read { format: Format::Json, builder: Some(builder), notes },
        Err(fault) => fault,
    };
    // A text of another kind; the room it took is not needed twice.
    if !looks_like_json(start) {
        drop(builder);
        return as_yaml(source, limits, reader);
    }
    if matches!(fault.kind, FaultKind::Depth | FaultKind::Truncated) {
        // Too deep, or open at the end, in both notations.
        notes.push(json_note(&fault, source, limits));
        return Read { format: Format::Json, builder: None, notes };
    }
    let yaml = as_yaml(source, limits, reader);
    let first_is_whole = fault.kind == FaultKind::Trailing;
    if yaml.builder.is_some() && !(first_is_whole && yaml.notes.count(&PARSE) > 0) {
        return yaml;
    }
    notes.push(json_note(&fault, source, limits));
    Read { format: Format::Json, builder: first_is_whole.then_some(builder), notes }
}

fn as_yaml(source: &str, limits: &Limits, reader: Reader) -> Read {
    if reader != Reader::Full
        && let Some((builder, notes)) = block::read(source, limits)
    {
        return Read { format: Format::Yaml, builder: Some(builder), notes };
    }
    if reader == Reader::Block {
        return Read { format: Format::Yaml, builder: None, notes: Notes::default() };
    }
    let (builder, notes) = yaml::read(source, limits);
    Read { format: Format::Yaml, builder, notes }
}

/// Whether a text that starts with a bracket goes on as JSON would: a double-quoted key, or the start of a JSON value.
fn looks_like_json(start: &str) -> bool {
    let inside = |rest: &str| rest.trim_start_matches([' ', '\t', '\r', '\n']).chars().next();
    if let Some(rest) = start.strip_prefix('{') {
        return matches!(inside(rest), None | Some('"' | '}'));
    }
    let Some(rest) = start.strip_prefix('[') else { return false };
    matches!(inside(rest), None | Some('"' | '{' | '[' | ']' | '-' | '0'..='9' | 't' | 'f' | 'n'))
}

fn json_note(fault: &Fault, source: &str, limits: &Limits) -> Note {
    let at = fault.at;
    match &fault.kind {
        FaultKind::Syntax(text) => Note::new(&PARSE, at, 1, format!("not JSON: {text}")),
        FaultKind::Truncated => Note::new(&PARSE, at, 1, "the JSON text ends inside a value")
            .help("check that the emitter ran to its end and closed its output"),
        FaultKind::Trailing => {
            let rest = source.get(at..).unwrap_or_default();
            if rest.starts_with(['{', '[', '"']) {
                Note::new(&ONE_DOCUMENT, at, 1, "a second JSON value starts here")
                    .help("write each document to a file of its own; only the first is judged")
            } else {
                let found = rest.chars().next().map(|c| c.escape_debug().to_string()).unwrap_or_default();
                Note::new(&PARSE, at, 1, format!("`{found}` follows the JSON value, where the document must end"))
            }
        }
        FaultKind::Depth => Note::new(&DEPTH, at, 1, format!("arrays and objects nest deeper than {}", limits.depth))
            .help("nest less, or raise the limit with --max-depth"),
    }
}
