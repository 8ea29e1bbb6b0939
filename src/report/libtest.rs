//! Results as `cargo test` prints its tests, through libtest-mimic.

use std::io::{self, Write};

use libtest_mimic::{Arguments, ColorSetting, Completion, Failed, FormatSetting, Trial};

use super::View;
use super::palette::Palette;
use super::pretty::{self, Detail};
use crate::run::results::{Results, SubjectResult, Verdict};

/// Shows results as tests, once all are there.
pub struct Libtest<W> {
    pub out: W,
    pub colour: bool,
    pub detail: Detail,
}

impl<W: Write> View for Libtest<W> {
    fn result(&mut self, _: &SubjectResult) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, results: &Results, _: f64) -> io::Result<()> {
        // libtest-mimic panics where its output is refused; it writes to a file, therefore, and what it wrote is copied.
        let file = tempfile::NamedTempFile::new()?;
        let arguments = Arguments {
            test_threads: Some(1),
            format: Some(FormatSetting::Pretty),
            color: Some(if self.colour { ColorSetting::Always } else { ColorSetting::Never }),
            logfile: Some(file.path().to_string_lossy().into_owned()),
            ..Arguments::default()
        };
        let trials = results.results.iter().map(|result| trial(result, self.detail)).collect();
        // The trials only say what the results are; what to conclude from these is decided elsewhere.
        let _ = libtest_mimic::run(&arguments, trials);
        io::copy(&mut file.reopen()?, &mut self.out)?;
        self.out.flush()
    }
}

fn trial(result: &SubjectResult, detail: Detail) -> Trial {
    let suite = result.suite.clone().unwrap_or_default();
    let name = result.subject.strip_prefix(&format!("{suite}/")).unwrap_or(&result.subject).to_owned();
    let completion = completion(result, detail);
    Trial::ignorable_test(name, move || completion).with_kind(suite)
}

/// What a result is as the outcome of a test: unsupported is ignored with its reason, and so
/// is what failed as expected; everything else that did not pass failed.
///
/// # Errors
/// Where the test failed; the text is what was found.
pub fn completion(result: &SubjectResult, detail: Detail) -> Result<Completion, Failed> {
    match result.verdict {
        Verdict::Pass => Ok(Completion::Completed),
        Verdict::Unsupported => Ok(Completion::ignored_with(super::words::harmless(
            result.reason.as_deref().filter(|reason| !reason.is_empty()).unwrap_or("unsupported by the emitter"),
        ))),
        Verdict::Fail if result.failed_as_expected() => {
            Ok(Completion::ignored_with(super::words::harmless(&super::words::reasons(result))))
        }
        Verdict::Fail | Verdict::NotJudged => {
            let mut text = Vec::new();
            // A vector refuses nothing.
            let _ = pretty::subject(&mut text, &Palette::plain(), detail, result);
            Err(Failed::from(String::from_utf8_lossy(&text).trim_end().to_owned()))
        }
    }
}
