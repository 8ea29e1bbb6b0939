//! `conform explain`: what an obligation demands, and a document that keeps it beside one that breaks it.

use std::fmt::Write as _;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::args::ExplainArgs;
use super::error::Error;
use super::exit::Exit;
use super::output;
use crate::catalogue::{self, Entry, Form, Shown, wrapped};
use crate::check::nearest;
use crate::finding::Severity;
use crate::report::palette::Palette;
use crate::report::words::harmless;

/// Width of the prose.
const WIDTH: usize = 96;
/// Lines that agree, shown around lines that differ.
const CONTEXT: usize = 8;

/// Explains one obligation.
pub fn run(args: &ExplainArgs) -> Result<Exit, Error> {
    let entries = catalogue::all();
    let Some(entry) = entries.iter().find(|entry| entry.id == args.id) else {
        let ids = || entries.iter().map(|entry| entry.id);
        // A name without its family is near enough if only one family has it.
        let unprefixed = || ids().find(|id| id.rsplit('/').next() == Some(args.id.as_str()));
        let advice = match nearest(&args.id, ids()).or_else(unprefixed) {
            Some(near) => format!("did you mean {near}?"),
            None => "`conform list obligations` lists them all".to_owned(),
        };
        return Err(Error::Usage(format!("no such obligation: {}; {advice}", harmless(&args.id))));
    };
    let shown = entry.example.shown().map_err(Error::Fault)?;
    output::print(&text(entry, shown.as_ref(), &output::palette(args.color.color)))?;
    Ok(Exit::Conformant)
}

fn text(entry: &Entry, shown: Option<&Shown>, palette: &Palette) -> String {
    let id = palette.id;
    let severity = match entry.severity {
        Severity::Error => palette.fail,
        Severity::Warning => palette.warn,
        Severity::Note => palette.note,
    };
    let mut text = String::new();
    // Writing to a string refuses nothing.
    let _ = writeln!(text, "{id}{}{id:#}: {}\n", entry.id, entry.title);
    let _ = writeln!(text, "{}\n", wrapped(entry.demand, WIDTH, "  "));
    let _ = writeln!(text, "  basis     {}: {}", entry.basis.as_str(), entry.basis.authority());
    let _ = writeln!(text, "  severity  {severity}{}{severity:#}", entry.severity.as_str());
    let everywhere = "every suite".to_owned();
    let suites = if entry.suites.is_empty() { everywhere } else { entry.suites.join(", ") };
    let _ = writeln!(text, "  suites    {suites}");
    if !entry.also.is_empty() {
        let _ = writeln!(text, "  breaks    also {}", entry.also.join(", "));
    }
    if let Some(shown) = shown {
        example(&mut text, shown, palette);
    }
    text
}

fn example(text: &mut String, shown: &Shown, palette: &Palette) {
    let Palette { added, removed, dim, .. } = palette;
    let place = if shown.pointer.is_empty() { "the document" } else { &shown.pointer };
    // Writing to a string refuses nothing.
    let _ = match shown.form {
        Form::Words => {
            let good = wrapped(&format!("Keeps it: {}", shown.good), WIDTH, "  ");
            let bad = wrapped(&format!("Breaks it: {}", shown.bad), WIDTH, "  ");
            writeln!(text, "\n{good}\n{bad}")
        }
        Form::Pair => {
            let lines: String =
                shown.bad.lines().map(|line| format!("    {removed}{}{removed:#}\n", harmless(line))).collect();
            write!(
                text,
                "\n  {removed}broken{removed:#} by two documents of one check that both say   {dim}{place}{dim:#}\n{lines}"
            )
        }
        Form::Documents => {
            let difference = difference(shown, palette);
            write!(
                text,
                "\n  {added}+ keeps it{added:#}, {removed}- breaks it{removed:#}   {dim}{place}{dim:#}\n{difference}"
            )
        }
    };
}

fn difference(shown: &Shown, palette: &Palette) -> String {
    let Palette { added, removed, dim, .. } = palette;
    let mut text = String::new();
    let diff = TextDiff::configure().timeout(Duration::from_millis(500)).diff_lines(&shown.bad, &shown.good);
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            let _ = writeln!(text, "    {dim}…{dim:#}");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = harmless(change.value().trim_end_matches(['\n', '\r']));
            let _ = match change.tag() {
                ChangeTag::Delete => writeln!(text, "    {removed}- {line}{removed:#}"),
                ChangeTag::Insert => writeln!(text, "    {added}+ {line}{added:#}"),
                ChangeTag::Equal => writeln!(text, "      {line}"),
            };
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::suite;

    #[test]
    fn every_id_is_there_once_and_can_be_explained() {
        let mut seen = HashSet::new();
        for entry in catalogue::all() {
            assert!(seen.insert(entry.id), "{} is there twice", entry.id);
            let shown = entry.example.shown().unwrap_or_else(|problem| panic!("{}: {problem}", entry.id));
            let text = text(&entry, shown.as_ref(), &Palette::plain());
            assert!(text.starts_with(&format!("{}: {}", entry.id, entry.title)));
        }
        assert!(!seen.is_empty());
    }

    #[test]
    fn what_an_obligation_breaks_with_is_an_obligation() {
        let entries = catalogue::all();
        for entry in &entries {
            for also in &entry.also {
                assert!(entries.iter().any(|other| other.id == *also), "{} breaks {also}", entry.id);
            }
        }
    }

    /// Only what several documents show together can have an example whose two documents say the same.
    #[test]
    fn a_document_that_breaks_an_obligation_differs_from_one_that_keeps_it() {
        for entry in catalogue::all() {
            if let Ok(Some(Shown { form: Form::Pair, .. })) = entry.example.shown() {
                use crate::family::Sets;
                let of_sets =
                    |id: &&str| suite::by_id(id).is_some_and(|suite| suite.family().sets(suite) != Sets::None);
                assert!(entry.suites.iter().any(of_sets), "{}", entry.id);
            }
        }
    }
}
