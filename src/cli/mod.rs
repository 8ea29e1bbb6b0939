//! The command line: reads arguments, does what they ask for, and says how it went in one exit code.

mod args;
mod certify;
mod check;
mod derive;
mod error;

pub mod exit;
mod expected;
mod explain;
mod help;
mod init;
mod judging;
mod keygen;
mod list;
mod merge;
mod mutate;
mod options;
mod output;
mod progress;
mod report;
mod run;
mod stored;
mod validator;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use error::Error;
use exit::Exit;

/// Runs a command line (the program's name first) and returns its exit code. Prints to standard output and standard error.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match parse(args.into_iter().collect()) {
        Ok(Cli { command: Some(Command::ReferenceEmitter), .. }) => reference(),
        Ok(cli) => ended(dispatch(cli)).into(),
        Err(error) => {
            // Help and version come this way too. Where nobody reads them, there is nobody to tell.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage.into() } else { Exit::Conformant.into() }
        }
    }
}

fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let command = Cli::command();
    let args = command_first(joined(args), &command);
    let matches = command.try_get_matches_from(args)?;
    Cli::from_arg_matches(&matches)
}

/// Writes `--session auto` as `--session=auto`: the flag may stand alone, so that clap would take a filter after it for its value.
fn joined(args: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::with_capacity(args.len());
    let mut options = true;
    for word in args {
        match joined.last_mut() {
            Some(flag)
                if options && flag == "--session" && ["auto", "always", "never"].iter().any(|when| word == *when) =>
            {
                flag.push("=");
                flag.push(&word);
            }
            _ => {
                options &= word != "--";
                joined.push(word);
            }
        }
    }
    joined
}

/// Moves the name of a command that comes after options to the front, where clap looks for it (`conform -q check x`). After
/// --emitter, a positional argument is a filter, whatever it is called.
fn command_first(mut args: Vec<OsString>, command: &clap::Command) -> Vec<OsString> {
    let takes_value = |found: Option<&clap::Arg>| {
        found.is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
    };
    let long = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
    let short = |name: char| command.get_arguments().find(|arg| arg.get_short() == Some(name));
    let mut at = 1;
    while let Some(word) = args.get(at).and_then(|word| word.to_str()) {
        at += 1;
        if let Some(option) = word.strip_prefix("--") {
            if option.is_empty() || matches!(option.split('=').next(), Some("emitter" | "validator")) {
                break;
            }
            at += usize::from(!option.contains('=') && takes_value(long(option)));
        } else if let Some(options) = word.strip_prefix('-').filter(|options| !options.is_empty()) {
            let valued = options.char_indices().find(|&(_, option)| takes_value(short(option)));
            if valued.is_some_and(|(_, option)| option == 'e') {
                break;
            }
            at += usize::from(valued.is_some_and(|(start, option)| start + option.len_utf8() == options.len()));
        } else {
            if command.find_subcommand(word).is_some() {
                let name = args.remove(at - 1);
                args.insert(1, name);
            }
            break;
        }
    }
    args
}

fn dispatch(cli: Cli) -> Result<Exit, Error> {
    match cli.command {
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Derive(args)) => derive::run(&args),
        Some(Command::Mutate(args)) => mutate::run(&args),
        Some(Command::Expected(args)) => expected::run(&args),
        Some(Command::Init(args)) => init::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Keygen(args)) => keygen::run(&args),
        Some(Command::ReferenceEmitter) | None => run::run(&cli.run),
    }
}

/// Acts as the reference emitter, by the emitter protocol's process mode. The exit code is the protocol's, and not one of
/// [`Exit`]'s: this end of the binary is the program under test.
fn reference() -> ExitCode {
    let out = std::env::var_os("CONFORM_OUT").map(std::path::PathBuf::from);
    let (stdin, stdout, stderr) = (std::io::stdin().lock(), std::io::stdout().lock(), std::io::stderr().lock());
    ExitCode::from(conform_reference_emitter::run(stdin, out.as_deref(), stdout, stderr))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rearranged(line: &str) -> String {
        let args = line.split(' ').map(OsString::from).collect();
        let args = command_first(args, &Cli::command());
        args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_may_stand_before_the_command() {
        assert_eq!(rearranged("conform -q check x"), "conform check -q x");
        assert_eq!(rearranged("conform --color never check x"), "conform check --color never x");
        assert_eq!(rearranged("conform --color=never -j 4 check x"), "conform check --color=never -j 4 x");
        assert_eq!(rearranged("conform -vj4 list"), "conform list -vj4");
        assert_eq!(rearranged("conform --session check x"), "conform check --session x");
    }

    #[test]
    fn the_session_flag_takes_only_words_of_its_own() {
        let read = |line: &str| {
            let cli = parse(line.split(' ').map(OsString::from).collect()).unwrap();
            (cli.run.session, cli.run.filters, cli.run.emitter_args)
        };
        use args::SessionWhen::{Always, Auto, Never};
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(read("conform -e x --session auto delivery"), (Some(Auto), words(&["delivery"]), vec![]));
        assert_eq!(read("conform -e x --session=never auto"), (Some(Never), words(&["auto"]), vec![]));
        assert_eq!(read("conform -e x --session delivery"), (Some(Always), words(&["delivery"]), vec![]));
        assert_eq!(read("conform -e x -- --session auto"), (None, vec![], words(&["--session", "auto"])));
        assert_eq!(read("conform -e x delivery"), (None, words(&["delivery"]), vec![]));
    }

    #[test]
    fn what_follows_an_emitter_is_a_filter() {
        for line in ["conform --emitter x list", "conform -e x check", "conform --emitter=x check", "conform -- check"]
        {
            assert_eq!(rearranged(line), line);
        }
        assert_eq!(rearranged("conform --skip check delivery"), "conform --skip check delivery");
    }

    #[test]
    fn a_filter_beside_an_emitter_may_be_called_like_a_command() {
        let cli = parse(["conform", "--emitter", "x", "list"].map(OsString::from).into()).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.run.filters, ["list"]);
    }
}
