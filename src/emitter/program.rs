//! From the words of a command to a program that can be started.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::EmitterError;

/// A program and its arguments, ready to be started from any folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    /// Absolute.
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<OsString>,
}

impl Program {
    /// Resolves a command's words as if it were started in `folder`: there the program is looked up when its name has a
    /// slash (otherwise on `PATH`, as a shell does), arguments that name a file there are made absolute, and `{dir}` stands
    /// for it. For emitters are started in a temporary folder, where relative paths lead nowhere.
    ///
    /// # Errors
    /// Where there is no such program or it is not executable.
    pub(super) fn resolve(words: &[String], folder: &Path) -> Result<Self, EmitterError> {
        let (program, arguments) = words.split_first().ok_or_else(|| EmitterError::Words {
            command: String::new(),
            problem: "is empty; name a program".to_owned(),
        })?;
        let path = locate(&expand(program, folder), folder, std::env::var_os("PATH").as_deref())?;
        let arguments = arguments.iter().map(|word| anchor(word, folder)).collect();
        Ok(Program { path, arguments })
    }

    /// The whole argument vector, as a report shows it.
    pub(super) fn shown(&self) -> Vec<String> {
        let words = std::iter::once(self.path.as_os_str()).chain(self.arguments.iter().map(OsString::as_os_str));
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    pub(super) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.path);
        command.args(&self.arguments);
        command
    }
}

/// Splits a command by POSIX word rules.
///
/// # Errors
/// Where a quote is not closed, or there is no word.
pub(super) fn words(command: &str) -> Result<Vec<String>, EmitterError> {
    let problem = match shell_words::split(command) {
        Ok(words) if !words.is_empty() => return Ok(words),
        Ok(_) => "is empty; name a program",
        Err(_) => "has a quote that is not closed; words are split as a POSIX shell does",
    };
    Err(EmitterError::Words { command: command.to_owned(), problem: problem.to_owned() })
}

/// A word with every `{dir}` replaced.
pub(super) fn expand(word: &str, folder: &Path) -> OsString {
    let mut expanded = OsString::new();
    for (at, part) in word.split("{dir}").enumerate() {
        if at > 0 {
            expanded.push(folder);
        }
        expanded.push(part);
    }
    expanded
}

/// An argument as it means the same from any folder: the script in `python3 emitter.py`.
pub(super) fn anchor(word: &str, folder: &Path) -> OsString {
    let expanded = expand(word, folder);
    let path = under(folder, &expanded);
    if !word.is_empty() && path.is_file() { path.into() } else { expanded }
}

/// A path as seen from a folder, absolute and without `.`; links are not followed, so that a program sees the path it was given.
pub(super) fn under(folder: &Path, path: &OsStr) -> PathBuf {
    let joined = folder.join(path);
    std::path::absolute(&joined).unwrap_or(joined)
}

fn locate(program: &OsStr, folder: &Path, search_path: Option<&OsStr>) -> Result<PathBuf, EmitterError> {
    let shown = || program.to_string_lossy().into_owned();
    if program.as_encoded_bytes().contains(&b'/') {
        let path = under(folder, program);
        return match executable(&path) {
            Ok(()) => Ok(path),
            Err(None) => Err(EmitterError::NotFound {
                program: shown(),
                problem: format!("there is no {}; check the path", path.display()),
            }),
            Err(Some(problem)) => Err(EmitterError::NotExecutable { path, problem }),
        };
    }
    let Some(search_path) = search_path else {
        return Err(EmitterError::NotFound { program: shown(), problem: "PATH is not set; name its path".to_owned() });
    };
    let mut refused = None;
    // An empty or relative entry is relative to the folder, as in a shell.
    for candidate in std::env::split_paths(search_path).map(|entry| under(folder, entry.join(program).as_os_str())) {
        match executable(&candidate) {
            Ok(()) => return Ok(candidate),
            Err(None) => {}
            Err(Some(problem)) => refused = refused.or(Some(EmitterError::NotExecutable { path: candidate, problem })),
        }
    }
    Err(refused.unwrap_or_else(|| EmitterError::NotFound {
        program: shown(),
        problem: if folder.join(program).exists() {
            format!("it is not on PATH; for the one in {}, write ./{}", folder.display(), shown())
        } else {
            "it is neither on PATH nor a path; install it, or name its path".to_owned()
        },
    }))
}

/// Why a path cannot be executed: `None` where nothing is there.
fn executable(path: &Path) -> Result<(), Option<String>> {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Err(None);
        }
        Err(error) => return Err(Some(error.to_string())),
    };
    if metadata.is_dir() {
        return Err(Some("it is a folder".to_owned()));
    }
    if !metadata.is_file() {
        return Err(Some("it is no regular file".to_owned()));
    }
    rustix::fs::access(path, Access::EXEC_OK).map_err(|error| {
        let script = path.display();
        Some(match error {
            rustix::io::Errno::ACCESS => format!(
                "it has no execute permission; run `chmod +x {script}`, or name its interpreter, as in `python3 {script}`"
            ),
            other => other.to_string(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(folder: &Path, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_bare_name_is_looked_up_as_a_shell_does() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        script(folder, "first/data", 0o644);
        script(folder, "first/both", 0o644);
        script(folder, "second/both", 0o755);
        script(folder, "here", 0o755);
        std::fs::create_dir_all(folder.join("first/nested")).unwrap();
        let path = OsString::from(format!("first:{}/second", folder.display()));
        let look = |name: &str| locate(OsStr::new(name), folder, Some(&path));

        assert_eq!(look("both").unwrap(), folder.join("second/both"), "an entry without permission is passed over");
        assert!(matches!(look("data"), Err(EmitterError::NotExecutable { .. })));
        assert!(matches!(look("nested"), Err(EmitterError::NotExecutable { .. })));
        let not_here = look("here").unwrap_err().to_string();
        assert!(not_here.contains("write ./here"), "{not_here}");
        assert_eq!(look("./here").unwrap(), folder.join("here"));
        assert!(matches!(look("absent"), Err(EmitterError::NotFound { .. })));
        assert!(matches!(look("./here/absent"), Err(EmitterError::NotFound { .. })));
        assert!(matches!(locate(OsStr::new("both"), folder, None), Err(EmitterError::NotFound { .. })));
    }

    #[test]
    fn words_mean_the_same_from_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), "emit.sh", 0o644);
        let words = words(r#"sh emit.sh '{dir}/my data' -n "two words" absent.sh """#).unwrap();
        let program = Program::resolve(&words, folder.path()).unwrap();
        let dir = folder.path().display();
        let expected = [format!("{dir}/emit.sh"), format!("{dir}/my data")];
        assert_eq!(program.shown()[1..3], expected);
        assert_eq!(program.shown()[3..], ["-n", "two words", "absent.sh", ""]);
    }

    #[test]
    fn a_quote_must_be_closed() {
        for (command, problem) in [("emit 'a b", "a quote that is not closed"), ("  ", "is empty"), ("", "is empty")] {
            let error = words(command).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}
