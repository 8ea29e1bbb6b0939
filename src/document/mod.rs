//! Documents: bytes in YAML (1.2, core schema) or JSON become one value tree that knows the place of every key and value.

mod builder;
mod json;
mod place;
mod search;
mod snippet;
mod tree;

pub use place::LineIndex;
pub use tree::{Document, Format, Kind, NodeId, Style, Value};

use crate::finding::Finding;

/// What a document may cost; each limit is an option of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest document in bytes (256 MiB); never more than 4 GiB - 1, since places are 32-bit.
    pub bytes: u64,
    /// Deepest nesting of arrays and objects (128).
    pub depth: usize,
    /// Most nodes that aliases may add to one document (10,000).
    pub alias_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 256 << 20, depth: 128, alias_nodes: 10_000 }
    }
}

/// What came of reading one document. Without a document, at least one finding of severity error says why; with one, the
/// findings say what a strict loader would refuse all the same (a duplicate key, say).
pub struct Reading {
    pub document: Option<Document>,
    pub findings: Vec<Finding>,
}

/// Reads one document from its bytes.
pub fn read(bytes: Vec<u8>, limits: &Limits) -> Reading {
    let Ok(source) = String::from_utf8(bytes) else { return Reading { document: None, findings: Vec::new() } };
    let mut builder = builder::Builder::new(source.len());
    let read = json::read(&source, &mut builder, limits.depth);
    let document = read.ok().and_then(|()| builder.finish(source, Format::Json)).map(|(document, _)| document);
    Reading { document, findings: Vec::new() }
}
