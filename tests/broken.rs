//! Every broken emitter that the tables under `emitters/broken` list is found out by the command, and for what it does wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use conform::suite;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    broken: Vec<Broken>,
}

/// One row of a table; the tables say what each field means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Broken {
    name: String,
    command: Vec<String>,
    suite: String,
    scenario: String,
    trips: Vec<String>,
    also: Vec<String>,
    timeout: Option<f64>,
    needs: Option<String>,
}

impl Broken {
    /// The ids that answer a trip, which is one id or several between bars.
    fn answers(trip: &str) -> impl Iterator<Item = &str> {
        trip.split('|')
    }

    fn words(&self) -> Vec<String> {
        let folder = folder().display().to_string();
        self.command.iter().map(|word| word.replace("{dir}", &folder)).collect()
    }

    /// Whether this machine has what the emitter needs in order to misbehave.
    fn is_possible(&self) -> bool {
        let missing = self.needs.as_ref().filter(|program| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            !std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        });
        if let Some(program) = missing {
            eprintln!("{}: not run, there is no {program} on this machine", self.name);
        }
        missing.is_none()
    }

    /// What is wrong with `conform`'s verdict on this emitter, in one text; `None` where it is right.
    fn misjudged(&self) -> Option<String> {
        let mut command = conform();
        command.args(["--emitter", &shell_words::join(self.words()), "--suite", &self.suite, "--format", "json"]);
        if self.scenario != "*" {
            command.args(["--exact", &format!("{}/{}", self.suite, self.scenario)]);
        }
        if let Some(seconds) = self.timeout {
            command.args(["--timeout", &seconds.to_string()]);
        }
        let output = command.output().expect("conform starts");
        let shown =
            || format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let Ok(run) = serde_json::from_slice::<Value>(&output.stdout) else {
            return Some(format!("{}: no results: {}", self.name, shown()));
        };
        let results = run["results"].as_array().map_or(&[][..], Vec::as_slice);
        if results.is_empty() {
            return Some(format!("{}: nothing was run: {}", self.name, shown()));
        }
        results.iter().find_map(|result| self.misjudged_in(result))
    }

    fn misjudged_in(&self, result: &Value) -> Option<String> {
        let Some(findings) = result["findings"].as_array() else {
            return Some(format!("{}: a result without findings: {result}", self.name));
        };
        let of = |finding: &'_ Value| finding["obligation"].as_str().map(str::to_owned);
        // A trip may be a warning, which is all that some obligations come to; what is foreseen of the rest are the errors.
        let found: BTreeSet<String> = findings.iter().filter_map(of).collect();
        let errors: BTreeSet<String> =
            findings.iter().filter(|finding| finding["severity"] == "error").filter_map(of).collect();
        let missed: Vec<_> =
            self.trips.iter().filter(|trip| !Self::answers(trip).any(|id| found.contains(id))).collect();
        let foreseen: BTreeSet<String> = self
            .trips
            .iter()
            .flat_map(|trip| Self::answers(trip))
            .chain(self.also.iter().map(String::as_str))
            .map(str::to_owned)
            .collect();
        let surplus: Vec<_> = errors.difference(&foreseen).collect();
        let verdict = if errors.is_empty() { "pass" } else { "fail" };
        let right = missed.is_empty() && surplus.is_empty() && result["verdict"] == verdict;
        (!right).then(|| {
            format!(
                "{} over {}: verdict {}; not found: {missed:?}; found and not foreseen: {surplus:?}",
                self.name, result["subject"], result["verdict"]
            )
        })
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("emitters/broken")
}

fn conform() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conform"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The tables by their files' names.
fn tables() -> BTreeMap<String, Vec<Broken>> {
    let files = std::fs::read_dir(folder()).expect("the folder is there");
    files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("the table can be read");
            let table: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path.file_name().expect("a file").to_string_lossy().into_owned(), table.broken)
        })
        .collect()
}

#[test]
fn each_is_found_out_for_what_it_does_wrong() {
    let tables = tables();
    assert!(tables.len() >= 3, "{:?}", tables.keys());
    let misjudged: Vec<String> = tables
        .values()
        .flatten()
        .collect::<Vec<_>>()
        .into_par_iter()
        .filter(|broken| broken.is_possible())
        .filter_map(Broken::misjudged)
        .collect();
    assert!(misjudged.is_empty(), "{}", misjudged.join("\n"));
}

#[test]
fn rows_have_names_of_their_own_and_demand_something() {
    let tables = tables();
    let mut names = BTreeSet::new();
    for broken in tables.values().flatten() {
        assert!(names.insert(&broken.name), "{} is listed twice", broken.name);
        assert!(!broken.trips.is_empty(), "{}: nothing must report it", broken.name);
        let trips: Vec<_> = broken.trips.iter().flat_map(|trip| Broken::answers(trip)).collect();
        assert!(broken.also.iter().all(|id| !trips.contains(&&**id)), "{}: a trip stands in both lists", broken.name);
    }
}

#[test]
fn rows_demand_obligations_that_exist() {
    let output = conform().args(["list", "obligations", "--format", "json"]).output().expect("conform starts");
    let listed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let known: BTreeSet<&str> = listed
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["id"].as_str())
        .chain(suite::all().flat_map(|suite| suite.family().scenario_rules(suite)).map(|rule| rule.id))
        .collect();
    for broken in tables().values().flatten() {
        for id in
            broken.trips.iter().flat_map(|trip| Broken::answers(trip)).chain(broken.also.iter().map(String::as_str))
        {
            // A schema's obligations are its keywords, of which there is no list.
            assert!(known.contains(id) || id.starts_with("schema/"), "{}: there is no {id}", broken.name);
        }
    }
}

/// A script that lists its faults has no fault that no table knows, and the tables know none that it lacks.
#[test]
fn every_fault_of_a_script_is_listed() {
    let mut scripts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for broken in tables().values().flatten() {
        if let [_, script, name] = &broken.words()[..] {
            scripts.entry(script.clone()).or_default().insert(name.clone());
        }
    }
    assert!(scripts.len() >= 2, "{:?}", scripts.keys());
    for (script, listed) in scripts {
        let Ok(output) = Command::new("python3").arg(&script).output() else {
            return eprintln!("not run: there is no python3 on this machine");
        };
        let usage = String::from_utf8_lossy(&output.stderr);
        let offered: BTreeSet<String> = usage.lines().skip(1).map(|line| line.trim().to_owned()).collect();
        assert_eq!(offered, listed, "{script}");
    }
}
