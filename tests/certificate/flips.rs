//! A changed byte, anywhere, is found.

use std::fs;
use std::path::Path;

use conform::certificate::keys::PrivateKey;
use conform::certificate::{self, Verification};
use proptest::prelude::*;

use super::{Issued, holds, issued};

const DOCUMENT: &str = "plain.json.evidence/mavai-optimize-1/all-pass/stdout";

fn differs(verification: &Result<Verification, String>) -> bool {
    verification.as_ref().map_or(true, Verification::differs)
}

#[test]
fn what_nobody_changed_holds() {
    let issued = issued();
    let key = issued.key();
    for (name, evidence, key) in [
        ("plain.json", "plain.json.evidence", None),
        ("signed.json", "signed.json.evidence", Some(&key)),
        ("packed.json", "packed.json.evidence.tar", None),
    ] {
        let verification = issued.verify(&issued.bytes(name), &issued.path(evidence), key);
        assert!(holds(&verification), "{name}: {verification:?}");
    }
}

/// A short statement, as it would be issued: of one result, and without the list of what was not selected.
fn short() -> Vec<u8> {
    let read = certificate::read(&issued().bytes("plain.json")).unwrap();
    let mut statement = read.statement;
    statement.predicate.exceptions.clear();
    statement.predicate.results.truncate(1);
    statement.predicate.checksum = None;
    certificate::bytes(statement).unwrap()
}

/// Every byte of a certificate that is not signed, each changed in one bit: found from the certificate alone.
#[test]
fn each_byte_of_a_bare_certificate_counts() {
    let bytes = certificate::with_newline(short());
    assert!(certificate::read(&bytes).unwrap().faults.is_empty());
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 7);
        assert!(certificate::read(&changed).map_or(true, |read| !read.faults.is_empty()), "byte {at}");
    }
}

/// Every byte of an envelope: found from its form or its signature.
#[test]
fn each_byte_of_an_envelope_counts() {
    let private = fs::read_to_string(issued().path("keys/conform.key")).unwrap();
    let envelope = certificate::envelope::sign(&short(), &PrivateKey::from_pem(&private).unwrap()).unwrap();
    let (bytes, key) = (certificate::with_newline(certificate::canonical(&envelope).unwrap()), issued().key());
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 7);
        let found = certificate::read(&changed).map_or(true, |read| {
            let signed = read.envelope.map(|envelope| envelope.check(&read.payload, &key));
            !read.faults.is_empty() || signed.is_none_or(|checked| checked.is_err())
        });
        assert!(found, "byte {at}");
    }
}

/// What may be done to bytes.
#[derive(Debug, Clone)]
enum Change {
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Cut(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (any::<prop::sample::Index>(), 1..=255u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        1 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        1 => any::<prop::sample::Index>().prop_map(Change::Remove),
        1 => any::<prop::sample::Index>().prop_map(Change::Cut),
    ]
}

impl Change {
    fn applied(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Change::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Change::Insert(at, byte) => bytes.insert(at.index(bytes.len() + 1), *byte),
            Change::Remove(at) => drop(bytes.remove(at.index(bytes.len()))),
            Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
        }
        bytes
    }
}

/// Evidence of its own, to be changed.
fn copy(issued: &Issued, name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for scenario in ["all-pass", "one-sample"] {
        let within = format!("mavai-optimize-1/{scenario}");
        fs::create_dir_all(folder.path().join(&within)).unwrap();
        let from = issued.path(name).join(&within).join("stdout");
        fs::copy(from, folder.path().join(&within).join("stdout")).unwrap();
    }
    folder
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn a_changed_certificate_is_found(change in change(), signed in any::<bool>()) {
        let issued = issued();
        let key = signed.then(|| issued.key());
        let name = if signed { "signed.json" } else { "plain.json" };
        let changed = change.applied(issued.bytes(name));
        prop_assume!(changed != issued.bytes(name));
        let evidence = issued.path(&format!("{name}.evidence"));
        let verification = issued.verify(&changed, &evidence, key.as_ref());
        prop_assert!(differs(&verification), "{verification:?}");
    }

    #[test]
    fn a_changed_document_is_found(change in change()) {
        let issued = issued();
        let folder = copy(issued, "plain.json.evidence");
        let bytes = issued.bytes(DOCUMENT);
        let changed = change.applied(bytes.clone());
        prop_assume!(changed != bytes);
        fs::write(folder.path().join("mavai-optimize-1/all-pass/stdout"), changed).unwrap();
        let verification = issued.verify(&issued.bytes("plain.json"), folder.path(), None);
        prop_assert!(differs(&verification), "{verification:?}");
    }

    #[test]
    fn a_changed_archive_is_found(change in change()) {
        let issued = issued();
        let bytes = issued.bytes("packed.json.evidence.tar");
        let changed = change.applied(bytes.clone());
        prop_assume!(changed != bytes);
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("changed.tar");
        fs::write(&archive, changed).unwrap();
        let verification = issued.verify(&issued.bytes("packed.json"), &archive, None);
        prop_assert!(differs(&verification), "{verification:?}");
        // Even where the certificate does not know the archive's digest.
        let verification = issued.verify(&issued.bytes("plain.json"), &archive, None);
        let read = conform::certificate::evidence::Shelf::open(&archive);
        prop_assert!(read.is_err() || differs(&verification) || only_says_nothing(&bytes, &fs::read(&archive).unwrap()));
    }
}

/// Whether two archives differ in nothing but what means nothing: how a header's checksum is written, and zeros at the end.
fn only_says_nothing(one: &[u8], other: &[u8]) -> bool {
    let zeros = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    let common = one.len().min(other.len());
    let in_checksum = |at: usize| (148..156).contains(&(at % 512));
    let differing: Vec<usize> = (0..common).filter(|&at| one[at] != other[at]).collect();
    zeros(&one[common..]) && zeros(&other[common..]) && differing.into_iter().all(in_checksum)
}

#[test]
fn documents_that_changed_places_are_found() {
    let issued = issued();
    let folder = copy(issued, "plain.json.evidence");
    let at = |scenario: &str| folder.path().join(format!("mavai-optimize-1/{scenario}/stdout"));
    let aside: &Path = &folder.path().join("aside");
    fs::rename(at("all-pass"), aside).unwrap();
    fs::rename(at("one-sample"), at("all-pass")).unwrap();
    fs::rename(aside, at("one-sample")).unwrap();
    assert!(differs(&issued.verify(&issued.bytes("plain.json"), folder.path(), None)));
}
