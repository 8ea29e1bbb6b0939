//! Certificates from outside: what runs issue, with which evidence, and when they refuse to.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use super::{Ran, conform};

pub const ONE: &str = "--emitter reference --exact mavai-optimize-1/one-sample";

/// A folder for certificates.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn issue(&self, line: &str) -> Ran {
        conform(&format!("{} --certificate {}", line, self.path("c.json").display())).tidied(self)
    }

    pub fn verify(&self, more: &str) -> Ran {
        conform(&format!("verify {} {more}", self.path("c.json").display())).tidied(self)
    }

    pub fn statement(&self) -> Value {
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

/// A text with every number of scenarios made `N scenarios`, and so for what a mutation score counts: suites grow.
fn countless(text: &str) -> String {
    let counted = [
        " scenarios",
        " operators killed",
        " of N operators killed",
        " obligations covered",
        " of N obligations covered",
    ];
    counted.iter().fold(text.to_owned(), |text, noun| numberless(&text, noun))
}

fn numberless(text: &str, noun: &str) -> String {
    let mut parts = text.split(noun);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = out.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if digits < out.len() {
            out.truncate(digits);
            out.push('N');
        }
        out.push_str(noun);
        out.push_str(part);
    }
    out
}

fn but_one(how: &str) -> String {
    format!("--emitter emitters/but-one --suite mavai-optimize-1 -q {{}} -- {} {how}", env!("CARGO_BIN_EXE_conform"))
}

pub fn issue_but_one(desk: &Desk, how: &str, more: &str) -> Ran {
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
