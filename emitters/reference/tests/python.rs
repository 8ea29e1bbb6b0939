//! The Python template and the reference emitter, written apart from each other, say the same of every scenario.

mod carried;

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

use carried::{EXECUTION, OPTIMIZE};
use serde_json::Value;

/// Runs a script under `emitters/` with a scenario on standard input; `None` where there is no Python on this machine.
fn python(script: &str, arguments: &[&str], scenario: &str) -> Option<Output> {
    let started = Command::new("python3")
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
        "suite other-1 is none of mavai-optimize-1, torneo-epreuve-v1, orbiplex-task-pack-execution-v1"
    );
    let empty = [OPTIMIZE, EXECUTION].map(|suite| format!(r#"{{"suite":"{suite}","input":{{}}}}"#));
    for scenario in ["", "[]", &empty[0], &empty[1]] {
        let Some(output) = python("python/emitter.py", &[], scenario) else { return };
        assert_eq!(output.status.code(), Some(1), "{scenario}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{scenario}");
    }
}
