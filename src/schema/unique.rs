//! Items of an array that are equal by value.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::document::{Kind, Value};

/// Arrays up to this length are compared pair by pair.
const PAIRWISE_ITEMS: usize = 12;

/// The first item that equals an earlier one, as (earlier, later). Numbers compare by value, objects without regard to order.
pub(super) fn first_repeat(array: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    if array.len() <= PAIRWISE_ITEMS {
        return array.items().enumerate().find_map(|(at, later)| {
            array.items().take(at).find(|earlier| earlier.same_as(later)).map(|earlier| (earlier, later))
        });
    }
    let mut seen: HashMap<u64, Vec<Value<'_>>> = HashMap::with_capacity(array.len());
    for later in array.items() {
        let mut hasher = DefaultHasher::new();
        hash(later, &mut hasher);
        let alike = seen.entry(hasher.finish()).or_default();
        if let Some(&earlier) = alike.iter().find(|earlier| earlier.same_as(later)) {
            return Some((earlier, later));
        }
        alike.push(later);
    }
    None
}

/// Equal values hash alike: numbers by their double, objects by a sum over their members.
fn hash(value: Value<'_>, hasher: &mut DefaultHasher) {
    match value.kind() {
        Kind::Int | Kind::Float => {
            let number = value.as_f64().unwrap_or_default();
            // Zero has two signs and one value.
            (if number == 0.0 { 0 } else { number.to_bits() }).hash(hasher);
        }
        Kind::String => value.as_str().hash(hasher),
        Kind::Array => value.items().for_each(|item| hash(item, hasher)),
        Kind::Object => {
            let sum = value.members().fold(0u64, |sum, (key, member)| {
                let mut own = DefaultHasher::new();
                key.as_str().hash(&mut own);
                hash(member, &mut own);
                sum.wrapping_add(own.finish())
            });
            sum.hash(hasher);
        }
        kind @ (Kind::Null | Kind::False | Kind::True) => kind.hash(hasher),
    }
}
