//! The GitHub Action: every input is a flag, and the script behind it ends as conform does.

use std::fs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The action's inputs, by name.
fn inputs() -> Vec<String> {
    let text = fs::read_to_string(root().join("action.yml")).unwrap();
    let action: serde_json::Value = serde_yaml::from_str(&text).unwrap();
    action["inputs"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_input_reaches_the_script_and_every_flag_is_an_input() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let script = fs::read_to_string(root().join("scripts/action.sh")).unwrap();
    let own = ["upload", "artifact", "conform"];
    for input in inputs().iter().filter(|input| !own.contains(&input.as_str())) {
        let variable = format!("INPUT_{}", input.to_uppercase().replace('-', "_"));
        assert!(action.contains(&format!("{variable}: ${{{{ inputs.{input} }}}}")), "{input}");
        assert!(script.contains(&variable), "{input}");
    }
    // What `conform --help` lists is an input, unless it is about a person at a terminal, or about limits that no build changes.
    let help = Command::new(env!("CARGO_BIN_EXE_conform")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let terminal = ["list", "format", "color", "quiet", "verbose", "help", "version"];
    let limits = ["max-bytes", "max-depth", "max-alias-nodes"];
    // Testing a consumer is another job.
    let validators = ["validator", "structural", "mutants", "seed"];
    let plural = [("report", "reports")];
    let flags = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("-")
            .and_then(|rest| rest.find("--").map(|at| &rest[at + 2..]))
            .or(line.strip_prefix("--"))?;
        line.split([' ', ',', '<', '.', '[']).next()
    });
    let inputs = inputs();
    let mut seen = 0;
    for flag in flags.filter(|flag| !terminal.contains(flag) && !limits.contains(flag) && !validators.contains(flag)) {
        let name = plural.iter().find(|(one, _)| *one == flag).map_or(flag, |(_, many)| many);
        assert!(inputs.iter().any(|input| input == name), "--{flag} is no input of action.yml");
        seen += 1;
    }
    assert!(seen >= 15, "{seen}");
}

fn run(variables: &[(&str, &str)]) -> (Option<i32>, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("bash")
        .arg(root().join("scripts/action.sh"))
        .current_dir(root().join("tests/fixtures/cli"))
        .env("CONFORM_BINARY", env!("CARGO_BIN_EXE_conform"))
        .env("INPUT_FOLDER", folder.path().join("reports"))
        .env("GITHUB_OUTPUT", folder.path().join("output"))
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said, folder)
}

#[test]
fn the_script_ends_as_conform_does_and_leaves_every_report() {
    let (code, said, folder) =
        run(&[("INPUT_EMITTER", "emitters/several.sh"), ("INPUT_FILTERS", "one-sample\nnone-pass\n")]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("::error title=mavai-optimize-1/none-pass"), "{said}");
    for report in ["results.json", "report.html", "report.sarif", "junit.xml", "summary.md"] {
        assert!(folder.path().join("reports").join(report).exists(), "{report}");
    }
    assert!(fs::read_to_string(folder.path().join("output")).unwrap().starts_with("exit-code=1\n"));
    assert!(fs::read_to_string(folder.path().join("summary")).unwrap().contains("not conformant"));
}

#[test]
fn inputs_are_words_and_never_commands() {
    let (code, said, folder) =
        run(&[("INPUT_PATHS", "documents/one-sample.yaml\n$(touch evil)\n;touch evil"), ("INPUT_STRICT", "true")]);
    assert_ne!(code, Some(0), "{said}");
    assert!(!root().join("tests/fixtures/cli/evil").exists());
    drop(folder);
    let (code, said, _folder) = run(&[("INPUT_PATHS", "documents/one-sample.yaml"), ("INPUT_STRICT", "true")]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said, _folder) = run(&[("INPUT_PATHS", "documents/one-sample.yaml"), ("INPUT_STRICT", "yes")]);
    assert_eq!(code, Some(2), "{said}");
    assert_eq!(run(&[]).0, Some(2));
}
