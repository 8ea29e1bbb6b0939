//! Expected failures: what is excused, what is counted apart, and when a declaration fails the run itself.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use tempfile::TempDir;

use super::{Ran, conform};

/// Two scenarios: `none-pass` fails with `process/exit`, `own-optional` with what another scenario asks for.
const FAILING: &str = "--emitter emitters/several.sh --suites suites mavai-optimize-1/none-pass mavai-optimize-1/own-optional \
                       mavai-optimize-1/one-sample --exact";

struct Declared {
    _folder: TempDir,
    path: PathBuf,
}

impl Declared {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("expected.toml");
        fs::write(&path, text).unwrap();
        Declared { _folder: folder, path }
    }

    fn run(&self, line: &str) -> Ran {
        let ran = conform(&format!("{line} --expected {}", self.path.display()));
        let folder = format!("{}/", self.path.parent().unwrap().display());
        Ran { stdout: ran.stdout.replace(&folder, ""), stderr: ran.stderr.replace(&folder, ""), code: ran.code }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }
}

const BOTH: &str = r#"
[[expected]]
emitter = "several.*"
scenario = "mavai-optimize-1/none-pass"
obligation = "process/exit"
reason = "gives up where nothing passes"
issue = "https://example.org/issues/7"
owner = "Ada"
expires = 2999-12-31

[[expected]]
scenario = "own-*"
obligation = "*"
reason = "has no scenarios of its own yet"
"#;

#[test]
fn expected_failures_are_shown_and_do_not_fail_the_run() {
    let ran = Declared::new(BOTH).run(FAILING);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert_snapshot!(ran.shown());
}

#[test]
fn every_format_tells_them_from_failures() {
    let declared = Declared::new(BOTH);
    let results = declared.run(&format!("{FAILING} --format json")).json();
    assert_eq!(results["summary"]["failed"], 0);
    assert_eq!(results["summary"]["expectedFailures"], 2);
    assert_eq!(results["summary"]["passed"], 1);
    // The verdict and the findings stand.
    assert_eq!(results["results"][0]["verdict"], "fail");
    assert_eq!(results["results"][0]["findings"][0]["obligation"], "process/exit");
    assert_eq!(results["results"][0]["expected"][0]["owner"], "Ada");
    assert_eq!(results["expected"]["inForce"].as_array().unwrap().len(), 2);
    assert_eq!(results["expected"]["stale"].as_array().unwrap().len(), 0);
    assert!(declared.run(&format!("{FAILING} --format terse")).stdout.starts_with("x.x\n"));
    let libtest = declared.run(&format!("{FAILING} --format libtest")).stdout;
    assert!(libtest.contains("ignored (failed as expected: gives up where nothing passes)"), "{libtest}");
    let junit = declared.path.with_extension("xml");
    declared.run(&format!("{FAILING} --report junit={}", junit.display()));
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains(r#"<skipped message="failed as expected: gives up"#), "{junit}");
    assert!(junit.contains(r#"failures="0""#), "{junit}");
}

#[test]
fn results_with_expected_failures_keep_their_schema() {
    super::reports::keeps_the_schema(&Declared::new(BOTH).run(&format!("{FAILING} --format json")).stdout);
    let stale = BOTH.replace("none-pass", "one-sample").replace("2999", "2001");
    super::reports::keeps_the_schema(&Declared::new(&stale).run(&format!("{FAILING} --format json")).stdout);
}

#[test]
fn what_nothing_declares_fails_the_run_as_ever() {
    let one = BOTH.split("\n\n[[expected]]").next().unwrap();
    let ran = Declared::new(one).run(FAILING);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("1 failed, 1 failed as expected"), "{}", ran.stdout);
    // A finding beside the expected one fails its scenario.
    let declared = Declared::new(
        "[[expected]]\nscenario = \"own-optional\"\nobligation = \"process/exit\"\nreason = \"it once crashed\"\n",
    );
    let line = "--emitter emitters/several.sh --suites suites own-optional";
    let ran = declared.run(line);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("FAIL mavai-optimize-1/own-optional: scenario/differs"), "{}", ran.stdout);
}

#[test]
fn an_expected_failure_does_not_end_a_run_that_stops_at_the_first() {
    let results = Declared::new(BOTH).run(&format!("{FAILING} --fail-fast -j 1 --format json")).json();
    assert_eq!(results["summary"]["notRun"], 0);
}

#[test]
fn stale_declarations_fail_the_run_and_say_what_to_remove() {
    let declared = Declared::new(
        r#"# What we know.
[[expected]]
scenario = "mavai-optimize-1/one-sample"
obligation = "scenario/differs"
reason = "passes by now"

[[expected]]
scenario = "mavai-optimize-1/on-sample"
obligation = "scenario/differs"
reason = "a scenario that there is not"

[[expected]]
scenario = "mavai-optimize-1/one-sample"
obligation = "mavai/trials-countd"
reason = "an obligation that there is not"

[[expected]]
scenario = "none-pass"
obligation = "process/exit"
reason = "was to be put right"
expires = 2026-01-01

[[expected]]
scenario = "mavai-optimize-1/o*"
obligation = "scenario/*"
reason = "fails in one of both"

[[expected]]
emitter = "another"
scenario = "mavai-optimize-1/one-sample"
obligation = "scenario/differs"
reason = "not this run's business"

[[expected]]
scenario = "mavai-optimize-1/all-pass"
obligation = "scenario/differs"
reason = "was not run"
"#,
    );
    let ran = declared.run(&format!("{FAILING} -q"));
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.shown());
}

#[test]
fn a_stale_declaration_alone_fails_the_run() {
    let stale = "[[expected]]\nscenario = \"one-sample\"\nobligation = \"scenario/differs\"\nreason = \"none\"\n";
    let line = "--emitter emitters/several.sh --exact mavai-optimize-1/one-sample";
    assert_eq!(Declared::new(stale).run(line).code, Some(1));
    let flaky = format!("{stale}flaky = true\n");
    let ran = Declared::new(&flaky).run(line);
    assert_eq!(ran.code, Some(0), "what is flaky may pass: {}", ran.stdout);
    let of_another = format!("{stale}emitter = \"another\"\n");
    assert_eq!(Declared::new(&of_another).run(line).code, Some(0));
    assert_eq!(
        Declared::new(stale).run("--emitter emitters/several.sh --exact mavai-optimize-1/all-pass").code,
        Some(3)
    );
}

#[test]
fn a_declaration_holds_through_its_last_day() {
    let entry = |day: &str| {
        Declared::new(&format!(
            "[[expected]]\nscenario = \"none-pass\"\nobligation = \"process/exit\"\nreason = \"r\"\nexpires = {day}\n"
        ))
    };
    let line = "--emitter emitters/several.sh --exact mavai-optimize-1/none-pass";
    // The date of the run is that of its results.
    let today = conform(&format!("{line} --format json")).json()["started"].as_str().unwrap()[..10].to_owned();
    assert_eq!(entry(&today).run(line).code, Some(0));
    assert_eq!(entry("\"2999-01-01\"").run(line).code, Some(0));
    assert_eq!(entry("2026-11-29").run(line).code, Some(1));
}

#[test]
fn what_cannot_be_told_is_no_proof_that_it_passes() {
    // The emitter crashes before the document could be judged.
    let declared = Declared::new(
        "[[expected]]\nscenario = \"none-pass\"\nobligation = \"mavai/trials-counted\"\nreason = \"r\"\n",
    );
    let ran = declared.run("--emitter emitters/several.sh --exact mavai-optimize-1/none-pass");
    assert_eq!(ran.code, Some(1));
    assert!(!ran.stdout.contains("STALE"), "{}", ran.stdout);
}

#[test]
fn a_denied_warning_may_be_expected() {
    let line = "--emitter emitters/warned.sh --exact mavai-optimize-1/one-sample --deny warnings --format json";
    let ran = conform(line);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let results = ran.json();
    let warning = results["results"][0]["findings"][0]["obligation"].as_str().unwrap();
    let entry = format!("[[expected]]\nscenario = \"one-sample\"\nobligation = \"{warning}\"\nreason = \"r\"\n");
    assert_eq!(Declared::new(&entry).run(line).code, Some(0));
}

#[test]
fn a_file_that_cannot_be_used_says_where_and_why() {
    let mut said = String::new();
    for text in [
        "[[expected]]\nscenario = \"x\"\nobligation = \"y\"\n",
        "[[expected]]\nscenario = \"x\"\nobligation = \"y\"\nreason = \"  \"\n",
        "[[expected]]\nobligation = \"y\"\nreason = \"r\"\n",
        "\n[[expected]]\nscenario = \"x\"\nobligation = \"y\"\nreason = \"r\"\nexpiry = 2027-01-01\n",
        "[[expected]]\nscenario = \"[x\"\nobligation = \"y\"\nreason = \"r\"\n",
        "[[expected]]\nscenario = \"x\"\nobligation = \"y\"\nreason = \"r\"\nexpires = \"soon\"\n",
        "[[expected]]\nscenario = \"x\"\nobligation = \"y\"\nreason = \"r\"\nexpires = 2027-01-01T00:00:00Z\n",
        "[[expected]]\nscenario = \"x\"\nobligation = \"y\"\nreason = \"r\"\nflaky = \"yes\"\n",
        "[[expect]]\nscenario = \"x\"\n",
        "[expected]\nscenario = \"x\"\n",
        "expected = [1]\n",
        "[[expected]\n",
    ] {
        let ran = Declared::new(text).run("--emitter emitters/several.sh one-sample");
        assert_eq!(ran.code, Some(2), "{text}: {}", ran.stdout);
        said.push_str(&ran.stderr);
    }
    said.push_str(&conform("--emitter emitters/several.sh one-sample --expected no/such/file").stderr);
    assert_snapshot!(said);
}

const COMMENTED: &str = r#"# What several.sh is known to get wrong.
# Kept by the people who know it.

# The first of them.
[[expected]]
scenario = "mavai-optimize-1/one-sample" # passes by now
obligation = "scenario/differs"
reason = "passes by now"

# Two in one.
[[expected]]
scenario = "mavai-optimize-1/o*"   # both
obligation = "scenario/*"
reason = 'fails in one of both'

# Another's.
[[expected]]
emitter = "another"
scenario = "mavai-optimize-1/one-sample"
obligation = "scenario/differs"
reason = "not this run's business"
# The end.
"#;

fn updated(declared: &Declared, more: &str) -> Ran {
    let results = declared.path.with_extension("json");
    conform(&format!("{FAILING} --report json={}", results.display()));
    let line = format!("expected update {} {} --suites suites {more}", declared.path.display(), results.display());
    let ran = conform(&line);
    let folder = format!("{}/", declared.path.parent().unwrap().display());
    Ran { stdout: ran.stdout.replace(&folder, ""), stderr: ran.stderr.replace(&folder, ""), code: ran.code }
}

#[test]
fn an_update_takes_out_what_is_stale_and_keeps_every_other_comment() {
    let declared = Declared::new(COMMENTED);
    let ran = updated(&declared, "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_snapshot!(format!("{}---\n{}", ran.stdout, declared.text()));
}

#[test]
fn an_update_with_a_reason_makes_the_run_pass() {
    let declared = Declared::new(COMMENTED);
    assert_eq!(declared.run(FAILING).code, Some(1));
    let ran = updated(&declared, "--reason known --issue https://example.org/7 --expires 2999-01-31");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_snapshot!(format!("{}---\n{}", ran.stdout, declared.text()));
    let ran = declared.run(FAILING);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    // Now there is nothing left to change.
    let before = declared.text();
    let ran = updated(&declared, "--reason known");
    assert_eq!(ran.stdout, "expected.toml says the truth: nothing to change\n");
    assert_eq!(declared.text(), before);
}

#[test]
fn an_update_may_begin_a_file() {
    let declared = Declared::new("");
    fs::remove_file(&declared.path).unwrap();
    let ran = updated(&declared, "--reason known");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(declared.run(FAILING).code, Some(0), "{}", declared.text());
}

#[test]
fn an_update_needs_the_results_of_an_emitter() {
    let declared = Declared::new(COMMENTED);
    let results = declared.path.with_extension("json");
    for (text, part) in [
        ("{}", "cannot be used: it is not conform-results-1"),
        ("", "cannot be used: it is not"),
        ("{\"schema\": \"other-2\"}", "its model is \"other-2\""),
    ] {
        fs::write(&results, text).unwrap();
        let ran = conform(&format!("expected update {} {}", declared.path.display(), results.display()));
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    conform(&format!("check documents --report json={}", results.display()));
    let ran = conform(&format!("expected update {} {}", declared.path.display(), results.display()));
    assert!(ran.stderr.contains("these are the results of no emitter's run"), "{}", ran.stderr);
    assert_eq!(declared.text(), COMMENTED);
}
