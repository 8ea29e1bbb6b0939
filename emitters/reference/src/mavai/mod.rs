//! The mavai family: optimize, explore and baseline documents.

pub mod baseline;
mod bounded;
pub mod explore;
mod fault;
mod latency;
pub mod optimize;
mod quantile;
mod run;
mod scenario;
mod slack;
mod standings;
