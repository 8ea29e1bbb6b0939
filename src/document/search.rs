//! Finding nodes in a tree without walking it from the root.

use super::tree::{Document, Kind, Value};

impl Document {
    /// Every key and string value longer than so many bytes, in document order. One pass over the arena.
    pub fn long_strings(&self, bytes: usize) -> impl Iterator<Item = Value<'_>> {
        let long = move |node: &super::tree::Node| node.kind == Kind::String && node.len as usize > bytes;
        (0..).zip(&self.nodes).filter(move |(_, node)| long(node)).map(|(id, _)| self.root().sibling(id))
    }

    /// The container that holds a node, and, in an object, the key of the member that the node is (for a key: itself).
    pub fn holder<'d>(&'d self, node: Value<'d>) -> (Value<'d>, Option<Value<'d>>) {
        let mut holder = self.root();
        loop {
            let ids = holder.member_ids();
            let Some(at) = ids.partition_point(|&id| id <= node.id()).checked_sub(1) else { return (holder, None) };
            let key = (holder.kind() == Kind::Object).then(|| self.root().sibling(ids[at & !1]));
            if ids[at] == node.id() || key.is_some() && at % 2 == 0 {
                return (holder, key);
            }
            holder = self.root().sibling(ids[at]);
        }
    }
}
