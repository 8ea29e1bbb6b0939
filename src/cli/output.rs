//! Where output goes: what is shown on which stream, in colour or not, and the reports that are written to files.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::args::{Color, Format, OutputArgs, ReportTarget};
use super::error::Error;
use super::stored;
use crate::report::libtest::Libtest;
use crate::report::palette::Palette;
use crate::report::pretty::{Detail, Pretty};
use crate::report::terse::Terse;
use crate::report::{self, View, json, jsonl};
use crate::run::results::{Results, SubjectResult};

/// Whether to colour what goes to a stream: the flag decides, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then
/// CLICOLOR=0, then whether a terminal that can show colours is at the other end.
pub fn coloured(color: Color, terminal: bool) -> bool {
    decide(color, terminal, |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
}

fn decide(color: Color, terminal: bool, var: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name| var(name).filter(|value| !value.is_empty());
    let forced = |name| set(name).is_some_and(|value| value != "0" && value != "false");
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR").is_some() => false,
        Color::Auto if forced("FORCE_COLOR") || forced("CLICOLOR_FORCE") => true,
        Color::Auto if set("CLICOLOR").as_deref() == Some("0") => false,
        Color::Auto => terminal && set("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// The palette for standard output.
pub fn palette(color: Color) -> Palette {
    if coloured(color, io::stdout().is_terminal()) { Palette::coloured() } else { Palette::plain() }
}

/// Prints a whole text on standard output.
///
/// # Errors
/// Where standard output refuses it.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// Says something beside the results, on standard error. Where nobody listens, there is nobody to tell.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What shows results while a command runs. A stream that refuses is not written to again, and the command goes on: reports
/// and exit code do not depend on who watches.
pub struct Screen {
    view: Box<dyn View>,
    /// Beside machine output, what people get on standard error.
    aside: Option<Box<dyn View>>,
    refused: Option<io::Error>,
}

impl Screen {
    pub fn new(args: &OutputArgs, noun: &'static str, deny_warnings: bool) -> Self {
        let detail = match (args.quiet, args.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        let pretty = |detail| Pretty {
            out: BufWriter::new(io::stdout()),
            palette: palette(args.color.color),
            detail,
            noun,
            deny_warnings,
        };
        let view: Box<dyn View> = match args.format {
            Format::Pretty => Box::new(pretty(detail)),
            Format::Terse => Box::new(Terse::new(pretty(detail))),
            Format::Libtest => Box::new(Libtest {
                out: io::stdout(),
                colour: coloured(args.color.color, io::stdout().is_terminal()),
                detail,
            }),
            Format::Json => Box::new(Json { out: BufWriter::new(io::stdout()) }),
            Format::Jsonl => Box::new(jsonl::Stream { out: BufWriter::new(io::stdout()) }),
        };
        let machine = matches!(args.format, Format::Json | Format::Jsonl);
        let aside: Option<Box<dyn View>> = (machine && !args.quiet).then(|| -> Box<dyn View> {
            let terminal = io::stderr().is_terminal();
            let palette = if coloured(args.color.color, terminal) { Palette::coloured() } else { Palette::plain() };
            let detail = if args.verbose { Detail::Verbose } else { Detail::Summary };
            Box::new(Pretty { out: BufWriter::new(io::stderr()), palette, detail, noun, deny_warnings })
        });
        Screen { view, aside, refused: None }
    }

    /// Shows what is known before the first result.
    pub fn begin(&mut self, opening: &Results) {
        self.show(|view| view.begin(opening));
    }

    /// Shows one result.
    pub fn result(&mut self, result: &SubjectResult) {
        self.show(|view| view.result(result));
    }

    /// Shows what all results come to.
    ///
    /// # Errors
    /// Where standard output refused something, now or before.
    pub fn finish(mut self, results: &Results, elapsed_ms: f64) -> Result<(), Error> {
        self.show(|view| view.finish(results, elapsed_ms));
        self.refused.map_or(Ok(()), |error| Err(Error::Output(error)))
    }

    fn show(&mut self, mut write: impl FnMut(&mut dyn View) -> io::Result<()>) {
        if self.refused.is_none() {
            self.refused = write(&mut *self.view).err();
        }
        if let Some(aside) = &mut self.aside
            && write(&mut **aside).is_err()
        {
            self.aside = None;
        }
    }
}

/// Results as JSON, once all are there.
struct Json<W> {
    out: W,
}

impl<W: Write> View for Json<W> {
    fn result(&mut self, _: &SubjectResult) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, results: &Results, _: f64) -> io::Result<()> {
        json::write(results, &mut self.out)?;
        self.out.flush()
    }
}

/// Reports to be written when the results are there. Whether they can be written is found out before anything runs.
pub struct Reports {
    targets: Vec<(ReportTarget, Sink)>,
    previous: Option<Results>,
    /// The first thing that went wrong with a report that is written while the run goes on.
    refused: Option<Error>,
}

enum FileSink {
    /// A new file that takes the place of the old one in one step, so that a report is never seen half written.
    Replace(NamedTempFile),
    /// A pipe or a device.
    Direct(File),
}

enum Sink {
    File(FileSink),
    /// Standard output, after what is shown there.
    Stdout,
    /// A file that every result is appended to as it comes in.
    Stream(jsonl::Stream<BufWriter<File>>),
    /// A stream that refused; nothing more is written to it.
    Broken,
}

impl Reports {
    /// Makes ready to write what the flags ask for.
    ///
    /// # Errors
    /// Where a path cannot be written, two reports have the same, or the earlier results cannot be read.
    pub fn prepare(args: &OutputArgs) -> Result<Self, Error> {
        let machine = matches!(args.format, Format::Json | Format::Jsonl);
        if let Some(target) = args.report.iter().find(|target| machine && is_stdout(&target.path)) {
            let format = target.format.name();
            return Err(Error::Usage(format!(
                "--report {format}=-: standard output already carries --format's JSON; give the report a file"
            )));
        }
        Reports::to(&args.report, args.previous.as_deref(), true)
    }

    /// Makes ready to write to some targets; `streaming` if results will come in one by one.
    ///
    /// # Errors
    /// As [`Reports::prepare`].
    pub fn to(targets: &[ReportTarget], previous: Option<&Path>, streaming: bool) -> Result<Self, Error> {
        let previous = previous.map(stored::read).transpose()?;
        let mut reports: Vec<(ReportTarget, Sink)> = Vec::new();
        for target in targets {
            if reports.iter().any(|(other, _)| other.path == target.path) {
                return Err(Error::Usage(format!("two reports to the same file {}", target.path.display())));
            }
            let sink = sink(target, streaming).map_err(|error| refused(target, &error))?;
            reports.push((target.clone(), sink));
        }
        Ok(Reports { targets: reports, previous, refused: None })
    }

    /// Writes what is known before the first result to the reports that are streams.
    pub fn begin(&mut self, opening: &Results) {
        self.stream(|stream| stream.begin(opening));
    }

    /// Writes one result to the reports that are streams.
    pub fn result(&mut self, result: &SubjectResult) {
        self.stream(|stream| stream.result(result));
    }

    fn stream(&mut self, mut write: impl FnMut(&mut jsonl::Stream<BufWriter<File>>) -> io::Result<()>) {
        for (target, sink) in &mut self.targets {
            if let Sink::Stream(stream) = sink
                && let Err(error) = write(stream)
            {
                self.refused.get_or_insert_with(|| refused(target, &error));
                *sink = Sink::Broken;
            }
        }
    }

    /// Writes every report; one that fails does not keep the others from being written.
    ///
    /// # Errors
    /// The first failure.
    pub fn write(self, results: &Results) -> Result<(), Error> {
        let mut outcome = self.refused.map_or(Ok(()), Err);
        let previous = self.previous.as_ref();
        for (target, sink) in self.targets {
            let fill = |file: &mut dyn Write| {
                let mut out = BufWriter::new(file);
                target.format.write(results, previous, &mut out)?;
                out.flush()
            };
            let written = match sink {
                Sink::File(FileSink::Replace(mut file)) => fill(file.as_file_mut())
                    .and_then(|()| file.persist(&target.path).map(drop).map_err(|error| error.error)),
                Sink::File(FileSink::Direct(mut file)) => fill(&mut file),
                Sink::Stdout => fill(&mut io::stdout().lock()),
                Sink::Stream(mut stream) => stream.finish(results, 0.0),
                Sink::Broken => Ok(()),
            };
            if let Err(error) = written {
                let error = if is_stdout(&target.path) { Error::Output(error) } else { refused(&target, &error) };
                outcome = outcome.and(Err(error));
            }
        }
        outcome
    }
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

fn sink(target: &ReportTarget, streaming: bool) -> io::Result<Sink> {
    if is_stdout(&target.path) {
        return Ok(Sink::Stdout);
    }
    if streaming && target.format == report::Format::Jsonl {
        return File::create(&target.path).map(|file| Sink::Stream(jsonl::Stream { out: BufWriter::new(file) }));
    }
    file_sink(&target.path).map(Sink::File)
}

fn file_sink(path: &Path) -> io::Result<FileSink> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(metadata) if !metadata.is_file() => OpenOptions::new().write(true).open(path).map(FileSink::Direct),
        _ => {
            let folder = match path.parent() {
                Some(folder) if folder != Path::new("") => folder.to_owned(),
                _ => PathBuf::from("."),
            };
            // Said of the folder itself, not of a file in it that nobody asked for.
            fs::metadata(&folder)?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".conform-report-");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                // Like any new file; the process's mask narrows it.
                builder.permissions(fs::Permissions::from_mode(0o666));
            }
            builder.tempfile_in(folder).map(FileSink::Replace)
        }
    }
}

/// Puts a file with these bytes in the place of the one at a path, in one step.
///
/// # Errors
/// Where the path cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match file_sink(path)? {
        FileSink::Replace(mut file) => {
            file.write_all(bytes)?;
            file.persist(path).map(drop).map_err(|error| error.error)
        }
        FileSink::Direct(mut file) => file.write_all(bytes),
    }
}

fn refused(target: &ReportTarget, error: &io::Error) -> Error {
    let path = target.path.display();
    Error::Usage(format!("--report: cannot write the {} report to {path}: {error}", target.format.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(vars: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn the_flag_outranks_the_environment() {
        assert!(decide(Color::Always, false, with(&[("NO_COLOR", "1")])));
        assert!(!decide(Color::Never, true, with(&[("FORCE_COLOR", "1")])));
    }

    #[test]
    fn no_color_outranks_what_forces_colour() {
        assert!(!decide(Color::Auto, true, with(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")])));
        assert!(decide(Color::Auto, true, with(&[("NO_COLOR", "")])));
    }

    #[test]
    fn colour_can_be_forced_where_no_terminal_is() {
        assert!(decide(Color::Auto, false, with(&[("FORCE_COLOR", "1")])));
        assert!(decide(Color::Auto, false, with(&[("CLICOLOR_FORCE", "1")])));
        assert!(!decide(Color::Auto, false, with(&[("FORCE_COLOR", "0")])));
    }

    #[test]
    fn a_terminal_gets_colour_unless_it_cannot_show_any() {
        assert!(decide(Color::Auto, true, with(&[("TERM", "xterm")])));
        assert!(!decide(Color::Auto, true, with(&[("TERM", "dumb")])));
        assert!(!decide(Color::Auto, true, with(&[("CLICOLOR", "0")])));
        assert!(!decide(Color::Auto, false, with(&[])));
    }
}
