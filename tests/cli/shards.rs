//! `--shard` and `conform merge`.

use serde_json::Value;
use tempfile::TempDir;

use super::{Ran, conform};

const RUN: &str =
    "--emitter emitters/several.sh one-sample all-pass none-pass own-optional one-iteration --suites suites";

/// The parts of the run in files.
fn parts(of: u32) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let files = (1..=of)
        .map(|index| {
            let file = folder.path().join(format!("{index}.json")).display().to_string();
            let ran = conform(&format!("{RUN} --shard {index}/{of} --report json={file}"));
            assert!(matches!(ran.code, Some(0 | 1 | 3)), "{}", ran.stderr);
            file
        })
        .collect();
    (folder, files)
}

/// Results without what differs from run to run.
fn timeless(mut results: Value) -> Value {
    results["started"] = Value::Null;
    results["durationMs"] = Value::Null;
    for result in results["results"].as_array_mut().unwrap() {
        result["durationMs"] = Value::Null;
    }
    results
}

fn merged(files: &[String]) -> Ran {
    conform(&format!("merge {} --format json", files.join(" ")))
}

#[test]
fn merged_shards_are_the_run() {
    let whole = conform(&format!("{RUN} --format json"));
    for of in [1, 3, 7] {
        let (_folder, mut files) = parts(of);
        files.reverse();
        let ran = merged(&files);
        assert_eq!(ran.code, whole.code);
        assert_eq!(timeless(ran.json()), timeless(whole.json()), "{of} shards");
    }
}

#[test]
fn a_shard_without_a_scenario_is_a_shard_all_the_same() {
    let ran = conform("--emitter emitters/several.sh --exact mavai-optimize-1/one-sample --shard 1/2 --format json");
    let other = conform("--emitter emitters/several.sh --exact mavai-optimize-1/one-sample --shard 2/2 --format json");
    let counts = [ran.json(), other.json()].map(|results| results["results"].as_array().unwrap().len());
    assert_eq!(counts.iter().sum::<usize>(), 1);
    assert_eq!((ran.code, other.code), (Some(0), Some(0)));
}

#[test]
fn listing_lists_the_shard() {
    let all = conform("--list --format json").json().as_array().unwrap().len();
    let sum: usize = (1..=3)
        .map(|index| conform(&format!("--list --shard {index}/3 --format json")).json().as_array().unwrap().len())
        .sum();
    assert_eq!(sum, all);
}

#[test]
fn what_is_not_the_whole_is_refused() {
    let (_folder, files) = parts(3);
    let ran = merged(&files[1..]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "error: cannot merge: missing shard 1/3; give the results of each\n");
    let ran = merged(&[files.clone(), vec![files[0].clone()]].concat());
    assert!(ran.stderr.contains("are both shard 1; give each shard once"), "{}", ran.stderr);
    let ran = conform("merge documents/broken.json");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("documents/broken.json cannot be used: "), "{}", ran.stderr);
}

#[test]
fn a_shard_is_one_of_so_many() {
    for wrong in ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3"] {
        let ran = conform(&format!("--emitter emitters/several.sh --shard {wrong}"));
        assert_eq!(ran.code, Some(2), "{wrong}");
    }
}

#[test]
fn expected_failures_are_held_against_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let declared = "[[expected]]\nscenario = \"none-pass\"\nobligation = \"process/exit\"\nreason = \"gives up\"\n\n\
                    [[expected]]\nscenario = \"own-optional\"\nobligation = \"scenario/differs\"\nreason = \"not made yet\"\n\n\
                    [[expected]]\nscenario = \"one-*\"\nobligation = \"scenario/differs\"\nreason = \"passes in one of two\"\n";
    std::fs::write(path("expected.toml"), declared).unwrap();
    let expected = format!("--expected {}", path("expected.toml"));
    let whole = conform(&format!("{RUN} {expected} --format json"));
    let files: Vec<String> = (1..=4)
        .map(|index| {
            conform(&format!("{RUN} {expected} --shard {index}/4 --report json={}", path(&format!("{index}.json"))));
            path(&format!("{index}.json"))
        })
        .collect();
    let refused = merged(&files);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("name that file here too"), "{}", refused.stderr);
    let ran = conform(&format!("merge {} {expected} --suites suites --format json", files.join(" ")));
    assert_eq!(ran.code, whole.code, "{}", ran.stderr);
    assert_eq!(timeless(ran.json()), timeless(whole.json()));
    assert_eq!(whole.json()["summary"]["expectedFailures"], 3);
}
