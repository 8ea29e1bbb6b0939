//! Operators on execution records. Unless the fault is of the seal itself, the record is sealed again, so that it does not show there.

mod record;
mod relation;
mod seal;
mod set;

use super::choice::Choice;
use super::operator::Operator;
use crate::family::orbiplex::digest::{digest_text, sha256};

/// The operators, subject by subject.
pub const OPERATORS: &[&[Operator]] = &[seal::OPERATORS, record::OPERATORS, relation::OPERATORS, set::OPERATORS];

/// A digest that is nothing's.
fn stray_digest(choice: &mut dyn Choice) -> String {
    digest_text(&sha256(&[0xff, choice.below(256) as u8]))
}
