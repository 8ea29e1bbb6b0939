use std::process::ExitCode;

fn main() -> ExitCode {
    conform::cli::main(std::env::args_os())
}
