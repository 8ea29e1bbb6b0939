//! Where a checked document comes from: a file or standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// One document to check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The name under which it is reported: its path, or `-`.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// Its bytes. Of an input larger than `limit` only one byte more than that is read, which is enough for the reader of
    /// documents to refuse it, so that an endless input ends.
    ///
    /// # Errors
    /// Where the operating system refuses to open or to read it.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, ReadError> {
        let read = || match self {
            Input::Stdin => take(io::stdin().lock(), limit, 0),
            Input::File(path) => {
                let file = File::open(path)?;
                let expected = file.metadata()?.len();
                take(file, limit, expected)
            }
        };
        read().map_err(|error| ReadError { name: self.name(), error })
    }
}

fn take(source: impl Read, limit: u64, expected: u64) -> io::Result<Vec<u8>> {
    let most = limit.saturating_add(1);
    // One byte more than expected, so that the end is seen without growing the buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(expected.saturating_add(1).min(most)).unwrap_or(0));
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An input that could not be read.
#[derive(Debug)]
pub struct ReadError {
    name: String,
    error: io::Error,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.name, self.error)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
