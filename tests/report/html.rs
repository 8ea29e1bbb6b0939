//! The page, as far as its text tells; `scripts/report-in-browser.sh` looks at it in a browser.

use conform::finding::NotJudged;
use conform::report::Format;
use conform::run::results::Results;

use super::{results, stored, written};

fn page() -> String {
    let mut page = Vec::new();
    Format::Html.write(&results(), Some(&stored("previous.json")), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The text of a part of the page, as a reader without styles gets it: a line for each block.
fn text_of(page: &str, id: &str) -> String {
    let start = page.find(&format!("<section id=\"{id}\"")).unwrap();
    let end = start + page[start..].find("</section>").unwrap();
    let mut text = String::new();
    for piece in page[start..end].split('<') {
        let (tag, rest) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
        if !matches!(name, "a" | "b" | "code" | "span" | "mark" | "option" | "text") {
            text.push('\n');
        }
        text.push_str(rest);
    }
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#39;", "'").replace("&#38;", "&")
}

#[test]
fn the_page_tells_who_decides_what_it_comes_to() {
    insta::assert_snapshot!(text_of(&page(), "overview"));
}

#[test]
fn the_page_tells_who_fixes_what_was_found() {
    insta::assert_snapshot!(text_of(&page(), "findings"));
}

#[test]
fn the_page_explains_the_obligations_that_were_broken() {
    let text = text_of(&page(), "obligations");
    for id in ["mavai/latency-present", "process/timeout", "scenario/flaky"] {
        assert!(text.contains(id), "{id}: {text}");
    }
    assert!(text.contains("Keeps it") && text.contains("+ keeps it"), "{text}");
}

#[test]
fn the_page_tells_who_checks_it_what_was_judged_by_what() {
    insta::assert_snapshot!(text_of(&page(), "record"));
}

#[test]
fn foreign_text_stays_text() {
    let page = page();
    assert!(page.contains("&#60;script&#62;document.title="));
    assert!(!page.contains("<script"));
    assert!(!page.contains("<img"));
    assert!(!page.contains('\u{202e}'));
    // Whatever there is to put it in: every text of the model.
    let hostile = "\"'><script>alert(1)</script></style></title>{{ 7 * 7 }}\u{202e}\u{0}";
    let mut value = serde_json::to_value(results()).unwrap();
    spoil(&mut value, hostile);
    value["schema"] = "conform-results-1".into();
    let results: Results = serde_json::from_value(value).unwrap();
    let mut page = Vec::new();
    Format::Html.write(&results, Some(&results), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(!page.contains("<script") && !page.contains('\u{202e}') && !page.contains('\u{0}'));
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(page.matches("</title>").count(), 1);
}

/// Puts a text at the end of every text but those that are one of a few words.
fn spoil(value: &mut serde_json::Value, with: &str) {
    match value {
        serde_json::Value::String(text) => text.push_str(with),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, with)),
        serde_json::Value::Object(members) => {
            let fixed = ["verdict", "severity", "basis", "sides", "kind"];
            members
                .iter_mut()
                .filter(|(name, _)| !fixed.contains(&name.as_str()))
                .for_each(|(_, member)| spoil(member, with));
        }
        _ => {}
    }
}

#[test]
fn the_page_is_one_file_that_loads_nothing() {
    let page = page();
    assert!(page.contains("default-src 'none'"));
    for mark in ["src=", "@import", "url(", "http://", "https://"] {
        // What the hostile condition of the fixture would load is text, the address of an
        // issue is text too, and the icon's name space is a name.
        let page = page.replace("&#60;img src=x", "").replace("fetch(&#39;http://127.0.0.1", "");
        let page = page.replace("https://example.org/issues/12", "");
        let page = page.replace("xmlns='http://www.w3.org/2000/svg'", "");
        assert!(!page.contains(mark), "{mark}");
    }
}

#[test]
fn thousands_of_scenarios_stay_under_ten_megabytes() {
    let mut results = results();
    let failing: Vec<_> = results.results.iter().filter(|result| !result.findings.is_empty()).cloned().collect();
    let many = (0..5_000).map(|at| {
        let mut result = failing[at % failing.len()].clone();
        result.subject = format!("mavai-optimize-1/scenario-{at:04}");
        result
    });
    let many = many.collect();
    results.conclude(many, 0, 1.0);
    let page = written(Format::Html, &results);
    assert!(page.len() < 10_000_000, "{}", page.len());
    // Every one of them is there, with its verdict.
    let (folded, bare) =
        (page.matches("<details class=\"subject ").count(), page.matches("<p class=\"subject bare ").count());
    assert_eq!(folded + bare, 5_000);
    assert!(folded > 500, "{folded}");
    assert!(page.contains(&format!("The last {bare} scenarios stand without details")));
}

#[test]
fn the_reasons_why_obligations_were_not_judged_come_to_their_number() {
    let mut results = results();
    results.results.truncate(1);
    let result = &mut results.results[0];
    result.obligations.judged = result.obligations.total - 1;
    result.not_judged = ["the first reason", "the second reason"]
        .map(|reason| NotJudged {
            obligation: "mavai/latency-present".to_owned(),
            reason: reason.to_owned(),
            pointer: String::new(),
        })
        .into();
    let only = results.results.clone();
    results.conclude(only, 0, 1.0);
    let text = text_of(&written(Format::Html, &results), "overview");
    assert!(text.contains("the first reason\n1\n1\n"), "{text}");
    assert!(!text.contains("the second reason"), "{text}");
}
