//! Whole documents with the verdict that each must get: `tests/fixtures/torneo/cases.tsv`.

use std::fs;
use std::path::Path;

use crate::judging::{errors, judge};

#[test]
fn every_case_gets_its_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/torneo");
    let cases = fs::read_to_string(folder.join("cases.tsv")).expect("the list of cases");
    let mut judged = 0;
    for case in cases.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [name, _suite, verdict, must] = case.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a case has four columns: {case:?}")
        };
        if must.starts_with("schema/") {
            continue;
        }
        let text = fs::read_to_string(folder.join(name)).expect("a case's document");
        let (findings, _) = judge(&text);
        let reported = errors(&findings);
        assert_eq!(reported.is_empty(), verdict == "pass", "{name}: {findings:#?}");
        for id in must.split(',').filter(|id| !id.is_empty()) {
            assert!(reported.contains(&id), "{name}: {id} not among {reported:?}");
        }
        if verdict == "pass" {
            assert_eq!(findings, [], "{name}: a false alarm");
        }
        println!("{name}: {reported:?}");
        judged += 1;
    }
    assert!(judged > 20, "only {judged} cases were judged");
}
