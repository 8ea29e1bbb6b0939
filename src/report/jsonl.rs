//! Results as JSON Lines, for whatever follows a run while it goes on.
//!
//! The first line is `{"run": …}`: the results object without `results`, `complete` and `summary`. Then `{"result": …}` for each
//! subject, and at the end `{"end": {"complete", "durationMs", "expected", "summary"}}`. A stream without the last line was cut short.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::View;
use crate::run::results::{DeclaredFailures, Results, SubjectResult, Summary};

/// Writes finished results as they would have been streamed.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    head(results, to)?;
    results.results.iter().try_for_each(|result| line(to, &Line::Result(result)))?;
    end(results, to)
}

/// A stream that each result is written to as it comes in.
pub struct Stream<W> {
    pub out: W,
}

impl<W: Write> View for Stream<W> {
    fn begin(&mut self, opening: &Results) -> io::Result<()> {
        head(opening, &mut self.out)?;
        self.out.flush()
    }

    fn result(&mut self, result: &SubjectResult) -> io::Result<()> {
        line(&mut self.out, &Line::Result(result))?;
        self.out.flush()
    }

    fn finish(&mut self, results: &Results, _: f64) -> io::Result<()> {
        end(results, &mut self.out)?;
        self.out.flush()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Line<'r> {
    Run(Value),
    Result(&'r SubjectResult),
    #[serde(rename_all = "camelCase")]
    End {
        complete: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        expected: &'r Option<DeclaredFailures>,
        summary: &'r Summary,
    },
}

/// The first line: what is known before the first result. Drawn from the results object, so that what is added there is here too.
fn head(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    let opening = Results { results: Vec::new(), duration_ms: None, ..without_results(results) };
    let mut value = serde_json::to_value(opening)?;
    if let Value::Object(members) = &mut value {
        for later in ["results", "complete", "expected", "summary"] {
            members.shift_remove(later);
        }
    }
    line(to, &Line::Run(value))
}

fn without_results(results: &Results) -> Results {
    Results {
        schema: results.schema.clone(),
        conform: results.conform.clone(),
        emitter: results.emitter.clone(),
        started: results.started.clone(),
        duration_ms: results.duration_ms,
        platform: results.platform.clone(),
        terms: results.terms,
        selection: results.selection.clone(),
        mutation: results.mutation.clone(),
        shard: results.shard,
        complete: results.complete,
        expected: None,
        results: Vec::new(),
        summary: results.summary,
    }
}

fn end(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    let Results { complete, duration_ms, expected, summary, .. } = results;
    line(to, &Line::End { complete: *complete, duration_ms: *duration_ms, expected, summary })
}

fn line(to: &mut dyn Write, line: &Line<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    writeln!(to)
}
