//! The value tree: one arena of 24-byte nodes that keeps, for every key and value, its place in the source.
//!
//! A container's node stands before the nodes of its members, and every member's subtree is contiguous: a node's path from
//! the root can so be found from its index alone, and no parent links are stored. Text that stands verbatim in the source is not copied.

use std::fmt::Write as _;
use std::sync::OnceLock;

use super::place::LineIndex;
use super::snippet::marked_line;
use crate::finding::{Place, SnippetLine};

/// Index of a node in its document's arena.
pub type NodeId = u32;

/// What a node is. Integers that fit `i64` are `Int`; every other finite number is `Float`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    Null,
    False,
    True,
    Int,
    Float,
    String,
    Array,
    Object,
}

impl Kind {
    /// The JSON type's name, as messages use it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::False | Kind::True => "boolean",
            Kind::Int | Kind::Float => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

/// How a scalar was written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Style {
    /// Unquoted YAML scalar, or a JSON number, `true`, `false` or `null`.
    Plain,
    /// Quoted or block scalar, or a JSON string.
    Quoted,
    /// Not a scalar.
    Collection,
}

/// One node. `payload` holds an integer's or a float's bits, where a string starts, or where a container's members start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub payload: u64,
    /// Length of the string in bytes, or number of member nodes (for an object, keys and values both count).
    pub len: u32,
    /// Byte offset of the node's first character in the source.
    pub offset: u32,
    /// Length in bytes of the written form in the source; 0 for containers.
    pub written: u32,
    pub kind: Kind,
    pub style: Style,
    /// Whether a string's bytes stand in the source (at `payload`) and not in the pool.
    pub in_source: bool,
}

/// A document: the source text and the values in it, each with its place. Read it through [`Value`].
pub struct Document {
    pub(super) source: String,
    pub(super) nodes: Vec<Node>,
    pub(super) members: Vec<NodeId>,
    pub(super) pool: String,
    pub(super) root: NodeId,
    pub(super) format: Format,
    pub(super) deepest: Option<usize>,
    pub(super) lines: OnceLock<LineIndex>,
}

/// The notation a document was read as; decided by its content, never by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    Yaml,
}

impl Document {
    /// The document's value.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, id: self.root }
    }

    /// The text that the document was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Levels of arrays and objects in the document, where reading it counted them (it does, but for documents with aliases).
    pub fn levels(&self) -> Option<usize> {
        self.deepest
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// Number of nodes in the tree, keys included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The value at a JSON Pointer, if there is one.
    pub fn at(&self, pointer: &str) -> Option<Value<'_>> {
        let mut value = self.root();
        if pointer.is_empty() {
            return Some(value);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            value = match value.kind() {
                Kind::Object => value.get(&token)?,
                Kind::Array => value.items().nth(token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Lines and columns of the source, indexed at the first call.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.source))
    }

    /// The value (or key) with an id; `None` past the last node.
    pub fn value(&self, id: NodeId) -> Option<Value<'_>> {
        ((id as usize) < self.nodes.len()).then_some(Value { document: self, id })
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Whether a node is this string. Lookups of keys ask it more often than anything else is asked, and the length alone
    /// answers most of the time.
    fn is_text(&self, id: NodeId, text: &str) -> bool {
        let node = self.node(id);
        if node.kind != Kind::String || node.len as usize != text.len() {
            return false;
        }
        let within = if node.in_source { &self.source } else { &self.pool };
        let start = node.payload as usize;
        within.as_bytes().get(start..start + text.len()) == Some(text.as_bytes())
    }
}

/// A value in a document. Cheap to copy; all reading goes through it.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    pub(super) document: &'d Document,
    pub(super) id: NodeId,
}

impl<'d> Value<'d> {
    /// The value of a node, if the document has that node.
    pub(super) fn new(document: &'d Document, id: NodeId) -> Option<Self> {
        ((id as usize) < document.nodes.len()).then_some(Value { document, id })
    }

    pub fn document(self) -> &'d Document {
        self.document
    }

    pub fn id(self) -> NodeId {
        self.id
    }

    pub fn kind(self) -> Kind {
        self.node().kind
    }

    pub fn style(self) -> Style {
        self.node().style
    }

    /// The member of an object by key; with a duplicate key, the first. `None` also where this is no object.
    pub fn get(self, key: &str) -> Option<Value<'d>> {
        if self.kind() != Kind::Object {
            return None;
        }
        let mut members = self.member_ids().chunks_exact(2);
        members.find(|pair| self.document.is_text(pair[0], key)).map(|pair| self.sibling(pair[1]))
    }

    /// The key node of a member (its place is the key's), by key.
    pub fn key(self, key: &str) -> Option<Value<'d>> {
        self.members().map(|(k, _)| k).find(|k| k.as_str() == Some(key))
    }

    /// Keys and values of an object in document order, duplicates included; empty for anything else. Keys are always strings.
    pub fn members(self) -> impl ExactSizeIterator<Item = (Value<'d>, Value<'d>)> + Clone {
        let ids = if self.kind() == Kind::Object { self.member_ids() } else { &[] };
        ids.chunks_exact(2).map(move |pair| (self.sibling(pair[0]), self.sibling(pair[1])))
    }

    /// Items of an array in order; empty for anything else.
    pub fn items(self) -> impl ExactSizeIterator<Item = Value<'d>> + DoubleEndedIterator + Clone {
        let ids = if self.kind() == Kind::Array { self.member_ids() } else { &[] };
        ids.iter().map(move |&id| self.sibling(id))
    }

    /// Number of items of an array or members of an object, 0 for a scalar.
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Array => self.node().len as usize,
            Kind::Object => self.node().len as usize / 2,
            _ => 0,
        }
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub fn as_str(self) -> Option<&'d str> {
        let node = self.document.node(self.id);
        (node.kind == Kind::String).then(|| {
            let text: &'d str = if node.in_source { &self.document.source } else { &self.document.pool };
            &text[node.payload as usize..node.payload as usize + node.len as usize]
        })
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The number by value, integers included (rounded to the nearest double past 2^53).
    pub fn as_f64(self) -> Option<f64> {
        let node = self.node();
        match node.kind {
            Kind::Int => Some(node.payload as i64 as f64),
            Kind::Float => Some(f64::from_bits(node.payload)),
            _ => None,
        }
    }

    /// The number if it is an integer by value (`3` and `3.0` both are, as in JSON Schema) that fits `i64`.
    pub fn as_i64(self) -> Option<i64> {
        let node = self.node();
        match node.kind {
            Kind::Int => Some(node.payload as i64),
            Kind::Float => {
                let float = f64::from_bits(node.payload);
                // 2^63 itself does not fit; every smaller integral double does.
                (float.fract() == 0.0 && float >= -(2f64.powi(63)) && float < 2f64.powi(63)).then_some(float as i64)
            }
            _ => None,
        }
    }

    /// The number if it is a non-negative integer by value.
    pub fn as_u64(self) -> Option<u64> {
        self.as_i64().and_then(|integer| u64::try_from(integer).ok())
    }

    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The scalar as it is written in the source, quotes included; `""` for containers.
    pub fn written(self) -> &'d str {
        let node = self.document.node(self.id);
        self.document.source.get(node.offset as usize..node.offset as usize + node.written as usize).unwrap_or("")
    }

    /// Byte offset of the value's first character in the source.
    pub fn offset(self) -> usize {
        self.node().offset as usize
    }

    /// Deep equality by value: numbers compare as numbers (`1` = `1.0`), objects without regard to order.
    pub fn same_as(self, other: Value<'_>) -> bool {
        match (self.kind(), other.kind()) {
            (Kind::Int, Kind::Int) => self.node().payload == other.node().payload,
            (Kind::Int | Kind::Float, Kind::Int | Kind::Float) => self.as_f64() == other.as_f64(),
            (Kind::String, Kind::String) => self.as_str() == other.as_str(),
            (Kind::Array, Kind::Array) => {
                self.len() == other.len() && self.items().zip(other.items()).all(|(a, b)| a.same_as(b))
            }
            (Kind::Object, Kind::Object) => {
                self.len() == other.len()
                    && self.members().all(|(key, value)| {
                        key.as_str().and_then(|key| other.get(key)).is_some_and(|twin| value.same_as(twin))
                    })
            }
            (a, b) => a == b,
        }
    }

    /// The JSON Pointer of this value, or, of a key node, of the member it names.
    pub fn pointer(self) -> String {
        let document = self.document;
        let mut pointer = String::new();
        let mut here = document.root;
        while here != self.id {
            let value = Value { document, id: here };
            let ids = value.member_ids();
            // Subtrees are contiguous and in order: the one that holds this node is the last that starts at or before it.
            let at = ids.partition_point(|&id| id <= self.id);
            let Some(at) = at.checked_sub(1) else { break };
            let container = value.kind();
            pointer.push('/');
            if container == Kind::Object {
                let key = value.sibling(ids[at & !1]);
                push_token(&mut pointer, key.as_str().unwrap_or_default());
                if ids[at] == self.id || at % 2 == 0 {
                    break;
                }
            } else {
                let _ = write!(pointer, "{at}");
            }
            here = ids[at];
        }
        pointer
    }

    /// Pointer, line and column.
    pub fn place(self) -> Place {
        let (line, column) = self.document.lines().line_column(&self.document.source, self.offset());
        Place { pointer: self.pointer(), line, column }
    }

    /// The line of source where the value starts, with the value underlined and a label of a few words (may be empty) beside it.
    pub fn snippet_line(self, label: &str) -> SnippetLine {
        let width = self.written().lines().next().unwrap_or_default().chars().count();
        marked_line(&self.document.source, self.document.lines(), self.offset(), width, label)
    }

    /// The value as `serde_json`'s, for small pieces of a document.
    pub fn to_json(self) -> serde_json::Value {
        match self.kind() {
            Kind::Null => serde_json::Value::Null,
            Kind::False => false.into(),
            Kind::True => true.into(),
            Kind::Int => (self.node().payload as i64).into(),
            Kind::Float => self.as_f64().into(),
            Kind::String => self.as_str().unwrap_or_default().into(),
            Kind::Array => self.items().map(Value::to_json).collect(),
            Kind::Object => self
                .members()
                .map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), value.to_json()))
                .collect(),
        }
    }

    fn node(self) -> &'d Node {
        self.document.node(self.id)
    }

    /// Another node of the same document, by an id that [`Value::member_ids`] gave.
    pub(crate) fn sibling(self, id: NodeId) -> Value<'d> {
        Value { document: self.document, id }
    }

    /// The member nodes of a container: an array's items, or an object's keys and values by turns.
    pub(crate) fn member_ids(self) -> &'d [NodeId] {
        let node = self.node();
        match node.kind {
            Kind::Array | Kind::Object => {
                &self.document.members[node.payload as usize..node.payload as usize + node.len as usize]
            }
            _ => &[],
        }
    }
}

/// Equality of identity: the same node of the same document.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document) && self.id == other.id
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.kind().name(), self.pointer())
    }
}

fn push_token(pointer: &mut String, token: &str) {
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}
