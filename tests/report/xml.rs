//! JUnit, against the schema that Jenkins reads it by.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use conform::report::Format;

use super::{empty, fixture, of_a_check, results, written};

/// Says so on the terminal itself, past the harness, which keeps what a passing test prints to itself.
fn not_judged(what: &str) {
    let line = format!("\nNOT JUDGED {what}\n");
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

#[test]
fn junit_keeps_the_schema_of_build_servers() {
    let Ok(version) = Command::new("xmllint").arg("--version").output() else {
        let missing = "xmllint is not installed (Debian's libxml2-utils), which validates by an XML schema";
        assert!(std::env::var_os("CONFORM_REQUIRE_XMLLINT").is_none(), "{missing}");
        not_judged(&format!("JUnit reports: {missing}"));
        return;
    };
    assert!(version.status.success());
    let folder = tempfile::tempdir().unwrap();
    let valid = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let ran = Command::new("xmllint")
            .args(["--noout", "--nonet", "--schema"])
            .arg(fixture("junit-10.xsd"))
            .arg(&path)
            .output()
            .unwrap();
        (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let mut hostile = results();
    for result in &mut hostile.results {
        result.subject.push_str("\u{1b}[31m]]><evil a=\"1\">&\u{0}\u{fffe}");
        result.stderr = Some("]]>\u{0}\u{8}".to_owned());
    }
    for (name, results) in [("run", results()), ("check", of_a_check()), ("empty", empty()), ("hostile", hostile)] {
        let (valid, said) = valid(name, &written(Format::Junit, &results));
        assert!(valid, "{name}: {said}");
    }
    // The schema can fail.
    let broken = written(Format::Junit, &results()).replacen("<testcase ", "<case ", 1);
    assert!(!valid("broken", &broken).0);
    let broken = written(Format::Junit, &results()).replacen("<testsuites ", "<testsuites skipped=\"1\" ", 1);
    assert!(!valid("skipped", &broken).0);
}
