//! What the reference emitter does not emit, and how it says so.

mod carried;

use std::io::{self, Read, Write};

use conform_reference_emitter::{EXIT_BROKEN, EXIT_UNSUPPORTED, Refusal, emit, run};
use serde_json::{Value, json};

fn broken(edit: impl FnOnce(&mut Value)) -> String {
    let mut input = carried::input(carried::OPTIMIZE, "plain");
    edit(&mut input);
    match emit(&json!({ "suite": "mavai-optimize-1", "scenario": "plain", "input": input }).to_string()) {
        Err(Refusal::Broken(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_suite_that_it_does_not_know_is_unsupported() {
    let refusal = emit(r#"{"suite":"other-1","scenario":"plain","input":{}}"#);
    let known = conform_reference_emitter::suites().collect::<Vec<_>>().join(", ");
    assert_eq!(
        refusal,
        Err(Refusal::Unsupported(format!("suite \"other-1\" is not one of those that this emitter knows ({known})")))
    );
}

#[test]
fn an_input_that_cannot_have_happened_is_broken_and_the_place_is_named() {
    assert_eq!(broken(|input| input["inputs"] = json!([])), "input/inputs: is empty, and at least one is expected");
    assert_eq!(
        broken(|input| input["iterations"][0]["trials"][1]["input"] = json!(2)),
        "input/iterations/0/trials/1: driven by input 2, and input 1 is due"
    );
    assert_eq!(
        broken(|input| {
            input["iterations"][1]["trials"][0]["checks"].as_object_mut().map(|checks| checks.remove("stays polite"));
        }),
        "input/iterations/1/trials/0: no outcome of check \"stays polite\", which applies to input 0"
    );
    assert_eq!(
        broken(|input| input["iterations"][1]["trials"][0]["checks"]["parses as JSON"] = json!("skip")),
        "input/iterations/1/trials/0: check \"parses as JSON\" is skipped, and no check of \"format\" before it failed"
    );
    assert_eq!(
        broken(|input| input["iterations"][0]["trials"][0]["event"] = json!("http-500")),
        "input/iterations/0/trials/0: expected either `response` and `checks`, or `event`"
    );
    assert_eq!(
        broken(|input| input["iterations"][0]["score"] = json!(1)),
        "input/iterations/0/score: is there, and scorer is `observed-pass-rate`"
    );
    assert_eq!(
        broken(|input| input["samplesPlanned"] = json!(8)),
        "input/iterations/0/termination: COMPLETED with 7 of 8 planned samples; state why it ended early"
    );
    assert_eq!(
        broken(|input| input["criteria"][0]["optionalSlack"] = json!("12.5%")),
        "input/criteria/0: optionalSlack is \"12.5%\"; expected digits, or digits and `%`"
    );
    assert_eq!(
        broken(|input| input["iterations"][0]["factors"]["model"] = json!(null)),
        "input/iterations/0/factors: \"model\" is null; expected a string, a number or a boolean"
    );
    assert!(broken(|input| input["more"] = json!(1)).contains("unknown field `more`"));
    assert!(broken(|input| *input = json!(7)).starts_with("input: invalid type"));
}

#[test]
fn a_run_that_no_record_can_tell_is_broken_and_the_place_is_named() {
    let broken = |edit: &dyn Fn(&mut Value)| {
        let mut input = carried::input(carried::EXECUTION, "verified");
        edit(&mut input);
        match emit(&json!({ "suite": carried::EXECUTION, "scenario": "verified", "input": input }).to_string()) {
            Err(Refusal::Broken(text)) => text,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        broken(&|input| input["review"] = json!("corpus-experiment-review:r-1")),
        "input/review: \"corpus-experiment-review:r-1\" ends with no digest; expected `…:sha256:` and 43 characters"
    );
    assert_eq!(
        broken(&|input| input["steps"][1]["output"] = json!("")),
        "input/steps/1/artifact: is \"sha256:CwXyKFfK99A8u58xsyCcBt4urTfHd7VDaIR4QbhJhhg\"; its output has the digest \
         \"sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU\""
    );
    assert_eq!(
        broken(&|input| input["steps"] = vec![input["steps"][0].clone(); 33].into()),
        "input/steps: 33 answers are evidence; a record lists all of them, and 32 at most"
    );
    assert_eq!(
        broken(&|input| input["environment"] = Value::Null),
        "input/environment: is missing, and a verifier that said yes or no judged an instance"
    );
    for seed in ["", "00", &"0".repeat(63), &"g".repeat(64)] {
        assert_eq!(
            broken(&|input| input["signingSeed"] = json!(seed)),
            format!("input/signingSeed: {} characters that are no 32 bytes in hexadecimal", seed.len())
        );
    }
    for ended in
        [json!({}), json!({ "verifier": "maybe" }), json!({ "verifier": "yes", "cancelled": "" }), json!("yes")]
    {
        let text = broken(&|input| input["ended"] = ended.clone());
        assert!(text.starts_with("input: "), "{text}");
    }
    assert!(broken(&|input| input["more"] = json!(1)).contains("unknown field `more`"));
}

fn process(stdin: &[u8]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = run(stdin, None, &mut stdout, &mut stderr);
    (code, String::from_utf8(stdout).expect("UTF-8"), String::from_utf8(stderr).expect("UTF-8"))
}

#[test]
fn the_process_says_it_with_its_exit_code() {
    let (code, document, reason) = process(carried::wire(carried::OPTIMIZE, "plain").as_bytes());
    assert_eq!((code, reason.as_str()), (0, ""));
    assert!(document.starts_with("schemaVersion: mavai-optimize-1\n"));

    let (code, document, reason) = process(br#"{"suite":"other-1","scenario":"x","input":null}"#);
    assert_eq!((code, document.as_str()), (EXIT_UNSUPPORTED, ""));
    assert!(reason.starts_with("suite \"other-1\""));

    for stdin in [&b""[..], b"{", b"[]", b"\xff", br#"{"suite":"mavai-optimize-1"}"#] {
        let (code, document, reason) = process(stdin);
        assert_eq!((code, document.as_str()), (EXIT_BROKEN, ""));
        assert!(!reason.is_empty());
    }
}

/// A pipe that its reader has closed.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Closed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn closed_streams_are_failures_and_not_crashes() {
    assert_eq!(run(carried::wire(carried::OPTIMIZE, "plain").as_bytes(), None, Closed, Closed), EXIT_BROKEN);
    assert_eq!(run(Closed, None, Vec::new(), Closed), EXIT_BROKEN);
}

/// Several documents have no place on one stream.
#[test]
fn several_documents_are_files() {
    let scenario = carried::wire(carried::EXPLORE, "plain");
    let (code, document, reason) = process(scenario.as_bytes());
    assert_eq!((code, document.as_str()), (EXIT_BROKEN, ""));
    assert_eq!(reason, "the scenario has 2 documents, and CONFORM_OUT names no folder for them\n");
    assert_eq!(emit(&scenario), Err(Refusal::Broken("the scenario has 2 documents".to_owned())));

    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("several-documents");
    std::fs::create_dir_all(&out).expect("a folder");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    assert_eq!(run(scenario.as_bytes(), Some(&out), &mut stdout, &mut stderr), 0);
    assert!(stdout.is_empty() && stderr.is_empty());
    for (file, configuration) in [
        ("configuration-0000.yaml", "model-small_temperature-0.2"),
        ("configuration-0001.yaml", "model-large_temperature-0.2"),
    ] {
        let text = std::fs::read_to_string(out.join(file)).expect("a document");
        let document: Value = serde_yaml::from_str(&text).expect("YAML");
        assert_eq!(document["configuration"], configuration);
    }
    assert_eq!(run(scenario.as_bytes(), Some(&out.join("not-there")), Vec::new(), Closed), EXIT_BROKEN);

    // One document goes to standard output, whether there is a folder or not.
    let alone = carried::wire(carried::EXPLORE, "one-without-factors");
    assert_eq!(run(alone.as_bytes(), Some(&out), &mut stdout, &mut stderr), 0);
    assert!(stdout.starts_with(b"schemaVersion: mavai-explore-1\n"));
}

#[test]
fn an_experiment_that_cannot_have_been_made_is_broken_and_the_place_is_named() {
    let broken = |suite: &str, name: &str, edit: &dyn Fn(&mut Value)| {
        let mut input = carried::input(suite, name);
        edit(&mut input);
        match conform_reference_emitter::emit_all(&json!({ "suite": suite, "input": input }).to_string()) {
            Err(Refusal::Broken(text)) => text,
            other => panic!("{other:?}"),
        }
    };
    let explore = |edit: &dyn Fn(&mut Value)| broken(carried::EXPLORE, "base-of-three", edit);
    assert_eq!(
        explore(&|input| input["configurations"][0]["base"] = json!(true)),
        "input/configurations: 2 of them are the base; at most one is"
    );
    assert_eq!(
        explore(&|input| input["configurations"][2]["configuration"] = json!("model-small")),
        "input/configurations/2: a second configuration is \"model-small\""
    );
    assert_eq!(
        explore(&|input| input["configurations"][2]["factors"] = json!({ "prompt": "short" })),
        "input/configurations/2/factors: are not those of the first configuration, and where there are several all state the same"
    );
    assert_eq!(
        explore(&|input| input["configurations"][1]["trials"][0]["input"] = json!(1)),
        "input/configurations/1/trials/0: driven by input 1, and input 0 is due"
    );
    assert_eq!(
        explore(&|input| input["configurations"] = json!([])),
        "input/configurations: is empty, and at least one is expected"
    );
    let baseline = |edit: &dyn Fn(&mut Value)| broken(carried::BASELINE, "inputs-reordered", edit);
    assert_eq!(
        baseline(&|input| input["confidenceLevel"] = json!(1)),
        "input/confidenceLevel: is 1; expected a number between 0 and 1"
    );
    assert_eq!(
        baseline(&|input| input["expiresInDays"] = json!(0)),
        "input/expiresInDays: is 0; expected a day at least"
    );
    assert_eq!(
        baseline(&|input| input["criteria"][1]["mode"] = json!("observational")),
        "input/criteria/1/procedure: is there, and mode is `observational`"
    );
    assert_eq!(
        baseline(&|input| input["again"]["trials"][2]["input"] = json!(0)),
        "input/again/trials/2: driven by input 0, and input 2 is due"
    );
    assert!(baseline(&|input| input["more"] = json!(1)).contains("unknown field `more`"));
}
