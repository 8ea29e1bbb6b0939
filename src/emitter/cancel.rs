//! Stopping a run from outside: Ctrl-C, `--fail-fast`.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared by everything that takes part in a run. Whoever waits for an emitter waits for the flag as well, so that
/// all emitters are killed at once when it is set. Clones share the flag.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    // One byte is written when the flag is set and never read: from then on every poll of the reading end returns at once.
    wake: PipeWriter,
    woken: PipeReader,
}

impl Cancel {
    /// A flag that is not set.
    ///
    /// # Errors
    /// Where the system has no file descriptors left.
    pub fn new() -> io::Result<Self> {
        let (woken, wake) = io::pipe()?;
        Ok(Cancel(Arc::new(Shared { cancelled: AtomicBool::new(false), wake, woken })))
    }

    /// Sets the flag and wakes everyone who waits. Setting it again changes nothing.
    pub fn cancel(&self) {
        if !self.0.cancelled.swap(true, Ordering::SeqCst) {
            // Cannot fail while the reading end is open, which it is for as long as this value lives.
            let _ = (&self.0.wake).write_all(&[1]);
        }
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Becomes readable when the flag is set, and stays so.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.woken.as_fd()
    }
}
