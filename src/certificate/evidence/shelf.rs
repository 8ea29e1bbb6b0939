//! Reading evidence that may come from anyone: what is there is listed first, nothing is unpacked, no link is followed, and a
//! document is only read where it is as large as it should be.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::ustar::{self, BLOCK, Entry};

/// Files that evidence may consist of. More are no evidence of any run.
const MOST_FILES: usize = 1_000_000;

/// Evidence, opened.
pub struct Shelf {
    root: PathBuf,
    /// Size and, in an archive, offset of each file, by place.
    files: BTreeMap<String, (u64, Option<u64>)>,
}

/// Why evidence cannot be used.
#[derive(Debug)]
pub struct Fault {
    /// The folder, the archive, or the file in it.
    pub path: PathBuf,
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for Fault {}

fn fault(path: &Path, problem: impl fmt::Display) -> Fault {
    Fault { path: path.to_owned(), problem: problem.to_string() }
}

impl Shelf {
    /// Opens a folder or an archive of evidence.
    ///
    /// # Errors
    /// Where it cannot be read, or holds anything but regular files and folders.
    pub fn open(root: &Path) -> Result<Self, Fault> {
        let metadata = fs::metadata(root).map_err(|error| fault(root, error))?;
        let files = if metadata.is_dir() { list_folder(root)? } else { list_archive(root)? };
        Ok(Shelf { root: root.to_owned(), files })
    }

    /// Every file's place and size, in the order of the places.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64)> {
        self.files.iter().map(|(place, (size, _))| (place.as_str(), *size))
    }

    /// The size of a file; `None` where there is none at this place.
    pub fn size(&self, place: &str) -> Option<u64> {
        self.files.get(place).map(|(size, _)| *size)
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// Where there is no such file, it cannot be read, or it is no longer as large as it was.
    pub fn read(&self, place: &str) -> Result<Vec<u8>, Fault> {
        let path = self.root.join(place);
        let (size, offset) = self.files.get(place).copied().ok_or_else(|| fault(&path, "is not there"))?;
        let read = || {
            let mut file = match offset {
                Some(offset) => {
                    let mut archive = File::open(&self.root)?;
                    archive.seek(SeekFrom::Start(offset))?;
                    archive
                }
                None => regular(&path)?,
            };
            let mut bytes = Vec::new();
            let limit = if offset.is_some() { size } else { size.saturating_add(1) };
            (&mut file).take(limit).read_to_end(&mut bytes)?;
            if bytes.len() as u64 == size { Ok(bytes) } else { Err(io::Error::other("changed while it was read")) }
        };
        read().map_err(|error| fault(&path, error))
    }
}

/// A regular file, opened: neither a link followed, nor a pipe waited for.
fn regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is no regular file")) }
}

type Files = BTreeMap<String, (u64, Option<u64>)>;

fn list_folder(root: &Path) -> Result<Files, Fault> {
    let mut files = Files::new();
    let mut due = vec![(root.to_owned(), String::new())];
    let mut seen = 0;
    while let Some((folder, prefix)) = due.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| fault(&folder, error))? {
            let entry = entry.map_err(|error| fault(&folder, error))?;
            let path = entry.path();
            seen += 1;
            if seen > MOST_FILES {
                return Err(fault(root, format!("holds more than {MOST_FILES} files and folders")));
            }
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(|| fault(&path, "its name is no UTF-8"))?;
            let place = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
            // Of the entry itself, not of what a link leads to.
            let metadata = entry.metadata().map_err(|error| fault(&path, error))?;
            if metadata.is_dir() {
                due.push((path, place));
            } else if metadata.is_file() {
                files.insert(place, (metadata.len(), None));
            } else if metadata.is_symlink() {
                return Err(fault(&path, "is a symbolic link, where only regular files may be"));
            } else {
                return Err(fault(&path, "is neither a regular file nor a folder"));
            }
        }
    }
    Ok(files)
}

fn list_archive(path: &Path) -> Result<Files, Fault> {
    let mut archive = regular(path).map_err(|error| fault(path, error))?;
    let length = archive.metadata().map_err(|error| fault(path, error))?.len();
    let mut files = Files::new();
    let mut at: u64 = 0;
    loop {
        let mut block = [0; BLOCK];
        archive.seek(SeekFrom::Start(at)).map_err(|error| fault(path, error))?;
        archive
            .read_exact(&mut block)
            .map_err(|_| fault(path, "ends before its end mark: it was cut short, or is no tar archive"))?;
        at += BLOCK as u64;
        match ustar::entry(&block).map_err(|problem| fault(path, problem))? {
            Entry::End => return zeros(&mut archive, path, at).map(|()| files),
            Entry::Folder => {}
            Entry::File { path: place, size } => {
                let end = at.checked_add(size).and_then(|end| end.checked_add(ustar::padding(size) as u64));
                let end = end.filter(|end| *end <= length);
                let end = end.ok_or_else(|| {
                    fault(path, format!("{place:?} is said to have {size} bytes, and the archive ends before"))
                })?;
                if place.split('/').any(|part| matches!(part, "" | "." | "..")) {
                    return Err(fault(path, format!("{place:?} leads out of the archive, or is no plain path")));
                }
                padded(&mut archive, path, at + size, end)?;
                if files.insert(place.clone(), (size, Some(at))).is_some() {
                    return Err(fault(path, format!("holds {place:?} twice")));
                }
                at = end;
            }
        }
        if files.len() > MOST_FILES {
            return Err(fault(path, format!("holds more than {MOST_FILES} files")));
        }
    }
}

/// Expects that a file's last block is filled with zeros.
fn padded(archive: &mut File, path: &Path, from: u64, to: u64) -> Result<(), Fault> {
    let mut padding = [0; BLOCK];
    let padding = &mut padding[..usize::try_from(to - from).unwrap_or(0).min(BLOCK)];
    let read = archive.seek(SeekFrom::Start(from)).and_then(|_| archive.read_exact(padding));
    read.map_err(|error| fault(path, error))?;
    if padding.iter().all(|&byte| byte == 0) { Ok(()) } else { Err(fault(path, "holds something between its files")) }
}

/// Expects zeros up to the end, and at least one more block of them.
fn zeros(archive: &mut File, path: &Path, from: u64) -> Result<(), Fault> {
    let mut buffer = [0; 16 * BLOCK];
    let mut seen: u64 = 0;
    archive.seek(SeekFrom::Start(from)).map_err(|error| fault(path, error))?;
    loop {
        let read = archive.read(&mut buffer).map_err(|error| fault(path, error))?;
        if buffer.get(..read).is_some_and(|bytes| bytes.iter().any(|&byte| byte != 0)) {
            return Err(fault(path, "holds something after its end mark"));
        }
        if read == 0 {
            return if seen >= BLOCK as u64 { Ok(()) } else { Err(fault(path, "was cut short at its end mark")) };
        }
        seen += read as u64;
    }
}
