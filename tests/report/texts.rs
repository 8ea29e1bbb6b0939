//! Markdown, annotations and badges.

use conform::finding::{Comparison, Severity, Sides};
use conform::report::Format;
use conform::report::palette::Palette;
use conform::report::pretty::{Detail, subject};
use conform::run::results::Verdict;

use super::{empty, of_a_check, results, stored, written};

#[test]
fn markdown_says_what_failed_and_how_to_see_it_again() {
    insta::assert_snapshot!(written(Format::Markdown, &results()));
}

#[test]
fn markdown_says_what_changed() {
    let mut text = Vec::new();
    Format::Markdown.write(&results(), Some(&stored("previous.json")), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let changes = text.split("### ").find(|part| part.starts_with("Since")).unwrap();
    insta::assert_snapshot!(changes.trim_end(), @r"
    Since 2026-11-23T09&#58;00&#58;00Z

    - **1 newly failed**: `mavai-optimize-1/delivery-server-error`
    - **1 no longer judged**: `mavai-optimize-1/check-name-256`
    - **1 added**
    - **1 removed**
    ");
}

#[test]
fn markdown_fits_in_a_comment() {
    let mut results = results();
    let many = results.results.iter().cycle().take(2_000).cloned().collect();
    results.conclude(many, 0, 1.0);
    let text = written(Format::Markdown, &results);
    assert!(text.chars().count() < 65_536);
    assert!(text.contains(" more that did not pass; the other reports have them."));
}

/// Every report that shows two texts beside each other says what they are.
#[test]
fn a_comparison_says_what_is_compared() {
    for sides in [Sides::Derivation, Sides::Scenario, Sides::Emissions] {
        let mut results = results();
        let findings = results.results.iter_mut().flat_map(|result| &mut result.findings);
        let error = findings.into_iter().find(|finding| finding.severity == Severity::Error).unwrap();
        error.comparison = Some(Comparison { entered: "one\n".to_owned(), derived: "two\n".to_owned(), sides });
        let mut pretty = Vec::new();
        for result in &results.results {
            subject(&mut pretty, &Palette::plain(), Detail::Normal, result).unwrap();
        }
        let pretty = String::from_utf8(pretty).unwrap();
        for text in [pretty, written(Format::Markdown, &results), written(Format::Html, &results)] {
            let (left, right) = sides.labels();
            assert!(text.contains(left) && text.contains(right), "{sides:?}: {text}");
        }
    }
}

#[test]
fn annotations_of_a_run_name_the_scenario() {
    insta::assert_snapshot!(written(Format::Github, &results()));
}

#[test]
fn annotations_of_a_check_point_into_the_files() {
    let text = written(Format::Github, &of_a_check());
    assert!(
        text.contains("::error file=out/one-iteration.yaml,line=258,col=15,title=mavai/latency-present::"),
        "{text}"
    );
}

#[test]
fn an_annotation_is_one_line_and_nothing_foreign_starts_one() {
    let mut results = results();
    let hostile = "x\n::error::forged\r\n::set-output name=a::b\u{1b}[2J";
    for result in &mut results.results {
        result.subject.push_str(hostile);
        result.reason = Some(hostile.to_owned());
        for finding in &mut result.findings {
            finding.message.push_str(hostile);
            finding.help = Some(hostile.to_owned());
        }
    }
    let text = written(Format::Github, &results);
    assert!(text.lines().all(|line| line.starts_with("::error title=")
        || line.starts_with("::error file=expected.toml,line=14,endLine=18,title=")
        || line.starts_with("::warning title=")
        || line.starts_with("::notice title=")));
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn the_first_error_of_each_subject_comes_before_any_second_one() {
    let mut results = results();
    for result in &mut results.results {
        if result.verdict == Verdict::Fail {
            let again = result.findings.clone();
            result.findings.extend(again);
        }
    }
    let failed = results.summary.failed;
    let text = written(Format::Github, &results);
    let first: Vec<&str> =
        text.lines().take(failed).map(|line| line.split("%3A ").next().unwrap_or_default()).collect();
    let mut distinct = first.clone();
    distinct.dedup();
    assert_eq!(first, distinct);
}

#[test]
fn a_badge_says_the_conclusion_in_words() {
    insta::assert_snapshot!(written(Format::Badge, &results()));
    insta::assert_snapshot!(written(Format::Shields, &results()), @r#"
    {
      "schemaVersion": 1,
      "label": "conform",
      "message": "not conformant 5/13",
      "color": "red"
    }
    "#);
    assert!(written(Format::Badge, &empty()).contains("conformant 0/0"));
}
