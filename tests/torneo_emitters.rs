//! The emitters of épreuves: two that were written apart from each other agree, and every broken one is caught, by what must catch it.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use conform::suite::{Suite, by_id, scenario};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

const SUITE: &str = "torneo-epreuve-v1";

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
    let path = emitters().join("broken/torneo.toml");
    let text = std::fs::read_to_string(&path).expect("the table can be read");
    toml::from_str::<Table>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).broken
}

fn suite() -> &'static Suite {
    by_id(SUITE).expect("the suite is carried")
}

/// Exit code, standard output and standard error of a Python script under `emitters/`; `None` where there is no Python on this machine.
fn python(script: &str, arguments: &[&str], stdin: &str) -> Option<(Option<i32>, String, String)> {
    let started = Command::new("python3")
        .arg("-B")
        .arg(emitters().join(script))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("not run: there is no python3 on this machine");
            return None;
        }
        started => started.expect("python3 starts"),
    };
    // A script that does not read its input may have closed it already.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("the script ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Some((output.status.code(), text(output.stdout), text(output.stderr)))
}

fn python_is_there() -> bool {
    python("broken/torneo_faults.py", &[], "").is_some()
}

/// The obligations that `conform` reports when it runs a broken emitter over a scenario, and its exit code.
fn reported(broken: &Broken, scenario: &str) -> (Option<i32>, BTreeSet<String>) {
    let folder = emitters().join("broken").display().to_string();
    let command: Vec<String> = broken.command.iter().map(|word| word.replace("{dir}", &folder)).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_conform"))
        .args(["--emitter", &shell_words::join(&command), "--format", "json", "--timeout", "60", "--exact"])
        .arg(format!("{}/{scenario}", broken.suite))
        .output()
        .expect("conform starts");
    let results: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", broken.name, String::from_utf8_lossy(&output.stderr)));
    let result = &results["results"][0];
    assert_ne!(result["verdict"], "unsupported", "{}", broken.name);
    let findings = result["findings"].as_array().unwrap_or_else(|| panic!("{}: no findings: {result}", broken.name));
    let ids = findings.iter().map(|finding| finding["obligation"].as_str().expect("an id").to_owned());
    (output.status.code(), ids.collect())
}

/// An épreuve without what is each emitter's own: names of matches, and the words for the winner rule.
fn decided(text: &str) -> Value {
    let mut epreuve: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for one in epreuve["matches"].as_array_mut().expect("matches") {
        assert!(one["match_id"].take().is_string());
    }
    assert!(epreuve["epreuve_winner_rule"].take().is_string());
    epreuve
}

#[test]
fn the_reference_and_the_template_emit_the_same_values() {
    if !python_is_there() {
        return;
    }
    let scenarios = scenario::embedded(suite()).expect("the scenarios can be read");
    assert!(scenarios.len() >= 20);
    scenarios.par_iter().for_each(|scenario| {
        let wire = scenario.wire(SUITE).to_string();
        let ours =
            conform_reference_emitter::emit(&wire).unwrap_or_else(|refusal| panic!("{}: {refusal}", scenario.name));
        let (code, theirs, reason) = python("python/emitter.py", &[], &wire).expect("there is a python3");
        assert_eq!((code, reason.as_str()), (Some(0), ""), "{}", scenario.name);
        assert_eq!(decided(&ours), decided(&theirs), "{}", scenario.name);
    });
}

#[test]
fn the_table_lists_every_fault_once_and_says_what_reports_it() {
    let table = table();
    let names: BTreeSet<_> = table.iter().map(|broken| broken.name.as_str()).collect();
    assert_eq!(names.len(), table.len(), "a fault is listed twice");
    for broken in &table {
        assert_eq!(broken.command, ["python3", "{dir}/torneo_faults.py", &broken.name]);
        assert_eq!((broken.suite.as_str(), broken.needs.as_str()), (SUITE, "python3"), "{}", broken.name);
        assert!(!broken.trips.is_empty(), "{}: nothing must report it", broken.name);
        let both = broken.trips.iter().find(|trip| broken.also.contains(trip));
        assert_eq!(both, None, "{}: stands in both lists", broken.name);
    }
    let Some((code, _, usage)) = python("broken/torneo_faults.py", &[], "") else { return };
    assert_eq!(code, Some(1));
    let offered: BTreeSet<_> = usage.lines().skip(1).map(str::trim).collect();
    assert_eq!(offered, names);
}

#[test]
fn every_obligation_has_a_fault_that_must_trip_it() {
    let table = table();
    let tripped: BTreeSet<_> = table.iter().flat_map(|broken| &broken.trips).map(String::as_str).collect();
    let own = suite().family().rules(suite()).into_iter().map(|rule| rule.id).filter(|id| id.starts_with("torneo/"));
    let missed: Vec<_> = own.filter(|id| !tripped.contains(id)).collect();
    assert!(missed.is_empty(), "no fault must trip {missed:?}");
}

#[test]
fn every_fault_is_caught_by_what_must_catch_it_and_by_nothing_else() {
    if !python_is_there() {
        return;
    }
    table().par_iter().for_each(|broken| {
        let (code, reported) = reported(broken, &broken.scenario);
        for trip in &broken.trips {
            assert!(reported.contains(trip), "{} does not trip {trip}, but {reported:?}", broken.name);
        }
        let stray: Vec<_> =
            reported.iter().filter(|id| !broken.trips.contains(id) && !broken.also.contains(id)).collect();
        assert!(stray.is_empty(), "{} also trips {stray:?}", broken.name);
        let idle: Vec<_> = broken.also.iter().filter(|id| !reported.contains(*id)).collect();
        assert!(idle.is_empty(), "{} is said to trip {idle:?} as well, and does not", broken.name);
        let only_warns = broken.name == "winner-rule-unstated";
        assert_eq!(code, Some(if only_warns { 0 } else { 1 }), "{}", broken.name);
    });
}

/// A document alone cannot show that its tables were entered: it takes a second scenario, one comparison away.
#[test]
fn tables_entered_for_one_twin_fail_the_other() {
    if !python_is_there() {
        return;
    }
    let table = table();
    let entered = table.iter().find(|broken| broken.name == "standings-entered").expect("it is listed");
    assert_eq!(reported(entered, "twin-one"), (Some(0), BTreeSet::new()));
    let (code, trips) = reported(entered, "twin-two");
    assert_eq!(code, Some(1));
    assert!(trips.contains("torneo/standings-derived"), "{trips:?}");
}
