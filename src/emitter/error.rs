//! Why an emitter cannot be run at all.

use std::fmt;
use std::path::PathBuf;

/// What an error means for the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// What the user wrote, on the command line or in `emitter.toml`, names no emitter (exit code 2).
    Configuration,
    /// The emitter is named but could not be started (exit code 5).
    NotStarted,
}

/// Why an emitter cannot be run. Displays as what was found, what was expected and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmitterError {
    /// The words of a command cannot be told apart, or there are none.
    Words { command: String, problem: String },
    /// A folder without `emitter.toml`.
    NoManifest { folder: PathBuf },
    /// `emitter.toml` cannot be read or is wrong, at a line (from 1) if at any.
    Manifest { path: PathBuf, line: Option<usize>, problem: String },
    /// There is no such program.
    NotFound { program: String, problem: String },
    /// The program is there and cannot be executed.
    NotExecutable { path: PathBuf, problem: String },
    /// A build or version command failed.
    Command { what: &'static str, command: String, problem: String, stderr: String },
    /// The session was not opened as the protocol demands.
    Handshake { problem: String, stderr: String },
}

impl EmitterError {
    /// What it means for the exit code.
    pub fn kind(&self) -> ErrorKind {
        match self {
            EmitterError::Words { .. } | EmitterError::NoManifest { .. } | EmitterError::Manifest { .. } => {
                ErrorKind::Configuration
            }
            EmitterError::NotFound { .. }
            | EmitterError::NotExecutable { .. }
            | EmitterError::Command { .. }
            | EmitterError::Handshake { .. } => ErrorKind::NotStarted,
        }
    }
}

impl fmt::Display for EmitterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitterError::Words { command, problem } => write!(f, "the emitter command `{command}` {problem}"),
            EmitterError::NoManifest { folder } => write!(
                f,
                "{} is a folder without emitter.toml; name the emitter's executable, or describe the emitter in {}",
                folder.display(),
                folder.join("emitter.toml").display()
            ),
            EmitterError::Manifest { path, line: Some(line), problem } => {
                write!(f, "{}:{line}: {problem}", path.display())
            }
            EmitterError::Manifest { path, line: None, problem } => write!(f, "{}: {problem}", path.display()),
            EmitterError::NotFound { program, problem } => write!(f, "no emitter program `{program}`: {problem}"),
            EmitterError::NotExecutable { path, problem } => {
                write!(f, "{} cannot be executed: {problem}", path.display())
            }
            EmitterError::Command { what, command, problem, stderr } => {
                write!(f, "the emitter's {what} command `{command}` {problem}{}", Quoted(stderr))
            }
            EmitterError::Handshake { problem, stderr } => {
                write!(f, "the emitter opened no session: {problem}{}", Quoted(stderr))
            }
        }
    }
}

impl std::error::Error for EmitterError {}

/// The end of a program's standard error, set off from the sentence before it.
struct Quoted<'s>(&'s str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINES: usize = 20;
        let lines: Vec<&str> = self.0.trim_end().lines().collect();
        let shown = lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default();
        if !shown.is_empty() {
            f.write_str("; its standard error ends")?;
        }
        shown.iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}
