//! One session: a process that answers lines of JSON, one request at a time.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use serde_json::Value;

use super::leftover::{self, Leftover, Search};
use super::process::{self, Leader};
use super::room::Room;
use super::stream::{self, HeadTail, Lines, Pipe};
use super::{Cancel, Emitter, RunLimits};

/// A started process and the lines that go between.
#[derive(Debug)]
pub(super) struct Session {
    leader: Leader,
    stdin: Option<ChildStdin>,
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    lines: Lines,
    said: HeadTail,
    marker: String,
    // Last, so that the folder goes after the processes that work in it.
    _room: Room,
}

/// An answer, and what else was on standard output before it.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) object: serde_json::Map<String, Value>,
    /// The first line that was no answer, and how many there were.
    pub(super) noise: Option<(String, usize)>,
}

/// Why there is no answer. The session cannot go on after that.
#[derive(Debug)]
pub(super) enum Broken {
    /// The process exited, or closed its standard output, before it answered.
    Exited(Option<ExitStatus>),
    /// A line that looks like an answer and is none: the line, and what is wrong with it.
    Garbled(String, String),
    Time,
    Output,
    Cancelled,
    /// The system failed.
    System(io::Error),
}

impl Session {
    /// Starts the process; nothing is said yet.
    ///
    /// # Errors
    /// Where the system cannot start it.
    pub(super) fn start(emitter: &Emitter, limits: &RunLimits) -> io::Result<Self> {
        let room = Room::new("")?;
        let mut command = emitter.command();
        command
            .env("CONFORM_PROTOCOL", "1")
            .env("CONFORM_SESSION", &room.work)
            .current_dir(&room.work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let marker = format!("CONFORM_SESSION={}", room.work.display());
        let mut leader = Leader::start(&mut command)?;
        let missing = || io::Error::other("a pipe is missing");
        let child = leader.child();
        let stdin = child.stdin.take().ok_or_else(missing)?;
        stream::never_block(&stdin)?;
        let stdout = Pipe::new(child.stdout.take().ok_or_else(missing)?)?;
        let stderr = Pipe::new(child.stderr.take().ok_or_else(missing)?)?;
        let said = HeadTail::new(limits.stderr);
        Ok(Session { leader, stdin: Some(stdin), stdout, stderr, lines: Lines::default(), said, marker, _room: room })
    }

    /// Sees to it that nothing like an answer is there before the question is put, which only someone who guesses can have written.
    ///
    /// # Errors
    /// Where something is; see [`Broken`].
    pub(super) fn expect_silence(&mut self, limits: &RunLimits) -> Result<(), Broken> {
        let mut buffer = vec![0; 64 << 10];
        let mut received: u64 = 0;
        loop {
            let read = self.stdout.read(&mut buffer);
            if read.is_empty() {
                break;
            }
            self.lines.push(read);
            received += read.len() as u64;
            if received > limits.output {
                return Err(Broken::Output);
            }
        }
        let mut lines = self.lines.rest().split(|&byte| byte == b'\n');
        match lines.find(|line| line.trim_ascii_start().starts_with(b"{")) {
            Some(line) => Err(Broken::Garbled(
                String::from_utf8_lossy(line).into_owned(),
                "it was there before anything was asked".to_owned(),
            )),
            None => Ok(()),
        }
    }

    /// Sends one line and waits for the answer: the first object for which `is_answer` has no objection.
    ///
    /// # Errors
    /// Where there is no answer within the limits; see [`Broken`].
    pub(super) fn ask(
        &mut self,
        line: &str,
        is_answer: impl Fn(&serde_json::Map<String, Value>) -> Result<(), String>,
        limits: &RunLimits,
        cancel: &Cancel,
    ) -> Result<Answer, Broken> {
        let deadline = process::after(Instant::now(), limits.time);
        let line = [line.as_bytes(), b"\n"].concat();
        let mut unsent = &line[..];
        let mut noise: Option<(String, usize)> = None;
        let mut received: u64 = 0;
        let mut buffer = vec![0; 64 << 10];
        loop {
            while let Some(line) = self.lines.next() {
                if let Some(object) = read_line(&line, &is_answer)? {
                    self.said.push(self.stderr.read(&mut buffer));
                    return Ok(Answer { object, noise });
                }
                noise.get_or_insert_with(|| (String::from_utf8_lossy(&line).into_owned(), 0)).1 += 1;
            }
            if cancel.is_cancelled() {
                return Err(Broken::Cancelled);
            }
            if self.stdout.open().is_none() {
                return Err(Broken::Exited(self.exit(limits.grace, cancel)));
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Broken::Time);
            }
            self.send(&mut unsent);
            self.wait(!unsent.is_empty(), deadline - now, cancel).map_err(Broken::System)?;
            self.said.push(self.stderr.read(&mut buffer));
            // Before the read: what a process wrote before it exited is there now, unless nothing is.
            let exited = self.leader.status();
            let read = self.stdout.read(&mut buffer);
            self.lines.push(read);
            received += read.len() as u64;
            if received > limits.output {
                return Err(Broken::Output);
            }
            // A child that inherited standard output may keep it open after the emitter is gone; nobody will answer then.
            if exited.is_some() && read.is_empty() {
                return Err(Broken::Exited(exited));
            }
        }
    }

    /// Writes what the process takes. When it takes nothing any more, its exit or the time limit says so.
    fn send(&mut self, unsent: &mut &[u8]) {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !unsent.is_empty()) {
            match stdin.write(unsent) {
                Ok(written) => *unsent = unsent.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.stdin = None,
            }
        }
        if self.stdin.is_none() {
            *unsent = &[];
        }
    }

    fn wait(&mut self, sending: bool, longest: Duration, cancel: &Cancel) -> io::Result<()> {
        let mut polled = vec![PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN)];
        let pipes = [self.stdout.open().map(AsFd::as_fd), self.stderr.open().map(AsFd::as_fd), self.leader.watch()];
        polled.extend(pipes.into_iter().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let stdin = self.stdin.as_ref().filter(|_| sending);
        polled.extend(stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)));
        let longest = if self.leader.watch().is_some() { longest } else { longest.min(process::LOOK_CLOSELY) };
        process::wait(&mut polled, longest)
    }

    /// How the process exited, when it does so within the grace.
    fn exit(&mut self, grace: Duration, cancel: &Cancel) -> Option<ExitStatus> {
        let until = process::after(Instant::now(), grace);
        let mut buffer = vec![0; 64 << 10];
        loop {
            self.said.push(self.stderr.read(&mut buffer));
            self.stdout.read(&mut buffer);
            let now = Instant::now();
            if self.leader.status().is_some() || now >= until || cancel.is_cancelled() {
                return self.leader.status();
            }
            self.wait(false, until - now, cancel).ok()?;
        }
    }

    /// What the process wrote to standard error since the last call.
    pub(super) fn take_stderr(&mut self, limits: &RunLimits) -> String {
        std::mem::replace(&mut self.said, HeadTail::new(limits.stderr)).into_text()
    }

    /// Ends the session by ending its input: how the process exited (`None` where it did not in time and was killed),
    /// and what it left behind.
    pub(super) fn close(mut self, limits: &RunLimits, cancel: &Cancel) -> (Option<ExitStatus>, Vec<Leftover>) {
        self.stdin = None;
        let status = self.exit(limits.parting(), cancel);
        let until = process::after(Instant::now(), limits.grace);
        let search = if self.stdout.open().is_some() { Search::Everywhere } else { Search::Near };
        if status.is_none() {
            return (None, Vec::new());
        }
        while Instant::now() < until
            && !cancel.is_cancelled()
            && !leftover::find(self.leader.group(), Some(&self.marker), search).is_empty()
        {
            std::thread::sleep(process::LOOK_CLOSELY);
        }
        (status, leftover::kill(self.leader.group(), Some(&self.marker), search))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let was_running = self.leader.status().is_none();
        self.leader.kill();
        let until = process::after(Instant::now(), RunLimits::default().grace);
        while self.leader.status().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let search = if was_running || self.stdout.open().is_some() { Search::Everywhere } else { Search::Near };
        leftover::kill(self.leader.group(), Some(&self.marker), search);
    }
}

/// The answer in a line; `None` where the line is none and does not pretend to be.
fn read_line(
    line: &[u8],
    is_answer: impl Fn(&serde_json::Map<String, Value>) -> Result<(), String>,
) -> Result<Option<serde_json::Map<String, Value>>, Broken> {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let garbled = |problem: String| Broken::Garbled(String::from_utf8_lossy(line).into_owned(), problem);
    let object = serde_json::from_slice(line).map_err(|error| garbled(format!("it is no JSON object ({error})")))?;
    is_answer(&object).map_err(garbled)?;
    Ok(Some(object))
}
