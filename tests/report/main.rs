//! Reports of stored results: what each format says, and that it is what readers of that format take. One module a subject.

mod html;
mod lines;
mod merging;
mod sarif;
mod texts;
mod xml;

use std::path::{Path, PathBuf};

use conform::report::Format;
use conform::run::results::Results;

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/report").join(name)
}

/// A run with every kind of verdict and finding.
pub fn results() -> Results {
    stored("results.json")
}

pub fn stored(name: &str) -> Results {
    let json = std::fs::read(fixture(name)).expect("a fixture");
    Results::parse(&json).expect("results")
}

/// The results of a check of documents, and of one that found nothing.
pub fn of_a_check() -> Results {
    let mut results = results();
    results.emitter = None;
    results.selection.clear();
    for result in &mut results.results {
        result.subject = format!("out/{}.yaml", result.short_name());
        result.reproduce = None;
        for document in &mut result.documents {
            document.name.clone_from(&result.subject);
        }
    }
    results
}

pub fn empty() -> Results {
    let mut results = results();
    results.conclude(Vec::new(), 0, 0.0);
    results
}

pub fn written(format: Format, results: &Results) -> String {
    let mut bytes = Vec::new();
    format.write(results, None, &mut bytes).expect("a vector refuses nothing");
    String::from_utf8(bytes).expect("reports are UTF-8")
}

#[test]
fn the_fixtures_keep_the_published_schema() {
    use conform::document::{self, Limits};
    use conform::obligation::{Judge, Settings};
    use conform::schema::Schemas;
    for name in ["results.json", "previous.json"] {
        let reading = document::read(std::fs::read(fixture(name)).unwrap(), &Limits::default());
        let document = reading.document.expect("readable");
        let settings = Settings::default();
        let mut judge = Judge::new(&settings);
        Schemas::embedded().unwrap().validate("conform-results-1", document.root(), &mut judge).unwrap();
        let (findings, _) = judge.finish();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    for format in Format::all() {
        assert_eq!(written(format, &results()), written(format, &results()), "{}", format.name());
    }
}

#[test]
fn results_survive_being_written_and_read() {
    let read = Results::parse(written(Format::Json, &results()).as_bytes()).unwrap();
    assert_eq!(read, results());
}

#[test]
fn every_format_writes_a_run_without_any_result() {
    for format in Format::all() {
        assert!(!written(format, &empty()).is_empty(), "{}", format.name());
    }
}

#[test]
fn results_that_were_changed_are_refused() {
    let json = written(Format::Json, &results());
    let changed = json.replacen("\"verdict\": \"fail\"", "\"verdict\": \"pass\"", 1);
    let problem = Results::parse(changed.as_bytes()).unwrap_err();
    assert_eq!(problem, "its summary is not what its results come to; it was changed after it was written");
    let problem = Results::parse(b"{\"schema\": \"other-1\"}").unwrap_err();
    assert_eq!(problem, "its model is \"other-1\", where conform-results-1 is expected");
    assert!(Results::parse(b"[]").unwrap_err().starts_with("it is not conform-results-1: "));
}
