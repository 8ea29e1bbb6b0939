//! `conform` runs an emitter of interchange documents over declared scenarios and judges every document that it emits: against
//! its JSON Schema, and against the obligations that no schema can state.
//!
//! Data flows one way: bytes → [`document`] → [`schema`] → [`family`] (model and obligations) → [`run`] (results) → [`report`].

pub mod catalogue;
pub mod certificate;
pub mod check;
pub mod cli;
pub mod digest;
pub mod document;
pub mod emitter;
pub mod expected;
pub mod family;
pub mod finding;
pub mod harness;
pub mod mutation;
pub mod obligation;
pub mod report;
pub mod run;
pub mod schema;
pub mod suite;
