//! Results in one character each, then the failures: for long runs in logs.

use std::io::{self, Write};

use super::View;
use super::pretty::{self, Detail, Pretty};
use crate::run::results::{Results, SubjectResult, Verdict};

/// Characters in a line.
const WIDTH: usize = 80;

/// Shows one character for each subject as it is judged (`.` passed, `F` failed, `x` failed as expected, `u` unsupported, `?` not judged), and at the
/// end what did not pass, as [`Pretty`] shows it.
pub struct Terse<W> {
    pretty: Pretty<W>,
    column: usize,
}

impl<W: Write> Terse<W> {
    pub fn new(pretty: Pretty<W>) -> Self {
        Terse { pretty, column: 0 }
    }
}

impl<W: Write> View for Terse<W> {
    fn result(&mut self, result: &SubjectResult) -> io::Result<()> {
        let palette = self.pretty.palette;
        let (style, character) = match result.verdict {
            Verdict::Pass => (palette.pass, '.'),
            Verdict::Fail if result.failed_as_expected() => (palette.warn, 'x'),
            Verdict::Fail => (palette.fail, 'F'),
            Verdict::Unsupported => (palette.warn, 'u'),
            Verdict::NotJudged => (palette.warn, '?'),
        };
        write!(self.pretty.out, "{style}{character}{style:#}")?;
        self.column += 1;
        if self.column == WIDTH {
            self.column = 0;
            writeln!(self.pretty.out)?;
        }
        self.pretty.out.flush()
    }

    fn finish(&mut self, results: &Results, elapsed_ms: f64) -> io::Result<()> {
        if self.column > 0 {
            writeln!(self.pretty.out)?;
        }
        let detail = if self.pretty.detail == Detail::Verbose { Detail::Verbose } else { Detail::Quiet };
        for result in results.results.iter().filter(|result| result.verdict != Verdict::Pass) {
            pretty::subject(&mut self.pretty.out, &self.pretty.palette, detail, result)?;
        }
        self.pretty.finish(results, elapsed_ms)
    }
}
