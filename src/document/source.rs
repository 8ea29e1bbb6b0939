//! Where documents come from: files, folders, globs and standard input, as they are named on the command line.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};

use super::Limits;
use super::read::size_finding;
use super::rules::UNREADABLE;
use crate::finding::Finding;

/// The argument that names standard input.
pub const STANDARD_INPUT: &str = "-";

/// Folders that are skipped on the way down, as hidden ones are: they hold what tools build and fetch.
const SKIPPED_FOLDERS: [&str; 2] = ["target", "node_modules"];

/// Extensions of the documents in a folder.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// One document that has not been read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The document's name in output: its path as it was named, or `<stdin>`.
    pub name: String,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    StandardInput,
    File(PathBuf),
}

/// Why an argument names no documents.
#[derive(Debug)]
pub enum CollectError {
    /// No file, no folder, and no glob either.
    NotFound(String),
    /// A folder, but none of its files is a document.
    EmptyFolder(String),
    /// A glob that no file matches.
    NoMatch(String),
    /// A glob that is malformed: the argument and the reason.
    BadGlob(String, String),
    /// A folder that cannot be listed.
    Folder(PathBuf, io::Error),
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectError::NotFound(argument) => write!(f, "no such file or folder: {argument}"),
            CollectError::EmptyFolder(argument) => {
                write!(f, "the folder {argument} holds no document: no file in it ends in .yaml, .yml or .json")
            }
            CollectError::NoMatch(argument) => write!(f, "no file matches {argument}"),
            CollectError::BadGlob(argument, reason) => write!(f, "{argument} is no glob: {reason}"),
            CollectError::Folder(path, error) => write!(f, "the folder {} cannot be listed: {error}", path.display()),
        }
    }
}

impl std::error::Error for CollectError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CollectError::Folder(_, error) => Some(error),
            _ => None,
        }
    }
}

/// The documents that the arguments name, in the order of their paths, each once; standard input comes first.
///
/// A file is taken whatever its extension. A folder stands for the `.yaml`, `.yml` and `.json` files in it and below,
/// hidden ones and `target` and `node_modules` left out. What is neither and holds `*`, `?` or `[` is a glob, where `**` matches
/// folders at any depth. A link that leads nowhere and a folder below that cannot be listed are taken too: that they cannot be read is
/// found where they are.
///
/// # Errors
/// Where an argument names nothing, or a folder cannot be listed.
pub fn collect(arguments: &[String]) -> Result<Vec<Source>, CollectError> {
    let mut standard_input = false;
    let mut paths = Vec::new();
    for argument in arguments {
        if argument == STANDARD_INPUT {
            standard_input = true;
            continue;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = paths.len();
                walk(path, &mut HashSet::new(), &mut paths)?;
                if paths.len() == before {
                    return Err(CollectError::EmptyFolder(argument.clone()));
                }
            }
            // A file that is there but cannot be looked at is reported when it is read.
            Ok(_) => paths.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => paths.push(path.to_owned()),
            Err(_) if path.is_symlink() => paths.push(path.to_owned()),
            Err(_) if argument.contains(['*', '?', '[']) => matches(argument, &mut paths)?,
            Err(_) => return Err(CollectError::NotFound(argument.clone())),
        }
    }
    paths.sort();
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    let files = paths.into_iter().map(|path| Source { name: path.display().to_string(), origin: Origin::File(path) });
    let input = standard_input.then(|| Source { name: "<stdin>".to_owned(), origin: Origin::StandardInput });
    Ok(input.into_iter().chain(files).collect())
}

/// Adds the documents in a folder and below. A folder that was walked before, by whatever links, is not walked again.
fn walk(folder: &Path, walked: &mut HashSet<PathBuf>, paths: &mut Vec<PathBuf>) -> Result<(), CollectError> {
    let failed = |error| CollectError::Folder(folder.to_owned(), error);
    let mut pending = vec![folder.to_owned()];
    if !walked.insert(fs::canonicalize(folder).map_err(failed)?) {
        return Ok(());
    }
    while let Some(current) = pending.pop() {
        let listed = fs::read_dir(&current).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) if current == folder => return Err(failed(error)),
            Err(_) => {
                paths.push(current);
                continue;
            }
        };
        for entry in entries {
            let name = entry.file_name();
            let path = entry.path();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                let skipped = SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped);
                if !skipped && fs::canonicalize(&path).is_ok_and(|real| walked.insert(real)) {
                    pending.push(path);
                }
            } else if is_document(&path) {
                paths.push(path);
            }
        }
    }
    Ok(())
}

fn is_document(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Adds the files that match a glob.
fn matches(argument: &str, paths: &mut Vec<PathBuf>) -> Result<(), CollectError> {
    let bad = |error: glob::PatternError| CollectError::BadGlob(argument.to_owned(), error.msg.to_owned());
    // Windows aside, names differ by case; a leading dot and a `/` must be written out.
    let options =
        MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
    Pattern::new(argument).map_err(bad)?;
    let before = paths.len();
    for found in glob::glob_with(argument, options).map_err(bad)? {
        // A folder that cannot be listed hides its files from the glob, which is no reason to pass over it.
        let path = found.map_err(|error| {
            let path = error.path().to_owned();
            CollectError::Folder(path, error.into())
        })?;
        if !path.is_dir() && !in_skipped_folder(&path, argument) {
            paths.push(path);
        }
    }
    if paths.len() == before { Err(CollectError::NoMatch(argument.to_owned())) } else { Ok(()) }
}

/// Whether a path leads through a skipped folder that the glob does not name.
fn in_skipped_folder(path: &Path, argument: &str) -> bool {
    let named = |name: &str| argument.split('/').any(|part| part == name);
    path.components().any(|component| match component {
        Component::Normal(name) => SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped && !named(skipped)),
        _ => false,
    })
}

#[expect(
    clippy::result_large_err,
    reason = "a document is loaded once, and the finding goes into the results as it is"
)]
impl Source {
    /// The bytes of the document.
    ///
    /// # Errors
    /// A finding of severity error: the file cannot be opened or read, is no regular file, or is past the size limit.
    pub fn load(&self, limits: &Limits) -> Result<Vec<u8>, Finding> {
        match &self.origin {
            Origin::StandardInput => self.read(io::stdin().lock(), 0, limits),
            Origin::File(path) => {
                let file = open(path).map_err(|error| not_opened(path, &error))?;
                let metadata =
                    file.metadata().map_err(|error| unreadable(format!("the file cannot be read: {error}")))?;
                if !metadata.is_file() {
                    let what = if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
                    return Err(unreadable(format!("{what} stands where a regular file is expected"))
                        .help("give a regular file, or pipe the document to `-`"));
                }
                if metadata.len() > limits.most_bytes() {
                    return Err(size_finding(metadata.len(), limits));
                }
                self.read(file, metadata.len() as usize, limits)
            }
        }
    }

    /// Reads to the end, but not further than the size limit: a file may grow, and standard input may never end.
    fn read(&self, from: impl Read, expected: usize, limits: &Limits) -> Result<Vec<u8>, Finding> {
        let mut bytes = Vec::with_capacity(expected);
        match from.take(limits.most_bytes() + 1).read_to_end(&mut bytes) {
            Err(error) => Err(unreadable(format!("the document cannot be read: {error}"))),
            Ok(_) if bytes.len() as u64 > limits.most_bytes() => Err(size_finding(bytes.len() as u64, limits)),
            Ok(_) => Ok(bytes),
        }
    }
}

/// Opens a file for reading, without waiting for the other end of a named pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

fn not_opened(path: &Path, error: &io::Error) -> Finding {
    match fs::read_link(path) {
        Ok(target) => unreadable(format!("the link leads to {}, which cannot be opened: {error}", target.display())),
        Err(_) if path.is_dir() => unreadable(format!("the folder cannot be listed: {error}")),
        Err(_) => unreadable(format!("the file cannot be opened: {error}")),
    }
}

fn unreadable(message: String) -> Finding {
    Finding::placeless(UNREADABLE.id, UNREADABLE.basis, UNREADABLE.severity, message)
}
