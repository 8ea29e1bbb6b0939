//! The table of keywords: complete, sorted, and every sample is what it is said to be.

use std::collections::BTreeSet;

use conform::document::{self, Limits};
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;
use conform::schema::rules::{self, RULES};
use conform::suite::embedded;
use serde_json::Value;

/// For each sample the schema that demands what the rule says.
const SCHEMAS: &[(&str, &str)] = &[
    ("additionalProperties", r#"{"properties": {"played": true, "concluded": true}, "additionalProperties": false}"#),
    ("anyOf", r#"{"properties": {"limit": {"anyOf": [{"pattern": "^[0-9]+$"}, {"pattern": "^[0-9]+%$"}]}}}"#),
    ("const", r#"{"properties": {"schemaVersion": {"const": "mavai-optimize-1"}}}"#),
    ("contains", r#"{"properties": {"checks": {"contains": {"const": "signature"}}}}"#),
    (
        "contentEncoding",
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"body": {"contentEncoding": "base64"}}}"#,
    ),
    (
        "contentMediaType",
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"body": {"contentMediaType": "application/json"}}}"#,
    ),
    ("enum", r#"{"properties": {"objective": {"enum": ["MAXIMIZE", "MINIMIZE"]}}}"#),
    ("exclusiveMaximum", r#"{"properties": {"alpha": {"exclusiveMaximum": 1}}}"#),
    ("exclusiveMinimum", r#"{"properties": {"alpha": {"exclusiveMinimum": 0}}}"#),
    ("false", r#"{"properties": {"winner": false}}"#),
    ("format", r#"{"properties": {"generatedAt": {"format": "date-time"}}}"#),
    ("items", r#"{"properties": {"pair": {"prefixItems": [true, true], "items": false}}}"#),
    ("maxItems", r#"{"properties": {"tools": {"maxItems": 2}}}"#),
    ("maxLength", r#"{"properties": {"key": {"maxLength": 10}}}"#),
    ("maxProperties", r#"{"properties": {"factors": {"maxProperties": 1}}}"#),
    ("maximum", r#"{"properties": {"observed": {"maximum": 1}}}"#),
    ("minItems", r#"{"properties": {"iterations": {"minItems": 1}}}"#),
    ("minLength", r#"{"properties": {"match_id": {"minLength": 1}}}"#),
    ("minProperties", r#"{"properties": {"criteria": {"minProperties": 1}}}"#),
    ("minimum", r#"{"properties": {"failures": {"minimum": 0}}}"#),
    ("multipleOf", r#"{"properties": {"step": {"multipleOf": 5}}}"#),
    ("not", r#"{"properties": {"name": {"not": {"const": "unknown"}}}}"#),
    ("oneOf", r#"{"properties": {"size": {"oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]}}}"#),
    ("pattern", r#"{"properties": {"optionalSlack": {"pattern": "^[0-9]+%?$"}}}"#),
    ("required", r#"{"required": ["score"]}"#),
    ("type", r#"{"properties": {"score": {"type": "number"}}}"#),
    ("unevaluatedItems", r#"{"properties": {"pair": {"prefixItems": [true], "unevaluatedItems": false}}}"#),
    ("unevaluatedProperties", r#"{"properties": {"played": true}, "unevaluatedProperties": false}"#),
    ("uniqueItems", r#"{"properties": {"tools": {"uniqueItems": true}}}"#),
];

/// Ids that no single keyword stands behind; tests of their own produce them.
const OWN: &[&str] = &["schema/depth", "schema/limit"];

fn findings(schema: &str, text: &str) -> Vec<String> {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    schemas.replace("match.v1", schema.to_owned(), "own.json").expect("a schema");
    let document = document::read(text.as_bytes().to_vec(), &Limits::default()).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    schemas.validate("match.v1", document.root(), &mut judge).expect("a known schema");
    judge.finish().0.into_iter().map(|finding| finding.obligation).collect()
}

#[test]
fn samples_keep_and_break_their_rule() {
    let none: [String; 0] = [];
    for (keyword, schema) in SCHEMAS {
        let id = format!("schema/{keyword}");
        let rule = rules::by_id(&id).unwrap_or_else(|| panic!("{id} is not in the table"));
        assert_eq!(findings(schema, rule.good), none, "{id}: the good sample");
        assert_eq!(findings(schema, rule.bad), [id.as_str()], "{id}: the bad sample");
    }
}

#[test]
fn every_rule_has_a_schema_that_demands_it() {
    let tried: BTreeSet<String> = SCHEMAS.iter().map(|(keyword, _)| format!("schema/{keyword}")).collect();
    let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    let own = OWN.iter().map(|&id| id.to_owned()).collect();
    assert_eq!(listed, &tried | &own);
}

#[test]
fn rules_are_sorted_and_written_out() {
    assert!(RULES.is_sorted_by_key(|rule| rule.id));
    for rule in RULES {
        assert!(!rule.title.is_empty() && rule.demand.ends_with('.'), "{}", rule.id);
        assert!(serde_json::from_str::<Value>(rule.good).is_ok() && serde_json::from_str::<Value>(rule.bad).is_ok());
    }
}

/// Keywords that assert something and occur in an embedded schema all have their rule.
#[test]
fn keywords_of_the_embedded_schemas_are_explained() {
    const NO_ASSERTION: &[&str] = &[
        "$comment",
        "$defs",
        "$id",
        "$ref",
        "$schema",
        "allOf",
        "default",
        "deprecated",
        "description",
        "else",
        "examples",
        "if",
        "items",
        "patternProperties",
        "prefixItems",
        "properties",
        // What a name fails is reported by the keyword that it fails.
        "propertyNames",
        "then",
        "title",
    ];
    fn walk(schema: &Value, path: &str) {
        let Value::Object(keywords) = schema else { return };
        for (keyword, operand) in keywords {
            // A member that another one demands is reported as any required one that is missing.
            let keyword = if keyword == "dependentRequired" { "required" } else { keyword };
            let asserts = !NO_ASSERTION.contains(&keyword) && !keyword.starts_with("x-");
            assert!(!asserts || rules::by_id(&format!("schema/{keyword}")).is_some(), "{path}: {keyword}");
            match (keyword, operand) {
                ("properties" | "patternProperties" | "$defs", Value::Object(schemas)) => {
                    schemas.values().for_each(|schema| walk(schema, path));
                }
                ("const" | "enum" | "default" | "examples" | "required", _) => {}
                (_, Value::Array(schemas)) => schemas.iter().for_each(|schema| walk(schema, path)),
                (_, schema) => walk(schema, path),
            }
        }
    }
    for (path, text) in embedded::under("schemas") {
        walk(&serde_json::from_str(text).expect("JSON"), path);
    }
}
