//! `conform init`: the emitter that it writes passes at once, and nothing is overwritten.

use std::fs;
use std::path::Path;
use std::process::Command;

use insta::assert_snapshot;

use super::{Ran, command, ended};

/// Scenarios that between them have delivery failures, optional and per-input checks, latencies, and text that is hard to write.
const SOME: &str = "delivery-and-failures optional-per-input percentile-floor-20 text-yaml zero-samples";

fn conform_in(folder: &Path, line: &str) -> Ran {
    let mut command = command(line.split_whitespace());
    command.current_dir(folder);
    ended(command)
}

fn init(language: &str) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    let ran = conform_in(folder.path(), &format!("init {language} mine"));
    (folder, ran)
}

#[track_caller]
fn passes(folder: &Path, flags: &str) {
    let ran = conform_in(folder, &format!("--emitter mine --suite mavai-optimize-1 {flags} {SOME}"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("passed"), "{}", ran.stdout);
}

fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("{program} is not installed: its template was written and not run");
    }
    found
}

#[test]
fn the_python_emitter_passes_at_once() {
    let (folder, ran) = init("python");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    if installed("python3") {
        passes(folder.path(), "");
    }
}

#[test]
fn the_node_emitter_passes_at_once() {
    let (folder, ran) = init("node");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    if installed("node") {
        passes(folder.path(), "");
    }
}

#[test]
fn the_rust_emitter_passes_at_once() {
    let (folder, ran) = init("rust");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Its one dependency is also conform's, so that cargo has it.
    let config = folder.path().join("mine/.cargo");
    fs::create_dir(&config).unwrap();
    fs::write(config.join("config.toml"), "[net]\noffline = true\n[profile.release]\nopt-level = 0\n").unwrap();
    passes(folder.path(), "--build");
}

#[test]
fn the_shell_emitter_passes_the_scenario_that_it_knows_and_says_that_it_knows_no_other() {
    let (folder, ran) = init("shell");
    assert_snapshot!(ran.shown(), @r"
    exit 0
    --- stdout
    wrote mine/README.md
    wrote mine/ci.yml
    wrote mine/emit.sh
    wrote mine/emitter.toml
    wrote mine/stand-in.sh

    Next:
      conform --emitter mine one-sample
            the one scenario that its stand-in program knows; all others are unsupported
      mine/README.md
            says what to put your framework's call in the place of
    ");
    assert_snapshot!(conform_in(folder.path(), "--emitter mine one-sample tie-two").shown(), @r"
    exit 3
    --- stdout
    PASS mavai-optimize-1/one-sample [TIME]
    UNSUPPORTED mavai-optimize-1/tie-two: the stand-in program knows the scenario one-sample only

    2 scenarios: 1 passed, 1 unsupported; 35 of 70 obligations judged [TIME]
    -v says which obligations were not judged, and why
    ");
}

#[test]
fn every_emitter_comes_with_a_manifest_a_text_and_a_workflow() {
    for language in ["python", "rust", "shell", "node"] {
        let (folder, _) = init(language);
        for file in ["emitter.toml", "README.md", "ci.yml"] {
            assert!(folder.path().join("mine").join(file).is_file(), "{language}: {file}");
        }
    }
}

#[test]
fn what_is_there_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("my-emitter/emitter.toml");
    fs::create_dir(own.parent().unwrap()).unwrap();
    fs::write(&own, "mine").unwrap();
    let ran = conform_in(folder.path(), "init node");
    assert_snapshot!(ran.shown(), @r"
    exit 2
    --- stderr
    error: my-emitter/emitter.toml is there already, and nothing was written; name another folder, or move it away
    ");
    assert_eq!(fs::read_to_string(&own).unwrap(), "mine");
    assert_eq!(fs::read_dir(own.parent().unwrap()).unwrap().count(), 1);
}
