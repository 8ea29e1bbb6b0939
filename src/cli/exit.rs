//! Exit codes: what a caller can rely on without reading any output.

use std::process::ExitCode;

/// How a command ended. The numbers are public interface and never change meaning; none is ever a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Everything selected was judged and conforms; or the command did what it was asked.
    Conformant = 0,
    /// A finding of severity error, an emitter that crashed or timed out in a scenario, or a warning under `--deny warnings`.
    NotConformant = 1,
    /// The command line or a configuration file is wrong; nothing was judged.
    Usage = 2,
    /// Nothing failed, but something required was not judged: unsupported, interrupted, or cut short.
    Incomplete = 3,
    /// The selection holds nothing: no scenario matches the filter, no document the paths.
    NothingSelected = 4,
    /// The emitter could not be started at all.
    EmitterNotStarted = 5,
    /// A fault of conform's own (`EX_SOFTWARE`). What could be judged all the same was judged and reported.
    Fault = 70,
}

impl Exit {
    /// Every code, in order.
    pub const ALL: [Exit; 7] = [
        Exit::Conformant,
        Exit::NotConformant,
        Exit::Usage,
        Exit::Incomplete,
        Exit::NothingSelected,
        Exit::EmitterNotStarted,
        Exit::Fault,
    ];

    pub fn code(self) -> u8 {
        self as u8
    }

    /// What the code says, as the help text and the manual give it.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Conformant => "conformant",
            Exit::NotConformant => "not conformant: an error was found, or the emitter failed in a scenario",
            Exit::Usage => "usage or configuration error",
            Exit::Incomplete => "incomplete: nothing failed, but something required was not judged",
            Exit::NothingSelected => "nothing selected",
            Exit::EmitterNotStarted => "the emitter could not be started",
            Exit::Fault => "a fault of conform's own",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

impl From<crate::run::conclusion::Conclusion> for Exit {
    fn from(conclusion: crate::run::conclusion::Conclusion) -> Self {
        use crate::run::conclusion::Conclusion;
        match conclusion {
            Conclusion::Fault => Exit::Fault,
            Conclusion::NotConformant => Exit::NotConformant,
            Conclusion::Incomplete => Exit::Incomplete,
            Conclusion::Conformant => Exit::Conformant,
        }
    }
}
