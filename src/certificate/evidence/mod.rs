//! Evidence: the emitted documents, byte for byte, beside the certificate: in a folder or packed into one archive, each at
//! `<suite>/<scenario>/<name>`.

mod pack;
mod place;
mod record;
mod shelf;
mod ustar;

pub use pack::pack;
pub use place::{fits, places};
pub use record::Recorder;
pub use shelf::{Fault, Shelf};
