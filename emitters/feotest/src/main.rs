//! An emitter for conform that runs feotest's own optimize and explore experiments over scenarios, and has it write its documents
//! where the protocol wants them.

mod explore;
mod optimize;
mod scenario;
mod script;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use feotest::controls::{RunBudget, run};
use serde::de::DeserializeOwned;
use serde_json::Value;

use scenario::{Explore, Optimize, Scenario, Terms, Trial};

/// The protocol's exit code for a scenario that cannot be run here.
const UNSUPPORTED: u8 = 77;

fn main() -> ExitCode {
    match emit() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refusal::Unsupported(reason)) => {
            eprintln!("{reason}");
            ExitCode::from(UNSUPPORTED)
        }
        Err(Refusal::Failed(problem)) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Why there is no document.
enum Refusal {
    /// feotest has no way to live through the scenario.
    Unsupported(String),
    Failed(String),
}

fn emit() -> Result<(), Refusal> {
    let out = std::env::var_os("CONFORM_OUT").ok_or_else(|| Refusal::Failed("CONFORM_OUT is not set".to_owned()))?;
    let out = Path::new(&out);
    let scenario: Scenario =
        serde_json::from_reader(io::stdin().lock()).map_err(|error| failed("this is no scenario", &error))?;
    let written = match scenario.suite.as_str() {
        "mavai-optimize-1" => {
            let run: Optimize = input(scenario.input)?;
            limit(&run.terms, &run.groups())?;
            optimize::optimize(run, out).map(|path| vec![path])
        }
        "mavai-explore-1" => {
            let run: Explore = input(scenario.input)?;
            run.refuse().map_err(Refusal::Unsupported)?;
            limit(&run.terms, &run.groups())?;
            explore::explore(run, out)
        }
        other => return Err(Refusal::Unsupported(format!("feotest writes nothing of the suite {other}"))),
    };
    for path in written.map_err(|error| failed("feotest wrote nothing", &error))? {
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn input<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(|error| failed("this is no scenario", &error))
}

/// Refuses what cannot be run, and sets feotest's own budget so that it ends the run where the scenario says so. A trial costs one
/// token.
fn limit(terms: &Terms, groups: &[&[Trial]]) -> Result<(), Refusal> {
    terms.refuse(groups).map_err(Refusal::Unsupported)?;
    let budget = match terms.cut(groups).map_err(Refusal::Unsupported)? {
        None => return Ok(()),
        // A budget of no tokens is refused; one of no time to speak of does the same.
        Some(0) => RunBudget::new(Some(Duration::from_nanos(1)), None),
        Some(trials) => RunBudget::new(None, Some(trials as u64)),
    };
    run::init(budget).map_err(|error| failed("feotest takes no budget", &error))
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> Refusal {
    Refusal::Failed(format!("{what}: {error}"))
}
