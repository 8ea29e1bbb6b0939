//! What keeps a command from doing its work, and the exit code of each.

use std::fmt;
use std::io;

use super::exit::Exit;

/// An expected error: said in one line on standard error, after `error:`.
#[derive(Debug)]
pub enum Error {
    /// Something on the command line or in a configuration file is wrong. The text says what, where, and what to do.
    Usage(String),
    /// The selection holds nothing.
    NothingSelected(String),
    /// The emitter could not be started at all.
    EmitterNotStarted(String),
    /// A fault of conform's own.
    Fault(String),
    /// Standard output refuses what is written to it. A reader that went away (`| head`) is no error: see [`Error::is_quiet`].
    Output(io::Error),
}

impl Error {
    /// The one place where errors become exit codes.
    pub fn exit(&self) -> Exit {
        match self {
            Error::Usage(_) | Error::Output(_) => Exit::Usage,
            Error::NothingSelected(_) => Exit::NothingSelected,
            Error::EmitterNotStarted(_) => Exit::EmitterNotStarted,
            Error::Fault(_) => Exit::Fault,
        }
    }

    /// Whether the reader of standard output merely stopped reading, about which there is nothing to say.
    pub fn is_quiet(&self) -> bool {
        matches!(self, Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::NothingSelected(text) | Error::EmitterNotStarted(text) | Error::Fault(text) => {
                f.write_str(text)
            }
            Error::Output(error) => write!(f, "cannot write to standard output: {error}"),
        }
    }
}

impl std::error::Error for Error {}
