//! A conform emitter: reads one scenario from standard input, writes one mavai-optimize-1 document to standard output.
//!
//! Exit code 0: emitted; 77: not supported, and standard error says why; any other: failed.

mod optimize;

use std::io::Write;
use std::process::ExitCode;

use serde_json::Value;

const UNSUPPORTED: u8 = 77;

/// Why there is no document.
pub enum Refusal {
    /// The scenario asks for something that this emitter does not do.
    Unsupported(String),
    Failed(String),
}

fn main() -> ExitCode {
    let (code, reason) = match emit() {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Refusal::Unsupported(reason)) => (UNSUPPORTED, reason),
        Err(Refusal::Failed(reason)) => (1, reason),
    };
    eprintln!("{reason}");
    ExitCode::from(code)
}

fn emit() -> Result<(), Refusal> {
    let scenario: Value = serde_json::from_reader(std::io::stdin().lock())
        .map_err(|error| Refusal::Failed(format!("this is no scenario: {error}")))?;
    let text = match scenario["suite"].as_str() {
        Some("mavai-optimize-1") => optimize::optimize(&scenario["input"])?,
        other => return Err(Refusal::Unsupported(format!("there is nothing here for the suite {}", other.unwrap_or("?")))),
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Refusal::Failed(error.to_string()))
}
