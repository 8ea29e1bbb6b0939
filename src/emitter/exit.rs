//! Waiting for a process to exit, and saying how it did.

use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

use rustix::process::Signal;

/// Becomes readable when a process has exited; `None` where the system has no such thing, and one must look now and then.
pub(super) fn watch(child: &Child) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, PidfdFlags, pidfd_open};
        pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = child;
        None
    }
}

/// How a process ended, in words that continue "the emitter …".
pub(super) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with {code}"),
        (None, Some(signal)) => format!("was killed by signal {}", signal_name(signal)),
        (None, None) => "ended in a way that the system does not explain".to_owned(),
    }
}

/// A signal's number and, where it has one, its name.
pub(super) fn signal_name(number: i32) -> String {
    const NAMES: &[(Signal, &str)] = &[
        (Signal::ABORT, "SIGABRT"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::HUP, "SIGHUP"),
        (Signal::ILL, "SIGILL"),
        (Signal::INT, "SIGINT"),
        (Signal::KILL, "SIGKILL"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::SYS, "SIGSYS"),
        (Signal::TERM, "SIGTERM"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
    ];
    match NAMES.iter().find(|(signal, _)| signal.as_raw() == number) {
        Some((_, name)) => format!("{number} ({name})"),
        None => number.to_string(),
    }
}

/// What an exit code or signal usually means, where the number says more than that something failed.
pub(super) fn advice(status: ExitStatus) -> Option<String> {
    const KILL: i32 = Signal::KILL.as_raw();
    match (status.code(), status.signal()) {
        (Some(126), _) => Some("a shell exits with 126 where a command is not executable".to_owned()),
        (Some(127), _) => Some("a shell exits with 127 where it does not find a command".to_owned()),
        (Some(code @ 129..=160), _) => Some(format!(
            "a shell exits with {code} when a command that it ran is killed by signal {}",
            signal_name(code - 128)
        )),
        (None, Some(KILL)) => Some("conform did not kill it; the system does so when memory runs out".to_owned()),
        _ => None,
    }
}
