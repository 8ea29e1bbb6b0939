//! What people read about a text at fault: the bad sample of every rule, with its finding.

use conform::document::read;
use conform::document::rules::RULES;

#[test]
fn findings_say_what_was_found_and_what_to_do() {
    let mut out = String::new();
    for rule in RULES {
        let Some(bad) = rule.bad else { continue };
        for finding in read(bad.to_vec(), &rule.limits).findings {
            let place = finding.place.unwrap_or_default();
            out.push_str(&format!(
                "{} ({}, {}) at {}:{}",
                rule.id,
                finding.basis.as_str(),
                finding.severity.as_str(),
                place.line,
                place.column
            ));
            out.push_str(&format!("\n  {}\n", finding.message));
            for line in &finding.snippet {
                let text: String = line.text.chars().take(40).collect();
                out.push_str(&format!("  {} | {text}\n", line.line));
                if let Some(mark) = &line.mark {
                    let blank = " ".repeat(mark.column as usize - 1);
                    let carets = "^".repeat(mark.width as usize);
                    out.push_str(format!("    | {blank}{carets} {}", mark.label).trim_end());
                    out.push('\n');
                }
            }
            if let Some(help) = &finding.help {
                out.push_str(&format!("  help: {help}\n"));
            }
        }
    }
    insta::assert_snapshot!(out);
}
