//! Exit codes: each one, by every way that leads to it.

use std::collections::BTreeSet;

use conform::cli::exit::Exit;

use super::{conform, fed};

fn code(line: &str) -> Option<i32> {
    conform(line).code
}

#[test]
fn the_codes_are_public_interface() {
    let codes: Vec<u8> = Exit::ALL.iter().map(|exit| exit.code()).collect();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 70]);
    let meanings: BTreeSet<&str> = Exit::ALL.iter().map(|exit| exit.meaning()).collect();
    assert_eq!(meanings.len(), codes.len());
}

#[test]
fn help_names_every_code_and_its_meaning() {
    let help = conform("--help").stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for exit in Exit::ALL {
        let line = format!("{} {}", exit.code(), exit.meaning());
        assert!(help.contains(&line), "{line}");
    }
}

#[test]
fn zero_where_all_conforms() {
    assert_eq!(code("check documents/one-sample.yaml"), Some(0));
    assert_eq!(code("check documents/warned.yaml"), Some(0));
    assert_eq!(code("--emitter emitters/several.sh --exact mavai-optimize-1/one-sample"), Some(0));
    assert_eq!(code("--version"), Some(0));
    assert_eq!(code("--help"), Some(0));
    assert_eq!(code("list"), Some(0));
}

#[test]
fn one_where_an_error_was_found() {
    assert_eq!(code("check documents/count-wrong.yaml"), Some(1));
    assert_eq!(code("check documents/broken.json"), Some(1));
    assert_eq!(code("check documents/unclaimed.yaml"), Some(1));
    assert_eq!(code("check documents"), Some(1));
    assert_eq!(fed("check -", b"").code, Some(1));
    // A document that follows from another scenario.
    assert_eq!(code("--emitter emitters/several.sh --suites suites --exact mavai-optimize-1/own-optional"), Some(1));
}

#[test]
fn one_where_the_emitter_failed_in_a_scenario() {
    assert_eq!(code("--emitter emitters/several.sh --exact mavai-optimize-1/none-pass"), Some(1));
    assert_eq!(code("--emitter emitters/slow.sh --timeout 0.05 --exact mavai-optimize-1/one-sample"), Some(1));
    assert_eq!(code("--emitter emitters/two-files.sh --exact mavai-optimize-1/one-sample"), Some(1));
}

#[test]
fn one_for_a_warning_only_where_warnings_are_denied() {
    assert_eq!(code("check documents/warned.yaml --deny warnings"), Some(1));
    assert_eq!(code("check documents/one-sample.yaml --deny warnings"), Some(0));
}

#[test]
fn two_for_whatever_is_wrong_on_the_command_line() {
    for line in [
        "",
        "--no-such-flag",
        "delivery",
        "check",
        "check no/such/file.yaml",
        "check documents/one-sample.yaml --suite mavai-optimise-1",
        "check documents/one-sample.yaml --format yaml",
        "check documents/one-sample.yaml --max-bytes 5X",
        "check documents/one-sample.yaml --max-bytes 0",
        "check documents/one-sample.yaml --max-depth 1000000",
        "check documents/one-sample.yaml --test-threads 0",
        "check documents/one-sample.yaml --schema mavai-optimize-1",
        "check documents/one-sample.yaml --schema mavai-optimize-1=no/such/file",
        "check documents/one-sample.yaml --schemas no/such/folder",
        "check documents/one-sample.yaml --related no/such/file",
        "check documents/one-sample.yaml --report junit",
        "check documents/one-sample.yaml --report docx=x",
        "check documents/one-sample.yaml --report json=no/such/folder/x.json",
        "check documents/one-sample.yaml --report json=documents",
        "check documents/one-sample.yaml --quiet --verbose",
        "check documents/[",
        "explain no/such-obligation",
        "list scenarios --suites suites-malformed",
        "list scenarios --suites suites-misspelt",
        "list scenarios --suites no/such/folder",
        "derive no/such/file",
        "derive documents/broken.json",
        "derive documents/unclaimed.yaml",
        "--emitter emitters/several.sh --suite no-such-suite",
        "--emitter emitters/several.sh --timeout 0",
        "--emitter emitters/several.sh --timeout soon",
        "--emitter emitters/claims-one --suite orbiplex-task-pack-execution-v1",
        "--emitter emitters",
        // What a test of a consumer has not is not left out without a word.
        "--validator true --certificate no/such/folder/c.json",
        "--validator true --expected no/such/file",
        "--validator true --session",
        "--validator true --score",
    ] {
        let ran = conform(line);
        assert_eq!(ran.code, Some(2), "{line}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stderr.is_empty() && ran.stdout.is_empty(), "{line}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_named_as_it_was_asked_for() {
    let ran = conform("check documents/one-sample.yaml --report json=no/such/folder/x.json");
    assert!(
        ran.stderr.contains("cannot write the json report to no/such/folder/x.json: No such file"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains(".conform-report"), "{}", ran.stderr);
}

#[test]
fn three_where_something_required_was_not_judged() {
    assert_eq!(code("--emitter emitters/unsupported.sh --exact mavai-optimize-1/one-sample"), Some(3));
}

#[test]
fn zero_where_only_what_is_optional_is_unsupported() {
    assert_eq!(
        code("--emitter emitters/unsupported.sh --suites suites --exact mavai-optimize-1/own-optional"),
        Some(0)
    );
}

#[test]
fn a_failure_outranks_what_is_incomplete() {
    assert_eq!(code("--emitter emitters/several.sh mavai-optimize-1/all-pass mavai-optimize-1/none-pass"), Some(1));
}

#[test]
fn four_where_nothing_is_selected() {
    for line in [
        "--emitter emitters/several.sh no-such-scenario",
        "--emitter emitters/several.sh --exact one-sample",
        "--emitter emitters/several.sh one-sample --skip one-sample",
        "--emitter emitters/several.sh one-sample no-such-scenario",
        "--list no-such-scenario",
        "check suites-misspelt/mavai-optimise-1/nothing-*.yaml",
        "list obligations no-such-obligation",
    ] {
        let ran = conform(line);
        assert_eq!(ran.code, Some(4), "{line}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stderr.is_empty() && ran.stdout.is_empty(), "{line}");
    }
    let empty = tempfile::tempdir().unwrap();
    let line = format!("check {}", empty.path().display());
    assert_eq!(code(&line), Some(4));
}

#[test]
fn five_where_the_emitter_cannot_be_started() {
    for line in [
        "--emitter emitters/no-such-program",
        "--emitter documents/one-sample.yaml",
        "--emitter ../../../emitters/broken/process/missing-interpreter.sh one-sample",
    ] {
        let ran = conform(line);
        assert_eq!(ran.code, Some(5), "{line}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.starts_with("error: "), "{line}: {}", ran.stderr);
    }
}
