//! The emitters with one fault each are what their table says: every fault is listed, is started as the table says, and shows.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use conform::suite::scenario::Scenario;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    broken: Vec<Broken>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Broken {
    name: String,
    command: Vec<String>,
    suite: String,
    scenario: String,
    trips: Vec<String>,
    also: Vec<String>,
    needs: String,
}

fn emitters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("emitters")
}

fn table() -> Vec<Broken> {
    let path = emitters().join("broken/faults.toml");
    let text = std::fs::read_to_string(&path).expect("the table can be read");
    toml::from_str::<Table>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).broken
}

/// What a scenario's file holds, as an emitter gets it.
fn wire(suite: &str, scenario: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("suites/{suite}/scenarios/{scenario}.yaml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).wire(suite).to_string()
}

/// Exit code, standard output and standard error of a command; `None` where there is no Python on this machine.
fn run(command: &[String], stdin: &str) -> Option<(Option<i32>, String, String)> {
    let (program, arguments) = command.split_first().expect("a command has a program");
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("not run: there is no {program} on this machine");
            return None;
        }
        started => started.expect("the command starts"),
    };
    // A command that does not read its input may have closed it already.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Some((output.status.code(), text(output.stdout), text(output.stderr)))
}

fn python(script: &str, arguments: &[&str]) -> Vec<String> {
    let script = emitters().join(script).display().to_string();
    ["python3", &script].into_iter().chain(arguments.iter().copied()).map(str::to_owned).collect()
}

/// A document's lines but for the instant of its emission.
fn lines(document: &str) -> Vec<&str> {
    document.lines().filter(|line| !line.starts_with("\"generatedAt\"")).collect()
}

#[test]
fn the_table_lists_every_fault_once_and_says_what_reports_it() {
    let table = table();
    assert!(table.len() >= 16);
    let names: BTreeSet<_> = table.iter().map(|broken| broken.name.as_str()).collect();
    assert_eq!(names.len(), table.len(), "a fault is listed twice");
    for broken in &table {
        assert_eq!(broken.command[1..], ["{dir}/faults.py", &broken.name], "{}", broken.name);
        assert!(!broken.trips.is_empty(), "{}: nothing must report it", broken.name);
        assert!(
            broken.trips.iter().all(|trip| !broken.also.contains(trip)),
            "{}: a trip stands in both lists",
            broken.name
        );
        assert_eq!(broken.needs, broken.command[0], "{}", broken.name);
    }
    let Some((code, _, usage)) = run(&python("broken/faults.py", &[]), "") else { return };
    assert_eq!(code, Some(1));
    let offered: BTreeSet<_> = usage.lines().skip(1).map(str::trim).collect();
    assert_eq!(offered, names);
}

#[test]
fn every_fault_shows_in_its_scenario() {
    let folder = emitters().join("broken").display().to_string();
    let mut sound = BTreeMap::new();
    for broken in table() {
        let scenario = wire(&broken.suite, &broken.scenario);
        let command: Vec<_> = broken.command.iter().map(|word| word.replace("{dir}", &folder)).collect();
        let Some((code, faulty, reason)) = run(&command, &scenario) else { return };
        assert_eq!((code, reason.as_str()), (Some(0), ""), "{}", broken.name);
        if !sound.contains_key(&broken.scenario) {
            let Some((_, document, _)) = run(&python("python/emitter.py", &[]), &scenario) else { return };
            sound.insert(broken.scenario.clone(), document);
        }
        if broken.name.starts_with("local-time") {
            let instant = faulty.lines().find(|line| line.starts_with("\"generatedAt\"")).expect("an instant");
            assert!(!instant.ends_with("Z\""), "{}: {instant}", broken.name);
        } else {
            assert_ne!(
                lines(&faulty),
                lines(&sound[&broken.scenario]),
                "{} does not show in {}",
                broken.name,
                broken.scenario
            );
        }
    }
}
