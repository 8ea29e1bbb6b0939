//! Documents: bytes in YAML (1.2, core schema) or JSON become one value tree that knows the place of every key and value.

mod block;
mod builder;
mod encoding;
mod flow;
mod inline;
mod json;
mod mask;
mod notes;
mod place;
mod read;
pub mod rules;
mod scalar;
mod scalar_node;
mod search;
mod snippet;
pub mod source;
mod tree;
mod yaml;
mod yaml_fault;

pub use place::LineIndex;
#[doc(hidden)]
pub use read::{Reader, read_with};
pub use read::{Reading, read, read_beside};
pub use snippet::marked_line;
pub use tree::{Document, Format, Kind, NodeId, Style, Value};

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

impl Limits {
    /// The limits that hold unless the command line says otherwise.
    pub const DEFAULT: Limits = Limits { bytes: 256 << 20, depth: 128, alias_nodes: 10_000 };

    /// The size limit, with the 32-bit places in mind.
    fn most_bytes(&self) -> u64 {
        self.bytes.min(u64::from(u32::MAX))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
