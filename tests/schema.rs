//! Structural findings: each keyword of the embedded schemas, on documents that break it and on documents that keep it.

use std::fmt::Write as _;

use conform::document::{self, Document, Limits};
use conform::finding::{Basis, Finding};
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

/// One fault each in a valid document: exactly one finding, at the faulty value.
#[test]
fn one_fault_is_one_finding() {
    const ROW: &str = "/iterations/0/statistics/criteria/format/standings/rows/0";
    let row = |member: &str| format!("{ROW}/{member}");
    let long = format!("\"{}\"", "x".repeat(300));
    let evidence = {
        let document: serde_json::Value = serde_json::from_str(&fixture("orbiplex-verified")).expect("JSON");
        let one = document["evidence"][0].clone();
        assert!(one.is_object(), "the record has evidence");
        serde_json::Value::from(vec![one; 33]).to_string()
    };
    let faults: Vec<(&str, &str, String, Option<&str>)> = vec![
        ("additionalProperties", "torneo-plain", "/corpus/unit_counts".into(), Some("3")),
        ("additionalProperties", "orbiplex-verified", "/stdout".into(), Some("\"text\"")),
        ("const", "mavai-plain", "/schemaVersion".into(), Some("\"mavai-optimise-1\"")),
        ("const", "torneo-plain", "/matches/1/schema_version".into(), Some("\"match.v2\"")),
        ("const", "orbiplex-verified", "/candidate/artifact~1type".into(), Some("\"something-else.v1\"")),
        ("const", "orbiplex-verified", "/schema~1v".into(), Some("true")),
        ("enum", "mavai-plain", "/objective".into(), Some("\"maximise\"")),
        ("enum", "mavai-plain", row("provenance"), Some("\"contract\"")),
        ("enum", "mavai-plain", row("provenance"), Some("\"inputs\"")),
        ("enum", "torneo-plain", "/matches/0/dimensions/0/draw_kind".into(), Some("\"tie\"")),
        ("enum", "torneo-plain", "/matches/0/dimensions/0/outcome".into(), Some("\"not-measured\"")),
        ("enum", "orbiplex-refused", "/refusal~1code".into(), Some("\"verifier/time-out\"")),
        ("enum", "orbiplex-refused", "/refusal~1code".into(), Some("\"run/retry-execution\"")),
        ("exclusiveMaximum", "torneo-plain", "/alpha".into(), Some("1")),
        ("exclusiveMinimum", "torneo-plain", "/alpha".into(), Some("0.0")),
        ("format", "mavai-plain", "/generatedAt".into(), Some("\"2026-01-31 08:30:00+01:00\"")),
        ("format", "orbiplex-verified", "/recorded-at".into(), Some("\"2026-02-30T08:30:00Z\"")),
        ("maxItems", "orbiplex-verified", "/evidence".into(), Some(&evidence)),
        ("maxItems", "torneo-plain", "/matches/2/tools".into(), Some(r#"["tool-a", "tool-b", "tool-c"]"#)),
        ("maxLength", "mavai-plain", row("check"), Some(&long)),
        ("minItems", "mavai-plain", "/iterations".into(), Some("[]")),
        ("minLength", "mavai-plain", "/serviceContractId".into(), Some("\"\"")),
        ("minProperties", "mavai-plain", "/iterations/0/statistics/criteria".into(), Some("{}")),
        ("minimum", "mavai-plain", "/iterations/0/statistics/successes".into(), Some("-1")),
        ("maximum", "mavai-plain", "/iterations/0/statistics/observed".into(), Some("1.5")),
        ("pattern", "torneo-plain", "/observed_at".into(), Some("\"2026-05-10T12:00:00+00:00\"")),
        ("pattern", "torneo-plain", "/pareto_set".into(), Some(r#"["tool-a", "Tool B"]"#)),
        ("pattern", "orbiplex-verified", "/evidence/0/step~1id".into(), Some("\"read--zone\"")),
        ("required", "mavai-plain", "/iterations/1/score".into(), None),
        ("required", "mavai-plain", "/convergence".into(), None),
        ("required", "torneo-plain", "/matches/3/match_id".into(), None),
        ("required", "torneo-plain", "/matches/0/dimensions/1/winner".into(), None),
        ("required", "orbiplex-verified", "/environment~1ref".into(), None),
        ("type", "mavai-plain", "/iterations/0/score".into(), Some("\"0.75\"")),
        ("type", "mavai-plain", "/iterations/0/statistics/successes".into(), Some("1.5")),
        ("type", "mavai-plain", "/experimentId".into(), Some("3")),
        ("type", "mavai-plain", "/iterations/0/factors".into(), Some("[]")),
        ("type", "torneo-plain", "/champion".into(), Some("false")),
        ("type", "torneo-plain", "/matches/0".into(), Some("\"M1\"")),
        ("type", "orbiplex-verified", "".into(), Some("[]")),
        ("uniqueItems", "torneo-plain", "/tools".into(), Some(r#"["tool-a", "tool-b", "tool-a"]"#)),
        ("uniqueItems", "torneo-plain", "/matches/0/tools".into(), Some(r#"["tool-a", "tool-a"]"#)),
    ];
    let mut out = String::new();
    for (keyword, name, pointer, value) in &faults {
        let findings = judge(name, &edited(name, &[(pointer, *value)]));
        let ids: Vec<_> = findings.iter().map(|finding| finding.obligation.as_str()).collect();
        assert_eq!(ids, [format!("schema/{keyword}")], "{name} {pointer} {value:?}\n{}", shown(&findings));
        out.push_str(&shown(&findings));
    }
    insta::assert_snapshot!(out);
}

/// A fixture with members set (or, with no value, removed) at JSON Pointers.
fn edited(name: &str, edits: &[(&str, Option<&str>)]) -> String {
    let mut document: serde_json::Value = serde_json::from_str(&fixture(name)).expect("JSON");
    for (pointer, value) in edits {
        let parsed = value.map(|value| serde_json::from_str(value).expect("JSON"));
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", ""));
        let key = key.replace("~1", "/").replace("~0", "~");
        match (document.pointer_mut(parent).expect("a place to edit"), parsed) {
            (root, Some(value)) if pointer.is_empty() => *root = value,
            (serde_json::Value::Object(members), Some(value)) => {
                members.insert(key, value);
            }
            (serde_json::Value::Object(members), None) => {
                members.shift_remove(&key).expect("a member to remove");
            }
            (serde_json::Value::Array(items), Some(value)) => {
                items[key.parse::<usize>().expect("an index")] = value;
            }
            _ => panic!("no edit at {pointer}"),
        }
    }
    serde_json::to_string_pretty(&document).expect("JSON")
}

/// Values to set (or, with none, to remove) at JSON Pointers.
type Edits<'e> = Vec<(&'e str, Option<&'e str>)>;

/// Several symptoms of one mistake are one finding; several mistakes are several.
#[test]
fn causes_are_told_from_symptoms() {
    let statistics = "/iterations/0/statistics";
    let failures = format!("{statistics}/failures");
    let distribution = format!("{statistics}/failureDistribution");
    let entry = format!("{distribution}/0");
    let cases: Vec<(&str, &str, Edits<'_>)> = vec![
        (
            "a count that is a string decides no condition",
            "mavai-plain",
            vec![(&failures, Some("\"3\"")), (&distribution, None)],
        ),
        (
            "a cause that is no string breaks its type alone, not the list of causes too",
            "mavai-plain",
            vec![(&entry, Some(r#"{"kind": "delivery", "condition": 7, "count": 1}"#))],
        ),
        (
            "an unknown cause that is too short besides is an unknown cause",
            "mavai-plain",
            vec![(&entry, Some(r#"{"kind": "delivery", "condition": "", "count": 1}"#))],
        ),
        (
            "what the round and the match both demand",
            "torneo-plain",
            vec![("/matches/0", Some("{}")), ("/matches/1/schema_version", Some("1"))],
        ),
        (
            "a misspelt member of a closed object is missing under its name and unknown under the other",
            "torneo-plain",
            vec![("/corpus/sha256", None), ("/corpus/sha-256", Some("\"x\""))],
        ),
        (
            "a misspelt member of an open object",
            "mavai-plain",
            vec![("/generatedAt", None), ("/generated_at", Some("\"2026-01-31T08:30:00Z\""))],
        ),
        (
            "three mistakes in document order",
            "mavai-plain",
            vec![("/convergence/bestScore", Some("null")), ("/objective", None), (&failures, Some("2.5"))],
        ),
    ];
    let mut out = String::new();
    for (what, name, edits) in &cases {
        let _ = writeln!(out, "== {what}\n{}", shown(&judge(name, &edited(name, edits))));
    }
    insta::assert_snapshot!(out);
}

/// Both values of a repeated key are in the tree: the first is the one that counts, and each is judged at its own place.
#[test]
fn repeated_keys_are_judged_where_they_stand() {
    let text = r#"{"schema_version": "match.v1", "match_id": "M1", "tools": ["a", "b"],
        "dimensions": [],
        "dimensions": [{"dimension": "cost", "outcome": "draw"}]}"#;
    let findings = judge_by(&Schemas::embedded().expect("embedded schemas"), "match.v1", text);
    assert_eq!(
        shown(&findings),
        "schema/minItems 2:23 /dimensions\n  `dimensions` is an empty array, expected at least 1 item\n"
    );
}

fn judge_by(schemas: &Schemas, schema: &str, text: &str) -> Vec<Finding> {
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let document = document::read(text.as_bytes().to_vec(), &limits).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    schemas.validate(schema, document.root(), &mut judge).expect("a known schema");
    judge.finish().0
}

/// A document that is wrong everywhere costs bounded work, is still refused, and says that it was not all looked at.
#[test]
fn errors_are_collected_up_to_a_limit() {
    let rows = vec![r#"{"inputIndex": -1, "inputExcerpt": 3}"#; 6_000].join(",\n");
    let text = edited("mavai-plain", &[("/inputs", Some("[]"))]).replacen(
        "\"inputs\": []",
        &format!("\"inputs\": [{rows}]"),
        1,
    );
    let findings = judge("mavai-plain", &text);
    let count = |id: &str| findings.iter().filter(|finding| finding.obligation == id).count();
    assert_eq!((count("schema/minimum"), count("schema/type"), count("schema/limit")), (100, 100, 1), "{findings:#?}");
    let last = findings.iter().rfind(|finding| finding.obligation == "schema/type").expect("a finding");
    assert!(last.message.ends_with("(and 4900 more of this kind in the document)"), "{}", last.message);
    let limit = findings.last().expect("findings");
    assert_eq!((limit.obligation.as_str(), limit.severity), ("schema/limit", conform::finding::Severity::Note));
}

/// The same for parts that have a schema of their own.
#[test]
fn errors_of_parts_are_collected_up_to_a_limit() {
    let matches =
        vec![r#"{"schema_version": "match.v1", "match_id": "M", "tools": [1], "dimensions": []}"#; 6_000].join(",");
    let text = edited("torneo-plain", &[("/matches", Some("[]"))]).replacen(
        "\"matches\": []",
        &format!("\"matches\": [{matches}]"),
        1,
    );
    let findings = judge("torneo-plain", &text);
    let count = |id: &str| findings.iter().filter(|finding| finding.obligation == id).count();
    assert_eq!((count("schema/minItems"), count("schema/type"), count("schema/limit")), (100, 100, 1), "{findings:#?}");
}

/// A recursive schema follows the document down: as deep as documents are validated, and no deeper.
#[test]
fn deep_documents_neither_crash_nor_pass_unjudged() {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    let list =
        r##"{"allOf": [{"if": {"type": "array"}, "then": {"items": {"$ref": "#"}}, "else": {"type": "number"}}]}"##;
    schemas.replace("match.v1", list.to_owned(), "list.json").expect("a schema");
    let nested = |depth: usize, core: &str| format!("{}{core}{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [1, 40, 60, 128, 2_000] {
        assert_eq!(shown(&judge_by(&schemas, "match.v1", &nested(depth, "1"))), "", "{depth}");
        let found = judge_by(&schemas, "match.v1", &nested(depth, "\"x\""));
        assert_eq!(found.len(), 1, "{depth}");
        assert_eq!(found[0].place.as_ref().map(|place| place.pointer.len()), Some(2 * depth), "{depth}");
    }
    let found = judge_by(&schemas, "match.v1", &nested(20_000, "1"));
    assert_eq!(found.iter().map(|finding| finding.obligation.as_str()).collect::<Vec<_>>(), ["schema/depth"]);
}

/// `anyOf`, `oneOf` and their like, which only a user's schema has: the branch that was meant speaks, or one finding sums up.
#[test]
fn branches_are_summed_up() {
    let schema = r#"{
        "properties": {
            "shape": {"oneOf": [
                {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
                {"properties": {"kind": {"const": "square"}, "side": {"minimum": 1}}, "required": ["kind", "side"]}
            ]},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "code": {"anyOf": [{"pattern": "^a"}, {"maxLength": 2}]}
        },
        "propertyNames": {"maxLength": 6},
        "dependentRequired": {"code": ["limit"]}
    }"#;
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    schemas.replace("match.v1", schema.to_owned(), "shapes.json").expect("a schema");
    let mut out = String::new();
    for text in [
        r#"{"shape": {"kind": "circle", "radius": "3"}}"#,
        r#"{"shape": {"kind": "square", "side": 0}}"#,
        r#"{"shape": {"kind": "triangle"}}"#,
        r#"{"limit": []}"#,
        r#"{"limit": 1, "code": "long"}"#,
        r#"{"limited": 1}"#,
        r#"{"code": "a"}"#,
    ] {
        let _ = writeln!(out, "{text}\n{}", shown(&judge_by(&schemas, "match.v1", text)));
    }
    insta::assert_snapshot!(out);
}

/// What only this project's reading of match.v1 demands is reported as a reading, also beside what the round itself states.
#[test]
fn findings_carry_the_authority_of_their_schema() {
    let text = edited("torneo-plain", &[("/matches/0/match_id", None), ("/matches/1/tools", Some("[]"))]);
    let bases: Vec<_> = judge("torneo-plain", &text).into_iter().map(|finding| finding.basis).collect();
    assert_eq!(bases, [Basis::Stated, Basis::Reading]);
}
