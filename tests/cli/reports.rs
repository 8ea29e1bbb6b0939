//! Reports in files, and the schema that results keep.

use std::fs;

use conform::document::{self, Limits};
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;

use super::conform;

const RUN: &str = "--emitter emitters/several.sh one-sample all-pass none-pass own-optional --suites suites \
                   --skip optional-percent";

#[track_caller]
pub fn keeps_the_schema(results: &str) {
    let reading = document::read(results.as_bytes().to_vec(), &Limits::default());
    let document = reading.document.expect("results are readable");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    let schemas = Schemas::embedded().unwrap();
    schemas.validate("conform-results-1", document.root(), &mut judge).unwrap();
    let (findings, _) = judge.finish();
    let said: Vec<_> = findings.iter().map(|finding| (&finding.obligation, &finding.message, &finding.place)).collect();
    assert!(said.is_empty(), "{said:#?}");
}

#[test]
fn results_keep_their_published_schema() {
    for line in [
        "check documents --format json",
        "check documents --format json --suite mavai-optimize-1",
        "check documents --format json --suite orbiplex-task-pack-execution-v1",
        "check ../cases --format json",
        "--emitter emitters/session.sh --session one-sample --format json -- badly",
        "--emitter emitters/claims-one one-sample --fail-fast --format json",
        &format!("{RUN} --format json"),
    ] {
        let ran = conform(line);
        keeps_the_schema(&ran.stdout);
    }
}

#[test]
fn the_schema_refuses_what_results_never_say() {
    let good = conform("check documents/one-sample.yaml --format json").stdout;
    let schemas = Schemas::embedded().unwrap();
    let settings = Settings::default();
    for (from, to) in [
        ("\"pass\"", "\"fail\""),
        ("\"pass\"", "\"passed\""),
        ("\"findings\": []", "\"findings\": [{}]"),
        ("\"complete\": true", "\"complete\": 1"),
        ("\"passed\": 1", "\"passed\": -1"),
        ("\"emitter\": null", "\"emitter\": {}"),
        ("\"emitter\": null", "\"emitter\": null, \"more\": 1"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let document = document::read(bad.into_bytes(), &Limits::default()).document.unwrap();
        let mut judge = Judge::new(&settings);
        schemas.validate("conform-results-1", document.root(), &mut judge).unwrap();
        assert!(!judge.finish().0.is_empty(), "{from} -> {to}");
    }
}

#[test]
fn a_report_in_a_file_is_what_standard_output_gets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.json");
    fs::write(&path, "an older report").unwrap();
    let ran = conform(&format!("check documents --format json --report json={}", path.display()));
    assert_eq!(fs::read_to_string(&path).unwrap(), ran.stdout);
    // Nothing else is left beside it.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn several_reports_are_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (json, junit) = (folder.path().join("a.json"), folder.path().join("b.xml"));
    let line = format!("check documents --report json={} --report junit={}", json.display(), junit.display());
    assert_eq!(conform(&line).code, Some(1));
    assert!(json.exists() && junit.exists());
    let line = format!("check documents --report json={0} --report junit={0}", json.display());
    assert_eq!(conform(&line).code, Some(2));
}

#[test]
fn a_report_that_cannot_be_written_is_known_before_anything_runs() {
    let ran = conform("--emitter emitters/slow.sh one-sample --report json=no/such/folder/x.json");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("error: --report: cannot write the json report to no/such/folder/x.json: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn junit_tells_failures_errors_and_skips_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xml");
    conform(&format!("{RUN} --report junit={}", path.display()));
    let xml = fs::read_to_string(&path).unwrap();
    // Times differ from run to run.
    let mut parts = xml.split("time=\"");
    let mut timeless = parts.next().unwrap().to_owned();
    for part in parts {
        timeless.push_str("time=\"TIME");
        timeless.push_str(&part[part.find('"').unwrap()..]);
    }
    let version = format!("value=\"{}\"", env!("CARGO_PKG_VERSION"));
    insta::assert_snapshot!(timeless.replace(&version, "value=\"VERSION\""));
}
