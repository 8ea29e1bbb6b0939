//! Results that an earlier command wrote.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::error::Error;
use crate::run::results::Results;

/// Reads results from a file, or from standard input where the path is `-`.
///
/// # Errors
/// Where there is no such file, or what is in it is not results.
pub fn read(path: &Path) -> Result<Results, Error> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = bytes(path).map_err(|error| Error::Usage(format!("cannot read {name}: {error}")))?;
    Results::parse(&bytes).map_err(|problem| {
        Error::Usage(format!("{name} cannot be used: {problem}; `--report json={}` writes results", path.display()))
    })
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    fs::read(path)
}
