//! The command line from outside: the built binary, its output, its exit codes. One module a subject.

mod certificate;
mod check;
mod exit;
mod expected;
mod explain;
mod folder;
mod help;
mod init;
mod list;
mod look;
mod repeat;
mod reports;
mod run;
mod shards;
mod stored;
mod verify;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command wrote, and how it ended.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }

    /// Exit code, standard output and standard error, for a snapshot: with times and the version taken out.
    pub fn shown(&self) -> String {
        let mut text = format!("exit {:?}\n", self.code.unwrap_or(-1));
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("--- {name}\n{}", timeless(stream)));
            }
        }
        text
    }
}

/// A text with every `[12 ms]` made `[TIME]`.
fn timeless(text: &str) -> String {
    let mut parts = text.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push('[');
        match part.split_once([']', ' ']) {
            Some((number, _)) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.') => {
                let rest = part.trim_start_matches(|c: char| c != ']');
                out.push_str("TIME");
                out.push_str(rest);
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// The binary, to be run in the folder of this test's fixtures and with no say of the environment in colours.
pub fn command<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conform"));
    command.args(args).current_dir(fixtures()).stdin(Stdio::null());
    for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// Runs a command line, given as words between spaces.
pub fn conform(line: &str) -> Ran {
    ended(command(line.split_whitespace()))
}

pub fn ended(mut command: Command) -> Ran {
    let output = command.output().expect("conform starts");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a command line with something on standard input.
pub fn fed(line: &str, input: &[u8]) -> Ran {
    let mut child = command(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("conform starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("conform reads");
    let output = child.wait_with_output().expect("conform ends");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cli")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("output is UTF-8")
}
