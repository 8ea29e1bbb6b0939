//! Which mode an emitter that may speak both is run in: both are tried, and the one that is faster over the whole run is taken.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::plan::Job;
use crate::emitter::{Cancel, Emission, Emitter, EmitterError, OpenEmitter, Outcome, Request, RunLimits};

/// The shortest time that a session is given to open, where processes work. One that is not spoken never opens, and would use up the
/// whole limit.
const PATIENCE: Duration = Duration::from_secs(5);

/// Scenarios that are tried, at the most, until one is emitted: those that are not supported say nothing about speed.
const TRIED: usize = 5;

/// What trying both modes came to. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// How long a scenario took in a process of its own; `None` where that yielded no document.
    pub process: Option<Duration>,
    /// How long the session took to open, and then a scenario in it; otherwise why there is none.
    pub session: Result<(Duration, Duration), String>,
    /// Scenarios to run.
    pub scenarios: usize,
    /// Processes that run at a time. A session answers one request after the other.
    pub threads: NonZeroUsize,
}

impl Measured {
    /// Whether a session is the faster way through the run, or the only one.
    pub fn takes_session(&self) -> bool {
        match (self.in_processes(), self.in_session()) {
            (Some(processes), Some(session)) => session < processes,
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }

    fn in_processes(&self) -> Option<Duration> {
        let rounds = self.scenarios.div_ceil(self.threads.get());
        self.process.map(|each| each.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX)))
    }

    fn in_session(&self) -> Option<Duration> {
        let (open, each) = self.session.as_ref().ok()?;
        Some(open.saturating_add(each.saturating_mul(u32::try_from(self.scenarios).unwrap_or(u32::MAX))))
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.takes_session() { "session" } else { "process" };
        write!(f, "{mode} mode: ")?;
        match &self.process {
            Some(each) => write!(f, "a process takes {} for a scenario", seconds(*each))?,
            None => f.write_str("a process of its own yields no document")?,
        }
        match &self.session {
            Ok((open, each)) => {
                write!(f, ", a session {} to open and {} for a scenario", seconds(*open), seconds(*each))
            }
            Err(problem) => write!(f, ", and there is no session: {problem}"),
        }
    }
}

fn seconds(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1e3;
    if milliseconds < 1e3 { format!("{milliseconds:.0} ms") } else { format!("{:.1} s", milliseconds / 1e3) }
}

/// Tries an emitter in both modes, given as two, on the first scenario that it emits. Returns the one that is open now, and
/// what was measured. What was emitted meanwhile is not judged.
///
/// # Errors
/// Where neither mode can be used because the emitter cannot be made ready.
pub fn faster<'e>(
    process: &'e Emitter,
    session: &'e Emitter,
    jobs: &[Job],
    threads: NonZeroUsize,
    limits: &RunLimits,
    cancel: &Cancel,
) -> Result<(OpenEmitter<'e>, Measured), EmitterError> {
    let processes = process.open(limits, cancel)?;
    let tried = jobs.iter().take(TRIED).find_map(|job| Some((job, emitted(&processes, job, limits, cancel)?)));
    // Where no process yields a document, a session is the only way, and has all the time there is. In whole seconds, as it may be shown.
    let twice = |took: Duration| Duration::from_secs(took.as_secs().saturating_mul(2) + 2);
    let patience = tried.map_or(limits.time, |(_, took)| twice(took).max(PATIENCE));
    let short = RunLimits { time: limits.time.min(patience), ..limits.clone() };
    let begun = Instant::now();
    let opened = session.open(&short, cancel);
    let open = begun.elapsed();
    let (session, spoken) = match opened {
        Ok(session) => {
            let of_those = tried.map_or(jobs, |(job, _)| std::slice::from_ref(job));
            let each = of_those.iter().take(TRIED).find_map(|job| emitted(&session, job, limits, cancel));
            let none = || "it opens and yields no document".to_owned();
            (Some(session), each.map(|each| (open, each)).ok_or_else(none))
        }
        Err(EmitterError::Handshake { problem, .. }) => (None, Err(problem)),
        Err(other) => (None, Err(other.to_string())),
    };
    let process = tried.map(|(_, took)| took);
    let measured = Measured { process, session: spoken, scenarios: jobs.len(), threads };
    match session {
        Some(session) if measured.takes_session() => Ok((session, measured)),
        Some(unused) => {
            // How it ends is no matter: it is not used.
            unused.close(limits, cancel);
            Ok((processes, measured))
        }
        None => Ok((processes, measured)),
    }
}

/// How long a scenario takes, if something comes of it.
fn emitted(emitter: &OpenEmitter<'_>, job: &Job, limits: &RunLimits, cancel: &Cancel) -> Option<Duration> {
    let json = job.scenario.wire(job.suite.id).to_string();
    let request = Request { suite: job.suite.id, scenario: &job.scenario.name, json: &json };
    let Emission { outcome, duration, .. } = emitter.emit(&request, limits, cancel);
    (outcome == Outcome::Emitted).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(process: Option<u64>, session: Result<(u64, u64), &str>, scenarios: usize) -> Measured {
        let ms = Duration::from_millis;
        Measured {
            process: process.map(ms),
            session: session.map(|(open, each)| (ms(open), ms(each))).map_err(str::to_owned),
            scenarios,
            threads: NonZeroUsize::new(2).unwrap(),
        }
    }

    #[test]
    fn the_mode_that_gets_through_the_whole_run_sooner_is_taken() {
        let warm = measured(Some(900), Ok((950, 12)), 70);
        assert_eq!(
            warm.to_string(),
            "session mode: a process takes 900 ms for a scenario, a session 950 ms to open and 12 ms for a scenario"
        );
        let few = measured(Some(900), Ok((950, 12)), 2);
        assert!(!few.takes_session(), "two processes at once are done before the session is open");
        let quick = measured(Some(3), Ok((3, 2)), 70);
        assert!(!quick.takes_session(), "two processes at a time outrun one session that is hardly faster");
    }

    #[test]
    fn the_only_mode_that_works_is_taken() {
        let none = measured(Some(900), Err("it exited with 1 instead of answering {\"conform\":1}"), 70);
        assert_eq!(
            none.to_string(),
            "process mode: a process takes 900 ms for a scenario, and there is no session: it exited with 1 instead of \
             answering {\"conform\":1}"
        );
        let only = measured(None, Ok((1_950, 12)), 1);
        assert_eq!(
            only.to_string(),
            "session mode: a process of its own yields no document, a session 1.9 s to open and 12 ms for a scenario"
        );
        assert!(!measured(None, Err("nothing"), 1).takes_session());
    }
}
