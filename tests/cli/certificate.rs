//! Certificates from outside: issued by runs, verified from their evidence, and refused where something was changed.

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use super::{Ran, conform};

const ONE: &str = "--emitter reference --exact mavai-optimize-1/one-sample";

/// A folder for certificates.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn issue(&self, line: &str) -> Ran {
        conform(&format!("{} --certificate {}", line, self.path("c.json").display())).tidied(self)
    }

    fn verify(&self, more: &str) -> Ran {
        conform(&format!("verify {} {more}", self.path("c.json").display())).tidied(self)
    }

    fn statement(&self) -> Value {
        let value: Value = serde_json::from_slice(&fs::read(self.path("c.json")).unwrap()).unwrap();
        match value.get("payload").and_then(Value::as_str) {
            Some(payload) => {
                use base64::Engine as _;
                let payload = base64::engine::general_purpose::STANDARD.decode(payload).unwrap();
                serde_json::from_slice(&payload).unwrap()
            }
            None => value,
        }
    }
}

impl Ran {
    /// With digests, dates and this test's folder taken out.
    fn tidied(self, desk: &Desk) -> Ran {
        let folder = format!("{}/", desk.0.path().display());
        let tidy = |text: String| digestless(&text.replace(&folder, ""));
        Ran { stdout: tidy(self.stdout), stderr: tidy(self.stderr), code: self.code }
    }
}

fn digestless(text: &str) -> String {
    let mut out = String::new();
    let text = countless(text);
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && !"-:.".contains(c)) {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let digest = bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        let date = bare.len() > 18 && bare.ends_with('Z') && bare.as_bytes().get(10) == Some(&b'T');
        let shown = if digest {
            "DIGEST"
        } else if date {
            "DATE"
        } else {
            bare
        };
        out.push_str(shown);
        out.push_str(&word[bare.len()..]);
    }
    out
}

/// A text with every number of scenarios made `N scenarios`: suites grow.
fn countless(text: &str) -> String {
    let mut parts = text.split(" scenarios");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = out.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if digits < out.len() {
            out.truncate(digits);
            out.push('N');
        }
        out.push_str(" scenarios");
        out.push_str(part);
    }
    out
}

fn write_over(path: &Path, edit: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let edited = edit(text.clone());
    assert_ne!(edited, text, "nothing was edited");
    fs::write(path, edited).unwrap();
}

fn but_one(how: &str) -> String {
    format!("--emitter emitters/but-one --suite mavai-optimize-1 -q {{}} -- {} {how}", env!("CARGO_BIN_EXE_conform"))
}

fn issue_but_one(desk: &Desk, how: &str, more: &str) -> Ran {
    let more = format!("--certificate {} {more}", desk.path("c.json").display());
    conform(&but_one(how).replace("{}", &more)).tidied(desk)
}

#[test]
fn a_suite_that_passes_is_certified_and_verifies() {
    let desk = Desk::new();
    let ran = desk.issue("--emitter reference --suite mavai-optimize-1 -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let statement = desk.statement();
    assert_eq!(statement["predicate"]["verdict"], "certified");
    assert_eq!(statement["predicate"]["exceptions"], serde_json::json!([]));
    // Every document is there, byte for byte, and nothing else is.
    let evidence = desk.path("c.json.evidence");
    let mut documents = 0;
    for document in statement.pointer("/predicate/results").unwrap().as_array().unwrap().iter().flat_map(|result| {
        let documents = result["documents"].as_array().unwrap();
        assert_eq!(documents.len(), 1);
        documents
    }) {
        let bytes = fs::read(evidence.join(document["evidence"].as_str().unwrap())).unwrap();
        assert_eq!(conform::digest::sha256(&bytes), document["sha256"].as_str().unwrap());
        documents += 1;
    }
    assert_eq!(documents, statement["predicate"]["suites"][0]["scenarios"]);
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("verified: certified\n"), "{}", ran.stdout);
    // What a person can check with sha256sum.
    let suite = conform::suite::by_id("mavai-optimize-1").unwrap();
    let mut scenarios = conform::suite::scenario::embedded(suite).unwrap();
    scenarios.sort_by(|a, b| a.name.cmp(&b.name));
    let listing: String =
        scenarios.iter().map(|scenario| format!("{}  {}\n", scenario.sha256, scenario.name)).collect();
    assert_eq!(
        conform::digest::sha256(listing.as_bytes()),
        statement["predicate"]["suites"][0]["sha256"].as_str().unwrap()
    );
}

#[test]
fn an_expected_failure_is_an_exception_that_the_certificate_lists() {
    let desk = Desk::new();
    fs::write(
        desk.path("expected.toml"),
        "[[expected]]\nemitter = \"but-*\"\nscenario = \"one-sample\"\nobligation = \"process/exit\"\nreason = \"gives up\"\n",
    )
    .unwrap();
    let expected = format!("--expected {}", desk.path("expected.toml").display());
    let ran = issue_but_one(&desk, "fail", &expected);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let predicate = desk.statement()["predicate"].clone();
    assert_eq!(predicate["verdict"], "conformant-with-exceptions");
    assert_eq!(
        predicate["exceptions"],
        serde_json::json!([{
            "kind": "expected-failure",
            "subject": "mavai-optimize-1/one-sample",
            "obligation": "process/exit",
            "reason": "gives up"
        }])
    );
    assert_eq!(predicate["expected"][0]["emitter"], "but-*");
    assert_eq!(desk.verify("").code, Some(0));
    // The files of the emitter, by what they are.
    let parts: Vec<_> =
        predicate["emitter"]["files"].as_array().unwrap().iter().map(|file| file["part"].clone()).collect();
    assert_eq!(parts, ["executable", "argument", "manifest"]);
}

#[test]
fn what_is_flaky_is_an_exception_even_where_it_passes() {
    let desk = Desk::new();
    fs::write(
        desk.path("expected.toml"),
        "[[expected]]\nscenario = \"all-pass\"\nobligation = \"*\"\nreason = \"a race\"\nflaky = true\n",
    )
    .unwrap();
    let ran = desk.issue(&format!(
        "--emitter reference --suite mavai-optimize-1 -q --expected {}",
        desk.path("expected.toml").display()
    ));
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert_eq!(desk.statement()["predicate"]["verdict"], "conformant-with-exceptions");
    assert_eq!(desk.statement()["predicate"]["exceptions"][0]["kind"], "flaky");
    assert_eq!(desk.verify("").code, Some(0));
}

#[test]
fn a_failure_and_a_refusal_are_certified_as_what_they_are() {
    for (how, code, verdict) in
        [("fail", 1, "not-conformant"), ("count-wrong", 1, "not-conformant"), ("refuse", 3, "incomplete")]
    {
        let desk = Desk::new();
        let ran = issue_but_one(&desk, how, "");
        assert_eq!(ran.code, Some(code), "{how}: {}", ran.stdout);
        assert_eq!(desk.statement()["predicate"]["verdict"], verdict, "{how}");
        // The certificate is true, whatever it says.
        assert_eq!(desk.verify("").code, Some(0), "{how}");
    }
}

#[test]
fn a_part_of_a_suite_is_incomplete() {
    let desk = Desk::new();
    let ran = desk.issue(ONE);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.ends_with("certificate c.json: incomplete\n"), "{}", ran.stderr);
    let exceptions = desk.statement()["predicate"]["exceptions"].as_array().unwrap().clone();
    assert!(exceptions.iter().all(|exception| exception["kind"] == "not-selected"));
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(0));
    assert_snapshot!(ran.stdout);
}

#[test]
fn what_was_not_run_any_more_is_told_from_what_was_not_selected() {
    let desk = Desk::new();
    let more = "--fail-fast -j 1 mavai-optimize-1/one-sample mavai-optimize-1/zero-samples-only";
    issue_but_one(&desk, "fail", more);
    let predicate = desk.statement()["predicate"].clone();
    assert_eq!(predicate["notRun"], serde_json::json!(["mavai-optimize-1/zero-samples-only"]));
    let kinds: Vec<&Value> =
        predicate["exceptions"].as_array().unwrap().iter().map(|exception| &exception["kind"]).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "not-run").count(), 1);
    assert_eq!(desk.verify("").code, Some(0));
}

#[test]
fn the_terms_of_judging_are_kept() {
    let desk = Desk::new();
    let ran = issue_but_one(&desk, "warned", "--deny warnings --strict one-sample");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert_eq!(desk.statement()["predicate"]["verdict"], "not-conformant");
    assert_eq!(desk.statement()["predicate"]["judging"]["strict"], true);
    assert_eq!(desk.verify("").code, Some(0));
}

#[test]
fn a_signature_is_checked_by_its_key_alone() {
    let desk = Desk::new();
    let keys = |name: &str| {
        let ran = conform(&format!("keygen {}", desk.path(name).display()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (desk.path(name).join("conform.key"), desk.path(name).join("conform.pub"))
    };
    let ((key, public), (_, other)) = (keys("one"), keys("other"));
    let ran = desk.issue(&format!("{ONE} --sign {}", key.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(desk.verify(&format!("--key {}", public.display())).code, Some(0));
    let without = desk.verify("");
    assert_eq!(without.code, Some(3));
    assert!(without.stdout.contains("not checked signature: signed by the key DIGEST"), "{}", without.stdout);
    let wrong = desk.verify(&format!("--key {}", other.display()));
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stdout.contains("DIFFERS     signature: it is signed by the key DIGEST"), "{}", wrong.stdout);
    // A private key is none to verify with, and the other way round.
    assert_eq!(desk.verify(&format!("--key {}", key.display())).code, Some(2));
    let again = Desk::new();
    assert_eq!(again.issue(&format!("{ONE} --sign {}", public.display())).code, Some(2));
    assert!(!again.path("c.json.evidence").exists());
    // What is not signed is not accepted where a signature is asked for.
    again.issue(ONE);
    let ran = again.verify(&format!("--key {}", public.display()));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("the certificate is not signed"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn keys_are_the_owners_alone_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let line = format!("keygen {}", desk.path("keys").display());
    assert_eq!(conform(&line).code, Some(0));
    let key = desk.path("keys/conform.key");
    let before = fs::read(&key).unwrap();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let ran = conform(&line);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("a key is never overwritten"), "{}", ran.stderr);
    fs::remove_file(desk.path("keys/conform.pub")).unwrap();
    assert_eq!(conform(&line).code, Some(2));
    assert_eq!(fs::read(&key).unwrap(), before);
}

#[test]
fn what_would_keep_a_certificate_from_being_issued_is_known_before_anything_runs() {
    let desk = Desk::new();
    let mut said = String::new();
    fs::write(desk.path("no.key"), "nothing").unwrap();
    let no_key = format!("{ONE} --sign {}", desk.path("no.key").display());
    for line in [
        "--emitter emitters/moving one-sample",
        "--emitter emitters/several.sh one-sample",
        &no_key,
        &format!("{ONE} --sign no/such/key"),
    ] {
        let ran = desk.issue(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{line}");
        said.push_str(&ran.stderr);
    }
    let ran = conform(&format!("{ONE} --certificate no/such/folder/c.json"));
    assert_eq!(ran.code, Some(2));
    said.push_str(&ran.stderr);
    assert_eq!(desk.issue(ONE).code, Some(0));
    let ran = desk.issue(ONE);
    assert_eq!(ran.code, Some(2));
    said.push_str(&ran.stderr);
    assert_eq!(conform(&format!("{ONE} --sign x")).code, Some(2));
    assert_eq!(conform(&format!("{ONE} --evidence tar")).code, Some(2));
    assert_snapshot!(said);
}

#[test]
fn nothing_is_certified_by_expected_failures_that_are_not_true() {
    let desk = Desk::new();
    fs::write(
        desk.path("e.toml"),
        "[[expected]]\nscenario = \"one-sample\"\nobligation = \"mavai/*\"\nreason = \"r\"\n",
    )
    .unwrap();
    let ran = desk.issue(&format!("{ONE} --expected {}", desk.path("e.toml").display()));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no certificate: the expected failures are not true any more"), "{}", ran.stderr);
    assert!(!desk.path("c.json").exists());
}

#[test]
fn an_emitter_that_never_starts_leaves_nothing_behind() {
    let desk = Desk::new();
    fs::write(desk.path("emitter.toml"), "version = \"1\"\ncommand = [\"./x.sh\"]\n").unwrap();
    fs::write(desk.path("x.sh"), "#!/no/such/interpreter\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(desk.path("x.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let ran = desk.issue(&format!("--emitter {} one-sample", desk.0.path().display()));
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(!desk.path("c.json").exists() && !desk.path("c.json.evidence").exists());
}

#[test]
fn an_archive_of_the_same_documents_is_the_same_archive() {
    let (one, two) = (Desk::new(), Desk::new());
    let line = "--emitter emitters/but-one mavai-optimize-1/one-sample --exact --evidence tar --certificate";
    let issue = |desk: &Desk| {
        let words = format!("{line} {} -- {} one-sample", desk.path("c.json").display(), env!("CARGO_BIN_EXE_conform"));
        assert_eq!(conform(&words).code, Some(0));
        fs::read(desk.path("c.json.evidence.tar")).unwrap()
    };
    let archive = issue(&one);
    assert_eq!(archive, issue(&two));
    assert_eq!(one.verify("").code, Some(0));
    // Nothing is left of the folder that was packed.
    assert_eq!(fs::read_dir(one.0.path()).unwrap().count(), 2);
    // Every tar reads it, and the documents are also accepted unpacked.
    let unpacked = one.path("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let tar = std::process::Command::new("tar")
        .arg("-xf")
        .arg(one.path("c.json.evidence.tar"))
        .arg("-C")
        .arg(&unpacked)
        .status();
    assert!(tar.unwrap().success());
    assert_eq!(one.verify(&format!("--evidence {}", unpacked.display())).code, Some(0));
}

#[test]
fn hostile_names_stay_in_the_evidence() {
    let desk = Desk::new();
    let ran = desk.issue("--emitter emitters/hostile-names --exact mavai-optimize-1/one-sample");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let documents = desk.statement()["predicate"]["results"][0]["documents"].clone();
    let kept: Vec<_> =
        documents.as_array().unwrap().iter().map(|document| document["evidence"].as_str().unwrap()).collect();
    let under = |name: &str| format!("mavai-optimize-1/one-sample/{name}");
    assert_eq!(kept, [under("~1"), under("~2"), under("plain"), under("~4")]);
    assert_eq!(documents[0]["name"], "../../../evil");
    assert_eq!(fs::read_to_string(desk.path("c.json.evidence").join(kept[3])).unwrap(), "c: 3");
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn how_a_session_ended_is_part_of_the_certificate() {
    let desk = Desk::new();
    fs::write(
        desk.path("emitter.toml"),
        format!(
            "version = \"1\"\nmode = \"session\"\ncommand = [\"{}\", \"badly\"]\n",
            super::fixtures().join("emitters/session.sh").display()
        ),
    )
    .unwrap();
    let ran = desk.issue(&format!("--emitter {} --exact mavai-optimize-1/one-sample", desk.0.path().display()));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(desk.statement()["predicate"]["results"][1]["subject"], "session");
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn changes_are_shown_one_by_one() {
    let desk = Desk::new();
    let line = format!(
        "--emitter emitters/but-one mavai-optimize-1/all-pass mavai-optimize-1/one-sample mavai-optimize-1/none-pass --exact -q \
         --certificate {} -- {} one-sample",
        desk.path("c.json").display(),
        env!("CARGO_BIN_EXE_conform")
    );
    assert_eq!(conform(&line).code, Some(0));
    let evidence = desk.path("c.json.evidence/mavai-optimize-1");
    // As large as before, but another count.
    write_over(&evidence.join("one-sample/stdout"), |text| text.replacen("successes: 1", "successes: 2", 1));
    fs::remove_file(evidence.join("all-pass/stdout")).unwrap();
    fs::write(evidence.join("none-pass/another"), "x").unwrap();
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.shown());
    let json = desk.verify("--format json");
    assert_eq!(json.code, Some(1));
    assert_eq!(json.json()["verified"], false);
    assert_eq!(json.json()["checks"][3]["outcome"], "differs");
}

#[test]
fn a_verdict_that_was_entered_and_does_not_follow_is_found_out() {
    let desk = Desk::new();
    issue_but_one(&desk, "count-wrong", "one-sample");
    let mut statement = desk.statement();
    let result = statement.pointer_mut("/predicate/results/0").unwrap();
    result["verdict"] = "pass".into();
    result["findings"] = serde_json::json!([]);
    statement["predicate"]["verdict"] = "certified".into();
    statement["predicate"]["exceptions"].as_array_mut().unwrap().retain(|exception| exception["kind"] != "failed");
    // Whoever does this on purpose puts the checksum right.
    let mut statement: conform::certificate::statement::Statement = serde_json::from_value(statement).unwrap();
    statement.predicate.checksum = None;
    let forged = conform::certificate::with_newline(conform::certificate::bytes(statement).unwrap());
    fs::write(desk.path("c.json"), forged).unwrap();
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.stdout);
}

#[test]
fn the_suite_must_be_the_one_that_was_judged_by() {
    let desk = Desk::new();
    let ran = issue_but_one(&desk, "one-sample", "--suites suites own-optional");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(desk.verify("--suites suites").code, Some(0));
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("DIFFERS     suites: mavai-optimize-1: its N scenarios"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mavai-optimize-1/own-optional is no scenario of these suites"), "{}", ran.stdout);
    // Another schema in the place of the one that was judged by.
    fs::write(desk.path("mine.json"), "{}").unwrap();
    let ran = desk.verify(&format!("--suites suites --schema mavai-optimize-1={}", desk.path("mine.json").display()));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("the schema mavai-optimize-1 has the digest DIGEST, and here DIGEST"),
        "{}",
        ran.stdout
    );
    // Related documents that the run did not have.
    let ran = desk.verify("--suites suites --related documents/one-sample.yaml");
    assert!(ran.stdout.contains("the certificate was issued without any"), "{}", ran.stdout);
}

#[test]
fn a_file_that_is_no_certificate_is_told_from_a_false_one() {
    let desk = Desk::new();
    fs::create_dir(desk.path("c.json.evidence")).unwrap();
    let mut said = String::new();
    for text in [
        "",
        "[]",
        "{\"payload\": 1}",
        "{\"payload\": \"%\", \"payloadType\": \"x\", \"signatures\": []}",
        "{\"_type\": \"https://in-toto.io/Statement/v0.1\"}",
        "{\"_type\": \"https://in-toto.io/Statement/v1\", \"predicateType\": \"https://slsa.dev/provenance/v1\"}",
        "{\"_type\": \"https://in-toto.io/Statement/v1\", \"predicateType\": \"conform:///certificate/v1\", \"subject\": 1}",
    ] {
        fs::write(desk.path("c.json"), text).unwrap();
        let ran = desk.verify("");
        assert_eq!(ran.code, Some(1), "{text}");
        said.push_str(&ran.stderr);
    }
    assert_snapshot!(said);
    fs::remove_dir(desk.path("c.json.evidence")).unwrap();
    assert_eq!(desk.verify("").code, Some(2));
    assert_eq!(conform("verify no/such/certificate --evidence documents").code, Some(2));
    assert_eq!(desk.verify("--evidence no/such/folder").code, Some(2));
}

#[test]
fn a_certificate_sets_no_limits_beyond_those_of_its_reader() {
    let desk = Desk::new();
    desk.issue(&format!("{ONE} --max-alias-nodes 1000000"));
    let ran = desk.verify("");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--max-alias-nodes 1000000; allow that here too"), "{}", ran.stderr);
    assert_eq!(desk.verify("--max-alias-nodes 1000000").code, Some(0));
}
