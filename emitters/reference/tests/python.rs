//! The Python template and the reference emitter, written apart from each other, say the same of every scenario.

mod carried;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use carried::{BASELINE, EXECUTION, EXPLORE, OPTIMIZE};
use serde_json::Value;

/// Runs a script under `emitters/` with a scenario on standard input; `None` where there is no Python on this machine.
fn python(script: &str, arguments: &[&str], scenario: &str) -> Option<Output> {
    python_into(script, arguments, scenario, None)
}

/// The same, with a folder for several documents.
fn python_into(script: &str, arguments: &[&str], scenario: &str, out: Option<&Path>) -> Option<Output> {
    let mut command = Command::new("python3");
    command.envs(out.map(|folder| ("CONFORM_OUT", folder)));
    let started = command
        .arg("-B")
        .arg(carried::root().join("emitters").join(script))
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
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin.write_all(scenario.as_bytes()).expect("the script reads its input");
    drop(stdin);
    Some(child.wait_with_output().expect("the script ends"))
}

fn parse(name: &str, output: &Output) -> Value {
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let text = std::str::from_utf8(&output.stdout).expect("the document is UTF-8");
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

#[test]
fn both_emit_the_same_values() {
    for name in carried::names(OPTIMIZE) {
        let Some(output) = python("python/emitter.py", &[], &carried::wire(OPTIMIZE, &name)) else { return };
        let (mut theirs, mut ours) = (parse(&name, &output), carried::document(OPTIMIZE, &name));
        for document in [&mut theirs, &mut ours] {
            let instant = document["generatedAt"].take();
            let instant = instant.as_str().unwrap_or_else(|| panic!("{name}: generatedAt is {instant}"));
            assert!(instant.len() == 20 && instant.ends_with('Z'), "{name}: {instant}");
        }
        assert_eq!(theirs, ours, "{name}");
    }
}

/// Both name their files in order, and hand over a single document on standard output.
#[test]
fn both_emit_the_same_explore_and_baseline_documents() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-documents");
    for suite in [EXPLORE, BASELINE] {
        for name in carried::names(suite) {
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir_all(&out).expect("a folder");
            let Some(output) = python_into("python/emitter.py", &[], &carried::wire(suite, &name), Some(&out)) else {
                return;
            };
            let mut ours = carried::documents(suite, &name);
            let mut files: Vec<_> =
                std::fs::read_dir(&out).expect("the folder").flatten().map(|file| file.path()).collect();
            files.sort();
            let mut theirs: Vec<Value> = match files.len() {
                0 => vec![parse(&name, &output)],
                _ => {
                    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{name}");
                    let text = |file| std::fs::read_to_string(file).expect("a document");
                    files.iter().map(|file| serde_yaml::from_str(&text(file)).expect("YAML")).collect()
                }
            };
            for document in theirs.iter_mut().chain(&mut ours) {
                comparable(document);
            }
            assert_eq!(theirs, ours, "{suite}/{name}");
        }
    }
}

/// Takes out what depends on the instant or on the text, and the last digits of a bound, which two ways of working out the quantile do not
/// share.
fn comparable(document: &mut Value) {
    for stated in ["generatedAt", "contentFingerprint"] {
        document[stated].take();
    }
    if let Some(expiration) = document.get_mut("expiration") {
        assert!(expiration["expiresAt"].take().is_string());
    }
    for criterion in
        document.get_mut("criteria").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut())
    {
        if let Some(bound) = criterion["wilsonLowerBound"].as_f64() {
            criterion["wilsonLowerBound"] = format!("{bound:.9}").into();
        }
    }
}

/// Ed25519 leaves nothing to chance, so that two hosts with one key make one record of one run, signature included.
#[test]
fn both_make_the_same_records() {
    for name in carried::names(EXECUTION) {
        let Some(output) = python("python/emitter.py", &[], &carried::wire(EXECUTION, &name)) else { return };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let [theirs, ours]: [Value; 2] = [&output.stdout[..], carried::text(EXECUTION, &name).as_bytes()]
            .map(|text| serde_json::from_slice(text).unwrap_or_else(|error| panic!("{name}: {error}")));
        assert_eq!(theirs, ours, "{name}");
    }
}

#[test]
fn the_template_says_what_it_does_not_support() {
    let Some(output) = python("python/emitter.py", &[], r#"{"suite":"other-1","scenario":"plain","input":{}}"#) else {
        return;
    };
    assert_eq!(output.status.code(), Some(77));
    assert!(output.stdout.is_empty());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr).trim_end(),
        "suite other-1 is none of mavai-optimize-1, mavai-explore-1, mavai-baseline-1, torneo-epreuve-v1, orbiplex-task-pack-execution-v1"
    );
    let empty = [OPTIMIZE, EXECUTION].map(|suite| format!(r#"{{"suite":"{suite}","input":{{}}}}"#));
    for scenario in ["", "[]", &empty[0], &empty[1]] {
        let Some(output) = python("python/emitter.py", &[], scenario) else { return };
        assert_eq!(output.status.code(), Some(1), "{scenario}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{scenario}");
    }
}
