//! What an emitter wrote under `CONFORM_OUT`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::{RawDocument, RunLimits};

/// The folder's files, or why they cannot be taken.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// In the order of their paths, by byte.
    pub(super) documents: Vec<RawDocument>,
    /// What is there and is no readable regular file: its path under the folder, and what it is.
    pub(super) irregular: Vec<(String, String)>,
    /// Whether there is more than the limits allow; then not everything was taken.
    pub(super) excess: Option<Excess>,
}

/// Which limit the folder exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excess {
    Bytes,
    Entries,
}

impl Written {
    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.irregular.is_empty() && self.excess.is_none()
    }
}

/// Reads every regular file under a folder, at most `budget` bytes in all. Symbolic links are not followed.
pub(super) fn collect(folder: &Path, limits: &RunLimits, mut budget: u64) -> Written {
    let mut written = Written::default();
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return written,
        Ok(metadata) => {
            written
                .irregular
                .push((".".to_owned(), format!("{}, not the folder that was there", kind(metadata.file_type()))));
            return written;
        }
        Err(error) => {
            written.irregular.push((".".to_owned(), error.to_string()));
            return written;
        }
    }
    let mut files = Vec::new();
    let complete = walk(folder, limits.entries, |path, entry| match entry {
        Ok(entry) if entry.is_file() => files.push(path),
        Ok(entry) => written.irregular.push((name(&path, folder), kind(entry.file_type()).to_owned())),
        Err(error) => written.irregular.push((name(&path, folder), error.to_string())),
    });
    if !complete {
        written.excess = Some(Excess::Entries);
    }
    files.sort();
    written.irregular.sort();
    for path in files {
        match read(&path, budget) {
            Ok(Some(bytes)) => {
                budget -= bytes.len() as u64;
                written.documents.push(RawDocument { name: name(&path, folder), bytes });
            }
            Ok(None) => {
                written.excess = Some(Excess::Bytes);
                break;
            }
            Err(error) => {
                written.irregular.push((name(&path, folder), format!("a file that cannot be read ({error})")))
            }
        }
    }
    written
}

/// The size of all files under a folder, in bytes; of a folder with too many entries, the size of some.
pub(super) fn size(folder: &Path, limits: &RunLimits) -> u64 {
    let mut size: u64 = 0;
    walk(folder, limits.entries, |_, entry| {
        size = size.saturating_add(entry.map_or(0, |metadata| metadata.len()));
    });
    size
}

/// Visits all entries under a folder that are no folders; returns whether the limit on entries allowed it.
fn walk(folder: &Path, limit: usize, mut visit: impl FnMut(PathBuf, io::Result<fs::Metadata>)) -> bool {
    let mut seen = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                visit(folder, Err(error));
                continue;
            }
        };
        for entry in entries.flatten() {
            seen += 1;
            if seen > limit {
                return false;
            }
            // Of the entry itself, not of what a link leads to.
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                metadata => visit(entry.path(), metadata),
            }
        }
    }
    true
}

/// The bytes of a regular file; `None` where there are more than `budget`.
fn read(path: &Path, budget: u64) -> io::Result<Option<Vec<u8>>> {
    // Should something have taken the file's place meanwhile, neither follow it nor wait for it.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if metadata.len() > budget {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(budget.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= budget).then_some(bytes))
}

fn name(path: &Path, folder: &Path) -> String {
    match path.strip_prefix(folder) {
        Ok(inside) if !inside.as_os_str().is_empty() => inside.to_string_lossy().into_owned(),
        _ => ".".to_owned(),
    }
}

fn kind(file_type: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file_type.is_symlink() {
        "a symbolic link"
    } else if file_type.is_fifo() {
        "a named pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else if file_type.is_dir() {
        "a folder"
    } else if file_type.is_file() {
        "a file"
    } else {
        "a device"
    }
}
