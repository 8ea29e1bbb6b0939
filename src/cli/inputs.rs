//! Which documents the paths on the command line name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;
use crate::check::Input;

/// What a folder's documents are called.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// The documents that paths name, each once, in path order: a file by its own name, every document below a folder, every match
/// of a glob (and every document below a folder that matches), `-` for standard input.
///
/// # Errors
/// Where a path is neither there nor a glob, a folder cannot be listed, a glob is malformed, or nothing is named at all.
pub fn collect(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = BTreeSet::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.insert(Input::Stdin);
        } else if fs::symlink_metadata(path).is_ok() {
            add(path, &mut inputs)?;
        } else {
            match path.to_str().filter(|text| text.contains(['*', '?', '['])) {
                Some(pattern) => add_matches(pattern, &mut inputs)?,
                None => {
                    let advice = "name a file, a folder, a glob in quotes, or `-` for standard input";
                    return Err(Error::Usage(format!("no such file or folder: {}; {advice}", path.display())));
                }
            }
        }
    }
    if inputs.is_empty() {
        let named: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Error::NothingSelected(format!(
            "no document selected: nothing named {} in {}",
            EXTENSIONS.map(|extension| format!("*.{extension}")).join(", "),
            named.join(", ")
        )));
    }
    Ok(inputs.into_iter().collect())
}

fn add(path: &Path, inputs: &mut BTreeSet<Input>) -> Result<(), Error> {
    if path.is_dir() {
        add_folder(path, inputs)
    } else {
        inputs.insert(Input::File(path.to_owned()));
        Ok(())
    }
}

/// Adds every document below a folder. Entries that start with a dot are left out, and links to folders are not followed, so
/// that a circle of links ends.
fn add_folder(folder: &Path, inputs: &mut BTreeSet<Input>) -> Result<(), Error> {
    let refused = |error| Error::Usage(format!("cannot list the folder {}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if entry.file_type().map_err(refused)?.is_dir() {
            add_folder(&path, inputs)?;
        } else if path.is_file() && is_document(&path) {
            inputs.insert(Input::File(path));
        }
    }
    Ok(())
}

fn add_matches(pattern: &str, inputs: &mut BTreeSet<Input>) -> Result<(), Error> {
    let malformed = |error: &dyn std::fmt::Display| Error::Usage(format!("the glob {pattern} is malformed: {error}"));
    for path in glob::glob(pattern).map_err(|error| malformed(&error))? {
        let path = path.map_err(|error| Error::Usage(format!("the glob {pattern}: {error}")))?;
        add(&path, inputs)?;
    }
    Ok(())
}

fn is_document(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}
