//! Runs: which scenarios are selected ([`plan`]), what one of them comes to ([`conduct`]), in which order and how many at a time
//! ([`schedule`]), and what all of it comes to ([`results`], [`conclusion`]).

pub mod conclusion;
pub mod conduct;
pub mod declared;
pub mod emit;
pub mod merge;
pub mod mode;
pub mod plan;
pub mod repeat;
pub mod reproduce;
pub mod results;
pub mod rules;
pub mod schedule;
pub mod score;
pub mod shard;
pub mod summary;
