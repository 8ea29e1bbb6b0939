//! The command line: reads arguments, does what they ask for, and says how it went in one exit code.

mod args;
mod catalogue;
mod check;
mod derive;
mod error;

pub mod exit;
mod explain;
mod help;
mod inputs;
mod judging;
mod list;
mod output;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use error::Error;
use exit::Exit;

/// Runs a command line (the program's name first) and returns its exit code. Prints to standard output and standard error.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match parse(args.into_iter().collect()) {
        Ok(cli) => ended(dispatch(cli)).into(),
        Err(error) => {
            // Help and version come this way too. Where nobody reads them, there is nobody to tell.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage.into() } else { Exit::Conformant.into() }
        }
    }
}

fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(args)?;
    Cli::from_arg_matches(&matches)
}

fn dispatch(cli: Cli) -> Result<Exit, Error> {
    match cli.command {
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Derive(args)) => derive::run(&args),
        _ => Err(Error::Usage("not there yet".to_owned())),
    }
}

/// The exit code of a command that has results and has shown and written them. A reader that went away leaves the exit code as
/// it is; any other output that was refused outranks it, since then the results are not where they were asked for.
fn closing(exit: Exit, outputs: impl IntoIterator<Item = Result<(), Error>>) -> Result<Exit, Error> {
    outputs.into_iter().filter_map(Result::err).find(|error| !error.is_quiet()).map_or(Ok(exit), Err)
}

/// Says an error, if there is one to say, and gives the exit code.
fn ended(outcome: Result<Exit, Error>) -> Exit {
    match outcome {
        Ok(exit) => exit,
        Err(error) => {
            if !error.is_quiet() {
                use std::io::Write as _;
                let _ = writeln!(std::io::stderr().lock(), "error: {error}");
            }
            error.exit()
        }
    }
}
