//! Consumers under test: a validator must accept every valid document and refuse every mutant.

pub mod conduct;
pub mod plan;
pub mod rules;
mod survivor;
