//! `conform check`: which documents are judged, and by what.

use std::fs;
use std::path::Path;

use super::{Ran, command, conform, ended, fed, fixtures};

fn subjects(ran: &Ran) -> Vec<String> {
    let results = ran.json();
    let results = results["results"].as_array().unwrap();
    results.iter().map(|result| result["subject"].as_str().unwrap().to_owned()).collect()
}

fn obligations(ran: &Ran) -> Vec<String> {
    let results = ran.json();
    let findings = results["results"][0]["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["obligation"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_is_every_document_below_it_in_path_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.yaml", "a.json", "sub/deep/c.YML", "notes.txt", ".hidden.yaml", ".git/x.yaml"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x: 1\n").unwrap();
    }
    let ran = conform(&format!("check {} --format json", folder.path().display()));
    let root = folder.path().display().to_string() + "/";
    let names: Vec<_> = subjects(&ran).iter().map(|subject| subject.strip_prefix(&root).unwrap().to_owned()).collect();
    assert_eq!(names, ["a.json", "b.yaml", "sub/deep/c.YML"]);
}

#[cfg(unix)]
#[test]
fn a_circle_of_links_ends() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), "x: 1\n").unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    let ran = conform(&format!("check {} --format json", folder.path().display()));
    assert_eq!(subjects(&ran).len(), 1);
}

#[test]
fn a_file_may_have_any_name() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::copy(fixtures().join("documents/one-sample.yaml"), file.path()).unwrap();
    let ran = conform(&format!("check {} --format json", file.path().display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_glob_is_expanded_without_a_shell() {
    let ran = conform("check documents/*n*.yaml --format json");
    assert_eq!(
        subjects(&ran),
        [
            "documents/count-wrong.yaml",
            "documents/one-sample.yaml",
            "documents/unclaimed.yaml",
            "documents/warned.yaml"
        ]
    );
    assert_eq!(subjects(&conform("check **/unclaimed.yaml --format json")), ["documents/unclaimed.yaml"]);
}

#[test]
fn a_document_named_twice_is_judged_once() {
    let ran = conform("check documents documents/warned.yaml documents/*.yaml documents --format json");
    assert_eq!(subjects(&ran).len(), 5);
}

#[test]
fn the_order_does_not_depend_on_the_threads() {
    let alone = subjects(&conform("check documents --format json -j 1"));
    assert_eq!(subjects(&conform("check documents --format json -j 8")), alone);
}

#[test]
fn standard_input_is_judged_beside_files() {
    let document = fs::read(fixtures().join("documents/one-sample.yaml")).unwrap();
    let ran = fed("check documents/warned.yaml - --format json", &document);
    assert_eq!(ran.code, Some(0));
    assert_eq!(subjects(&ran), ["<stdin>", "documents/warned.yaml"]);
    assert_eq!(ran.json()["results"][0]["suite"], "mavai-optimize-1");
}

#[test]
fn a_document_without_a_suite_fails_and_the_finding_says_which_there_are() {
    let ran = conform("check documents/unclaimed.yaml --format json");
    assert_eq!(obligations(&ran), ["document/suite"]);
    let finding = &ran.json()["results"][0]["findings"][0];
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("schemaVersion is \"mavai-optimise-1\""), "{message}");
    assert!(message.contains("mavai-optimize-1"), "{message}");
    assert!(finding["help"].as_str().unwrap().contains("did the emitter mean mavai-optimize-1?"));
    assert_eq!(finding["line"], 1);
}

#[test]
fn what_no_suite_can_claim_says_what_it_is() {
    for (document, says) in
        [("[1]", "an array"), ("7", "a number"), ("null", "null"), ("{\"a\": 1}", "no version field")]
    {
        let ran = fed("check - --format json", document.as_bytes());
        let message = ran.json()["results"][0]["findings"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(says), "{document}: {message}");
    }
}

#[test]
fn a_suite_that_is_asked_for_judges_a_document_of_any_other_version() {
    let ran = conform("check documents/unclaimed.yaml --suite mavai-optimize-1 --format json");
    let found = obligations(&ran);
    assert!(found.iter().any(|id| id == "schema/const"), "{found:?}");
    assert!(!found.iter().any(|id| id == "document/suite"));
}

#[test]
fn a_suite_that_is_not_there_is_met_with_the_nearest() {
    let ran = conform("check documents/one-sample.yaml --suite mavai-optimise-1");
    assert_eq!(ran.stderr, "error: no such suite: mavai-optimise-1; did you mean mavai-optimize-1?\n");
}

#[test]
fn an_unreadable_document_leaves_every_obligation_not_judged() {
    let ran = conform("check documents/broken.json --suite mavai-optimize-1 --format json");
    let result = &ran.json()["results"][0];
    assert_eq!(result["verdict"], "fail");
    assert_eq!(result["obligations"]["judged"], 0);
    assert_eq!(result["obligations"]["total"].as_u64().unwrap(), result["notJudged"].as_array().unwrap().len() as u64);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_fails_and_the_others_are_judged() {
    let ran = conform("check /dev/null documents/one-sample.yaml --suite mavai-optimize-1 --format json");
    assert_eq!(ran.code, Some(1));
    let results = ran.json();
    let verdicts: Vec<_> = results["results"].as_array().unwrap().iter().map(|result| &result["verdict"]).collect();
    assert_eq!(verdicts, ["fail", "pass"]);
    assert_eq!(obligations(&ran), ["document/unreadable"]);
    assert_eq!(results["results"][0]["obligations"]["judged"], 0);
}

#[cfg(unix)]
#[test]
fn an_endless_input_ends_at_the_limit() {
    let mut command = command("check - --max-bytes 64K --format json".split_whitespace());
    command.stdin(fs::File::open("/dev/zero").unwrap());
    let ran = ended(command);
    assert_eq!(ran.code, Some(1));
    assert_eq!(obligations(&ran), ["document/size"]);
}

#[test]
fn limits_are_flags() {
    assert_eq!(
        obligations(&conform("check documents/one-sample.yaml --max-bytes 100 --format json")),
        ["document/size"]
    );
    assert_eq!(
        obligations(&conform("check documents/one-sample.yaml --max-depth 3 --format json")),
        ["document/depth"]
    );
    assert_eq!(conform("check documents/one-sample.yaml --max-bytes 1K").code, Some(1));
    assert_eq!(conform("check documents/one-sample.yaml --max-bytes 2kib").code, Some(0));
}

#[test]
fn a_schema_of_the_users_own_takes_the_place_of_the_embedded_one() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("mavai-optimize-1.schema.json");
    fs::write(&schema, r#"{"required": ["signature"]}"#).unwrap();
    let by_file =
        format!("check documents/one-sample.yaml --format json --schema mavai-optimize-1={}", schema.display());
    let by_folder = format!("check documents/one-sample.yaml --format json --schemas {}", folder.path().display());
    for line in [by_file, by_folder] {
        assert_eq!(obligations(&conform(&line)), ["schema/required"], "{line}");
    }
}

#[test]
fn evidence_is_named_by_its_digest() {
    let ran = fed("check - --format json", b"{}");
    let document = &ran.json()["results"][0]["documents"][0];
    assert_eq!(document["bytes"], 2);
    assert_eq!(document["sha256"], "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

#[test]
fn what_only_several_documents_show_is_found_where_they_are_checked_together() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/family/mavai/example-explore.json");
    fs::copy(&example, folder.path().join("a.json")).unwrap();
    let line = format!("check {} --format json", folder.path().display());
    assert_eq!(conform(&line).code, Some(0));
    fs::copy(&example, folder.path().join("b.json")).unwrap();
    let ran = conform(&line);
    assert_eq!(ran.code, Some(1));
    let results = ran.json();
    let found = results["results"].to_string();
    assert!(found.contains("mavai/configurations-distinct"), "{found}");
}

#[test]
fn a_big_document_is_judged_like_a_small_one() {
    // Past a megabyte the stages run side by side.
    let fill = "#".repeat(1 << 20);
    let small = fs::read_to_string(fixtures().join("documents/count-wrong.yaml")).unwrap();
    let big = fed("check - --format json", format!("{small}{fill}\n").as_bytes());
    let small = fed("check - --format json", small.as_bytes());
    assert_eq!(obligations(&big), obligations(&small));
    assert!(!obligations(&big).is_empty());
}
