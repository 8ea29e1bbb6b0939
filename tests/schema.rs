//! Structural findings: each keyword of the embedded schemas, on documents that break it and on documents that keep it.

use std::fmt::Write as _;

use conform::document::{self, Document, Limits};
use conform::finding::Finding;
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;

const PARTS: &[(&str, &str)] = &[("/matches/*", "match.v1")];

fn read(text: &str) -> Document {
    document::read(text.as_bytes().to_vec(), &Limits::default()).document.expect("readable JSON")
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("tests/fixtures/schema/{name}.json")).expect("a fixture")
}

fn schema_of(name: &str) -> (&'static str, &'static [(&'static str, &'static str)]) {
    match name.split('-').next() {
        Some("mavai") => ("mavai-optimize-1", &[]),
        Some("torneo") => ("epreuve.v1", PARTS),
        _ => ("corpus-experiment-task-pack-execution.v1", &[]),
    }
}

fn judge(name: &str, text: &str) -> Vec<Finding> {
    let schemas = Schemas::embedded().expect("embedded schemas");
    let document = read(text);
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    let (schema, parts) = schema_of(name);
    schemas.validate_with_parts(schema, parts, document.root(), &mut judge).expect("a known schema");
    judge.finish().0
}

fn shown(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let place = finding.place.as_ref().expect("a place");
        let _ = writeln!(out, "{} {}:{} {}", finding.obligation, place.line, place.column, place.pointer);
        let _ = writeln!(out, "  {}", finding.message);
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

/// Documents that emitters and generators made, with what is wrong in each; nothing under its name means nothing.
#[test]
fn documents() {
    let mut names: Vec<_> = std::fs::read_dir("tests/fixtures/schema")
        .expect("the fixtures' folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().trim_end_matches(".json").to_owned())
        .collect();
    names.sort();
    let judged = names.iter().map(|name| format!("== {name}\n{}", shown(&judge(name, &fixture(name)))));
    insta::assert_snapshot!(judged.collect::<String>());
}
