//! Who emitted what, judged by what, when and where: for who checks the report.

use std::fmt::Write as _;

use super::{shown, when};
use crate::report::words::duration;
use crate::run::results::{DeclaredFailure, Results};

pub struct Record {
    pub facts: Vec<(&'static str, String)>,
    /// Suite, selected scenarios, digest.
    pub selection: Vec<(String, usize, String)>,
    /// Expected failures in force: scenario, obligation, what was said about it.
    pub expected: Vec<(String, String, String)>,
    /// How many documents were judged, and a line for each: digest, bytes, subject and name. One text, as tables of thousands of
    /// rows are slow to open.
    pub documents: usize,
    pub listing: String,
}

impl Record {
    pub fn of(results: &Results) -> Self {
        let mut listing = String::new();
        let mut documents = 0;
        for result in &results.results {
            for document in &result.documents {
                documents += 1;
                let name = if document.name == result.subject { "" } else { &document.name };
                let (sha256, bytes) = (shown(&document.sha256), document.bytes);
                // A string refuses nothing.
                let _ = writeln!(listing, "{sha256} {bytes:>9}  {}  {}", shown(&result.subject), shown(name));
            }
        }
        let selection = results.selection.iter();
        Record {
            facts: facts(results),
            selection: selection.map(|suite| (shown(&suite.suite), suite.scenarios, shown(&suite.sha256))).collect(),
            expected: results.expected.iter().flat_map(|expected| expected.in_force.iter().map(declared)).collect(),
            documents,
            listing,
        }
    }
}

fn declared(declared: &DeclaredFailure) -> (String, String, String) {
    let what = super::subjects::expected(&declared.expected);
    (shown(&declared.scenario), shown(&declared.expected.obligation), what)
}

fn facts(results: &Results) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    match &results.emitter {
        Some(emitter) => {
            facts.push(("Emitter", shown(&emitter.name)));
            let version = emitter.version.as_deref().unwrap_or("not stated");
            facts.push(("Emitter's version", shown(version)));
            facts.push(("Emitter's command", shown(&shell_words::join(&emitter.command))));
        }
        None => facts.push(("Emitter", "none: documents were checked that had been emitted before".to_owned())),
    }
    facts.push(("Judged by", format!("conform {}", shown(&results.conform.version))));
    facts.push(("Results model", shown(&results.schema)));
    facts.push(("Started", format!("{} ({})", when(&results.started), shown(&results.started))));
    if let Some(milliseconds) = results.duration_ms {
        facts.push(("Took", duration(milliseconds)));
    }
    if let Some(platform) = &results.platform {
        facts.push(("Platform", format!("{}, {}", shown(&platform.os), shown(&platform.arch))));
    }
    let mut terms = Vec::new();
    if results.terms.strict {
        terms.push("narrow tolerances (--strict)".to_owned());
    }
    if results.terms.deny_warnings {
        terms.push("warnings denied (--deny warnings)".to_owned());
    }
    if results.terms.repeat > 1 {
        terms.push(format!("each scenario emitted {} times (--repeat)", results.terms.repeat));
    }
    facts.push(("Terms", if terms.is_empty() { "the usual".to_owned() } else { terms.join(", ") }));
    if let Some(shard) = results.shard {
        facts.push(("Part", format!("shard {} of {}; not the whole run", shard.index, shard.of)));
    }
    if let Some(expected) = &results.expected {
        facts.push(("Expected failures", shown(&expected.file)));
    }
    let complete = if results.complete { "yes" } else { "no: not everything that was selected was run" };
    facts.push(("Complete", complete.to_owned()));
    facts
}
