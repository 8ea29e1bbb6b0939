//! Schemas of the user's own: what takes the place of an embedded one, and what is refused.

use std::path::Path;

use conform::document::{self, Limits};
use conform::obligation::{Judge, Settings};
use conform::schema::{SchemaError, Schemas};

fn ids_of(schemas: &Schemas, schema: &str, text: &str) -> Vec<String> {
    let document = document::read(text.as_bytes().to_vec(), &Limits::default()).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    schemas.validate(schema, document.root(), &mut judge).expect("a known schema");
    judge.finish().0.into_iter().map(|finding| finding.obligation).collect()
}

fn refused(id: &str, text: &str) -> String {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    let error = schemas.replace(id, text.to_owned(), "own/file.json").expect_err("no schema");
    // The schemas are as they were.
    assert_eq!(ids_of(&schemas, "match.v1", "{}"), ["schema/required"]);
    error.to_string()
}

#[test]
fn a_schema_takes_the_place_of_another() {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    assert_eq!(ids_of(&schemas, "match.v1", "{}"), ["schema/required"]);
    schemas.replace("match.v1", r#"{"type": "object"}"#.to_owned(), "mine.json").expect("a schema");
    assert!(ids_of(&schemas, "match.v1", "{}").is_empty());
    assert_eq!(ids_of(&schemas, "match.v1", "[]"), ["schema/type"]);
}

#[test]
fn others_refer_to_the_file_that_was_put_in() {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    let record = std::fs::read_to_string("tests/fixtures/schema/orbiplex-delegation-code.json").expect("a fixture");
    let schema = "corpus-experiment-task-pack-execution.v1";
    assert!(ids_of(&schemas, schema, &record).is_empty());
    // An earlier vocabulary, which has no codes of delegation and goes by another `$id`.
    let earlier = r#"{
        "$id": "urn:orbiplex:schema:operator-task-common:v1",
        "$defs": {"name": {"type": "string"}, "refusalCode": {"enum": ["run/cancelled", "verifier/timeout"]}}
    }"#;
    schemas.replace("operator-task-common.v1", earlier.to_owned(), "earlier.json").expect("a schema");
    assert_eq!(ids_of(&schemas, schema, &record), ["schema/enum"]);
}

#[test]
fn references_reach_other_files_by_name_and_by_id() {
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    for (what, id, reference) in [
        ("beside no $id", "", "operator-task-common.v1.schema.json#/$defs/name"),
        ("beside a URN", r#""$id": "urn:x:y","#, "operator-task-common.v1.schema.json#/$defs/name"),
        ("beside a URL", r#""$id": "https://example.org/a.json","#, "operator-task-common.v1.schema.json#/$defs/name"),
        ("by URN", "", "urn:orbiplex:schema:operator-task-common:v1#/$defs/name"),
        ("by URL", "", "https://torneo.ai/schemas/epreuve.v1.json#/$defs/validator/properties/charter_version"),
    ] {
        let schema = format!(r#"{{{id} "$ref": "{reference}"}}"#);
        schemas.replace("match.v1", schema, "own.json").unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(ids_of(&schemas, "match.v1", "3"), ["schema/type"], "{what}");
    }
}

#[test]
fn what_is_no_schema_is_refused_with_its_fault() {
    let faults = [
        ("match.v2", "{}"),
        ("results", "{}"),
        ("match.v1", "type: object"),
        ("match.v1", "[]"),
        ("match.v1", r#"{"properties": {"a": {"type": "text"}}}"#),
        ("match.v1", r#"{"properties": {"a": {"format": "iso-date"}}}"#),
        ("match.v1", r#"{"properties": {"a": {"pattern": "(a"}}}"#),
        ("match.v1", r##"{"properties": {"a": {"$ref": "#/$defs/lost"}}}"##),
        ("match.v1", r#"{"properties": {"a": {"$ref": "https://example.org/elsewhere.json"}}}"#),
        ("match.v1", r#"{"properties": {"a": {"$ref": "operator-task-common.v1.schema.json#/$defs/lost"}}}"#),
        ("operator-task-common.v1", r#"{"$defs": {"name": true}}"#),
    ];
    let out = faults.map(|(id, text)| format!("{id} {text}\n  {}\n", refused(id, text)));
    insta::assert_snapshot!(out.concat());
}

#[test]
fn a_folder_adds_and_replaces() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    put("match.v1.schema.json", r#"{"properties": {"tool": {"$ref": "tool.schema.json"}}}"#);
    put("tool.schema.json", r#"{"type": "string"}"#);
    put("README.md", "no schema");
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    assert_eq!(schemas.add_folder(folder.path()), Ok(2));
    assert_eq!(ids_of(&schemas, "match.v1", r#"{"tool": 3}"#), ["schema/type"]);
    assert_eq!(ids_of(&schemas, "tool", "3"), ["schema/type"]);
}

#[test]
fn a_folder_without_schemas_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut schemas = Schemas::embedded().expect("embedded schemas");
    let error: SchemaError = schemas.add_folder(folder.path()).expect_err("an empty folder");
    assert_eq!(error.message, "has no file that ends in `.schema.json`");
    let error = schemas.add_folder(Path::new("no/such/folder")).expect_err("no folder");
    assert!(error.message.starts_with("cannot be read"), "{error}");
    std::fs::write(folder.path().join("broken.schema.json"), "{").expect("a file");
    let error = schemas.add_folder(folder.path()).expect_err("no JSON");
    assert!(error.file.ends_with("broken.schema.json") && error.message.starts_with("no JSON"), "{error}");
}

#[test]
fn an_unknown_schema_is_an_error_and_no_pass() {
    let schemas = Schemas::embedded().expect("embedded schemas");
    let document = document::read(b"{}".to_vec(), &Limits::default()).document.expect("JSON");
    let settings = Settings::default();
    let mut judge = Judge::new(&settings);
    let result = schemas.validate("no-such-schema", document.root(), &mut judge);
    assert_eq!(result, Err("there is no schema `no-such-schema`".to_owned()));
}
