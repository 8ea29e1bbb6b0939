//! Any document, through any schema: no panic, and the same answer as the validator gives on `serde_json`'s values.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use conform::document::{self, Limits};
use conform::finding::Severity;
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;
use conform::suite::embedded;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| Schemas::embedded().expect("embedded schemas"));

/// The same schemas, compiled for `serde_json`'s values.
static REFERENCES: LazyLock<BTreeMap<String, jsonschema::Validator>> =
    LazyLock::new(|| SCHEMAS.ids().map(|id| (id.to_owned(), reference(id))).collect());

/// Whether `conform` finds an error.
fn refused(schemas: &Schemas, id: &str, text: &str) -> bool {
    let limits = Limits { depth: 1_000, ..Limits::default() };
    let document = document::read(text.as_bytes().to_vec(), &limits).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    schemas.validate(id, document.root(), &mut judge).expect("a known schema");
    judge.finish().0.iter().any(|finding| finding.severity == Severity::Error)
}

/// A schema with the files it refers to under plain addresses.
fn reference(id: &str) -> jsonschema::Validator {
    struct Embedded;
    impl jsonschema::Retrieve for Embedded {
        fn retrieve(&self, uri: &jsonschema::Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
            let name = uri.as_str().rsplit('/').next().ok_or("no name")?;
            Ok(parsed(embedded::file(&format!("schemas/{name}")).ok_or("no file")?, name))
        }
    }
    fn parsed(text: &str, name: &str) -> Value {
        let mut schema: Value = serde_json::from_str(text).expect("JSON");
        schema["$id"] = format!("https://example.org/{name}").into();
        schema
    }
    let name = format!("{id}.schema.json");
    let text = embedded::file(&format!("schemas/{name}")).expect("an embedded schema");
    let options = jsonschema::options().should_validate_formats(true).with_retriever(Embedded);
    options.build(&parsed(text, &name)).expect("a schema")
}

/// Keys and scalars that the schemas know, so that a random document gets past their surface now and then.
fn key() -> impl Strategy<Value = String> {
    let known = [
        "schemaVersion",
        "objective",
        "iterations",
        "convergence",
        "score",
        "factors",
        "statistics",
        "failures",
        "failureDistribution",
        "criteria",
        "kind",
        "condition",
        "count",
        "tools",
        "dimensions",
        "outcome",
        "winner",
        "draw_kind",
        "matches",
        "candidate",
        "evidence",
        "refusal/code",
        "signature",
        "schema/v",
        "a~b/c",
        "",
    ];
    prop_oneof![3 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"]
}

fn scalar() -> impl Strategy<Value = Value> {
    let known = [
        json!("mavai-optimize-1"),
        json!("MAXIMIZE"),
        json!("delivery"),
        json!("unreachable"),
        json!("win"),
        json!("verified"),
        json!("refused"),
        json!("match.v1"),
        json!("2026-01-31T08:30:00Z"),
        json!(1),
        json!(1.0),
        json!(0.5),
        json!(-0.0),
        json!(1e308),
        json!(i64::MIN),
        json!(9_007_199_254_740_993_i64),
        json!("🦀"),
    ];
    prop_oneof![
        4 => proptest::sample::select(known.to_vec()),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => ".{0,12}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() }
}

/// Every value of a document, by pointer, the root first.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), out));
        }
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            pointers(member, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), out);
        }),
        _ => {}
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_documents(value in value()) {
        let text = value.to_string();
        for (id, reference) in &*REFERENCES {
            prop_assert_eq!(refused(&SCHEMAS, id, &text), !reference.is_valid(&value), "{}", id);
        }
    }

    /// A valid document with up to three values replaced: near the surface where a schema decides.
    #[test]
    fn nearly_valid_documents(
        (fixture, id) in proptest::sample::select(vec![
            ("mavai-emitted-other", "mavai-optimize-1"),
            ("torneo-champion", "epreuve.v1"),
            ("orbiplex-verified", "corpus-experiment-task-pack-execution.v1"),
        ]),
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), value()), 0..4),
    ) {
        let text = std::fs::read_to_string(format!("tests/fixtures/schema/{fixture}.json")).expect("a fixture");
        let mut document: Value = serde_json::from_str(&text).expect("JSON");
        for (index, value) in edits {
            let mut places = Vec::new();
            pointers(&document, "", &mut places);
            let place = index.get(&places).clone();
            *document.pointer_mut(&place).expect("a place") = value;
        }
        prop_assert_eq!(refused(&SCHEMAS, id, &document.to_string()), !REFERENCES[id].is_valid(&document));
    }

    /// Equality and uniqueness are decided by conform's own code; they agree with the validator's.
    #[test]
    fn equality(items in proptest::collection::vec(value(), 0..20), other in value()) {
        let schema = json!({"anyOf": [{"not": {"uniqueItems": true}}, {"contains": {"const": other}}, {"contains": {"enum": [1, 0.5, other]}}]});
        let mut schemas = Schemas::embedded().expect("embedded schemas");
        schemas.replace("match.v1", schema.to_string(), "own.json").expect("a schema");
        let document = Value::from(items);
        let valid = jsonschema::validator_for(&schema).expect("a schema").is_valid(&document);
        prop_assert_eq!(refused(&schemas, "match.v1", &document.to_string()), !valid);
    }
}
