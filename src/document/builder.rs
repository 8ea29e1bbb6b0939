//! Builds a value tree in document order, from either notation.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::tree::{Document, Format, Kind, Node, NodeId, Style};

/// Objects with more members than this look for duplicate keys in a set and not pair by pair.
const PAIRWISE_MEMBERS: usize = 16;

/// A scalar's place in the source: offset and length of its written form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub offset: usize,
    pub len: usize,
}

/// The tree under construction. Containers are opened and closed; what is pushed between belongs to them, in an object key and
/// value by turns.
pub(super) struct Builder {
    nodes: Vec<Node>,
    members: Vec<NodeId>,
    pool: String,
    /// Open containers: node, and where its members start in `pending`.
    open: Vec<(NodeId, usize)>,
    /// Members of all open containers, innermost last.
    pending: Vec<NodeId>,
    /// Key nodes that repeat an earlier key of their object, each with the first of its name.
    pub duplicates: Vec<(NodeId, NodeId)>,
    /// Most containers that were open at a time.
    deepest: usize,
    /// Whether a subtree was copied.
    copied: bool,
}

impl Builder {
    /// A builder with room for what a source of this many bytes usually yields.
    pub fn new(source_len: usize) -> Self {
        Builder {
            nodes: Vec::with_capacity(source_len / 12),
            members: Vec::with_capacity(source_len / 12),
            pool: String::new(),
            open: Vec::new(),
            pending: Vec::new(),
            duplicates: Vec::new(),
            deepest: 0,
            copied: false,
        }
    }

    /// Number of open containers.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the innermost open container is an object that awaits a key.
    pub fn awaits_key(&self) -> bool {
        self.open.last().is_some_and(|&(id, start)| {
            self.nodes[id as usize].kind == Kind::Object && (self.pending.len() - start).is_multiple_of(2)
        })
    }

    /// Whether the innermost open container is an object that awaits the value of a key.
    pub fn awaits_value(&self) -> bool {
        self.open.last().is_some_and(|&(id, start)| {
            self.nodes[id as usize].kind == Kind::Object && !(self.pending.len() - start).is_multiple_of(2)
        })
    }

    pub fn scalar(&mut self, kind: Kind, payload: u64, written: Written) -> NodeId {
        self.push(kind, payload, 0, Style::Plain, false, written)
    }

    /// A string whose value stands verbatim in the source.
    pub fn source_string(&mut self, start: usize, len: usize, style: Style, written: Written) -> NodeId {
        self.push(Kind::String, start as u64, len as u32, style, true, written)
    }

    /// A string whose value differs from its written form.
    pub fn string(&mut self, text: &str, style: Style, written: Written) -> NodeId {
        let start = self.pool.len();
        self.pool.push_str(text);
        self.push(Kind::String, start as u64, text.len() as u32, style, false, written)
    }

    pub fn start(&mut self, kind: Kind, offset: usize) -> NodeId {
        let id = self.push(kind, 0, 0, Style::Collection, false, Written { offset, len: 0 });
        // The container itself is a member of the outer one only when it is complete.
        self.pending.pop();
        self.open.push((id, self.pending.len()));
        self.deepest = self.deepest.max(self.open.len());
        id
    }

    /// Closes the innermost container.
    pub fn end(&mut self, source: &str) {
        let Some((id, start)) = self.open.pop() else { return };
        let payload = self.members.len();
        self.members.extend_from_slice(&self.pending[start..]);
        let len = self.pending.len() - start;
        self.pending.truncate(start);
        self.pending.push(id);
        let node = &mut self.nodes[id as usize];
        node.payload = payload as u64;
        node.len = len as u32;
        if node.kind == Kind::Object {
            self.note_duplicates(source, payload, len);
        }
    }

    /// Copies a finished subtree (the target of an alias) as a new member. Returns the number of nodes copied.
    pub fn copy(&mut self, first: NodeId, end: NodeId) -> usize {
        self.copied = true;
        let shift = self.nodes.len() as u32 - first;
        for id in first..end {
            let mut node = self.nodes[id as usize];
            if matches!(node.kind, Kind::Array | Kind::Object) {
                let (from, len) = (node.payload as usize, node.len as usize);
                node.payload = self.members.len() as u64;
                for at in from..from + len {
                    let member = self.members[at] + shift;
                    self.members.push(member);
                }
            }
            self.nodes.push(node);
        }
        self.pending.push(first + shift);
        (end - first) as usize
    }

    /// The id that the next node gets.
    pub fn next_id(&self) -> NodeId {
        self.nodes.len() as NodeId
    }

    /// A node that has been pushed.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// Whether all there is is one null of which nothing is written.
    pub fn is_nothing(&self) -> bool {
        matches!(self.nodes.as_slice(), [node] if node.kind == Kind::Null && node.written == 0)
    }

    /// The finished tree and the duplicate keys; the source again unless exactly one root value was pushed.
    pub fn finish(self, source: String, format: Format) -> Result<(Document, Vec<(NodeId, NodeId)>), String> {
        let &[root] = self.pending.as_slice() else { return Err(source) };
        let document = Document {
            source,
            nodes: self.nodes,
            members: self.members,
            pool: self.pool,
            root,
            format,
            // What an alias copied lies deeper than it was built.
            deepest: (!self.copied).then_some(self.deepest),
            lines: OnceLock::new(),
        };
        Ok((document, self.duplicates))
    }

    fn push(&mut self, kind: Kind, payload: u64, len: u32, style: Style, in_source: bool, written: Written) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            payload,
            len,
            offset: written.offset as u32,
            written: written.len as u32,
            kind,
            style,
            in_source,
        });
        self.pending.push(id);
        id
    }

    fn text<'t>(&'t self, source: &'t str, id: NodeId) -> &'t [u8] {
        let node = &self.nodes[id as usize];
        let text = if node.in_source { source } else { &self.pool };
        &text.as_bytes()[node.payload as usize..node.payload as usize + node.len as usize]
    }

    fn note_duplicates(&mut self, source: &str, from: usize, len: usize) {
        let keys = self.members[from..from + len].chunks_exact(2).map(|pair| pair[0]);
        let mut duplicates = Vec::new();
        if keys.len() <= PAIRWISE_MEMBERS {
            let mut seen: [(&[u8], NodeId); PAIRWISE_MEMBERS] = [(&[], 0); PAIRWISE_MEMBERS];
            for (at, key) in keys.enumerate() {
                let text = self.text(source, key);
                if let Some(&(_, first)) = seen[..at].iter().find(|&&(earlier, _)| earlier == text) {
                    duplicates.push((key, first));
                }
                seen[at] = (text, key);
            }
        } else {
            let mut seen = HashMap::with_capacity(keys.len());
            for key in keys {
                let first = *seen.entry(self.text(source, key)).or_insert(key);
                if first != key {
                    duplicates.push((key, first));
                }
            }
        }
        self.duplicates.append(&mut duplicates);
    }
}
