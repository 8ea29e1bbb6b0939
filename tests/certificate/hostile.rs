//! Certificates and evidence made up by someone who means harm: clear errors, quickly, and nothing read that should not be.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use conform::certificate::evidence::Shelf;
use conform::certificate::statement::Statement;
use conform::certificate::{self, Outcome};
use serde_json::Value;

use super::issued;

fn refused(path: &Path) -> String {
    let fault = Shelf::open(path).err().expect("refused").to_string();
    fault.replace(&format!("{}", path.display()), "EVIDENCE")
}

/// A header with the checksum put right, and then the file's bytes, padded.
fn entry(name: &str, kind: u8, size: &str, bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0u8; 512];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, size.as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block.extend_from_slice(bytes);
    block.resize(block.len().div_ceil(512) * 512, 0);
    block
}

fn archive(parts: &[Vec<u8>]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tar");
    let mut bytes = parts.concat();
    bytes.extend_from_slice(&[0; 1024]);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn archives_that_would_do_harm_are_refused() {
    let file = |name: &str| entry(name, b'0', "00000000001\0", b"x");
    let mut said = String::new();
    for parts in [
        vec![file("../evil")],
        vec![file("/etc/passwd")],
        vec![file("a/../../b")],
        vec![file("a//b")],
        vec![file("a"), file("a")],
        vec![entry("link", b'2', "00000000000\0", b"")],
        vec![entry("link", b'1', "00000000000\0", b"")],
        vec![entry("device", b'3', "00000000000\0", b"")],
        vec![entry("pipe", b'6', "00000000000\0", b"")],
        vec![entry("folder", b'5', "00000000001\0", b"x")],
        vec![entry("long", b'L', "00000000001\0", b"x")],
        vec![entry("pax", b'x', "00000000001\0", b"x")],
        vec![entry("sparse", b'S', "00000000001\0", b"x")],
        vec![entry("huge", b'0', "77777777777\0", b"x")],
        vec![entry("negative", b'0', "-0000000001\0", b"x")],
        vec![entry("binary", b'0', "\u{0}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}", b"x")],
        vec![file("a"), vec![b'?'; 512]],
    ] {
        let (_folder, path) = archive(&parts);
        said.push_str(&refused(&path));
        said.push('\n');
    }
    let (folder, path) = archive(&[file("a")]);
    let whole = fs::read(&path).unwrap();
    for length in [0, 100, 512, 1024, 1536] {
        fs::write(&path, &whole[..length]).unwrap();
        said.push_str(&format!("{length}: {}\n", refused(&path)));
    }
    fs::write(&path, [whole.as_slice(), b"more"].concat()).unwrap();
    said.push_str(&refused(&path));
    drop(folder);
    insta::assert_snapshot!(said);
}

#[test]
fn folders_with_more_than_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    symlink("/etc/passwd", folder.path().join("link")).unwrap();
    assert_eq!(refused(folder.path()), "EVIDENCE/link: is a symbolic link, where only regular files may be");
    fs::remove_file(folder.path().join("link")).unwrap();
    // A link to a folder is not walked either: this one leads round in a circle.
    symlink(folder.path(), folder.path().join("circle")).unwrap();
    assert_eq!(refused(folder.path()), "EVIDENCE/circle: is a symbolic link, where only regular files may be");
    fs::remove_file(folder.path().join("circle")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    assert_eq!(refused(folder.path()), "EVIDENCE/socket: is neither a regular file nor a folder");
}

/// What is forged, and how.
type Forgery = (&'static str, fn(&mut Value));

/// The plain certificate with something in it changed, and the checksum put right.
fn forged(edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&issued().bytes("plain.json")).unwrap();
    edit(&mut value);
    let mut statement: Statement = serde_json::from_value(value).unwrap();
    statement.predicate.checksum = None;
    certificate::with_newline(certificate::bytes(statement).unwrap())
}

fn differences(bytes: &[u8]) -> String {
    let verification = issued().verify(bytes, &issued().path("plain.json.evidence"), None).unwrap();
    let differing = verification.checks.into_iter().filter_map(|check| match check.outcome {
        Outcome::Differs(differences) => Some(format!("{}: {}", check.name, differences.join("\n    "))),
        _ => None,
    });
    differing.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_certificate_that_points_elsewhere_is_not_followed() {
    let mut said = String::new();
    let edits: [Forgery; 9] = [
        ("evidence outside", |value| {
            value["predicate"]["results"][0]["documents"][0]["evidence"] = "../../../etc/passwd".into()
        }),
        ("absolute evidence", |value| {
            value["predicate"]["results"][0]["documents"][0]["evidence"] = "/etc/passwd".into()
        }),
        ("a name that leads elsewhere", |value| {
            value["predicate"]["results"][0]["documents"][0]["name"] = "../x".into()
        }),
        ("a huge document", |value| {
            value["predicate"]["results"][0]["documents"][0]["bytes"] = 9_000_000_000_000_000u64.into()
        }),
        ("a scenario that there is not", |value| {
            value["predicate"]["results"][0]["subject"] = "mavai-optimize-1/none".into()
        }),
        ("a result twice", |value| {
            let again = value["predicate"]["results"][0].clone();
            value["predicate"]["results"].as_array_mut().unwrap().push(again);
        }),
        ("a suite that there is not", |value| value["predicate"]["suites"][0]["id"] = "no-such-suite".into()),
        ("a session that passes", |value| {
            let mut end = value["predicate"]["results"][0].clone();
            end["subject"] = "session".into();
            value["predicate"]["results"].as_array_mut().unwrap().push(end);
        }),
        ("a date that is none", |value| value["predicate"]["date"] = "yesterday".into()),
    ];
    for (name, edit) in edits {
        said.push_str(&format!("== {name}\n{}\n", differences(&forged(edit))));
    }
    insta::assert_snapshot!(masked(&said));
}

#[test]
fn whatever_can_be_derived_is_not_believed() {
    let mut said = String::new();
    let edits: [Forgery; 13] = [
        ("verdict", |value| value["predicate"]["verdict"] = "certified".into()),
        ("exceptions", |value| {
            value["predicate"]["exceptions"][0] = serde_json::json!({"kind": "flaky", "subject": "session"});
        }),
        ("coverage", |value| value["predicate"]["coverage"]["judged"] = 0.into()),
        ("optional", |value| value["predicate"]["results"][0]["optional"] = true.into()),
        ("obligations", |value| value["predicate"]["results"][0]["obligations"]["judged"] = 1.into()),
        ("scenario", |value| value["predicate"]["results"][0]["scenario"] = "0".repeat(64).into()),
        ("subject", |value| value["subject"][0]["name"] = "another".into()),
        ("expected", |value| {
            value["predicate"]["expected"] = serde_json::json!([
                {"emitter": "*", "scenario": "none", "obligation": "*", "reason": "r"}
            ]);
        }),
        ("suites", |value| value["predicate"]["suites"][0]["schemas"][0]["sha256"] = "0".repeat(64).into()),
        ("a suite twice", |value| {
            let again = value["predicate"]["suites"][0].clone();
            value["predicate"]["suites"].as_array_mut().unwrap().push(again);
        }),
        ("a better score", |value| value["predicate"]["mutation"][0]["seed"] = 2.into()),
        ("no score", |value| value["predicate"]["mutation"] = serde_json::json!([])),
        ("a version that moves", |value| value["predicate"]["emitter"]["version"] = "latest".into()),
    ];
    for (name, edit) in edits {
        said.push_str(&format!("== {name}\n{}\n", differences(&forged(edit))));
    }
    insta::assert_snapshot!(masked(&said));
}

#[test]
fn an_envelope_without_a_signature_is_not_signed() {
    let mut envelope: Value = serde_json::from_slice(&issued().bytes("signed.json")).unwrap();
    envelope["signatures"] = serde_json::json!([]);
    let bytes = certificate::with_newline(certificate::canonical(&envelope).unwrap());
    for key in [None, Some(issued().key())] {
        let evidence = issued().path("signed.json.evidence");
        let verification = issued().verify(&bytes, &evidence, key.as_ref()).unwrap();
        let differs = Outcome::Differs(vec!["the envelope holds no signature".to_owned()]);
        assert!(verification.checks.iter().any(|check| check.outcome == differs), "{verification:?}");
    }
}

/// A suite that misses faults takes nothing from what was found about an emitter, and is said all the same.
#[test]
fn a_suite_that_misses_faults_leaves_the_certificate_not_wholly_verified() {
    let mut worse = issued().mutation.clone();
    worse[0].killed -= 1;
    worse[0].survived = vec!["rate-swapped".to_owned()];
    let evidence = issued().path("plain.json.evidence");
    // By a conform that misses what the certificate's did not.
    let verification = issued().verify_by(&issued().bytes("plain.json"), &evidence, None, &worse).unwrap();
    assert!(verification.differs(), "{verification:?}");
    // By the one that issued it.
    let entered = serde_json::to_value(&worse).unwrap();
    let stated = forged(|value| value["predicate"]["mutation"] = entered);
    let verification = issued().verify_by(&stated, &evidence, None, &worse).unwrap();
    assert!(!verification.differs() && !verification.is_complete(), "{verification:?}");
    let said = verification.checks.into_iter().find(|check| check.name == "mutation").unwrap().outcome;
    assert!(matches!(&said, Outcome::NotChecked(why) if why.contains("survived: rate-swapped")), "{said:?}");
}

/// With digests and counts taken out, and what names scenarios that were not selected: suites grow.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let growing = |line: &&str| line.contains("not-selected") || line.contains(" more, of which");
    let text: String = text.split_inclusive('\n').filter(|line| !growing(line)).collect();
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let digest = bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        let after = [":", " of ", "here it is ", "killed, "].iter().any(|before| out.ends_with(before));
        let count = after && !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        out.push_str(if digest {
            "DIGEST"
        } else if count {
            "N"
        } else {
            bare
        });
        out.push_str(&word[bare.len()..]);
    }
    out
}

#[test]
fn deep_and_odd_json_is_no_certificate() {
    for bytes in [
        b"[".repeat(100_000),
        b"{\"payload\":".repeat(100_000),
        b"{\"_type\":\"https://in-toto.io/Statement/v1\",\"_type\":\"https://in-toto.io/Statement/v1\"}".to_vec(),
        b"\xff\xfe".to_vec(),
        b"null".to_vec(),
    ] {
        assert!(certificate::read(&bytes).is_err());
    }
}
