//! The broken emitters do what their table says, as far as the process goes; what their documents say is judged elsewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use conform::emitter::{Cancel, Emitter, Outcome, Request, RunLimits};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("emitters/broken")
}

#[derive(serde::Deserialize)]
struct Table {
    broken: Vec<Broken>,
}

#[derive(serde::Deserialize)]
struct Broken {
    name: String,
    command: Vec<String>,
    suite: String,
    scenario: String,
    trips: Vec<String>,
    timeout: Option<f64>,
    needs: Option<String>,
}

fn table() -> Vec<Broken> {
    let text = std::fs::read_to_string(folder().join("broken.toml")).unwrap();
    let table: Table = toml::from_str(&text).unwrap();
    table.broken.into_iter().filter(|broken| broken.name.starts_with("process/")).collect()
}

fn is_installed(program: &str) -> bool {
    Emitter::resolve(program, &[], &folder()).is_ok()
}

#[test]
fn each_trips_what_its_table_says() {
    let limits = RunLimits::default();
    for broken in table().iter().filter(|broken| broken.needs.as_deref().is_none_or(is_installed)) {
        let emitter = Emitter::resolve(&shell_words::join(&broken.command), &[], &folder()).unwrap();
        let time = broken.timeout.map_or(limits.time, Duration::from_secs_f64);
        let request = Request { suite: &broken.suite, scenario: &broken.scenario, json: "{}" };
        let emission = emitter.emit(&request, &RunLimits { time, ..limits.clone() }, &Cancel::new().unwrap());

        let found: BTreeSet<&str> = emission.findings.iter().map(|finding| &*finding.obligation).collect();
        let expected: BTreeSet<&str> =
            broken.trips.iter().map(|id| &**id).filter(|id| id.starts_with("process/")).collect();
        assert_eq!(found, expected, "{}: {emission:#?}", broken.name);
        if expected.is_empty() {
            assert_eq!(emission.outcome, Outcome::Emitted, "{} emits what its document is judged for", broken.name);
        }
    }
}

#[test]
fn the_tables_list_every_script() {
    let scripts: BTreeSet<String> = std::fs::read_dir(folder().join("process"))
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".sh")?.to_owned()))
        .collect();
    let listed: BTreeSet<String> = table().into_iter().map(|broken| broken.name.replacen("process/", "", 1)).collect();
    assert_eq!(listed, scripts);

    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for broken in table() {
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{}` |", broken.name))).unwrap();
        for id in broken.trips.iter().flat_map(|trip| trip.split('|')) {
            assert!(row.contains(&format!("`{id}`")), "{} in {row}", id);
        }
    }
}
