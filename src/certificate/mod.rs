//! Certificates: what a run came to, in a form that anyone can check again without trusting whoever ran it.
//!
//! A certificate is an in-toto Statement about the emitter's files. Beside it lies the evidence, every emitted document byte
//! for byte, so that [`verify`] can judge everything again: results are derived a second time and compared, and only what no
//! second judging can show (who emitted, when, how a process ended) is taken from the certificate.

mod compare;
pub mod envelope;
pub mod evidence;
mod identity;
pub mod keys;
mod read;
mod replay;
mod seal;
pub mod statement;
mod verdict;
mod verify;
mod version;

pub use identity::{related, suites};
pub use read::{MOST_BYTES, Read, Unreadable, read, with_newline};
pub use seal::{Attested, Suites, assemble, bytes, canonical};
pub use verify::{Check, Outcome, Verification, Verify};
pub use version::{Moving, fixed};
