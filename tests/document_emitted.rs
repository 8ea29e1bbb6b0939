//! Documents that released emitters wrote, some of them at fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use conform::document::{Limits, read};

fn emitted() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitted");
    let mut files: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn faults_are_found_where_they_are() {
    let mut found = String::new();
    for (name, path) in emitted() {
        let reading = read(fs::read(path).unwrap(), &Limits::default());
        let mut counts: BTreeMap<&str, (usize, String)> = BTreeMap::new();
        for finding in &reading.findings {
            let place = finding.place.as_ref().unwrap();
            let entry =
                counts.entry(&finding.obligation).or_insert_with(|| (0, format!("{}:{}", place.line, place.column)));
            entry.0 += 1;
        }
        for (id, (count, first)) in counts {
            found.push_str(&format!("{name}: {id} ×{count}, first at {first}\n"));
        }
    }
    insta::assert_snapshot!(found, @r"
    baseltest-0.27.0.measure.unicode.yaml: document/surrogate ×21, first at 42:51
    baseltest-0.27.0.optimize.ctl-del.yaml: document/control-character ×4, first at 48:32
    baseltest-0.27.0.optimize.ctl-surrogate.yaml: document/empty ×1, first at 1:1
    baseltest-0.27.0.optimize.dup-check-across.yaml: document/duplicate-key ×4, first at 94:11
    baseltest-0.27.0.optimize.dup-check-within.yaml: document/duplicate-key ×4, first at 70:11
    baseltest-0.27.0.optimize.factors-odd.yaml: document/stable-type ×11, first at 15:12
    baseltest-0.27.0.optimize.long-escaped-key.yaml: document/key-length ×3, first at 30:9
    feotest-0.5.0.explore.basic.yaml: document/stable-type ×1, first at 3:14
    feotest-0.5.0.optimize-fx.budget-TOKEN_BUDGET-20.yaml: document/stable-type ×1, first at 6:14
    feotest-0.5.0.optimize-fx.fx-nan-inf.yaml: document/number-range ×6, first at 10:8
    feotest-0.5.0.optimize-fx.fx-nan-inf.yaml: document/stable-type ×1, first at 6:14
    feotest-0.5.0.optimize-fx.fx-null.yaml: document/stable-type ×1, first at 6:14
    feotest-0.5.0.optimize-fx.fx-strings.yaml: document/stable-type ×21, first at 6:14
    feotest-0.5.0.optimize.basic.yaml: document/stable-type ×1, first at 6:14
    feotest-0.5.0.optimize.floor-20.yaml: document/stable-type ×1, first at 6:14
    feotest-0.5.0.optimize.many-iterations.yaml: document/stable-type ×1, first at 6:14
    ");
}

#[test]
fn values_are_those_of_another_loader() {
    let mut compared = 0;
    for (name, path) in emitted() {
        let bytes = fs::read(path).unwrap();
        // The other loader refuses what this one finds fault with, and makes null of a number that JSON cannot hold.
        // It reads by YAML 1.1 that NEL and the Unicode separators end lines, which YAML 1.2 has dropped.
        if String::from_utf8_lossy(&bytes).contains(['\u{85}', '\u{2028}', '\u{2029}']) {
            continue;
        }
        let Ok(expected) = serde_yaml::from_slice::<serde_json::Value>(&bytes) else { continue };
        let reading = read(bytes, &Limits::default());
        if reading.findings.iter().all(|finding| finding.obligation == "document/stable-type") {
            assert_eq!(reading.document.unwrap().root().to_json(), expected, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 25, "{compared}");
}
