//! The value tree as the schema validator sees it: validated in place, without a second copy of the document.
//!
//! The validator reports the value at fault with every error. Here that value is the node's id and nothing else, so that an
//! error costs the same whatever it is about, and leads back to its place without a search along its path.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::slice::{ChunksExact, Iter};

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};

use super::unique::first_repeat;
use crate::document::{Kind, NodeId, Value};

/// Marks the value tree as a representation that the validator can read.
pub(super) struct Tree;

/// How many more errors the validator may make. Past the limit, iteration over containers ends at once and whatever is still
/// reported is blank: a document that is wrong everywhere so costs bounded memory and time.
pub(super) struct Budget {
    left: Cell<usize>,
    spent: Cell<bool>,
}

impl Budget {
    pub(super) fn new(errors: usize) -> Self {
        Budget { left: Cell::new(errors), spent: Cell::new(false) }
    }

    /// Whether more errors were made than the budget allows.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.get()
    }

    fn take(&self) -> bool {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => self.spent.set(true),
        }
        !self.is_spent()
    }
}

/// A value (or a key) of a document, or a lone string that the validator made.
#[derive(Clone)]
pub(super) enum Item<'d> {
    Value(Value<'d>, &'d Budget),
    Text(&'d str),
}

/// The id of the node that an error is about, from the value that it carries. `None` for an error past the budget.
pub(super) fn node_of(instance: &serde_json::Value) -> Option<NodeId> {
    instance.as_u64().and_then(|id| NodeId::try_from(id).ok())
}

impl Json for Tree {
    type Node<'a> = Item<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    // A lookup is a scan of the keys, so that one pass replaces several of them.
    const KEYS_PER_LOOKUP: usize = 8;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Item<'_>) -> T) -> T {
        f(Item::Text(string))
    }
}

impl<'d> Item<'d> {
    fn kind(&self) -> Kind {
        match self {
            Item::Value(value, _) => value.kind(),
            Item::Text(_) => Kind::String,
        }
    }

    fn text(&self) -> Option<&'d str> {
        match self {
            Item::Value(value, _) => value.as_str(),
            Item::Text(text) => Some(text),
        }
    }
}

impl<'d> Node<'d, Tree> for Item<'d> {
    type Object = Members<'d>;
    type Array = Items<'d>;
    type Number = Number<'d>;

    fn as_object(&self) -> Option<Members<'d>> {
        match self {
            Item::Value(value, budget) if value.kind() == Kind::Object => Some(Members { object: *value, budget }),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Items<'d>> {
        match self {
            Item::Value(value, budget) if value.kind() == Kind::Array => Some(Items { array: *value, budget }),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'d, str>> {
        self.text().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number<'d>> {
        match self {
            Item::Value(value, _) if matches!(value.kind(), Kind::Int | Kind::Float) => Some(Number(*value)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Item::Value(value, _) => value.as_bool(),
            Item::Text(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    fn is_number(&self) -> bool {
        matches!(self.kind(), Kind::Int | Kind::Float)
    }

    fn is_string(&self) -> bool {
        self.kind() == Kind::String
    }

    fn json_type(&self) -> JsonType {
        match self.kind() {
            Kind::Null => JsonType::Null,
            Kind::False | Kind::True => JsonType::Boolean,
            Kind::Int | Kind::Float => JsonType::Number,
            Kind::String => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let text = self.text()?;
        // A character takes one to four bytes, so most lengths are decided without counting.
        let bytes = text.len() as u64;
        let fewest = bytes.div_ceil(4);
        if bytes < min || fewest > max {
            Some(false)
        } else if min <= fewest && bytes <= max {
            Some(true)
        } else {
            Some((min..=max).contains(&(text.chars().count() as u64)))
        }
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        match self {
            Item::Value(value, _) => equals(*value, expected),
            Item::Text(text) => expected.as_str() == Some(text),
        }
    }

    /// The node's id. The validator asks for the value only to put it into an error: the trait's other uses (`equals_value`,
    /// `is_unique`) are answered here from the tree.
    fn to_value(&self) -> Cow<'d, serde_json::Value> {
        Cow::Owned(match self {
            Item::Value(value, budget) if budget.take() => value.id().into(),
            _ => serde_json::Value::Null,
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        match self {
            Item::Value(value, _) => {
                Some(NodeIdentity::tagged(std::ptr::from_ref(value.document()).addr(), value.id()))
            }
            Item::Text(text) => Some(NodeIdentity::new(text.as_ptr().addr())),
        }
    }
}

/// Equality with a value of the schema (`const`, `enum`); numbers compare by value. Recurses only as deep as the schema's value.
fn equals(value: Value<'_>, expected: &serde_json::Value) -> bool {
    match expected {
        serde_json::Value::Null => value.is_null(),
        serde_json::Value::Bool(expected) => value.as_bool() == Some(*expected),
        serde_json::Value::Number(expected) => equals_number(value, expected),
        serde_json::Value::String(expected) => value.as_str() == Some(expected),
        serde_json::Value::Array(expected) => {
            value.kind() == Kind::Array
                && value.len() == expected.len()
                && value.items().zip(expected).all(|(item, expected)| equals(item, expected))
        }
        serde_json::Value::Object(expected) => {
            value.kind() == Kind::Object
                && value.len() == expected.len()
                && expected.iter().all(|(key, expected)| value.get(key).is_some_and(|member| equals(member, expected)))
        }
    }
}

fn equals_number(value: Value<'_>, expected: &serde_json::Number) -> bool {
    let exact = |value: f64, integer: i128| value.fract() == 0.0 && value.abs() < 1e30 && value as i128 == integer;
    let integer = expected.as_i64().map(i128::from).or_else(|| expected.as_u64().map(i128::from));
    match (value.kind(), integer, expected.as_f64()) {
        (Kind::Int, Some(expected), _) => value.as_i64().map(i128::from) == Some(expected),
        (Kind::Int, None, Some(expected)) => value.as_i64().is_some_and(|value| exact(expected, value.into())),
        (Kind::Float, Some(expected), _) => value.as_f64().is_some_and(|value| exact(value, expected)),
        (Kind::Float, None, Some(expected)) => value.as_f64() == Some(expected),
        _ => false,
    }
}

/// A number of the document.
pub(super) struct Number<'d>(Value<'d>);

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        if self.0.kind() == Kind::Int { self.0.as_u64() } else { None }
    }

    fn as_i64(&self) -> Option<i64> {
        if self.0.kind() == Kind::Int { self.0.as_i64() } else { None }
    }

    fn as_f64(&self) -> Option<f64> {
        // The validator takes `None` for a number past any bound, and then asks for its sign.
        self.0.as_f64().filter(|number| number.is_finite())
    }

    fn as_str(&self) -> Cow<'_, str> {
        match self.0.as_f64() {
            Some(number) if number == f64::NEG_INFINITY => Cow::Borrowed("-1e999"),
            Some(number) if !number.is_finite() => Cow::Borrowed("1e999"),
            _ => Cow::Owned(self.to_number().to_string()),
        }
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let integer = self.as_i64().map(serde_json::Number::from);
        let number = integer.or_else(|| self.0.as_f64().and_then(serde_json::Number::from_f64));
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        match self.0.kind() {
            Kind::Int => true,
            _ => self.0.as_f64().is_some_and(|number| number.fract() == 0.0),
        }
    }

    fn is_written_as_integer(&self) -> bool {
        self.0.kind() == Kind::Int
    }
}

/// The members of an object.
pub(super) struct Members<'d> {
    object: Value<'d>,
    budget: &'d Budget,
}

impl<'d> Object<'d, Tree> for Members<'d> {
    type Node = Item<'d>;
    type MemberName = &'d str;
    type MembersIter = MembersIter<'d>;

    fn len(&self) -> usize {
        self.object.len()
    }

    fn get(&self, key: &Box<str>) -> Option<Item<'d>> {
        self.object.get(key).map(|value| Item::Value(value, self.budget))
    }

    fn members(&self) -> MembersIter<'d> {
        MembersIter { object: self.object, pairs: self.object.member_ids().chunks_exact(2), budget: self.budget }
    }

    fn try_for_each_name_node<B>(&self, (): &mut (), mut f: impl FnMut(Item<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.object.members().try_for_each(|(key, _)| f(Item::Value(key, self.budget)))
    }
}

pub(super) struct MembersIter<'d> {
    object: Value<'d>,
    pairs: ChunksExact<'d, NodeId>,
    budget: &'d Budget,
}

impl<'d> Iterator for MembersIter<'d> {
    type Item = (&'d str, Item<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        let &[key, value] = self.pairs.next().filter(|_| !self.budget.is_spent())? else { return None };
        let name = self.object.sibling(key).as_str().unwrap_or_default();
        Some((name, Item::Value(self.object.sibling(value), self.budget)))
    }
}

/// The items of an array.
pub(super) struct Items<'d> {
    array: Value<'d>,
    budget: &'d Budget,
}

impl<'d> Array<'d, Tree> for Items<'d> {
    type Node = Item<'d>;
    type ElementsIter = ItemsIter<'d>;

    fn len(&self) -> usize {
        self.array.len()
    }

    fn elements(&self) -> ItemsIter<'d> {
        ItemsIter { array: self.array, ids: self.array.member_ids().iter(), budget: self.budget }
    }

    fn is_unique(&self) -> bool {
        first_repeat(self.array).is_none()
    }
}

pub(super) struct ItemsIter<'d> {
    array: Value<'d>,
    ids: Iter<'d, NodeId>,
    budget: &'d Budget,
}

impl<'d> Iterator for ItemsIter<'d> {
    type Item = Item<'d>;

    fn next(&mut self) -> Option<Item<'d>> {
        let &id = self.ids.next().filter(|_| !self.budget.is_spent())?;
        Some(Item::Value(self.array.sibling(id), self.budget))
    }
}
