//! `emitter.toml`: an emitter described by its author.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{EmitterError, Mode, program};

/// The file's name in an emitter's folder.
pub(super) const FILE: &str = "emitter.toml";

const FIELDS: &[&str] = &["name", "version", "command", "mode", "suites", "timeout", "env", "build"];

/// What the file says.
#[derive(Debug, PartialEq)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) version: Option<Version>,
    pub(super) command: Vec<String>,
    pub(super) mode: Mode,
    /// Suites that the emitter claims; all where the file does not say.
    pub(super) suites: Option<Vec<String>>,
    pub(super) timeout: Option<Duration>,
    pub(super) env: Vec<(String, String)>,
    pub(super) build: Option<Vec<String>>,
}

/// The emitter's version, or the command that prints it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Version {
    Text(String),
    Command(Vec<String>),
}

impl Manifest {
    /// # Errors
    /// Where the file cannot be read, is no TOML, or says something that a manifest does not; the error has the line.
    pub(super) fn read(path: &Path) -> Result<Self, EmitterError> {
        let error = |line, problem| EmitterError::Manifest { path: path.to_owned(), line, problem };
        let text = std::fs::read_to_string(path).map_err(|problem| error(None, problem.to_string()))?;
        parse(&text).map_err(|Problem { at, message }| error(at.map(|at| line(&text, at)), message))
    }
}

/// What is wrong, and where in the text.
struct Problem {
    at: Option<usize>,
    message: String,
}

fn problem(at: &Range<usize>, message: impl Into<String>) -> Problem {
    Problem { at: Some(at.start), message: message.into() }
}

fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

fn parse(text: &str) -> Result<Manifest, Problem> {
    let table = DeTable::parse(text)
        .map_err(|error| Problem { at: error.span().map(|span| span.start), message: error.message().to_owned() })?;
    let table = table.get_ref();
    refuse_unknown(table, FIELDS, "an emitter's manifest")?;

    let field = |name: &str| table.get(name).map(|value| (value.get_ref(), value.span()));
    let command = match field("command") {
        Some((value, at)) => command("command", value, &at)?,
        None => {
            let message = "there is no `command`; write, for example, command = [\"./my-emitter\"]".to_owned();
            return Err(Problem { at: None, message });
        }
    };
    Ok(Manifest {
        name: field("name").map(|(value, at)| string("name", value, &at)).transpose()?,
        version: field("version").map(|(value, at)| version(value, &at)).transpose()?,
        command,
        mode: field("mode").map(|(value, at)| mode(value, &at)).transpose()?.unwrap_or(Mode::Process),
        suites: field("suites").map(|(value, at)| strings("suites", value, &at)).transpose()?,
        timeout: field("timeout").map(|(value, at)| timeout(value, &at)).transpose()?,
        env: field("env").map(|(value, at)| env(value, &at)).transpose()?.unwrap_or_default(),
        build: field("build").map(|(value, at)| self::command("build", value, &at)).transpose()?,
    })
}

fn refuse_unknown(table: &DeTable<'_>, known: &[&str], of: &str) -> Result<(), Problem> {
    let Some(key) = table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) else { return Ok(()) };
    let written = key.get_ref();
    let likeness = |name: &str| strsim::jaro(name, written);
    let nearest = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let advice = match nearest.filter(|name| likeness(name) > 0.75) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("its fields are {}", known.join(", ")),
    };
    Err(problem(&key.span(), format!("`{written}` is no field of {of}; {advice}")))
}

fn mismatch(name: &str, value: &DeValue<'_>, at: &Range<usize>, expected: &str) -> Problem {
    let found = value.type_str();
    let article = if found.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    problem(at, format!("`{name}` is {article} {found}, where {expected} was expected"))
}

fn string(name: &str, value: &DeValue<'_>, at: &Range<usize>) -> Result<String, Problem> {
    let text = value.as_str().ok_or_else(|| mismatch(name, value, at, "a string"))?;
    if text.contains('\0') {
        return Err(problem(at, format!("`{name}` has a NUL character in it")));
    }
    Ok(text.to_owned())
}

fn strings(name: &str, value: &DeValue<'_>, at: &Range<usize>) -> Result<Vec<String>, Problem> {
    let items = value.as_array().ok_or_else(|| mismatch(name, value, at, "an array of strings"))?;
    items.iter().map(|item: &Spanned<DeValue<'_>>| string(name, item.get_ref(), &item.span())).collect()
}

/// An array of words, or a string that is split into words.
fn command(name: &str, value: &DeValue<'_>, at: &Range<usize>) -> Result<Vec<String>, Problem> {
    let words = if value.is_str() {
        program::words(&string(name, value, at)?).map_err(|error| problem(at, error.to_string()))?
    } else if value.is_array() {
        strings(name, value, at)?
    } else {
        return Err(mismatch(name, value, at, "an array of words or a string"));
    };
    if words.first().is_none_or(String::is_empty) {
        return Err(problem(at, format!("`{name}` names no program")));
    }
    Ok(words)
}

fn version(value: &DeValue<'_>, at: &Range<usize>) -> Result<Version, Problem> {
    let Some(table) = value.as_table() else {
        let text = value.as_str().ok_or_else(|| mismatch("version", value, at, "a string or { command = […] }"))?;
        return Ok(Version::Text(text.to_owned()));
    };
    refuse_unknown(table, &["command"], "`version`")?;
    match table.get("command") {
        Some(words) => Ok(Version::Command(command("version.command", words.get_ref(), &words.span())?)),
        None => Err(problem(at, "`version` has no `command`; write version = \"1.0\" or version = { command = […] }")),
    }
}

fn mode(value: &DeValue<'_>, at: &Range<usize>) -> Result<Mode, Problem> {
    match string("mode", value, at)?.as_str() {
        "process" => Ok(Mode::Process),
        "session" => Ok(Mode::Session),
        other => Err(problem(at, format!("`mode` is \"{other}\", where \"process\" or \"session\" was expected"))),
    }
}

fn timeout(value: &DeValue<'_>, at: &Range<usize>) -> Result<Duration, Problem> {
    const EXPECTED: &str = "a number of seconds above 0";
    let (DeValue::Integer(_) | DeValue::Float(_)) = value else {
        return Err(mismatch("timeout", value, at, EXPECTED));
    };
    let seconds = match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
        }
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    };
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| !duration.is_zero() && *duration <= Duration::from_secs(86_400))
        .ok_or_else(|| problem(at, format!("`timeout` is not {EXPECTED} and at most a day (86400)")))
}

fn env(value: &DeValue<'_>, at: &Range<usize>) -> Result<Vec<(String, String)>, Problem> {
    let table = value.as_table().ok_or_else(|| mismatch("env", value, at, "a table of strings"))?;
    let variable = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        let name: &str = key.get_ref();
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(problem(&key.span(), format!("\"{}\" cannot be a variable's name", name.escape_debug())));
        }
        if name.starts_with("CONFORM_") {
            return Err(problem(&key.span(), format!("{name} is set by the protocol; choose a name without CONFORM_")));
        }
        Ok((name.to_owned(), string(&format!("env.{name}"), value.get_ref(), &value.span())?))
    };
    table.iter().map(variable).collect()
}
