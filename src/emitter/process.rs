//! Running one process with its process group, under limits.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::leftover::{self, Leftover, Search};
use super::stream::{HeadTail, Pipe};
use super::{Cancel, RunLimits, exit};

/// A process that leads a process group of its own.
#[derive(Debug)]
pub(super) struct Leader {
    child: Child,
    group: Pid,
    watch: Option<OwnedFd>,
    status: Option<ExitStatus>,
}

impl Leader {
    /// # Errors
    /// Where the system cannot start it.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        // No `pre_exec`: it would turn the cheap spawn into a fork, which takes the longer the more memory is in use.
        let child = command.process_group(0).spawn()?;
        Ok(Leader { group: Pid::from_child(&child), watch: exit::watch(&child), child, status: None })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(super) fn group(&self) -> Pid {
        self.group
    }

    /// How it exited, once it has.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// Kills it and its group, unless it has exited.
    pub(super) fn kill(&mut self) {
        // While it has not been waited for, its number cannot be given to another group.
        if self.status().is_none() {
            let _ = kill_process_group(self.group, Signal::KILL);
        }
    }

    /// What to poll for its exit; `None` where one must look now and then.
    pub(super) fn watch(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().map(AsFd::as_fd)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.kill();
        self.status();
    }
}

/// Why a process was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Time,
    Output,
    Cancelled,
}

/// What a process came to.
#[derive(Debug)]
pub(super) struct Finished {
    /// How it exited; `None` where even killed it did not within the grace (it hangs in the system).
    pub(super) status: Option<ExitStatus>,
    /// Why it was stopped, if it was; the status is then the kill's.
    pub(super) stop: Option<Stop>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
    /// What it left behind when it exited by itself; all killed.
    pub(super) left_behind: Vec<Leftover>,
    /// Whether something that could not be found still held its pipes.
    pub(super) pipe_held: bool,
    /// From start to exit.
    pub(super) duration: Duration,
}

/// What to run, and what to watch while it runs.
pub(super) struct Task<'t> {
    /// Everything set but standard output and standard error.
    pub(super) command: Command,
    /// A variable of its environment, `NAME=value`, that no other process has.
    pub(super) marker: Option<&'t str>,
    /// Bytes written elsewhere than to standard output, which count against the output limit.
    pub(super) written: &'t dyn Fn() -> u64,
}

/// How often to look at what cannot be polled: the size of files, the rest of a group.
const LOOK: Duration = Duration::from_millis(250);
pub(super) const LOOK_CLOSELY: Duration = Duration::from_millis(5);

/// Runs a process to its end or to a limit, and nothing of it survives: what is left of its group is killed, and whoever
/// still holds a pipe after the grace holds it in vain.
///
/// # Errors
/// Where the system cannot start it.
pub(super) fn run(mut task: Task<'_>, limits: &RunLimits, cancel: &Cancel) -> io::Result<Finished> {
    let start = Instant::now();
    let leader = Leader::start(task.command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    Run::new(leader, limits, start)?.supervise(&task, cancel)
}

/// Runs a process whose output the user sees, without limits, to its end; `None` where the flag was set meanwhile and it was
/// killed. What it leaves behind (a build daemon, say) is left alone.
///
/// # Errors
/// Where the system cannot start it.
pub(super) fn run_shown(mut command: Command, cancel: &Cancel) -> io::Result<Option<ExitStatus>> {
    let own_stderr = io::stderr().as_fd().try_clone_to_owned()?;
    let mut leader = Leader::start(command.stdout(own_stderr))?;
    loop {
        if let Some(status) = leader.status() {
            return Ok(Some(status));
        }
        if cancel.is_cancelled() {
            leader.kill();
            return Ok(None);
        }
        let mut polled = vec![PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN)];
        polled.extend(leader.watch().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let longest = if leader.watch().is_some() { LOOK } else { LOOK_CLOSELY };
        wait(&mut polled, longest)?;
    }
}

/// A moment later than another, by at most a year: a limit may be any number.
pub(super) fn after(moment: Instant, time: Duration) -> Instant {
    moment + time.min(Duration::from_secs(365 * 86_400))
}

/// Waits for one of the descriptors, at most this long.
pub(super) fn wait(polled: &mut [PollFd<'_>], longest: Duration) -> io::Result<()> {
    let timeout = Timespec { tv_sec: longest.as_secs().min(3600) as i64, tv_nsec: longest.subsec_nanos().into() };
    match poll(polled, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

struct Run<'l> {
    leader: Leader,
    limits: &'l RunLimits,
    start: Instant,
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    emitted: Vec<u8>,
    said: HeadTail,
    stop: Option<Stop>,
    /// When it exited or was killed.
    over: Option<Instant>,
}

impl<'l> Run<'l> {
    fn new(mut leader: Leader, limits: &'l RunLimits, start: Instant) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe is missing");
        let stdout = Pipe::new(leader.child().stdout.take().ok_or_else(missing)?)?;
        let stderr = Pipe::new(leader.child().stderr.take().ok_or_else(missing)?)?;
        let said = HeadTail::new(limits.stderr);
        Ok(Run { leader, limits, start, stdout, stderr, emitted: Vec::new(), said, stop: None, over: None })
    }

    fn supervise(mut self, task: &Task<'_>, cancel: &Cancel) -> io::Result<Finished> {
        let mut buffer = vec![0; 64 << 10];
        let mut next_look = self.start + LOOK;
        let deadline = after(self.start, self.limits.time);
        loop {
            let now = Instant::now();
            // First: what exits at the very limit has exited.
            if self.leader.status().is_some() {
                self.over.get_or_insert(now);
            }
            if self.over.is_none() {
                if cancel.is_cancelled() {
                    self.stop(Stop::Cancelled);
                } else if now >= deadline {
                    self.stop(Stop::Time);
                } else if now >= next_look {
                    next_look = now + LOOK;
                    if self.exceeds((task.written)()) {
                        self.stop(Stop::Output);
                    }
                }
            }
            let until = if let Some(over) = self.over {
                if self.is_done(task) {
                    break;
                }
                if self.stop.is_none() && cancel.is_cancelled() {
                    self.stop = Some(Stop::Cancelled);
                    break;
                }
                let until = after(over, self.limits.grace);
                if now >= until {
                    self.drain(&mut buffer);
                    break;
                }
                until
            } else {
                next_look.min(deadline)
            };
            self.wait(until.saturating_duration_since(now), cancel)?;
            self.read(&mut buffer);
        }
        Ok(self.finish(task))
    }

    /// Whether it has exited, and nothing is left of it.
    fn is_done(&mut self, task: &Task<'_>) -> bool {
        self.leader.status().is_some()
            && self.stdout.open().is_none()
            && self.stderr.open().is_none()
            // What is left after a kill is killed in the end anyway.
            && (self.stop.is_some() || leftover::find(self.leader.group(), task.marker, Search::Near).is_empty())
    }

    fn stop(&mut self, why: Stop) {
        self.stop = Some(why);
        self.leader.kill();
        self.over.get_or_insert_with(Instant::now);
    }

    fn exceeds(&self, written: u64) -> bool {
        written.saturating_add(self.emitted.len() as u64) > self.limits.output
    }

    /// Waits for output, the exit or the flag, at most this long.
    fn wait(&mut self, longest: Duration, cancel: &Cancel) -> io::Result<()> {
        let exited = self.leader.status().is_some();
        let mut polled = Vec::with_capacity(4);
        let pipes = [self.stdout.open().map(AsFd::as_fd), self.stderr.open().map(AsFd::as_fd)];
        polled.extend(pipes.into_iter().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let watch = if exited { None } else { self.leader.watch() };
        polled.extend(watch.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        if self.stop != Some(Stop::Cancelled) {
            polled.push(PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN));
        }
        // Nothing wakes us when the rest of a group goes.
        let longest = if watch.is_none() { longest.min(LOOK_CLOSELY) } else { longest };
        wait(&mut polled, longest)
    }

    fn read(&mut self, buffer: &mut [u8]) {
        let emitted = self.stdout.read(buffer);
        if self.stop.is_none() {
            self.emitted.extend_from_slice(emitted);
            if self.exceeds(0) {
                self.stop(Stop::Output);
            }
        }
        self.said.push(self.stderr.read(buffer));
    }

    /// Reads what is in the pipes already. When this process itself got no time during the grace, that may be all there is,
    /// the end of the stream included.
    fn drain(&mut self, buffer: &mut [u8]) {
        // More than a pipe can hold, and no more: the writer may be an endless one.
        const READS: usize = 32;
        for _ in 0..READS {
            self.read(buffer);
        }
    }

    fn finish(mut self, task: &Task<'_>) -> Finished {
        let over = self.over.unwrap_or_else(Instant::now);
        self.leader.kill();
        let status = self.leader.status();
        let held = self.stdout.open().is_some() || self.stderr.open().is_some();
        let search = if held || self.stop.is_some() { Search::Everywhere } else { Search::Near };
        let left = leftover::kill(self.leader.group(), task.marker, search);
        Finished {
            status,
            stop: self.stop,
            stdout: self.emitted,
            stderr: self.said.into_text(),
            pipe_held: held && left.is_empty(),
            left_behind: if self.stop.is_none() { left } else { Vec::new() },
            duration: over.duration_since(self.start),
        }
    }
}
