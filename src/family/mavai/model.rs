//! The model of a mavai document: what one configuration's run states, block by block.
//!
//! The blocks are the same in every mavai document (an optimize document holds one run an iteration, an explore document is one
//! run), so the obligations on them are written once. Every field is a [`Slot`]: it remembers where it stands or should stand, so
//! that an obligation that lacks it can say so.

use super::slot::read_at;
pub use super::slot::{Slot, Stated, count, list, number, object, text};
use crate::document::{Kind, Value};
use crate::obligation::{Judge, Model};

/// The marker for tables of obligations on one run.
pub struct RunModel;

impl Model for RunModel {
    type Of<'d> = Run<'d>;
}

/// One configuration's run: an iteration of an optimize document, or a whole explore document.
pub struct Run<'d> {
    pub samples_executed: Slot<'d, u64>,
    pub samples_planned: Slot<'d, u64>,
    pub termination: Slot<'d, &'d str>,
    pub observed: Slot<'d, f64>,
    pub successes: Slot<'d, u64>,
    pub failures: Slot<'d, u64>,
    pub distribution: Distribution<'d>,
    pub criteria: Slot<'d, Value<'d>>,
    /// The members of `criteria`, in order.
    pub criterion_list: Vec<Criterion<'d>>,
    /// The object that holds `latency` and `cost`.
    pub at: Value<'d>,
    pub latency: Slot<'d, Value<'d>>,
    pub cost: Slot<'d, Value<'d>>,
    /// The document's `inputs`, if it states them.
    pub inputs: Option<Inputs<'d>>,
}

impl<'d> Run<'d> {
    /// Reads a run from the object that holds its blocks.
    pub fn of(at: Value<'d>, inputs: Option<Inputs<'d>>) -> Self {
        let execution = at.get("execution").unwrap_or(at);
        let statistics = at.get("statistics").unwrap_or(at);
        let criteria = object(statistics, "criteria");
        let criterion_list = criteria
            .get()
            .map(|criteria| criteria.value.members().map(|(name, at)| Criterion::of(name, at)).collect())
            .unwrap_or_default();
        Run {
            samples_executed: count(execution, "samplesExecuted"),
            samples_planned: count(execution, "samplesPlanned"),
            termination: text(execution, "terminationReason"),
            observed: number(statistics, "observed"),
            successes: count(statistics, "successes"),
            failures: count(statistics, "failures"),
            distribution: Distribution::of(statistics),
            criteria,
            criterion_list,
            at,
            latency: object(at, "latency"),
            cost: object(at, "cost"),
            inputs,
        }
    }

    /// Reads a baseline document as a run: it states its trials a criterion, and nothing over all criteria.
    pub fn of_baseline(root: Value<'d>, inputs: Option<Inputs<'d>>) -> Self {
        let criteria = object(root, "criteria");
        let criterion_list = criteria
            .get()
            .map(|criteria| criteria.value.members().map(|(name, at)| Criterion::of_baseline(name, at)).collect())
            .unwrap_or_default();
        Run {
            observed: Slot::Foreign,
            successes: Slot::Foreign,
            failures: Slot::Foreign,
            distribution: Distribution { block: Slot::Foreign, entries: Vec::new() },
            criteria,
            criterion_list,
            ..Run::of(root, inputs)
        }
    }

    /// Every failure distribution of the run: its own, then the criteria's.
    pub fn distributions(&self) -> impl Iterator<Item = &Distribution<'d>> {
        std::iter::once(&self.distribution).chain(self.criterion_list.iter().map(|criterion| &criterion.distribution))
    }
}

/// The document's `inputs` block.
#[derive(Clone, Copy)]
pub struct Inputs<'d> {
    pub at: Value<'d>,
    /// Number of inputs, where their indices are 0..k-1; else nothing can be derived from it.
    pub stated_count: Option<u64>,
}

impl<'d> Inputs<'d> {
    /// The block of a document, where it is stated and an array.
    pub fn of(root: Value<'d>) -> Option<Self> {
        let at = list(root, "inputs").get()?.value;
        let mut indices: Vec<u64> = at.items().filter_map(|item| item.get("inputIndex")?.as_u64()).collect();
        indices.sort_unstable();
        let complete = indices.len() == at.len() && indices.iter().zip(0..).all(|(&index, expected)| index == expected);
        Some(Inputs { at, stated_count: complete.then_some(at.len() as u64) })
    }

    /// The item that states an index.
    pub fn get(&self, index: u64) -> Option<Value<'d>> {
        let states = |item: &Value<'d>| item.get("inputIndex").and_then(Value::as_u64) == Some(index);
        // Almost always the item stands at its own index.
        let direct = usize::try_from(index).ok().and_then(|at| self.at.items().nth(at)).filter(states);
        direct.or_else(|| self.at.items().find(states))
    }
}

/// One criterion of a run.
pub struct Criterion<'d> {
    pub name: Value<'d>,
    pub rate: Slot<'d, f64>,
    pub pass: Slot<'d, u64>,
    pub fail: Slot<'d, u64>,
    pub distribution: Distribution<'d>,
    pub slack: Slot<'d, &'d str>,
    pub rows: Vec<Row<'d>>,
    pub standings: Slot<'d, Value<'d>>,
}

impl<'d> Criterion<'d> {
    fn of(name: Value<'d>, at: Value<'d>) -> Self {
        let standings = object(at, "standings");
        let block = standings.get().map_or(at, |standings| standings.value);
        let rows = standings
            .get()
            .and_then(|standings| standings.value.get("rows"))
            .map(|rows| rows.items().map(Row::of).collect())
            .unwrap_or_default();
        Criterion {
            name,
            rate: number(at, "observedPassRate"),
            pass: count(at, "pass"),
            fail: count(at, "fail"),
            distribution: Distribution::of(at),
            slack: if standings.get().is_some() {
                text(block, "optionalSlack")
            } else {
                Slot::Absent(at, "optionalSlack")
            },
            rows,
            standings,
        }
    }

    /// A baseline's criterion states trials and successes: the failures are the rest.
    fn of_baseline(name: Value<'d>, at: Value<'d>) -> Self {
        let successes = count(at, "successes");
        let fail = match (count(at, "trials"), successes.get()) {
            (Slot::Stated(trials), Some(successes)) => match trials.value.checked_sub(successes.value) {
                Some(value) => Slot::Stated(Stated { value, at: trials.at }),
                None => Slot::Broken(trials.at, "at least the successes"),
            },
            (trials, _) => trials,
        };
        Criterion { pass: successes, fail, ..Criterion::of(name, at) }
    }

    /// The criterion's name, for messages.
    pub fn label(&self) -> &'d str {
        self.name.as_str().unwrap_or_default()
    }
}

/// A `failureDistribution`, and the entries in it.
pub struct Distribution<'d> {
    pub block: Slot<'d, Value<'d>>,
    pub entries: Vec<Entry<'d>>,
}

impl<'d> Distribution<'d> {
    fn of(parent: Value<'d>) -> Self {
        let block = list(parent, "failureDistribution");
        let entries = block.get().map(|block| block.value.items().map(Entry::of).collect()).unwrap_or_default();
        Distribution { block, entries }
    }

    /// The sum of the counts; `None` (said to the judge) where a count cannot be read.
    pub fn sum(&self, judge: &mut Judge<'_>) -> Option<u128> {
        let mut sum = 0;
        for entry in &self.entries {
            sum += u128::from(entry.count.need(judge)?.value);
        }
        Some(sum)
    }

    /// Trials that were never delivered: the sum over the entries of kind `delivery`.
    pub fn undelivered(&self, judge: &mut Judge<'_>) -> Option<u128> {
        let mut sum = 0;
        for entry in self.entries.iter().filter(|entry| entry.kind() == Some("delivery")) {
            sum += u128::from(entry.count.need(judge)?.value);
        }
        Some(sum)
    }
}

/// One entry of a failure distribution.
pub struct Entry<'d> {
    pub at: Value<'d>,
    pub condition: Slot<'d, &'d str>,
    pub kind: Slot<'d, &'d str>,
    pub count: Slot<'d, u64>,
    pub input: Slot<'d, u64>,
    pub excerpt: Slot<'d, &'d str>,
}

impl<'d> Entry<'d> {
    fn of(at: Value<'d>) -> Self {
        Entry {
            at,
            condition: text(at, "condition"),
            kind: text(at, "kind"),
            count: count(at, "count"),
            input: count(at, "inputIndex"),
            excerpt: text(at, "inputExcerpt"),
        }
    }

    pub fn kind(&self) -> Option<&'d str> {
        self.kind.get().map(|kind| kind.value)
    }
}

/// One row of a criterion's standings.
pub struct Row<'d> {
    pub at: Value<'d>,
    pub input: Slot<'d, u64>,
    pub check: Slot<'d, &'d str>,
    pub provenance: Slot<'d, &'d str>,
    pub optional: Slot<'d, bool>,
    pub passed: Slot<'d, u64>,
    pub failed: Slot<'d, u64>,
    pub skipped: Slot<'d, u64>,
    pub fraction: Slot<'d, f64>,
    pub exemplars: Slot<'d, Value<'d>>,
    pub elided: Slot<'d, u64>,
}

impl<'d> Row<'d> {
    /// Reads a row in one pass over its members: documents hold hundreds of thousands of rows.
    fn of(at: Value<'d>) -> Self {
        const COUNT: &str = "a count (an integer from 0)";
        let mut row = Row {
            at,
            input: Slot::Absent(at, "inputIndex"),
            check: Slot::Absent(at, "check"),
            provenance: Slot::Absent(at, "provenance"),
            optional: Slot::Absent(at, "optional"),
            passed: Slot::Absent(at, "passed"),
            failed: Slot::Absent(at, "failed"),
            skipped: Slot::Absent(at, "skipped"),
            fraction: Slot::Absent(at, "observedFraction"),
            exemplars: Slot::Absent(at, "observed"),
            elided: Slot::Absent(at, "elided"),
        };
        for (key, value) in at.members() {
            match key.as_str() {
                Some("inputIndex") => row.input = read_at(value, COUNT, Value::as_u64),
                Some("check") => row.check = read_at(value, "a string", Value::as_str),
                Some("provenance") => row.provenance = read_at(value, "a string", Value::as_str),
                Some("optional") => row.optional = read_at(value, "a boolean", Value::as_bool),
                Some("passed") => row.passed = read_at(value, COUNT, Value::as_u64),
                Some("failed") => row.failed = read_at(value, COUNT, Value::as_u64),
                Some("skipped") => row.skipped = read_at(value, COUNT, Value::as_u64),
                Some("observedFraction") => row.fraction = read_at(value, "a number", Value::as_f64),
                Some("observed") => {
                    row.exemplars = read_at(value, "an array", |value| (value.kind() == Kind::Array).then_some(value));
                }
                Some("elided") => row.elided = read_at(value, COUNT, Value::as_u64),
                _ => {}
            }
        }
        row
    }

    /// passed, failed and skipped, where all three can be read.
    pub fn counts(&self, judge: &mut Judge<'_>) -> Option<Counts> {
        Some(Counts {
            passed: self.passed.need(judge)?.value.into(),
            failed: self.failed.need(judge)?.value.into(),
            skipped: self.skipped.need(judge)?.value.into(),
        })
    }

    /// Whether the check is one that an input's own expected values state; absent and unknown provenance read as `criterion`.
    pub fn is_stated_by_input(&self) -> bool {
        self.provenance.get().is_some_and(|provenance| provenance.value == "input")
    }
}

/// A row's counts, wide enough that no sum of them overflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub passed: u128,
    pub failed: u128,
    pub skipped: u128,
}

impl Counts {
    pub fn total(self) -> u128 {
        self.passed + self.failed + self.skipped
    }
}

/// Input N of an identity that ends in ` (input N)`, as one emitter writes conditions and checks stated by an input.
pub fn input_suffix(identity: &str) -> Option<u64> {
    let digits = identity.strip_suffix(')')?.rsplit_once(" (input ")?.1;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok()).flatten()
}

/// Whether a stated fraction agrees with part/whole within the tolerance in force. A whole of 0 means a fraction of 0.
pub fn fraction_agrees(stated: f64, part: u128, whole: u128, judge: &Judge<'_>) -> bool {
    // The tolerance is half a unit of the last printed decimal: a tie that was rounded either way lies exactly on it.
    (stated - fraction(part, whole)).abs() <= judge.settings.tolerance() + 1e-12
}

/// part/whole, 0 for a whole of 0.
pub fn fraction(part: u128, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
