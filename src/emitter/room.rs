//! The temporary folder in which one scenario is emitted.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A fresh folder with the scenario's file, the working folder and the folder for output. It goes when dropped.
#[derive(Debug)]
pub(super) struct Room {
    folder: TempDir,
    /// `CONFORM_SCENARIO_FILE`.
    pub(super) scenario: PathBuf,
    /// `CONFORM_OUT`.
    pub(super) out: PathBuf,
    /// The working folder.
    pub(super) work: PathBuf,
}

impl Room {
    /// # Errors
    /// Where the folder for temporary files cannot be written to.
    pub(super) fn new(scenario: impl AsRef<[u8]>) -> io::Result<Self> {
        let parent = memory_folder().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::Builder::new().prefix("conform-").tempdir_in(parent)?;
        let path = folder.path();
        let room =
            Room { scenario: path.join("scenario.json"), out: path.join("out"), work: path.join("work"), folder };
        fs::write(&room.scenario, scenario)?;
        fs::create_dir(&room.out)?;
        fs::create_dir(&room.work)?;
        Ok(room)
    }

    /// The scenario, to be read from its beginning. A file as standard input, unlike a pipe, can neither fill up when an
    /// emitter does not read it nor fail when the emitter closes it.
    pub(super) fn stdin(&self) -> io::Result<File> {
        File::open(&self.scenario)
    }
}

/// A folder in memory, if the user has not set `TMPDIR` and the system has one that serves as well as one on disk: programs
/// can be executed from it, and there is room. On disk, removing three folders can take longer than everything else that
/// one scenario costs (10 ms on a disk that discards freed blocks at once, and 0.1 ms in memory).
fn memory_folder() -> Option<PathBuf> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::StatVfsMountFlags;
        const TMPFS_MAGIC: u64 = 0x0102_1994;
        const ENOUGH: u64 = 1 << 30;
        let path = Path::new("/dev/shm");
        if std::env::var_os("TMPDIR").is_some() || rustix::fs::statfs(path).ok()?.f_type as u64 != TMPFS_MAGIC {
            return None;
        }
        let mount = rustix::fs::statvfs(path).ok()?;
        let is_free = mount.f_bavail.saturating_mul(mount.f_frsize) >= ENOUGH;
        let is_usable = !mount.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY);
        let is_writable = rustix::fs::access(path, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok();
        (is_free && is_usable && is_writable).then(|| path.to_owned())
    }
    #[cfg(not(target_os = "linux"))]
    {
        None
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A process that was just killed may still be adding a file, and an emitter may have made folders read-only.
        for _ in 0..3 {
            match fs::remove_dir_all(self.folder.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => open_up(self.folder.path()),
                _ => return,
            }
        }
    }
}

/// Makes every folder below (symbolic links not followed) one that its owner may list and empty.
fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        folders.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
}
