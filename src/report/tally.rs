//! What was found, counted by obligation.

use std::collections::HashMap;
use std::io::{self, Write};

use super::palette::Palette;
use super::words::{counted, harmless};
use crate::finding::Severity;
use crate::run::results::SubjectResult;

/// How often one obligation was found broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally<'r> {
    pub obligation: &'r str,
    pub severity: Severity,
    /// In how many subjects.
    pub subjects: usize,
    pub findings: usize,
}

/// A tally for each obligation and severity: errors first, and of one severity what the most subjects have.
pub fn by_obligation(results: &[SubjectResult]) -> Vec<Tally<'_>> {
    // Beside each tally, the last subject that was counted.
    let mut counts: HashMap<(&str, Severity), (Tally<'_>, usize)> = HashMap::new();
    for (at, result) in results.iter().enumerate() {
        for finding in &result.findings {
            let (obligation, severity) = (finding.obligation.as_str(), finding.severity);
            let (tally, last) = counts
                .entry((obligation, severity))
                .or_insert((Tally { obligation, severity, subjects: 0, findings: 0 }, usize::MAX));
            tally.findings += 1;
            tally.subjects += usize::from(*last != at);
            *last = at;
        }
    }
    let mut tallies: Vec<Tally<'_>> = counts.into_values().map(|(tally, _)| tally).collect();
    tallies.sort_by(|a, b| {
        b.severity.cmp(&a.severity).then(b.subjects.cmp(&a.subjects)).then_with(|| a.obligation.cmp(b.obligation))
    });
    tallies
}

/// Writes a line for each tally.
///
/// # Errors
/// Where the writer refuses.
pub fn write(out: &mut dyn Write, palette: &Palette, tallies: &[Tally<'_>], noun: &str) -> io::Result<()> {
    let width = tallies.iter().map(|tally| tally.obligation.chars().count()).max().unwrap_or(0);
    let digits = tallies.iter().map(|tally| tally.subjects.to_string().len()).max().unwrap_or(0);
    for tally in tallies {
        let style = match tally.severity {
            Severity::Error => palette.fail,
            Severity::Warning => palette.warn,
            Severity::Note => palette.note,
        };
        let (word, id) = (tally.severity.as_str(), palette.id);
        let obligation = harmless(tally.obligation);
        let pad = digits - tally.subjects.to_string().len();
        let subjects = counted(tally.subjects, noun);
        let findings = counted(tally.findings, "finding");
        writeln!(out, "{style}{word:<7}{style:#} {id}{obligation:<width$}{id:#} in {:pad$}{subjects}: {findings}", "")?;
    }
    Ok(())
}
