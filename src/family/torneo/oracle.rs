//! The oracle: what an épreuve must say that was made of a scenario, held against what an emitter wrote.
//!
//! The order of matches, tables and sets is the emitter's own, and so are match ids, free text and optional blocks that it does not
//! state. Missing required members are for the schema to report.

use std::collections::{BTreeSet, HashMap};

use super::derive::members;
use super::dominance::{basis_lines, entered_basis};
use super::instant::Instant;
use super::model::{Comparison, Epreuve, Match, Outcome, Side};
use super::scenario::Input;
use crate::document::{self, Document, Kind, Limits, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Judge, Report};

/// Judges the documents that an emitter made of a scenario's input.
///
/// # Errors
/// Where the input is not one that a scenario of this suite may have.
pub fn judge(input: &serde_json::Value, documents: &[&Document], judge: &mut Judge<'_>) -> Result<(), String> {
    let input = Input::parse(input)?;
    let mut expected = input.document()?;
    let raw = reread(&expected)?;
    for (key, value) in members(&Epreuve::read(&raw), input.winner_rule)?.as_object_mut().into_iter().flatten() {
        expected[key.as_str()] = value.take();
    }
    let expected = reread(&expected)?;
    let Some((first, others)) = documents.split_first() else { return Ok(()) };
    let mut oracle = Oracle { emitted: &Epreuve::read(first), expected: &Epreuve::read(&expected), judge };
    for (other, number) in others.iter().zip(2..) {
        oracle.differs(other.root(), "document", &format!("document number {number}"), "there is one épreuve");
    }
    oracle.header();
    oracle.matches();
    oracle.standings();
    oracle.dominance();
    oracle.titles();
    oracle.denominators();
    oracle.conduct();
    Ok(())
}

fn reread(document: &serde_json::Value) -> Result<Document, String> {
    let read = document::read(document.to_string().into_bytes(), &Limits::default());
    read.document.ok_or_else(|| "the scenario's own épreuve cannot be read".to_owned())
}

struct Oracle<'o, 'd, 'e, 's> {
    emitted: &'o Epreuve<'d>,
    expected: &'o Epreuve<'e>,
    judge: &'o mut Judge<'s>,
}

impl<'d, 'e> Oracle<'_, 'd, 'e, '_> {
    fn differs(&mut self, at: Value<'_>, what: &str, emitted: &str, expected: &str) -> Report<'_> {
        let message = format!("{what}: emitted {emitted}, the scenario says {expected}");
        self.judge.finding_as("scenario/differs", Basis::Derived, Severity::Error, at, message).help(
            "derive the document from the scenario's input; `docs/scenarios-torneo.md` says what follows from what",
        )
    }

    /// A top-level member on both sides; `None` where the emitter does not state it or it is no such container.
    fn both(&self, key: &str, kind: Kind) -> Option<(Value<'d>, Value<'e>)> {
        let emitted = self.emitted.root.get(key).filter(|value| value.kind() == kind)?;
        Some((emitted, self.expected.root.get(key)?))
    }

    fn header(&mut self) {
        let keys = ["epreuve_id", "category", "multiplicity", "alpha", "observed_at", "status"];
        self.members("", self.emitted.root, self.expected.root, &keys);
        for key in ["tools", "dimensions"] {
            self.set_of_names(key);
        }
        for (key, keys) in [
            ("corpus", &["unit_count", "sha256", "frozen_at"][..]),
            ("preregistration", &["document", "sha256", "frozen_at"]),
        ] {
            if let Some((emitted, expected)) = self.both(key, Kind::Object) {
                self.members(&format!("{key}."), emitted, expected, keys);
            }
        }
        if let Some((emitted, expected)) = self.both("tool_vendors", Kind::Object) {
            self.members("vendor of ", emitted, expected, &keys_of(emitted));
            for key in keys_of(expected).into_iter().filter(|key| emitted.get(key).is_none()) {
                let wanted = expected.get(key).map_or(String::new(), shown);
                self.differs(emitted, &format!("vendor of {key}"), "none", &wanted);
            }
        }
        let expected = self.expected.root.get("withdrawn").filter(|withdrawn| !withdrawn.is_empty());
        match (self.emitted.root.get("withdrawn"), expected) {
            (None, Some(expected)) => {
                let count = format!("{} withdrawn", expected.len());
                self.differs(self.emitted.root, "withdrawn", "nothing", &count);
            }
            (Some(_), _) => self.entries("withdrawn", "tool", &["reason", "withdrawn_at"]),
            (None, None) => {}
        }
    }

    /// Compares members of two objects where the emitter states them: one that is required and missing is for the schema.
    fn members(&mut self, prefix: &str, emitted: Value<'d>, expected: Value<'e>, keys: &[&str]) {
        for key in keys {
            let Some(value) = emitted.get(key) else { continue };
            let what = format!("{prefix}{key}");
            match expected.get(key) {
                Some(wanted) if (value.kind(), wanted.kind()) == (Kind::Object, Kind::Object) => {
                    self.members(&format!("{what}."), value, wanted, &keys_of(wanted));
                }
                Some(wanted) if !same(value, wanted) => {
                    self.differs(value, &what, &shown(value), &shown(wanted));
                }
                Some(_) => {}
                None => {
                    self.differs(value, &what, &shown(value), "nothing of it");
                }
            }
        }
    }

    /// Compares two arrays of objects by the key that identifies an entry.
    fn entries(&mut self, key: &str, id: &str, keys: &[&str]) {
        let Some((emitted, expected)) = self.both(key, Kind::Array) else { return };
        let name = |entry: Value<'_>| entry.get(id).and_then(Value::as_str).map(str::to_owned);
        let mut left: HashMap<String, Value<'e>> =
            expected.items().filter_map(|entry| Some((name(entry)?, entry))).collect();
        for entry in emitted.items() {
            let Some(this) = name(entry) else { continue };
            match left.remove(&this) {
                Some(wanted) => self.members(&format!("{key} `{}`: ", this.escape_debug()), entry, wanted, keys),
                None => {
                    self.differs(entry, key, &format!("`{}`", this.escape_debug()), "no such entry");
                }
            }
        }
        let missing: BTreeSet<&String> = left.keys().collect();
        for this in missing {
            self.differs(emitted, key, "no such entry", &format!("`{}`", this.escape_debug()));
        }
    }

    /// Compares two arrays of strings as sets.
    fn set_of_names(&mut self, key: &str) {
        let Some((emitted, expected)) = self.both(key, Kind::Array) else { return };
        let names = |array: Value<'_>| -> BTreeSet<String> { array.items().map(shown).collect() };
        let (stated, wanted) = (names(emitted), names(expected));
        if stated != wanted {
            self.differs(emitted, key, &list(&stated), &list(&wanted));
        }
    }

    fn matches(&mut self) {
        let (Ok(emitted), Ok(expected)) = (self.emitted.matches(), self.expected.matches()) else { return };
        let mut stated: HashMap<[&str; 2], &Match<'d>> = HashMap::with_capacity(emitted.len());
        for played in emitted {
            if let Some(pair) = pair(played) {
                stated.entry(pair).or_insert(played);
            }
        }
        for wanted in expected {
            let Some(pair) = pair(wanted) else { continue };
            let Some(played) = stated.get(&pair) else {
                if let Some(at) = self.emitted.root.get("matches") {
                    self.differs(at, "matches", "no match", &format!("`{}` and `{}` meet", pair[0], pair[1]));
                }
                continue;
            };
            self.comparisons(played, wanted);
        }
    }

    fn comparisons(&mut self, played: &Match<'d>, wanted: &Match<'e>) {
        let (emitted, expected) = (self.emitted, self.expected);
        for comparison in expected.comparisons(wanted) {
            let Some(dimension) = comparison.name.and_then(Value::as_str) else { continue };
            let what = format!("match {} on {dimension}", played.name());
            let of_dimension = |one: &&Comparison<'_>| one.name.and_then(Value::as_str) == Some(dimension);
            let Some(stated) = emitted.comparisons(played).iter().find(of_dimension) else {
                self.differs(played.value, &what, "nothing", &says(wanted, comparison));
                continue;
            };
            let (entered, derived) = (says(played, stated), says(wanted, comparison));
            if entered != derived {
                self.differs(stated.value, &what, &entered, &derived);
            } else if comparison.value.get("p_value").is_some() {
                self.members(&format!("{what}: "), stated.value, comparison.value, &["p_value"]);
            }
        }
    }

    fn standings(&mut self) {
        let Some((emitted, expected)) = self.both("standings", Kind::Array) else { return };
        for wanted in expected.items() {
            let dimension = wanted.get("dimension");
            let name = dimension.and_then(Value::as_str).unwrap_or_default();
            let of_dimension = |table: &Value<'_>| table.get("dimension").and_then(Value::as_str) == Some(name);
            let Some(table) = emitted.items().find(of_dimension) else {
                self.differs(emitted, "standings", "no table", &format!("there is one for {name}"));
                continue;
            };
            let (entered, derived) = (rows(table), rows(wanted));
            if entered != derived {
                let (entered, derived) = (entered.concat(), derived.concat());
                self.differs(table, &format!("standings on {name}"), "other counts", "what the comparisons add up to")
                    .comparison(entered, derived);
            }
        }
    }

    fn dominance(&mut self) {
        self.set_of_names("pareto_set");
        if let Some((emitted, expected)) = self.both("dominance_cycles", Kind::Array) {
            let groups = |array: Value<'_>| -> BTreeSet<String> {
                array.items().map(|group| format!("({})", list(&group.items().map(shown).collect()))).collect()
            };
            let (stated, wanted) = (groups(emitted), groups(expected));
            if stated != wanted {
                self.differs(emitted, "dominance_cycles", &list(&stated), &list(&wanted));
            }
        }
        let Some((emitted, expected)) = self.both("dominance_basis", Kind::Array) else { return };
        let mut left: HashMap<String, Value<'e>> =
            expected.items().filter_map(|entry| Some((domination(entry)?, entry))).collect();
        for entry in emitted.items() {
            let Some(name) = domination(entry) else { continue };
            let Some(wanted) = left.remove(&name) else {
                self.differs(entry, "dominance_basis", &name, "no such domination");
                continue;
            };
            let (Some(entered), Some(derived)) = (entered_basis(entry), entered_basis(wanted)) else { continue };
            let (entered, derived) = (basis_lines(self.expected, &entered), basis_lines(self.expected, &derived));
            if entered != derived {
                self.differs(entry, &format!("basis of {name}"), "other dimensions", "what their match says")
                    .comparison(entered, derived);
            }
        }
        let missing: BTreeSet<&String> = left.keys().collect();
        for name in missing {
            self.differs(emitted, "dominance_basis", "no such entry", name);
        }
    }

    fn titles(&mut self) {
        let (emitted, expected) = (self.emitted.root, self.expected.root);
        if let (Some(stated), Some(wanted)) = (emitted.get("epreuve_winners"), expected.get("epreuve_winners")) {
            for (key, wanted) in wanted.members() {
                let dimension = key.as_str().unwrap_or_default();
                let winner = stated.get(dimension);
                if winner.and_then(Value::as_str) != wanted.as_str() {
                    let entered = winner.map_or("no winner".to_owned(), shown);
                    self.differs(winner.unwrap_or(stated), &format!("winner on {dimension}"), &entered, &shown(wanted));
                }
            }
        }
        if let (Some(stated), Some(wanted)) = (emitted.get("champion"), expected.get("champion"))
            && !same(stated, wanted)
        {
            self.differs(stated, "champion", &shown(stated), &shown(wanted));
        }
    }

    fn denominators(&mut self) {
        let Some((emitted, expected)) = self.both("denominators", Kind::Object) else { return };
        let totals = ["comparisons_played", "comparisons_concluded", "matches_played", "matches_concluded"];
        self.members("denominators.", emitted, expected, &totals);
        let (Some(emitted), Some(expected)) = (emitted.get("per_dimension"), expected.get("per_dimension")) else {
            return;
        };
        for (key, wanted) in expected.members() {
            let name = key.as_str().unwrap_or_default();
            let Some(stated) = emitted.get(name) else {
                self.differs(emitted, "denominators.per_dimension", "nothing", &format!("counts for {name}"));
                continue;
            };
            self.members(&format!("denominators on {name}: "), stated, wanted, &keys_of(wanted));
        }
    }

    fn conduct(&mut self) {
        self.entries("validators", "validator_id", &["signed_at", "charter_version", "checks"]);
        let replay = ["command", "artefacts", "corpus_available_to_third_party", "unavailability_reason"];
        for (key, keys) in [("arbitration_rule", &["document", "sha256"][..]), ("replay", &replay)] {
            let Some(stated) = self.emitted.root.get(key) else { continue };
            match self.expected.root.get(key) {
                Some(wanted) => self.members(&format!("{key}."), stated, wanted, keys),
                None => {
                    self.differs(stated, key, "one", "there is none");
                }
            }
        }
    }
}

fn keys_of(object: Value<'_>) -> Vec<&str> {
    object.members().filter_map(|(key, _)| key.as_str()).collect()
}

/// Equal by value, instants in time.
fn same(emitted: Value<'_>, expected: Value<'_>) -> bool {
    let instant = |value: Value<'_>| value.as_str().map(str::to_owned);
    emitted.same_as(expected)
        || match (instant(emitted), instant(expected)) {
            (Some(a), Some(b)) => Instant::parse(&a).is_ok_and(|a| Instant::parse(&b) == Ok(a)),
            _ => false,
        }
}

/// A value as messages show it, in bounded length.
fn shown(value: Value<'_>) -> String {
    const LONGEST: usize = 80;
    let text = match value.as_str() {
        Some(text) => format!("`{}`", text.escape_debug()),
        None => value.to_json().to_string(),
    };
    if text.chars().count() > LONGEST { text.chars().take(LONGEST).chain(['…']).collect() } else { text }
}

fn list(names: &BTreeSet<String>) -> String {
    if names.is_empty() { "none".to_owned() } else { names.iter().cloned().collect::<Vec<_>>().join(", ") }
}

/// The two tools of a match, in an order of their own.
fn pair<'d>(played: &Match<'d>) -> Option<[&'d str; 2]> {
    let [a, b] = played.tools?;
    let mut pair = [a.as_str()?, b.as_str()?];
    pair.sort_unstable();
    Some(pair)
}

/// What a match says of a dimension, whichever tool stands first.
fn says(played: &Match<'_>, comparison: &Comparison<'_>) -> String {
    let tool = |at: usize| played.tools.and_then(|tools| tools[at].as_str()).unwrap_or_default().escape_debug();
    match comparison.outcome {
        Outcome::Win(Side::First) => format!("a win of `{}`", tool(0)),
        Outcome::Win(Side::Second) => format!("a win of `{}`", tool(1)),
        Outcome::WinElsewhere => "a win of neither tool".to_owned(),
        Outcome::Draw(None) => "a draw without a kind".to_owned(),
        Outcome::Draw(Some(kind)) => format!("a draw of kind `{}`", kind.escape_debug()),
        Outcome::NotMeasured => "not measured".to_owned(),
        Outcome::Unknown => "an outcome that cannot be read".to_owned(),
    }
}

/// The rows of a table as lines, in the order of their tools; absent counts are 0.
fn rows(table: Value<'_>) -> Vec<String> {
    let row = |row: Value<'_>| {
        let count = |key: &str| match row.get(key) {
            Some(value) => value.as_u64().map_or_else(|| shown(value), |count| count.to_string()),
            None => "0".to_owned(),
        };
        let tool = row.get("tool").map_or(String::new(), shown);
        let (wins, draws, losses) = (count("wins"), count("draws"), count("losses"));
        format!("{tool}: wins {wins}, draws {draws}, losses {losses}, not_measured {}\n", count("not_measured"))
    };
    let mut rows: Vec<String> = table.get("table").into_iter().flat_map(Value::items).map(row).collect();
    rows.sort();
    rows
}

fn domination(entry: Value<'_>) -> Option<String> {
    let name = |key: &str| Some(entry.get(key)?.as_str()?.escape_debug());
    Some(format!("`{}` over `{}`", name("dominant")?, name("dominated")?))
}
