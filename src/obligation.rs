//! Obligations: rules that a conformant document keeps and that no schema can state.
//!
//! An obligation is data ([`Rule`]) and a function. `list`, `explain`, the docs and the reports are all drawn from the data;
//! the function reads a family's model of the document and tells a [`Judge`] what it finds.

use std::collections::HashMap;

use crate::document::{Document, Value};
use crate::finding::{Basis, Comparison, Finding, NotJudged, Severity, Sides};

/// What an obligation is, in words. The id is public interface and never changes.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// `family/name`, e.g. `mavai/failure-distribution-sum`.
    pub id: &'static str,
    /// A few words, for tables.
    pub title: &'static str,
    /// What it demands, in one or two sentences. A reading says that it is one.
    pub demand: &'static str,
    pub basis: Basis,
    /// The severity of a finding unless the obligation says otherwise at the place.
    pub severity: Severity,
    /// Heading under which tables and matrices group it, e.g. `latency`.
    pub group: &'static str,
    /// A document that keeps it and one that breaks it.
    pub example: Example,
}

/// A good and a bad document, as edits of the suite's plain example document (see [`crate::family::Family::example`]).
/// A test judges both: the good one has no errors, the bad one breaks exactly this rule and those in `also`.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Edits that make the good document from the plain one; often none.
    pub good: &'static [Edit],
    /// Edits that make the bad document from the good one.
    pub bad: &'static [Edit],
    /// JSON Pointer of the smallest part that shows the difference; `explain` prints that part of both.
    pub show: &'static str,
    /// Other obligations that the same fault necessarily breaks.
    pub also: &'static [&'static str],
}

/// A change of a document.
#[derive(Debug, Clone, Copy)]
pub enum Edit {
    /// Sets the member or item at a JSON Pointer to a value given as JSON; adds it where an object lacks it or where the
    /// last token is `-` (append to an array).
    Set(&'static str, &'static str),
    /// Removes the member or item at a JSON Pointer.
    Remove(&'static str),
}

impl Edit {
    /// Applies the edit.
    ///
    /// # Errors
    /// Where the pointer names no place in the document, or the value is no JSON; the text says which.
    pub fn apply(&self, document: &mut serde_json::Value) -> Result<(), String> {
        let (Edit::Set(pointer, _) | Edit::Remove(pointer)) = self;
        let unplaced = || format!("no place {pointer} in the document");
        let (parent, last) = pointer.rsplit_once('/').ok_or_else(unplaced)?;
        let last = last.replace("~1", "/").replace("~0", "~");
        let parent = document.pointer_mut(parent).ok_or_else(unplaced)?;
        match (self, parent) {
            (Edit::Set(_, json), serde_json::Value::Object(members)) => {
                members.insert(last, parse(json)?);
            }
            (Edit::Set(_, json), serde_json::Value::Array(items)) => {
                let value = parse(json)?;
                if last == "-" {
                    items.push(value);
                } else {
                    let index: usize = last.parse().map_err(|_| unplaced())?;
                    *items.get_mut(index).ok_or_else(unplaced)? = value;
                }
            }
            (Edit::Remove(_), serde_json::Value::Object(members)) => {
                members.shift_remove(&last).ok_or_else(unplaced)?;
            }
            (Edit::Remove(_), serde_json::Value::Array(items)) => {
                let index = last.parse().ok().filter(|&index: &usize| index < items.len()).ok_or_else(unplaced)?;
                items.remove(index);
            }
            _ => return Err(unplaced()),
        }
        Ok(())
    }
}

fn parse(json: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(json).map_err(|error| format!("not JSON: {json}: {error}"))
}

/// Names a family's model of a document. The model borrows from the document; the marker type that implements this does not,
/// so that tables of obligations can be constants.
pub trait Model {
    type Of<'d>;
}

/// A rule and the function that judges it on a family's model of a document.
pub struct Obligation<M: Model> {
    pub rule: Rule,
    pub judge: for<'d> fn(&M::Of<'d>, &mut Judge<'_>),
}

/// What the user set for judging.
#[derive(Default)]
pub struct Settings {
    /// Narrow tolerances and nothing forgiven: see [`Settings::tolerance`].
    pub strict: bool,
    /// Documents that the judged one may refer to (`--related FOLDER`), with the name each was read from.
    pub related: Vec<(String, Document)>,
    /// Leaves out advice that takes long to find: which known mistake explains a ref or a signature. What is found does not
    /// depend on it; mutants, judged by the thousand, are nobody's to correct.
    pub brief: bool,
}

impl Settings {
    /// The greatest difference between a stated fraction and the derived one: 5e-5 (half a unit of the fourth decimal, what
    /// the coarsest released emitter prints), 5e-7 under `--strict`.
    pub fn tolerance(&self) -> f64 {
        if self.strict { 5e-7 } else { 5e-5 }
    }
}

/// Findings of one obligation in one document past this many are counted, not shown.
const SHOWN_PER_OBLIGATION: usize = 100;

/// Collects what the obligations find in one document.
///
/// An obligation that cannot judge a place, because the structure that it needs is broken there, says so with
/// [`Judge::not_judged`]; the schema reports the broken structure itself.
pub struct Judge<'s> {
    pub settings: &'s Settings,
    rule: Option<Rule>,
    findings: Vec<Finding>,
    not_judged: Vec<NotJudged>,
    counts: HashMap<String, usize>,
    /// The names of the documents that are judged together, and which of them it is about.
    documents: Vec<String>,
    about: Option<usize>,
}

impl<'s> Judge<'s> {
    pub fn new(settings: &'s Settings) -> Self {
        Judge::of_documents(settings, Vec::new())
    }

    /// A judge of several documents together, by their names: a finding names the document that it is about.
    pub fn of_documents(settings: &'s Settings, documents: Vec<String>) -> Self {
        Judge {
            settings,
            rule: None,
            findings: Vec::new(),
            not_judged: Vec::new(),
            counts: HashMap::new(),
            documents,
            about: None,
        }
    }

    /// Says which of the documents, counted from 0, is judged from here on.
    pub fn about(&mut self, document: usize) {
        self.about = Some(document);
    }

    /// Judges a document's model by each obligation in turn.
    pub fn run<M: Model>(&mut self, obligations: &[Obligation<M>], model: &M::Of<'_>) {
        for obligation in obligations {
            self.by(obligation.rule);
            (obligation.judge)(model, self);
        }
    }

    /// Makes a rule the one that findings are reported under from here on.
    pub fn by(&mut self, rule: Rule) {
        self.rule = Some(rule);
    }

    /// Reports a violation of the current rule at a value. The returned handle adds help, marks and tables.
    pub fn finding(&mut self, at: Value<'_>, message: impl Into<String>) -> Report<'_> {
        let rule = self.rule.expect("a judge is told its rule before it finds");
        self.finding_as(rule.id, rule.basis, rule.severity, at, message)
    }

    /// Reports a violation under an id of its own, for stages that are not tables of rules (schema, scenario).
    pub fn finding_as(
        &mut self,
        obligation: &str,
        basis: Basis,
        severity: Severity,
        at: Value<'_>,
        message: impl Into<String>,
    ) -> Report<'_> {
        let count = self.counts.entry(obligation.to_owned()).or_default();
        *count += 1;
        // Past the limit the finding is built all the same, cheaply, so that callers need no second path; it is dropped at the end.
        let shown = *count <= SHOWN_PER_OBLIGATION;
        let mut finding = Finding::placeless(obligation, basis, severity, message);
        finding.document = self.about.and_then(|at| self.documents.get(at)).cloned();
        if shown {
            finding.place = Some(at.place());
            finding.snippet = vec![at.snippet_line("")];
        }
        if shown {
            self.findings.push(finding);
            Report { finding: self.findings.last_mut() }
        } else {
            Report { finding: None }
        }
    }

    /// Reports something that should be there and is in none of the documents, so that there is no place to point at.
    pub fn missing(
        &mut self,
        obligation: &str,
        basis: Basis,
        severity: Severity,
        message: impl Into<String>,
    ) -> Report<'_> {
        self.findings.push(Finding::placeless(obligation, basis, severity, message));
        Report { finding: self.findings.last_mut() }
    }

    /// Says that the current rule could not be judged at a place (`""` for the whole document), and why.
    pub fn not_judged(&mut self, pointer: impl Into<String>, reason: impl Into<String>) {
        let rule = self.rule.expect("a judge is told its rule before it judges");
        let entry = NotJudged { obligation: rule.id.to_owned(), reason: reason.into(), pointer: pointer.into() };
        let count = self.counts.entry(format!("not judged {}", entry.obligation)).or_default();
        *count += 1;
        if *count <= SHOWN_PER_OBLIGATION {
            self.not_judged.push(entry);
        }
    }

    /// Everything found, in the order of the obligations; the last finding of an obligation with more than a hundred says
    /// how many are not shown.
    pub fn finish(mut self) -> (Vec<Finding>, Vec<NotJudged>) {
        for (id, count) in self.counts {
            let Some(more) = count.checked_sub(SHOWN_PER_OBLIGATION).filter(|&more| more > 0) else { continue };
            if let Some(last) = self.findings.iter_mut().rfind(|finding| finding.obligation == id) {
                let _ = std::fmt::Write::write_fmt(
                    &mut last.message,
                    format_args!(" (and {more} more of this kind in the document)"),
                );
            }
        }
        (self.findings, self.not_judged)
    }
}

/// Handle on a reported finding, to add what a reader needs; all calls chain.
pub struct Report<'j> {
    finding: Option<&'j mut Finding>,
}

impl Report<'_> {
    /// What to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        if let Some(finding) = &mut self.finding {
            finding.help = Some(help.into());
        }
        self
    }

    /// Another severity than the rule's own.
    pub fn severity(mut self, severity: Severity) -> Self {
        if let Some(finding) = &mut self.finding {
            finding.severity = severity;
        }
        self
    }

    /// Marks another value in the snippet, with a label of a few words (what it disagrees with).
    pub fn mark(mut self, at: Value<'_>, label: impl AsRef<str>) -> Self {
        if let Some(finding) = &mut self.finding {
            let line = at.snippet_line(label.as_ref());
            let position = finding.snippet.partition_point(|other| other.line < line.line);
            match finding.snippet.get_mut(position) {
                Some(same) if same.line == line.line => {}
                _ => finding.snippet.insert(position, line),
            }
        }
        self
    }

    /// A label beside the mark of the finding's own place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        if let Some(finding) = &mut self.finding {
            let own = finding.place.as_ref().map(|place| place.line);
            if let Some(mark) =
                finding.snippet.iter_mut().find(|line| Some(line.line) == own).and_then(|line| line.mark.as_mut())
            {
                mark.label = label.into();
            }
        }
        self
    }

    /// The block as entered, beside the block that it should be: as derived from the rest of the document or, where the scenario
    /// is compared with, as that demands.
    pub fn comparison(mut self, entered: impl Into<String>, derived: impl Into<String>) -> Self {
        if let Some(finding) = &mut self.finding {
            let told = finding.obligation.starts_with("scenario/");
            let sides = if told { Sides::Scenario } else { Sides::Derivation };
            finding.comparison = Some(Comparison { entered: entered.into(), derived: derived.into(), sides });
        }
        self
    }
}
