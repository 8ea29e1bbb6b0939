//! From what the user names to an emitter that can be started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::manifest::{self, Manifest, Version};
use super::process::{self, Stop, Task};
use super::program::{self, Program};
use super::{Cancel, EmitterError, Mode, RunLimits, exit};

/// A program under test, found and ready to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter {
    name: String,
    version: Option<Version>,
    program: Program,
    /// The file that describes it, if one does.
    manifest: Option<PathBuf>,
    /// What relative paths in the emitter's own words start from.
    folder: PathBuf,
    env: Vec<(String, OsString)>,
    mode: Mode,
    suites: Option<Vec<String>>,
    timeout: Option<Duration>,
}

impl Emitter {
    /// Finds the emitter that an argument names, as seen from the caller's folder: the word `reference` (the emitter built
    /// into this executable), an executable, a folder with `emitter.toml`, that file itself, or a command of several words.
    /// `extra` goes after the emitter's own arguments.
    ///
    /// In a command, an argument that names a file is made absolute, since the emitter is started in another folder.
    ///
    /// # Errors
    /// Where the argument or the manifest is wrong, or the program is not there or not executable; nothing is started yet.
    pub fn resolve(argument: &str, extra: &[String], caller_folder: &Path) -> Result<Self, EmitterError> {
        let folder = program::under(caller_folder, ".".as_ref());
        let mut emitter = match Named::by(argument, &folder)? {
            Named::Reference => {
                let exe = std::env::current_exe().map_err(|error| EmitterError::NotFound {
                    program: argument.to_owned(),
                    problem: format!("the system does not say where conform's own executable is: {error}"),
                })?;
                Emitter::reference(exe)
            }
            Named::Manifest(path) => Emitter::from_manifest(&path)?,
            Named::Command(words) => Emitter::from_command(&words, &folder)?,
        };
        let extra = extra.iter().map(|word| program::anchor(word, &folder));
        emitter.program.arguments.extend(extra);
        Ok(emitter)
    }

    /// The emitter that `conform` itself is, given its executable.
    pub fn reference(exe: PathBuf) -> Self {
        Emitter {
            name: "reference".to_owned(),
            version: Some(Version::Text(env!("CARGO_PKG_VERSION").to_owned())),
            folder: exe.parent().map(Path::to_owned).unwrap_or_default(),
            program: Program { path: exe, arguments: vec!["reference-emitter".into()] },
            manifest: None,
            env: Vec::new(),
            mode: Mode::Process,
            suites: None,
            timeout: None,
        }
    }

    fn from_command(words: &[String], folder: &Path) -> Result<Self, EmitterError> {
        let program = Program::resolve(words, folder)?;
        let name = match words {
            [_] => program.path.file_name().unwrap_or(program.path.as_os_str()).to_string_lossy().into_owned(),
            words => shell_words::join(words),
        };
        Ok(Emitter {
            name,
            version: None,
            program,
            manifest: None,
            folder: folder.to_owned(),
            env: Vec::new(),
            mode: Mode::Process,
            suites: None,
            timeout: None,
        })
    }

    fn from_manifest(path: &Path) -> Result<Self, EmitterError> {
        let Manifest { name, version, command, mode, suites, timeout, env, build } = Manifest::read(path)?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let program = Program::resolve(&command, &folder).map_err(|error| match error {
            EmitterError::NotFound { program, problem } if build.is_some() => {
                EmitterError::NotFound { program, problem: format!("{problem}, or build it with --build") }
            }
            other => other,
        })?;
        let folder_name = || folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        Ok(Emitter {
            name: name.unwrap_or_else(folder_name),
            version,
            program,
            manifest: Some(path.to_owned()),
            env: env.into_iter().map(|(name, value)| (name, program::expand(&value, &folder))).collect(),
            folder,
            mode,
            suites,
            timeout,
        })
    }

    /// Runs the build command of the manifest that an argument names, once, in the manifest's folder; what it writes goes to
    /// standard error. To be called before [`Emitter::resolve`], which may find the program only then.
    ///
    /// # Errors
    /// Where the argument names no manifest with a build command, or the command fails or is cancelled.
    pub fn build(argument: &str, caller_folder: &Path, cancel: &Cancel) -> Result<(), EmitterError> {
        let Named::Manifest(path) = Named::by(argument, &program::under(caller_folder, ".".as_ref()))? else {
            return Err(EmitterError::Words {
                command: argument.to_owned(),
                problem: "has nothing to build; --build needs an emitter.toml with a `build` command".to_owned(),
            });
        };
        let manifest = Manifest::read(&path)?;
        let words = manifest.build.ok_or_else(|| EmitterError::Manifest {
            path: path.clone(),
            line: None,
            problem: "there is no `build` command; add one, or leave --build out".to_owned(),
        })?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let program = Program::resolve(&words, &folder)?;
        let mut command = program.command();
        command.current_dir(&folder).stdin(Stdio::null());
        command.envs(manifest.env.iter().map(|(name, value)| (name, program::expand(value, &folder))));
        let failed = |problem: String| EmitterError::Command {
            what: "build",
            command: shell_words::join(&words),
            problem,
            stderr: String::new(),
        };
        match process::run_shown(command, cancel) {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(failed(exit::describe(status))),
            Ok(None) => Err(failed("was cancelled".to_owned())),
            Err(error) => Err(failed(format!("could not be started: {error}"))),
        }
    }

    /// What reports call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version that the manifest states, or that its version command prints on its first line; `None` where the
    /// manifest says nothing of a version.
    ///
    /// # Errors
    /// Where the command fails, takes longer than the limit or prints nothing.
    pub fn version(&self, limits: &RunLimits, cancel: &Cancel) -> Result<Option<String>, EmitterError> {
        let words = match &self.version {
            None => return Ok(None),
            Some(Version::Text(text)) => return Ok(Some(text.clone())),
            Some(Version::Command(words)) => words,
        };
        let failed = |problem: String, stderr: String| EmitterError::Command {
            what: "version",
            command: shell_words::join(words),
            problem,
            stderr,
        };
        let mut command = Program::resolve(words, &self.folder)?.command();
        command.current_dir(&self.folder).stdin(Stdio::null()).envs(self.env.iter().map(|(name, value)| (name, value)));
        let task = Task { command, marker: None, written: &|| 0 };
        let finished = process::run(task, limits, cancel)
            .map_err(|error| failed(format!("could not be started: {error}"), String::new()))?;
        let stderr = finished.stderr;
        match (finished.stop, finished.status) {
            (Some(Stop::Cancelled), _) => Err(failed("was cancelled".to_owned(), stderr)),
            (Some(Stop::Time), _) => Err(failed(format!("did not end within {} s", limits.time.as_secs_f64()), stderr)),
            (Some(Stop::Output), _) => Err(failed("printed too much".to_owned(), stderr)),
            (None, Some(status)) if !status.success() => Err(failed(exit::describe(status), stderr)),
            _ => match String::from_utf8_lossy(&finished.stdout).lines().map(str::trim).find(|line| !line.is_empty()) {
                Some(line) => Ok(Some(line.to_owned())),
                None => Err(failed("printed nothing to standard output".to_owned(), stderr)),
            },
        }
    }

    /// The argument vector it is started with, for reports.
    pub fn argv(&self) -> Vec<String> {
        self.program.shown()
    }

    /// The files that it consists of as far as its command shows: its program, those of its arguments that name a file, and
    /// its manifest.
    pub fn files(&self) -> Vec<(Part, PathBuf)> {
        let arguments =
            self.program.arguments.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
        let mut files = vec![(Part::Executable, self.program.path.clone())];
        files.extend(arguments.map(|path| (Part::Argument, path)));
        files.extend(self.manifest.clone().map(|path| (Part::Manifest, path)));
        files
    }

    /// How it is run.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The same emitter, run in another mode (`--session`).
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The suites that it claims; `None` where it does not say, which claims all.
    pub fn suites(&self) -> Option<&[String]> {
        self.suites.as_deref()
    }

    /// The time limit that its manifest asks for.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    pub(super) fn program(&self) -> &Path {
        &self.program.path
    }

    /// The emitter's command with its environment; the caller's own otherwise.
    pub(super) fn command(&self) -> Command {
        let mut command = self.program.command();
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// What a file is to an emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The program that is started; for a script that an interpreter runs, the interpreter.
    Executable,
    /// A file that an argument of its command names.
    Argument,
    Manifest,
}

/// What an argument names.
enum Named {
    Reference,
    Manifest(PathBuf),
    Command(Vec<String>),
}

impl Named {
    fn by(argument: &str, folder: &Path) -> Result<Self, EmitterError> {
        if argument == "reference" {
            return Ok(Named::Reference);
        }
        let path = program::under(folder, argument.as_ref());
        if !argument.is_empty() && path.is_dir() {
            let manifest = path.join(manifest::FILE);
            return if manifest.is_file() {
                Ok(Named::Manifest(manifest))
            } else {
                Err(EmitterError::NoManifest { folder: path })
            };
        }
        if path.is_file() {
            if path.extension().is_some_and(|extension| extension == "toml") {
                return Ok(Named::Manifest(path));
            }
            // A path, even one with spaces in it, unless it is a bare name, which is looked up on PATH.
            if argument.contains('/') {
                return Ok(Named::Command(vec![argument.to_owned()]));
            }
        }
        program::words(argument).map(Named::Command)
    }
}
