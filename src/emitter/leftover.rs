//! Processes that an emitter leaves behind: what is still there of its process group, and what left the group (a daemon)
//! but still carries the environment that the emitter was given.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpgid, waitpid};

/// Whether orphans become children of this process; see [`adopt_orphans`].
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Makes every orphan among this process's descendants its child, so that a daemon which an emitter leaves behind, and which
/// holds no pipe, is noticed and killed as well. For a program that does nothing but run emitters, once, at its start: from
/// then on the program must expect children that it did not start. Returns whether the system can do so.
pub fn adopt_orphans() -> bool {
    #[cfg(target_os = "linux")]
    let done = rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok();
    #[cfg(not(target_os = "linux"))]
    let done = false;
    ADOPTING.store(done, Ordering::SeqCst);
    done
}

/// A process that is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leftover {
    pub(super) pid: i32,
    /// The name of its program, as the system keeps it.
    pub(super) name: String,
    in_group: bool,
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// In the process group and among adopted orphans: cheap enough for every scenario.
    Near,
    /// Among all processes: for when there is a reason to suspect one.
    Everywhere,
}

/// What is left of a process group whose leader has exited and been waited for, and of the processes with `marker`
/// (`NAME=value`) in their initial environment. Zombies do not count: whether they go is up to their parent.
pub(super) fn find(group: Pid, marker: Option<&str>, search: Search) -> Vec<Leftover> {
    // Reaps what was adopted and has exited. A group with a member left cannot be another's: its number is in use.
    while let Ok(Some(_)) = waitpgid(group, WaitOptions::NOHANG) {}
    let group_exists =
        !matches!(rustix::process::test_kill_process_group(group), Err(error) if error == rustix::io::Errno::SRCH);
    if search == Search::Everywhere || group_exists {
        scan(group, marker, every_process())
    } else if ADOPTING.load(Ordering::SeqCst) {
        scan(group, marker, children())
    } else {
        Vec::new()
    }
}

/// Kills everything that [`find`] finds, and what that started meanwhile; returns what was found at first.
pub(super) fn kill(group: Pid, marker: Option<&str>, search: Search) -> Vec<Leftover> {
    const ROUNDS: usize = 20;
    let first = find(group, marker, search);
    let mut found = first.clone();
    let mut killed = Vec::new();
    for _ in 0..ROUNDS {
        if found.is_empty() {
            break;
        }
        if found.iter().any(|left| left.in_group) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        for pid in found.iter().filter_map(|left| Pid::from_raw(left.pid)) {
            let _ = kill_process(pid, Signal::KILL);
            killed.push(pid);
        }
        std::thread::sleep(MOMENT);
        found = find(group, marker, Search::Everywhere);
    }
    killed.into_iter().for_each(reap);
    first
}

/// Between looking at a process that was killed, and looking again.
const MOMENT: Duration = Duration::from_millis(1);

/// Waits a little for the end of a process that was killed. Returns at once for what is no child, adopted or not.
fn reap(pid: Pid) {
    const LOOKS: usize = 50;
    for _ in 0..LOOKS {
        match waitpid(Some(pid), WaitOptions::NOHANG) {
            Ok(None) => std::thread::sleep(MOMENT),
            Ok(Some(_)) | Err(_) => return,
        }
    }
}

#[cfg(target_os = "linux")]
fn scan(group: Pid, marker: Option<&str>, pids: Vec<i32>) -> Vec<Leftover> {
    let own = rustix::process::getpid().as_raw_pid();
    pids.into_iter()
        .filter(|&pid| pid != own)
        .filter_map(|pid| {
            let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
            let (name, state, process_group) = parse_stat(&String::from_utf8_lossy(&stat))?;
            let in_group = process_group == group.as_raw_pid();
            let lives = !matches!(state, 'Z' | 'X');
            if in_group && !lives {
                Pid::from_raw(pid).into_iter().for_each(reap);
            }
            (lives && (in_group || carries(pid, marker))).then_some(Leftover { pid, name, in_group })
        })
        .collect()
}

/// Elsewhere the system has no `/proc`; the group as a whole stands for its members.
#[cfg(not(target_os = "linux"))]
fn scan(group: Pid, _: Option<&str>, _: Vec<i32>) -> Vec<Leftover> {
    let pid = group.as_raw_nonzero().get();
    match rustix::process::test_kill_process_group(group) {
        Ok(()) => vec![Leftover { pid, name: "a process of its group".to_owned(), in_group: true }],
        Err(_) => Vec::new(),
    }
}

/// Name, state and process group out of `/proc/PID/stat`: `pid (name) state parent group …`, where the name may hold
/// anything, parentheses too.
#[cfg(target_os = "linux")]
fn parse_stat(stat: &str) -> Option<(String, char, i32)> {
    let (before, after) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let mut fields = after.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((name.to_owned(), state, group))
}

/// Whether a process was started with a variable set to a value.
#[cfg(target_os = "linux")]
fn carries(pid: i32, marker: Option<&str>) -> bool {
    let Some(marker) = marker else { return false };
    // Not readable for another user's process, which could not be killed either.
    std::fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|entry| entry == marker.as_bytes()))
}

#[cfg(target_os = "linux")]
fn every_process() -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// This process's children, adopted ones too.
#[cfg(target_os = "linux")]
fn children() -> Vec<i32> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn every_process() -> Vec<i32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn children() -> Vec<i32> {
    Vec::new()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::parse_stat;

    #[test]
    fn a_program_name_may_hold_anything() {
        let parsed = parse_stat("4711 (a) b (c) S 1 4700 4700 0 -1 4194304");
        assert_eq!(parsed, Some(("a) b (c".to_owned(), 'S', 4700)));
        assert_eq!(parse_stat("4711 (cut"), None);
    }
}
