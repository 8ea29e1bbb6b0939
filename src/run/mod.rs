//! Runs: which subjects are judged, in which order, and what they come to.

pub mod conclusion;
pub mod results;
