//! `conform mutate` and `conform --validator`, as users run them.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn conform(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conform"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .expect("conform runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("conform exits")
}

const DOCUMENT: &str = "src/family/torneo/example.json";

#[test]
fn mutants_are_written_with_a_manifest_that_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let made = conform(&["mutate", DOCUMENT, "--count", "12", "--seed", "40", "--out", path]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let manifest = fs::read_to_string(folder.path().join("cases.tsv")).unwrap();
    let mut lines = manifest.lines();
    assert_eq!(lines.next(), Some("file\tsuite\toperator\tobligation\tpointer\tseed"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        let [file, suite, operator, obligations, _, seed] = row[..] else { panic!("{row:?}") };
        assert_eq!(suite, "torneo-epreuve-v1");
        let file = folder.path().join(file);
        let judged = conform(&["check", file.to_str().unwrap(), "--suite", suite, "--format", "json"]);
        let results: serde_json::Value = serde_json::from_slice(&judged.stdout).unwrap();
        let found: BTreeSet<&str> = results["results"][0]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["obligation"].as_str().unwrap())
            .collect();
        for obligation in obligations.split(' ') {
            assert!(found.contains(obligation), "{operator}: {obligation} is not in {found:?}");
        }
        // The seed alone makes the same mutant again.
        let again = conform(&["mutate", DOCUMENT, "--count", "1", "--seed", seed]);
        assert_eq!(again.stdout, fs::read(&file).unwrap(), "{operator} {seed}");
    }
}

#[test]
fn what_cannot_be_mutated_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.json");
    let mut text = fs::read_to_string(DOCUMENT).unwrap();
    text = text.replace("\"wins\": 2", "\"wins\": 3");
    fs::write(&broken, text).unwrap();
    let refused = conform(&["mutate", broken.to_str().unwrap()]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("is not valid (torneo/standings-derived"), "{}", err(&refused));

    let unknown = conform(&["mutate", DOCUMENT, "--operator", "row-doublet"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("did you mean row-doubled?"), "{}", err(&unknown));

    // The example has no cycle.
    let nowhere = conform(&["mutate", DOCUMENT, "--operator", "cycles-absent"]);
    assert_eq!(code(&nowhere), 4, "{}", err(&nowhere));

    let nothing = conform(&["mutate"]);
    assert_eq!(code(&nothing), 2);
    assert!(err(&nothing).contains("--suite"), "{}", err(&nothing));
}

#[test]
fn operators_are_listed_with_what_they_break() {
    let list = conform(&["mutate", "--list", "--suite", "orbiplex-task-pack-execution-v1", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 50, "{}", rows.len());
    let edited = rows.iter().find(|row| row["operator"] == "edited-after-sealing").unwrap();
    assert_eq!(edited["obligation"], "orbiplex/execution-ref");
    assert_eq!(edited["also"][0], "orbiplex/signature");
}

#[test]
fn the_score_is_a_table_of_obligations_and_operators() {
    let score = conform(&["mutate", "--score", "--suite", "torneo-epreuve-v1", "--count", "1"]);
    let text = out(&score);
    assert_eq!(code(&score), 0, "{text}");
    assert!(text.starts_with("torneo-epreuve-v1 (seed 1)\n"), "{text}");
    assert!(text.contains("\n  torneo/denominators-derived\n    denominator-off-by-one           killed"), "{text}");
    assert!(text.contains("document/size\n    left out: "), "{text}");
    assert!(text.trim_end().ends_with("100 %"), "{text}");
}

#[test]
fn valid_documents_are_generated_and_none_is_refused() {
    let valid = conform(&["mutate", "--valid", "40"]);
    assert_eq!(code(&valid), 0, "{}", out(&valid));
    assert_eq!(out(&valid).matches("40 valid documents, 0 refused").count(), 5, "{}", out(&valid));
}

/// Runs a validator, given as a shell script, on a few operators.
fn validate(script: &str, more: &[&str]) -> Output {
    let command = shell_words::join(["sh", "-c", script]);
    let mut arguments = vec!["--validator", &command, "--suite", "torneo-epreuve-v1", "--mutants", "1", "-j", "4"];
    arguments.extend(more);
    conform(&arguments)
}

#[test]
fn conform_itself_is_a_sound_validator() {
    let command = format!("{} check --suite torneo-epreuve-v1 {{}}", env!("CARGO_BIN_EXE_conform"));
    let run = conform(&["--validator", &command, "--suite", "torneo-epreuve-v1", "--mutants", "1", "-j", "4"]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    assert!(out(&run).contains("denominator-off-by-one"), "{}", out(&run));
}

#[test]
fn a_validator_that_accepts_everything_lets_mutants_survive() {
    let run = validate("cat > /dev/null", &["denominator"]);
    let text = out(&run);
    assert_eq!(code(&run), 1, "{text}");
    assert!(text.contains("validator/refuses-mutant"), "{text}");
    assert!(text.contains("FAIL torneo-epreuve-v1/denominator-doubled"), "{text}");
    // The difference to the valid document is shown.
    let removed = text.lines().any(|line| line.contains("│ -") && line.contains("ed\": "));
    let added = text.lines().any(|line| line.contains("│ +") && line.contains("ed\": "));
    assert!(removed && added, "{text}");
    assert!(text.contains("denominator-doubled            1        0        0"), "{text}");
}

#[test]
fn a_validator_that_refuses_everything_refuses_the_valid_too() {
    let run = validate("exit 1", &["--exact", "torneo-epreuve-v1/valid"]);
    assert_eq!(code(&run), 1);
    assert!(out(&run).contains("validator/accepts-valid"), "{}", out(&run));
    let run = validate("exit 1", &["denominator"]);
    assert_eq!(code(&run), 0, "{}", out(&run));
}

#[test]
fn a_hostile_validator_is_contained() {
    let start = Instant::now();
    for (script, says) in [
        ("sleep 600", "was still running after 0.5 s and was killed"),
        ("while :; do echo and more; done", "was killed"),
        ("kill -SEGV $$", "was killed by signal 11 (SIGSEGV)"),
        ("exit 3", "exited with 3, where 0 (accepted) or 1 (refused) was expected"),
        ("sleep 600 >&2 & exit 1", "left a process behind, now killed"),
    ] {
        let run = validate(script, &["--timeout", "0.5", "--exact", "torneo-epreuve-v1/row-zeroed"]);
        let text = out(&run);
        assert_eq!(code(&run), 1, "{script}: {text}{}", err(&run));
        assert!(text.contains("validator/answers") && text.contains(says), "{script}: {text}");
        assert!(text.contains("0        0        1"), "{script}: {text}");
    }
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}

#[test]
fn a_validator_that_is_not_there_could_not_be_started() {
    let run = conform(&["--validator", "./no-such-validator", "--suite", "torneo-epreuve-v1"]);
    assert_eq!(code(&run), 5, "{}", err(&run));
    let run = conform(&["--validator", "sh", "--suite", "torneo-epreuve-v1", "no-such-operator"]);
    assert_eq!(code(&run), 4, "{}", err(&run));
    let run = conform(&["--structural"]);
    assert_eq!(code(&run), 2, "{}", err(&run));
}

#[test]
fn the_document_is_on_standard_input_and_its_path_stands_for_braces() {
    let command = shell_words::join(["sh", "-c", "cmp -s - \"$1\" && grep -q epreuve \"$1\"", "sh", "{}"]);
    let run = conform(&["--validator", &command, "--suite", "torneo-epreuve-v1", "--exact", "torneo-epreuve-v1/valid"]);
    assert_eq!(code(&run), 0, "{}", out(&run));
}

#[test]
fn reports_hold_what_a_validator_came_to() {
    let folder = tempfile::tempdir().unwrap();
    let (json, junit) = (folder.path().join("results.json"), folder.path().join("report.xml"));
    let (json_report, junit_report) = (format!("json={}", json.display()), format!("junit={}", junit.display()));
    let run = validate("exit 0", &["denominator-doubled", "--report", &json_report, "--report", &junit_report]);
    assert_eq!(code(&run), 1);
    let results: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    assert_eq!(results["results"][0]["subject"], "torneo-epreuve-v1/denominator-doubled");
    let finding = &results["results"][0]["findings"][0];
    assert_eq!(finding["obligation"], "validator/refuses-mutant");
    assert!(finding["pointer"].as_str().unwrap().starts_with("/denominators/"), "{finding}");
    assert!(results["results"][0]["reproduce"].as_str().unwrap().contains("--validator"), "{results}");
    assert!(fs::read_to_string(junit).unwrap().contains("validator/refuses-mutant"));
}

/// A schema validator in a few lines of Python: it refuses what breaks the schema, and cannot know the rest.
#[test]
fn a_schema_validator_refuses_structural_mutants_and_accepts_the_others() {
    let python = std::env::var("CONFORM_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = |module: &str| {
        let import = Command::new(&python).args(["-c", &format!("import {module}")]).output();
        import.is_ok_and(|output| output.status.success())
    };
    if !has("jsonschema") {
        println!(
            "skipped: {python} has no module jsonschema; scripts/validator-demo.sh installs one and shows the same"
        );
        return;
    }
    let command =
        format!("{python} tests/fixtures/validators/jsonschema_validate.py schemas/mavai-optimize-1.schema.json");
    let mut arguments = vec![
        "--validator",
        &command,
        "--suite",
        "mavai-optimize-1",
        "--structural",
        "--mutants",
        "1",
        "-j",
        "4",
        "--skip",
        "/valid",
    ];
    if !has("rfc3339_validator") {
        // Without it the module lets any text pass as a time.
        arguments.extend(["--skip", "format-broken"]);
    }
    let run = conform(&arguments);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    let run = conform(&["--validator", &command, "--suite", "mavai-optimize-1", "--mutants", "1", "-j", "4", "/rate-"]);
    assert_eq!(code(&run), 1, "{}{}", out(&run), err(&run));
    assert!(out(&run).contains("FAIL mavai-optimize-1/rate-swapped"), "{}", out(&run));
}
