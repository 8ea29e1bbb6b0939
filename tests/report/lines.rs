//! TAP and JSON Lines.

use std::io;

use conform::report::jsonl::Stream;
use conform::report::{Format, View};
use conform::run::results::{Results, Verdict};
use serde_json::Value;

use super::{results, written};

#[test]
fn tap_has_a_point_for_each_subject_and_says_why_one_did_not_pass() {
    insta::assert_snapshot!(written(Format::Tap, &results()));
}

/// What a TAP 14 stream holds: the plan, the points (number, passed, directive), and the YAML blocks as values.
fn read_tap(text: &str) -> (usize, Vec<(usize, bool, Option<String>)>, Vec<serde_json::Value>) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let plan = lines.next().and_then(|line| line.strip_prefix("1..")).expect("a plan").parse().expect("a number");
    let (mut points, mut blocks) = (Vec::new(), Vec::new());
    while let Some(line) = lines.next() {
        if line == "  ---" {
            let block: String = lines
                .by_ref()
                .take_while(|line| *line != "  ...")
                .map(|line| line.get(2..).unwrap_or("").to_owned() + "\n")
                .collect();
            blocks.push(serde_yaml::from_str(&block).expect("YAML"));
            continue;
        }
        if line.starts_with("Bail out!") || line.starts_with('#') {
            continue;
        }
        let (passed, rest) = match line.strip_prefix("ok ") {
            Some(rest) => (true, rest),
            None => (false, line.strip_prefix("not ok ").unwrap_or_else(|| panic!("no point: {line}"))),
        };
        let (number, description) = rest.split_once(" - ").expect("a description");
        // A directive starts at the first `#` that is not escaped.
        let bytes = description.as_bytes();
        let directive = (0..bytes.len()).find(|&at| {
            bytes[at] == b'#' && bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
        });
        points.push((number.parse().expect("a number"), passed, directive.map(|at| description[at..].to_owned())));
    }
    (plan, points, blocks)
}

#[test]
fn a_harness_reads_the_verdicts_off_tap() {
    let mut results = results();
    let hostile = "a # SKIP b\\#\nnot ok 9 - forged\n  ...\n1..0";
    for result in &mut results.results {
        result.subject.push_str(hostile);
        result.reason = Some(hostile.to_owned());
        result.stderr = Some(hostile.to_owned());
        result.findings.iter_mut().for_each(|finding| finding.message.push_str(hostile));
    }
    let (plan, points, blocks) = read_tap(&written(Format::Tap, &results));
    assert_eq!(plan, results.results.len());
    assert_eq!(points.len(), plan);
    for (at, (point, result)) in points.iter().zip(&results.results).enumerate() {
        let (number, passed, directive) = point;
        assert_eq!(*number, at + 1);
        assert_eq!(*passed, matches!(result.verdict, Verdict::Pass | Verdict::Unsupported));
        let to_do = directive.as_deref().is_some_and(|directive| directive.starts_with("# TODO "));
        assert_eq!(to_do, result.failed_as_expected());
        let skipped = directive.as_deref().is_some_and(|directive| directive.starts_with("# SKIP "));
        assert_eq!(skipped, result.verdict == Verdict::Unsupported, "{directive:?}");
    }
    let failed = results.results.iter().filter(|result| matches!(result.verdict, Verdict::Fail | Verdict::NotJudged));
    for (block, result) in blocks.iter().zip(failed) {
        assert_eq!(block["stderr"], hostile);
        assert_eq!(block["findings"].as_array().map_or(0, Vec::len), result.findings.len());
    }
}

#[test]
fn what_was_never_run_keeps_tap_from_looking_complete() {
    let mut results = results();
    let some = results.results.drain(..3).collect();
    results.conclude(some, 10, 1.0);
    let (plan, points, _) = read_tap(&written(Format::Tap, &results));
    assert_eq!((plan, points.len()), (13, 3));
}

/// Keeps what was written, and how much of it was there at each flush.
#[derive(Default)]
struct Watched {
    text: Vec<u8>,
    flushed: Vec<usize>,
}

impl io::Write for &mut Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed.push(self.text.len());
        Ok(())
    }
}

#[test]
fn json_lines_come_one_by_one_and_are_what_the_finished_run_gives() {
    let results = results();
    let mut watched = Watched::default();
    let mut stream = Stream { out: &mut watched };
    stream.begin(&Results { results: Vec::new(), duration_ms: None, ..results.clone() }).unwrap();
    for result in &results.results {
        stream.result(result).unwrap();
    }
    stream.finish(&results, 0.0).unwrap();
    assert_eq!(watched.flushed.len(), results.results.len() + 2);
    assert!(watched.flushed.iter().all(|&end| watched.text[..end].ends_with(b"\n")));
    assert_eq!(String::from_utf8(watched.text).unwrap(), written(Format::Jsonl, &results));
}

#[test]
fn json_lines_put_together_are_the_results() {
    let text = written(Format::Jsonl, &results());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, rest) = lines.split_first().unwrap();
    let (last, middle) = rest.split_last().unwrap();
    let mut whole = first["run"].clone();
    for (name, value) in last["end"].as_object().unwrap() {
        whole[name] = value.clone();
    }
    whole["results"] = middle.iter().map(|line| line["result"].clone()).collect();
    let json: Value = serde_json::from_str(&written(Format::Json, &results())).unwrap();
    assert_eq!(whole, json);
}
