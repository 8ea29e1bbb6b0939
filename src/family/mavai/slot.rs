//! Fields of the model of a mavai document: each remembers where it stands or should stand, so that an obligation that lacks it can
//! say so.

use crate::document::{Kind, Value};
use crate::obligation::Judge;

/// A field of the model.
#[derive(Clone, Copy)]
pub enum Slot<'d, T> {
    /// Not there; the object that could hold it, and its key.
    Absent(Value<'d>, &'static str),
    /// There, but not of the kind that it must be.
    Broken(Value<'d>, &'static str),
    /// This kind of document has no such field: nothing is to be judged, and nothing to be said.
    Foreign,
    Stated(Stated<'d, T>),
}

/// A stated value and where it stands.
#[derive(Clone, Copy)]
pub struct Stated<'d, T> {
    pub value: T,
    pub at: Value<'d>,
}

impl<'d, T: Copy> Slot<'d, T> {
    /// The value, for an obligation that cannot judge without it: where it is absent or broken, the judge is told so.
    pub fn need(&self, judge: &mut Judge<'_>) -> Option<Stated<'d, T>> {
        match *self {
            Slot::Stated(stated) => Some(stated),
            Slot::Absent(parent, key) => {
                judge.not_judged(parent.pointer(), format!("`{key}` is missing"));
                None
            }
            Slot::Broken(at, expected) => {
                judge.not_judged(at.pointer(), format!("it is not {expected}"));
                None
            }
            Slot::Foreign => None,
        }
    }

    /// The value, for an obligation that binds only where it is stated: absence is nothing to tell, brokenness is.
    pub fn if_stated(&self, judge: &mut Judge<'_>) -> Option<Stated<'d, T>> {
        match self {
            Slot::Absent(..) | Slot::Foreign => None,
            _ => self.need(judge),
        }
    }

    /// The value, and nothing said where there is none.
    pub fn get(&self) -> Option<Stated<'d, T>> {
        match *self {
            Slot::Stated(stated) => Some(stated),
            _ => None,
        }
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Slot::Absent(..) | Slot::Foreign)
    }
}

/// A member as a non-negative integer.
pub fn count<'d>(parent: Value<'d>, key: &'static str) -> Slot<'d, u64> {
    slot(parent, key, "a count (an integer from 0)", Value::as_u64)
}

/// A member as a number.
pub fn number<'d>(parent: Value<'d>, key: &'static str) -> Slot<'d, f64> {
    slot(parent, key, "a number", Value::as_f64)
}

/// A member as a string.
pub fn text<'d>(parent: Value<'d>, key: &'static str) -> Slot<'d, &'d str> {
    slot(parent, key, "a string", Value::as_str)
}

/// A member as an array; the value is the array.
pub fn list<'d>(parent: Value<'d>, key: &'static str) -> Slot<'d, Value<'d>> {
    slot(parent, key, "an array", |value| (value.kind() == Kind::Array).then_some(value))
}

/// A member as an object; the value is the object.
pub fn object<'d>(parent: Value<'d>, key: &'static str) -> Slot<'d, Value<'d>> {
    slot(parent, key, "an object", |value| (value.kind() == Kind::Object).then_some(value))
}

fn slot<'d, T>(
    parent: Value<'d>,
    key: &'static str,
    expected: &'static str,
    read: impl Fn(Value<'d>) -> Option<T>,
) -> Slot<'d, T> {
    match parent.get(key) {
        None => Slot::Absent(parent, key),
        Some(at) => read_at(at, expected, read),
    }
}

/// A value read at its own place.
pub fn read_at<'d, T>(at: Value<'d>, expected: &'static str, read: impl Fn(Value<'d>) -> Option<T>) -> Slot<'d, T> {
    read(at).map_or(Slot::Broken(at, expected), |value| Slot::Stated(Stated { value, at }))
}
