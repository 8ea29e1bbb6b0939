//! A bar on standard error for what takes long, where a person watches.

use std::env;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time after which something takes long.
const LONG: Duration = Duration::from_secs(1);

/// A bar that appears after a second, if standard error is a terminal that can show one.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    /// Whether it is still to appear.
    awaited: bool,
    /// Whether results are written to the same terminal.
    beside_results: bool,
}

impl Progress {
    /// A bar for so many documents; `wanted` as far as the flags go.
    pub fn new(documents: usize, wanted: bool) -> Self {
        let able = env::var_os("TERM").is_some_and(|term| term != "dumb");
        let bar = ProgressBar::with_draw_target(Some(documents as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("[{elapsed}] {bar:40} {human_pos} of {human_len} documents") {
            bar.set_style(style);
        }
        Progress {
            bar,
            begun: Instant::now(),
            awaited: wanted && able && io::stderr().is_terminal(),
            beside_results: io::stdout().is_terminal(),
        }
    }

    /// Shows how far it is.
    pub fn at(&mut self, documents: usize) {
        if self.awaited && self.begun.elapsed() >= LONG {
            self.awaited = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(documents as u64);
        // The time moves on even where nothing else does.
        self.bar.tick();
    }

    /// Writes results while the bar is out of their way.
    pub fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.beside_results { self.bar.suspend(write) } else { write() }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
