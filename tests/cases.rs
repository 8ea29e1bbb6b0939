//! Whole documents with the verdicts that they must get, through the command line: documents that released emitters wrote, and
//! documents made by generators with oracles of their own. A case's row names the verdict and the obligations that must be reported
//! (comma = all, | = any of them, a trailing / = a prefix).

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn judge(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases").join(folder);
    let table = std::fs::read_to_string(folder.join("cases.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut judged = 0;
    for row in table.lines().filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let mut cells = row.split('\t');
        let (name, suite, verdict) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        if conform::suite::by_id(suite).is_none() {
            continue;
        }
        judged += 1;
        let run = Command::new(env!("CARGO_BIN_EXE_conform"))
            .args(["check", "--format", "json", "--suite", suite])
            .arg(folder.join(name))
            .output()
            .unwrap();
        let results: Value = serde_json::from_slice(&run.stdout)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}", String::from_utf8_lossy(&run.stderr)));
        let result = &results["results"][0];
        let findings = result["findings"].as_array().unwrap();
        let reported = |want: &str| {
            findings.iter().filter_map(|finding| finding["obligation"].as_str()).any(|id| {
                match want.strip_suffix('/') {
                    Some(_) => id.starts_with(want),
                    None => id == want,
                }
            })
        };
        if verdict != "any" && result["verdict"] != verdict {
            wrong.push(format!("{name}: verdict {}, should be {verdict}: {findings:?}", result["verdict"]));
        }
        if (run.status.code() == Some(0)) != (result["verdict"] == "pass") {
            wrong.push(format!("{name}: exit {:?} beside verdict {}", run.status.code(), result["verdict"]));
        }
        for wanted in cells.next().unwrap_or_default().split(',').filter(|wanted| !wanted.is_empty()) {
            if !wanted.split('|').any(reported) {
                wrong.push(format!("{name}: {wanted} is not reported"));
            }
        }
        for finding in findings.iter().filter(|finding| finding["severity"] == "error") {
            if finding["line"].as_u64().is_none() {
                wrong.push(format!("{name}: an error without a line: {finding}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 0, "no case was judged");
}

#[test]
fn documents_that_released_emitters_wrote() {
    judge("emitted");
}

#[test]
fn mavai() {
    judge("mavai");
}

#[test]
fn torneo() {
    judge("torneo");
}

#[test]
fn orbiplex() {
    judge("orbiplex");
}
