//! Every obligation that a finding can name, from all the tables that there are.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::emitter;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Rule};
use crate::suite::{self, Suite};
use crate::{check, document, run, schema};

/// One obligation, as `list` and `explain` show it.
pub struct Entry {
    pub id: &'static str,
    pub title: &'static str,
    pub demand: &'static str,
    pub basis: Basis,
    pub severity: Severity,
    pub group: &'static str,
    /// Ids of the suites that it belongs to; empty for what holds everywhere.
    pub suites: Vec<&'static str>,
    /// Obligations that a document which breaks this one breaks too.
    pub also: Vec<&'static str>,
    /// Makes the example; only `explain` needs it.
    pub example: ExampleOf,
}

/// Where an entry's example comes from.
pub enum ExampleOf {
    None,
    /// What keeps it and what breaks it, in words.
    Words(&'static str, &'static str),
    /// Two texts.
    Texts(Cow<'static, str>, Cow<'static, str>),
    /// Edits of the plain example document of a suite.
    Rule(&'static Rule, &'static Suite),
}

/// The part of a document that shows an obligation: as it should be, and as it should not.
pub struct Shown {
    pub good: String,
    pub bad: String,
    /// JSON Pointer of the part; empty where it is the whole.
    pub pointer: String,
    pub form: Form,
}

/// What the two sides of an example are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A document that keeps the obligation, and one that breaks it.
    Documents,
    /// Two documents that break it together, in one check, by saying the same.
    Pair,
    /// Prose.
    Words,
}

/// The tables. A new one takes a line here.
const TABLES: &[fn() -> Vec<Entry>] = &[process, scenario, document, schema, families, validator];

/// Every obligation, in the order of the tables.
pub fn all() -> Vec<Entry> {
    TABLES.iter().flat_map(|table| table()).collect()
}

/// The families' obligations, each once, with every suite that has it.
fn families() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for suite in suite::all() {
        let family = suite.family();
        for rule in family.rules(suite).into_iter().chain(family.scenario_rules(suite)) {
            match entries.iter_mut().find(|entry| entry.id == rule.id) {
                Some(entry) => entry.suites.push(suite.id),
                None => entries.push(Entry {
                    suites: vec![suite.id],
                    also: rule.example.also.to_vec(),
                    example: ExampleOf::Rule(rule, suite),
                    ..bare(rule)
                }),
            }
        }
    }
    entries
}

/// What the emitter protocol demands of a process.
fn process() -> Vec<Entry> {
    let rules = emitter::rules::RULES.iter();
    rules
        .map(|rule| Entry {
            id: rule.id,
            title: rule.title,
            demand: rule.demand,
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "process",
            suites: Vec::new(),
            also: Vec::new(),
            example: ExampleOf::Words(rule.good, rule.bad),
        })
        .collect()
}

/// What a consumer owes.
fn validator() -> Vec<Entry> {
    crate::mutation::consumer::rules::RULES.iter().map(|rule| bare(rule)).collect()
}

/// What a scenario itself demands.
fn scenario() -> Vec<Entry> {
    run::rules::RULES.iter().map(|rule| bare(rule)).collect()
}

/// What every document's text owes, and that a suite claims it.
fn document() -> Vec<Entry> {
    let rules = document::rules::RULES.iter();
    let texts = rules.map(|rule| Entry {
        id: rule.id,
        title: rule.title,
        demand: rule.demand,
        basis: rule.basis,
        severity: rule.severity,
        group: "document",
        suites: Vec::new(),
        also: Vec::new(),
        example: match rule.bad {
            Some(bad) => ExampleOf::Texts(String::from_utf8_lossy(rule.good), String::from_utf8_lossy(bad)),
            None => ExampleOf::None,
        },
    });
    texts.chain([bare(&check::rules::SUITE)]).collect()
}

/// The keywords of JSON Schema.
fn schema() -> Vec<Entry> {
    let rules = schema::rules::RULES.iter();
    rules
        .map(|rule| Entry {
            id: rule.id,
            title: rule.title,
            demand: rule.demand,
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "schema",
            suites: Vec::new(),
            also: Vec::new(),
            example: ExampleOf::Texts(as_yaml(rule.good), as_yaml(rule.bad)),
        })
        .collect()
}

/// A piece of JSON as the other examples show theirs; as it stands where it is no JSON.
fn as_yaml(json: &'static str) -> Cow<'static, str> {
    let value = serde_json::from_str::<serde_json::Value>(json).ok();
    value.and_then(|value| serde_yaml::to_string(&value).ok()).map_or(Cow::Borrowed(json), Cow::Owned)
}

fn bare(rule: &Rule) -> Entry {
    Entry {
        id: rule.id,
        title: rule.title,
        demand: rule.demand,
        basis: rule.basis,
        severity: rule.severity,
        group: rule.group,
        suites: Vec::new(),
        also: Vec::new(),
        example: ExampleOf::None,
    }
}

impl ExampleOf {
    /// The example's two documents, cut to the part that shows the difference, as YAML.
    ///
    /// # Errors
    /// Where an example cannot be made: a fault of conform's own.
    pub fn shown(&self) -> Result<Option<Shown>, String> {
        let (rule, suite) = match self {
            ExampleOf::None => return Ok(None),
            ExampleOf::Words(good, bad) => {
                let shown = Shown {
                    good: (*good).to_owned(),
                    bad: (*bad).to_owned(),
                    pointer: String::new(),
                    form: Form::Words,
                };
                return Ok(Some(shown));
            }
            ExampleOf::Texts(good, bad) => {
                let (good, bad) = (good.clone().into_owned(), bad.clone().into_owned());
                return Ok(Some(Shown { good, bad, pointer: String::new(), form: Form::Documents }));
            }
            ExampleOf::Rule(rule, suite) => (rule, suite),
        };
        let example = rule.example;
        let fault = |problem: String| format!("the example of {} cannot be made: {problem}", rule.id);
        let plain = serde_json::from_str(suite.family().example(suite)).map_err(|error| fault(error.to_string()))?;
        let made = |mut document: serde_json::Value, edits: &[Edit]| {
            edits.iter().try_for_each(|edit| edit.apply(&mut document))?;
            suite.family().seal(suite, rule.id, &mut document)?;
            Ok(document)
        };
        let good = made(plain, example.good).map_err(fault)?;
        let bad = made(good.clone(), example.bad).map_err(fault)?;
        // A part that one of both lacks is shown by its parent.
        let mut pointer = example.show;
        while good.pointer(pointer).is_none() || bad.pointer(pointer).is_none() {
            pointer = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
        let part = |document: &serde_json::Value| {
            document.pointer(pointer).map(|part| serde_yaml::to_string(part).map_err(|error| fault(error.to_string())))
        };
        match (part(&good), part(&bad)) {
            (Some(good), Some(bad)) => {
                let (good, bad) = (good?, bad?);
                let form = if good == bad { Form::Pair } else { Form::Documents };
                Ok(Some(Shown { good, bad, pointer: pointer.to_owned(), form }))
            }
            _ => Ok(None),
        }
    }
}

/// A text broken into lines of at most this many characters, at spaces.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.push('\n');
            column = 0;
        }
        let lead = if column == 0 { indent } else { " " };
        let _ = write!(lines, "{lead}{word}");
        column += lead.chars().count() + length;
    }
    lines
}
