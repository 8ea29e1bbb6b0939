//! Records with known verdicts: schema and obligations together find exactly what each row names, and nothing beside it.

use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;

use super::{errors, fixture, ids, judge, read, suite};

#[test]
fn every_case_is_found_out_once() {
    let schemas = Schemas::embedded().expect("schemas");
    let settings = Settings::default();
    let table = fixture("../cases/orbiplex/cases.tsv");
    let mut judged = 0;
    for row in table.lines().filter(|row| !row.starts_with('#') && !row.trim().is_empty()) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, _, verdict, expected] = cells.as_slice() else { panic!("not four cells: {row}") };
        judged += 1;
        let document = read(&fixture(&format!("../cases/orbiplex/{file}")));
        let mut judge = Judge::new(&settings);
        schemas.validate(suite().schema, document.root(), &mut judge).expect("the schema is known");
        suite().family().judge(suite(), &document, &mut judge);
        let (findings, _) = judge.finish();
        let mut expected: Vec<&str> = expected.split(',').filter(|id| !id.is_empty()).collect();
        expected.sort_unstable();
        assert_eq!(ids(&findings), expected, "{file}: {findings:#?}");
        assert_eq!(*verdict == "fail", !errors(&findings).is_empty(), "{file}");
    }
    assert!(judged >= 20, "only {judged} cases were judged");
}

#[test]
fn a_payload_signed_as_it_stands_is_named() {
    let (findings, _) = judge(&fixture("../cases/orbiplex/raw-payload-signed.json"));
    let help = findings[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("the payload was signed as it stands"), "{help}");
}
