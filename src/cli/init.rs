//! `conform init`: writes a working emitter to start an adapter from.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::error::Error;
use super::exit::Exit;
use super::output;
use crate::suite::embedded;

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The language that it is written in
    #[arg(value_enum)]
    pub language: Language,
    /// The folder to write it to; it is made if it is not there
    #[arg(value_name = "DIR", default_value = "my-emitter")]
    pub dir: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Python,
    Rust,
    Shell,
    Node,
}

impl Language {
    /// The files of its emitter: path in the new folder, and text.
    fn files(self) -> Vec<(&'static str, &'static str)> {
        let folder = match self {
            Language::Python => "templates/python",
            Language::Rust => "templates/rust",
            Language::Shell => "templates/shell",
            Language::Node => "templates/node",
        };
        let mut files = below(folder);
        if self == Language::Python {
            // Its code is the Python emitter that conform is itself tested with, but for the text that is about that.
            let own: Vec<_> = below("emitters/python").into_iter().filter(|(path, _)| *path != "README.md").collect();
            files.extend(own);
        }
        files
    }

    /// What there is to know before it is run for the first time.
    fn first_run(self, dir: &str) -> String {
        match self {
            Language::Python | Language::Node => format!("  conform --emitter {dir}\n        it passes as it is"),
            Language::Rust => format!("  conform --build --emitter {dir}\n        builds it; it passes as it is"),
            Language::Shell => format!(
                "  conform --emitter {dir} one-sample\n        the one scenario that its stand-in program knows; all others are unsupported"
            ),
        }
    }
}

fn below(folder: &str) -> Vec<(&'static str, &'static str)> {
    let relative = |path: &'static str| path.get(folder.len() + 1..).unwrap_or(path);
    embedded::under(folder).map(|(path, text)| (relative(path), text)).collect()
}

/// Writes the files and says what to do next.
pub fn run(args: &InitArgs) -> Result<Exit, Error> {
    let files = args.language.files();
    // All are looked for before any is written: a folder is filled or left as it is.
    if let Some(taken) = files.iter().map(|(path, _)| args.dir.join(path)).find(|path| path.symlink_metadata().is_ok())
    {
        return Err(Error::Usage(format!(
            "{} is there already, and nothing was written; name another folder, or move it away",
            taken.display()
        )));
    }
    let mut said = String::new();
    for (path, text) in files {
        let target = args.dir.join(path);
        write(&target, text)
            .map_err(|error| Error::Usage(format!("{} cannot be written: {error}", target.display())))?;
        said.push_str(&format!("wrote {}\n", target.display()));
    }
    let dir = args.dir.to_string_lossy();
    let dir = shell_words::quote(&dir);
    said.push_str(&format!("\nNext:\n{}\n", args.language.first_run(&dir)));
    said.push_str(&format!(
        "  {}\n        says what to put your framework's call in the place of\n",
        args.dir.join("README.md").display()
    ));
    output::print(&said)?;
    Ok(Exit::Conformant)
}

fn write(target: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
    // Only where nothing is: something may have come there since it was looked for.
    OpenOptions::new().write(true).create_new(true).mode(mode).open(target)?.write_all(text.as_bytes())
}
