//! The schema files themselves: the published structure, unchanged, and nothing that a validator would not take.

use std::path::Path;

use conform::schema::Schemas;
use conform::suite::embedded;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Keywords that only describe.
const ANNOTATIONS: &[&str] = &["title", "description", "$comment"];

/// Keywords whose operand maps names to schemas: a member called `title` is a name there, and no annotation.
const BY_NAME: &[&str] = &["properties", "patternProperties", "$defs", "dependentSchemas"];

/// Keywords whose operand is a schema or a list of schemas.
const APPLICATORS: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// The digest of each published schema's structure: SHA-256 of its canonical form (RFC 8785) without annotations.
const STRUCTURES: &[(&str, &str)] = &[
    ("corpus-experiment-task-pack-execution.v1", "0b7e6622eabd858b66a3bc5f7f1601186f291dcd233dc2349593ff99eb8df09d"),
    ("epreuve.v1", "0c39997ad0bf3c1ff53269d8dc88713b7e0bc4a89ba0d7c630dc5fe5d1520ea6"),
    ("mavai-optimize-1", "4f8af7b660d047e3dbf27b6a0c10089edbe3bc0b09158ea99b67aa9f2a7535e3"),
];

fn structure(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => {
            let kept = keywords.iter().filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()));
            let strip = |(keyword, operand): (&String, &Value)| {
                let operand = match operand {
                    Value::Object(schemas) if BY_NAME.contains(&keyword.as_str()) => {
                        schemas.iter().map(|(name, schema)| (name.clone(), structure(schema))).collect()
                    }
                    operand if APPLICATORS.contains(&keyword.as_str()) => structure(operand),
                    operand => operand.clone(),
                };
                (keyword.clone(), operand)
            };
            Value::Object(kept.map(strip).collect::<Map<_, _>>())
        }
        Value::Array(schemas) => schemas.iter().map(structure).collect(),
        other => other.clone(),
    }
}

fn schema(id: &str) -> Value {
    let text = embedded::file(&format!("schemas/{id}.schema.json")).expect("an embedded schema");
    serde_json::from_str(text).expect("JSON")
}

fn digest(schema: &Value) -> String {
    let canonical = serde_json_canonicalizer::to_vec(&structure(schema)).expect("canonical JSON");
    Sha256::digest(canonical).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn structures_are_the_published_ones() {
    for (id, expected) in STRUCTURES {
        assert_eq!(digest(&schema(id)), *expected, "the structure of {id} changed");
    }
}

/// The stronger form of the test above, where the published files lie beside the project.
#[test]
fn structures_equal_the_published_files() {
    for (id, expected) in STRUCTURES {
        let published = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/seeds/{id}.schema.json"));
        if let Ok(text) = std::fs::read_to_string(published) {
            let published: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(structure(&published), structure(&schema(id)), "{id}");
            assert_eq!(digest(&published), *expected, "{id}");
        }
    }
}

#[test]
fn stripping_leaves_members_that_are_called_like_annotations() {
    let schema = serde_json::json!({
        "title": "gone",
        "properties": {"title": {"description": "gone", "const": {"title": "kept"}}, "description": true},
        "allOf": [{"$comment": "gone", "required": ["title"]}]
    });
    let expected = serde_json::json!({
        "properties": {"title": {"const": {"title": "kept"}}, "description": true},
        "allOf": [{"required": ["title"]}]
    });
    assert_eq!(structure(&schema), expected);
}

#[test]
fn every_schema_is_a_valid_schema_of_its_draft() {
    let mut count = 0;
    for (path, text) in embedded::under("schemas") {
        let schema: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{path}");
        if let Err(error) = jsonschema::draft202012::meta::validate(&schema) {
            panic!("{path}: {error} at {}", error.instance_path());
        }
        count += 1;
    }
    assert!(count >= 8, "only {count} schemas are embedded");
}

#[test]
fn every_schema_compiles_with_its_references() {
    let schemas = Schemas::embedded().expect("embedded schemas");
    let document =
        conform::document::read(b"{}".to_vec(), &conform::document::Limits::default()).document.expect("a document");
    let settings = conform::obligation::Settings::default();
    let ids: Vec<_> = schemas.ids().collect();
    assert_eq!(ids.len(), embedded::under("schemas").count(), "a schema file is not called NAME.schema.json");
    for id in ids {
        let mut judge = conform::obligation::Judge::new(&settings);
        assert_eq!(schemas.validate(id, document.root(), &mut judge), Ok(()), "{id}");
    }
}

/// What the record's schema refers to is stated in part only, and says so; the reading of match.v1 says that it is one.
#[test]
fn schemas_of_this_project_say_what_they_are() {
    for id in [
        "corpus-reasoning-experiment-proposal.v1",
        "corpus-reasoning-experiment-proposal.v2",
        "corpus-task-pack-candidate-adoption.v1",
        "operator-task-common.v1",
    ] {
        assert!(schema(id)["description"].as_str().is_some_and(|text| text.contains("Partial by design")), "{id}");
    }
    let reading = schema("match.v1")["description"].clone();
    assert!(
        reading.as_str().is_some_and(|text| text.contains("own reading") && text.contains("--schema match.v1=FILE"))
    );
}
