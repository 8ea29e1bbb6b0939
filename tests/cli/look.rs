//! What people see: findings, progress, summary, colours.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use insta::assert_snapshot;

use super::{command, conform, ended, fed};

#[test]
fn a_finding_shows_the_place_and_what_it_disagrees_with() {
    assert_snapshot!(conform("check documents/count-wrong.yaml").shown());
}

#[test]
fn a_pass_is_a_line_and_a_warning_is_another() {
    assert_snapshot!(conform("check documents/one-sample.yaml documents/warned.yaml").shown());
}

#[test]
fn verbose_shows_warnings_in_full() {
    assert_snapshot!(conform("check documents/warned.yaml -v").shown());
}

#[test]
fn quiet_shows_failures_and_the_summary() {
    assert_snapshot!(conform("check documents -q").shown());
}

#[test]
fn denied_warnings_are_said() {
    assert_snapshot!(conform("check documents/warned.yaml --deny warnings").shown());
}

const RUN: &str = "--emitter emitters/several.sh one-sample all-pass none-pass own-optional --suites suites \
                   --skip optional-percent";

#[test]
fn a_run_shows_every_end_of_a_scenario() {
    assert_snapshot!(conform(RUN).shown());
}

#[test]
fn a_run_as_tests() {
    let ran = conform(&format!("{RUN} --format libtest"));
    let shown = ran.shown();
    // libtest-mimic says how long its own trials took.
    let (before, _) = shown.split_once("; finished in").unwrap();
    assert_snapshot!(before);
}

#[test]
fn a_run_in_one_character_each() {
    assert_snapshot!(conform(&format!("{RUN} --format terse")).shown());
}

#[test]
fn beside_json_people_get_the_summary_on_standard_error() {
    let ran = conform("check documents --format json");
    ran.json();
    assert_snapshot!(ran.shown().split_once("--- stderr\n").unwrap().1);
    let ran = conform("check documents --format json -q");
    assert_eq!(ran.stderr, "");
}

#[test]
fn an_emitter_cannot_steer_the_terminal() {
    let run = conform(&format!("{RUN} -v --color never"));
    assert!(run.stdout.contains("␛[31mred and ␛[2Jcleared"), "{}", run.stdout);
    let hostile = b"{\"schemaVersion\": \"\\u001b[2J\\u202e\", \"a\\u001b]0;x\\u0007\": 1}";
    let document = fed("check - --suite mavai-optimize-1 --color never", hostile);
    for ran in [run, document] {
        let steering = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!ran.stdout.contains(steering), "{:?}", ran.stdout);
    }
}

fn coloured(line: &str, vars: &[(&str, &str)]) -> bool {
    let mut command = command(line.split_whitespace());
    command.envs(vars.iter().copied());
    ended(command).stdout.contains('\u{1b}')
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    const CHECK: &str = "check documents/count-wrong.yaml";
    assert!(!coloured(CHECK, &[]));
    assert!(coloured("check documents/count-wrong.yaml --color always", &[("NO_COLOR", "1")]));
    assert!(coloured(CHECK, &[("FORCE_COLOR", "1")]));
    assert!(coloured(CHECK, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(CHECK, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured("check documents/count-wrong.yaml --color never", &[("FORCE_COLOR", "1")]));
    assert!(coloured("explain scenario/differs --color always", &[]));
    assert!(coloured("list --color always", &[]));
    assert!(coloured("--color always check documents/count-wrong.yaml", &[]));
    assert!(coloured("check documents --format terse --color always", &[]));
    assert!(coloured("check documents --format libtest --color always", &[]));
}

#[test]
fn colours_change_nothing_but_the_colour() {
    let plain = super::timeless(&conform("check documents").stdout);
    let coloured = super::timeless(&conform("check documents --color always").stdout);
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string().replace("TIME", ""), plain.replace("TIME", ""));
}

/// A reader that goes away after the first line is nothing to complain about.
#[test]
fn a_reader_may_go_away() {
    for line in [
        "check documents -v",
        "check documents --format json",
        "check documents --format libtest",
        "check documents --format terse",
        "list obligations",
        "list scenarios --format json",
        "explain scenario/differs",
        "--help",
    ] {
        let mut child = command(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("conform starts");
        let mut first = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked") && !stderr.contains("error:"), "{line}: {stderr}");
        assert!(output.status.code().is_some(), "{line}: {:?}", output.status);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = command("check documents/one-sample.yaml".split_whitespace());
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: cannot write to standard output"), "{stderr}");
}
