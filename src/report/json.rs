//! Results as one JSON object: `schemas/conform-results-1.schema.json`.

use std::io::{self, Write};

use crate::run::results::Results;

/// Writes results, indented, with a newline at the end.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, results).map_err(io::Error::from)?;
    writeln!(to)
}
