//! An emitter for conform that runs feotest's own optimize experiment over a scenario, and has it write its document where the
//! protocol wants it.

mod experiment;
mod scenario;
mod script;

use std::process::ExitCode;

use scenario::Scenario;

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
    let failed = |what: &str, error: &dyn std::fmt::Display| Refusal::Failed(format!("{what}: {error}"));
    let out = std::env::var_os("CONFORM_OUT").ok_or_else(|| Refusal::Failed("CONFORM_OUT is not set".to_owned()))?;
    let scenario: Scenario =
        serde_json::from_reader(std::io::stdin().lock()).map_err(|error| failed("this is no scenario", &error))?;
    let run = scenario.input;
    run.refuse().map_err(Refusal::Unsupported)?;
    let written = experiment::optimize(run, out.as_ref()).map_err(|error| failed("feotest wrote nothing", &error))?;
    eprintln!("wrote {}", written.display());
    Ok(())
}
