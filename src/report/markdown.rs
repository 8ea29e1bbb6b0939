//! Results as Markdown, for a comment on a pull request or the summary of a build step.
//!
//! Foreign text is hostile here too: it may neither format, link, mention anybody, nor end a code block.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::trend::Trend;
use super::words::{counted, duration, harmless};
use crate::finding::{Finding, Severity};
use crate::run::conclusion::Conclusion;
use crate::run::results::{Results, SubjectResult, Summary, Verdict};

/// GitHub takes comments of up to 65,536 characters; failures past this are counted and not shown.
const LONGEST: usize = 60_000;
/// Errors of one subject that are shown.
const SHOWN_ERRORS: usize = 5;
/// Names in a list of changes that are shown.
const SHOWN_NAMES: usize = 10;

/// Writes results.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, previous: Option<&Results>, to: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    // A string refuses nothing.
    let _ = head(&mut text, results);
    let _ = suites(&mut text, results);
    let _ = mutation(&mut text, results);
    if let Some(previous) = previous {
        let _ = changes(&mut text, &Trend::of(results, previous));
    }
    let _ = stale(&mut text, results);
    let _ = subjects(&mut text, results);
    to.write_all(text.as_bytes())
}

fn head(text: &mut String, results: &Results) -> std::fmt::Result {
    let conclusion = Conclusion::of(results);
    let sign = match conclusion {
        Conclusion::Conformant => "✅",
        Conclusion::NotConformant | Conclusion::Fault => "❌",
        Conclusion::Incomplete => "⚠️",
    };
    writeln!(text, "## {sign} conform: {}\n", conclusion.as_str())?;
    let Summary { passed, obligations_judged, obligations_total, .. } = results.summary;
    let noun = if results.emitter.is_some() { "scenario" } else { "document" };
    let total = results.results.len() + results.summary.not_run;
    if let Some(emitter) = &results.emitter {
        let version = emitter.version.as_deref().map_or(String::new(), |version| format!(" {}", prose(version)));
        write!(text, "**{}**{version}: ", prose(&emitter.name))?;
    }
    write!(text, "{passed} of {} passed, ", counted(total, noun))?;
    write!(text, "{obligations_judged} of {} judged", counted(obligations_total, "obligation"))?;
    let findings = [(results.summary.errors, "error"), (results.summary.warnings, "warning")];
    for (count, noun) in findings.into_iter().filter(|(count, _)| *count > 0) {
        write!(text, ", {}", counted(count, noun))?;
    }
    writeln!(text, ".")?;
    if let Some(shard) = results.shard {
        writeln!(text, "This is shard {} of {}, not the whole.", shard.index, shard.of)?;
    }
    if !results.complete {
        writeln!(text, "**Incomplete**: {} selected and never run.", counted(results.summary.not_run, noun))?;
    }
    Ok(())
}

fn suites(text: &mut String, results: &Results) -> std::fmt::Result {
    writeln!(
        text,
        "\n| suite | passed | failed | as expected | unsupported | not judged | obligations judged | time |"
    )?;
    writeln!(text, "| --- | --: | --: | --: | --: | --: | --: | --: |")?;
    for (suite, members) in super::junit::by_suite(results) {
        let summary = Summary::of(members.iter().copied(), 0);
        let time: f64 = members.iter().map(|result| result.duration_ms).sum();
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} of {} | {} |",
            prose(suite),
            summary.passed,
            summary.failed,
            summary.expected_failures,
            summary.unsupported,
            summary.not_judged,
            summary.obligations_judged,
            summary.obligations_total,
            duration(time),
        )?;
    }
    Ok(())
}

/// How well the suites notice what is broken, where that is known.
fn mutation(text: &mut String, results: &Results) -> std::fmt::Result {
    if !results.mutation.is_empty() {
        blank(text);
    }
    for score in &results.mutation {
        let sign = if score.is_full() { "" } else { "⚠️ " };
        writeln!(text, "- {sign}Mutation score of {}: {}", prose(&score.suite), prose(&score.told()))?;
    }
    Ok(())
}

fn changes(text: &mut String, trend: &Trend<'_>) -> std::fmt::Result {
    writeln!(text, "\n### Since {}\n", prose(&trend.previous.started))?;
    if trend.is_level() {
        return writeln!(text, "No verdict changed.");
    }
    for (what, subjects) in
        [("newly failed", &trend.broken), ("passed again", &trend.mended), ("no longer judged", &trend.lost)]
    {
        if !subjects.is_empty() {
            let names: Vec<String> = subjects.iter().take(SHOWN_NAMES).map(|result| code(&result.subject)).collect();
            let more = subjects.len().saturating_sub(SHOWN_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(text, "- **{} {what}**: {}{more}", subjects.len(), names.join(", "))?;
        }
    }
    if trend.added > 0 {
        writeln!(text, "- **{} added**", trend.added)?;
    }
    if !trend.removed.is_empty() {
        writeln!(text, "- **{} removed**", trend.removed.len())?;
    }
    Ok(())
}

/// The expected failures that no longer hold.
fn stale(text: &mut String, results: &Results) -> std::fmt::Result {
    let Some(expected) = results.expected.as_ref().filter(|expected| !expected.stale.is_empty()) else {
        return Ok(());
    };
    writeln!(text, "\n### Expected failures that no longer hold\n")?;
    for stale in expected.stale.iter().take(SHOWN_NAMES) {
        writeln!(text, "- {}: {}", code(&format!("{}:{}", expected.file, stale.line)), prose(&stale.message))?;
    }
    if expected.stale.len() > SHOWN_NAMES {
        writeln!(text, "- … and {} more", expected.stale.len() - SHOWN_NAMES)?;
    }
    Ok(())
}

fn subjects(text: &mut String, results: &Results) -> std::fmt::Result {
    let mut shown = 0;
    let of = |verdict| {
        results.results.iter().filter(move |result| result.verdict == verdict && !result.failed_as_expected())
    };
    let failed: Vec<&SubjectResult> = of(Verdict::Fail).chain(of(Verdict::NotJudged)).collect();
    for result in &failed {
        let mut one = String::new();
        subject(&mut one, result)?;
        if text.len() + one.len() > LONGEST {
            break;
        }
        if shown == 0 {
            writeln!(text, "\n### What did not pass\n")?;
        }
        text.push_str(&one);
        shown += 1;
    }
    if shown < failed.len() {
        writeln!(text, "\n… and {} more that did not pass; the other reports have them.", failed.len() - shown)?;
    }
    let left: Vec<&SubjectResult> =
        results.results.iter().filter(|result| result.verdict == Verdict::Unsupported && !result.optional).collect();
    if !left.is_empty() {
        writeln!(text, "\n### Required and unsupported\n")?;
        for result in left.iter().take(SHOWN_NAMES) {
            let reason = result.reason.as_deref().map_or(String::new(), |reason| format!(": {}", prose(reason)));
            writeln!(text, "- {}{reason}", code(&result.subject))?;
        }
        if left.len() > SHOWN_NAMES {
            writeln!(text, "- … and {} more", left.len() - SHOWN_NAMES)?;
        }
    }
    Ok(())
}

fn subject(text: &mut String, result: &SubjectResult) -> std::fmt::Result {
    let errors = result.errors().count();
    let what = match result.verdict {
        Verdict::Fail if result.is_flaky() => format!("flaky, {}", counted(errors, "error")),
        Verdict::Fail => counted(errors, "error"),
        _ => format!("not judged{}", result.reason.as_deref().map_or(String::new(), |why| format!(": {}", html(why)))),
    };
    writeln!(text, "<details><summary><code>{}</code> — {what}</summary>\n", html(&result.subject))?;
    for found in result.errors().take(SHOWN_ERRORS) {
        finding(text, result, found)?;
    }
    if errors > SHOWN_ERRORS {
        writeln!(text, "- … and {}", counted(errors - SHOWN_ERRORS, "more error"))?;
    }
    if let Some(reproduce) = &result.reproduce {
        fence(text, "", "sh", &harmless(reproduce))?;
    }
    blank(text);
    writeln!(text, "</details>\n")
}

fn finding(text: &mut String, result: &SubjectResult, finding: &Finding) -> std::fmt::Result {
    debug_assert_eq!(finding.severity, Severity::Error);
    writeln!(text, "- **{}** ({}): {}", code(&finding.obligation), finding.basis.as_str(), prose(&finding.message))?;
    let mut lines = String::new();
    if let Some(place) = &finding.place {
        let name = result.document_of(finding).unwrap_or("document");
        writeln!(lines, "{}:{}:{}  {}", harmless(name), place.line, place.column, harmless(&place.pointer))?;
    }
    for line in &finding.snippet {
        writeln!(lines, "{:>5} │ {}", line.line, harmless(&line.text))?;
    }
    if !lines.is_empty() {
        fence(text, "  ", "", &lines)?;
    }
    if let Some(comparison) = &finding.comparison {
        let diff = super::finding::unified(comparison);
        fence(text, "  ", "diff", &diff)?;
    }
    if let Some(expected) = result.expectation(finding) {
        blank(text);
        writeln!(text, "  expected: {}", prose(&expected.reason))?;
    }
    if let Some(help) = &finding.help {
        blank(text);
        writeln!(text, "  help: {}", prose(help))?;
    }
    Ok(())
}

/// A block of code, with a fence longer than any run of backticks in it.
fn fence(text: &mut String, indent: &str, language: &str, code: &str) -> std::fmt::Result {
    let fence = "`".repeat((longest_run(code) + 1).max(3));
    blank(text);
    writeln!(text, "{indent}{fence}{language}")?;
    code.lines().try_for_each(|line| writeln!(text, "{indent}{line}"))?;
    writeln!(text, "{indent}{fence}\n")
}

/// Ends a paragraph, unless one has just ended.
fn blank(text: &mut String) {
    if !text.ends_with("\n\n") && !text.is_empty() {
        text.push('\n');
    }
}

/// A text in a line of code.
fn code(text: &str) -> String {
    let text = harmless(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text as prose: nothing in it is markup, and nobody is mentioned.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for c in harmless(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A comment parts what would be a mention or a reference to an issue, and shows nothing.
            '@' | '#' => {
                out.push(c);
                out.push_str("<!-- -->");
            }
            // Keeps an address from being made a link.
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// A text inside an HTML element of the Markdown.
fn html(text: &str) -> String {
    harmless(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "@<!-- -->")
}

#[cfg(test)]
mod tests {
    use super::{code, fence, prose};

    #[test]
    fn foreign_text_is_no_markup() {
        assert_eq!(
            prose("<script>*a*_b_[c](d) | @all #1"),
            "&lt;script&gt;\\*a\\*\\_b\\_\\[c\\](d) \\| @<!-- -->all #<!-- -->1"
        );
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        let mut block = String::new();
        fence(&mut block, "", "", "```\nevil").unwrap();
        assert_eq!(block, "````\n```\nevil\n````\n\n");
    }
}
