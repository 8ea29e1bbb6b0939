//! Records with known verdicts. What the schema must find is judged where whole documents are checked.

use super::{errors, fixture, ids, judge};

#[test]
fn every_case_has_its_verdict() {
    let table = fixture("cases.tsv");
    let mut judged = 0;
    for row in table.lines().filter(|row| !row.starts_with('#') && !row.trim().is_empty()) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, suite, verdict, expected] = cells.as_slice() else { panic!("not four cells: {row}") };
        assert_eq!(*suite, super::suite().id);
        if expected.contains("schema/") {
            continue;
        }
        judged += 1;
        let (findings, _) = judge(&fixture(file));
        let mut expected: Vec<&str> = expected.split(',').filter(|id| !id.is_empty()).collect();
        expected.sort_unstable();
        assert_eq!(ids(&findings), expected, "{file}: {findings:#?}");
        assert_eq!(*verdict == "fail", !errors(&findings).is_empty(), "{file}");
    }
    assert!(judged >= 15, "only {judged} cases were judged");
}

#[test]
fn a_payload_signed_as_it_stands_is_named() {
    let (findings, _) = judge(&fixture("raw-payload-signed.json"));
    let help = findings[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("the payload was signed as it stands"), "{help}");
}
