//! The emitter that conform carries with it, held to every scenario: each scenario is a test.

use conform::harness::{Options, run};

fn main() -> std::process::ExitCode {
    run(Options::new(env!("CARGO_BIN_EXE_conform")).arg("reference-emitter"))
}
