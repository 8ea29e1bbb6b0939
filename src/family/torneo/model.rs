//! The épreuve as the obligations see it: tools and dimensions as dense indices, matches and comparisons in document order.
//!
//! The structure may be broken anywhere. A part that cannot be read says why ([`Known`]), and the obligations that need it are
//! not judged; the schema reports the broken structure itself.

use std::collections::HashMap;
use std::ops::Range;

use super::graph::Dominance;
use super::tally::Tally;
use crate::document::{Document, Kind, Value};
use crate::obligation::{Judge, Model};

/// A part of the document that could be read, or why it could not.
pub type Known<T> = Result<T, String>;

/// An enrolled tool: its index in the order of `tools`.
pub type Tool = usize;

/// A dimension of the épreuve: its index in the order of `dimensions`.
pub type Dimension = usize;

/// The schema names five dimensions; a document with more than this many distinct ones is not modelled.
const MOST_DIMENSIONS: usize = 32;

/// Names the model for tables of obligations.
pub struct Epreuves;

impl Model for Epreuves {
    type Of<'d> = Epreuve<'d>;
}

/// One épreuve and what follows from its matches.
pub struct Epreuve<'d> {
    pub root: Value<'d>,
    tools: Known<Tools<'d>>,
    dimensions: Known<Dimensions<'d>>,
    /// Every item of `matches` that is an object or not; broken ones are there with nothing in them.
    matches: Known<Vec<Match<'d>>>,
    /// The comparisons of all matches, one match after the other.
    comparisons: Vec<Comparison<'d>>,
    /// What the matches add up to.
    tally: Known<Tally>,
    /// Who dominates whom.
    dominance: Known<Dominance>,
}

/// The enrolled tools and which of them run.
pub struct Tools<'d> {
    /// Distinct names in the order of `tools`.
    pub names: Vec<&'d str>,
    index: HashMap<&'d str, Tool>,
    /// For each enrolled tool, whether a readable entry of `withdrawn` names it.
    pub withdrawn: Vec<bool>,
    /// The running tools in order; not known where an entry of `withdrawn` names no enrolled tool.
    pub running: Known<Vec<Tool>>,
}

/// The épreuve's dimensions.
pub struct Dimensions<'d> {
    /// Distinct names in the order of `dimensions`.
    pub names: Vec<&'d str>,
    /// Items of `dimensions` that repeat an earlier one.
    pub repeated: Vec<Value<'d>>,
}

/// One match.
pub struct Match<'d> {
    pub value: Value<'d>,
    /// `match_id`, where it is a string.
    pub id: Option<Value<'d>>,
    /// The items of `tools`, where there are two distinct strings.
    pub tools: Option<[Value<'d>; 2]>,
    /// The same two among the enrolled tools.
    pub enrolled: [Option<Tool>; 2],
    comparisons: Range<usize>,
}

/// One match on one dimension.
pub struct Comparison<'d> {
    pub value: Value<'d>,
    /// The value of `dimension`, where it is a string.
    pub name: Option<Value<'d>>,
    /// The same among the épreuve's dimensions.
    pub dimension: Option<Dimension>,
    pub outcome: Outcome<'d>,
}

/// What came of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<'d> {
    /// Won by the first or the second tool of the match.
    Win(Side),
    /// Won, the document says, by a tool that does not play in the match.
    WinElsewhere,
    /// Drawn, with a draw kind or none.
    Draw(Option<&'d str>),
    NotMeasured,
    /// Not readable.
    Unknown,
}

/// One of the two tools of a match, in the order of the match's `tools`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

impl<'d> Epreuve<'d> {
    /// Reads the model of a document. Never fails: what cannot be read is not known.
    pub fn read(document: &'d Document) -> Self {
        let root = document.root();
        let tools = Tools::read(root);
        let dimensions = Dimensions::read(root);
        let mut comparisons = Vec::new();
        let matches = array(root, "matches").map(|matches| {
            let items = matches.items();
            items
                .map(|item| Match::read(item, tools.as_ref().ok(), dimensions.as_ref().ok(), &mut comparisons))
                .collect()
        });
        let mut epreuve = Epreuve {
            root,
            tools,
            dimensions,
            matches,
            comparisons,
            tally: Err(String::new()),
            dominance: Err(String::new()),
        };
        epreuve.tally = Tally::of(&epreuve);
        epreuve.dominance = Dominance::of(&epreuve);
        epreuve
    }

    /// The comparisons of a match, in document order.
    pub fn comparisons(&self, of: &Match<'d>) -> &[Comparison<'d>] {
        self.comparisons.get(of.comparisons.clone()).unwrap_or_default()
    }

    /// Every comparison of every match.
    pub fn all_comparisons(&self) -> &[Comparison<'d>] {
        &self.comparisons
    }

    /// The enrolled tools.
    pub fn tools(&self) -> Known<&Tools<'d>> {
        self.tools.as_ref().map_err(String::clone)
    }

    /// The épreuve's dimensions.
    pub fn dimensions(&self) -> Known<&Dimensions<'d>> {
        self.dimensions.as_ref().map_err(String::clone)
    }

    /// Every item of `matches`; a broken one is there with nothing in it.
    pub fn matches(&self) -> Known<&[Match<'d>]> {
        self.matches.as_deref().map_err(String::clone)
    }

    /// What the matches add up to.
    pub fn tally(&self) -> Known<&Tally> {
        self.tally.as_ref().map_err(String::clone)
    }

    /// Who dominates whom.
    pub fn dominance(&self) -> Known<&Dominance> {
        self.dominance.as_ref().map_err(String::clone)
    }

    /// The tools that run.
    pub fn running(&self) -> Known<&[Tool]> {
        let tools = self.tools.as_ref().map_err(String::clone)?;
        tools.running.as_deref().map_err(String::clone)
    }

    /// A tool's name.
    pub fn tool(&self, tool: Tool) -> &'d str {
        self.tools.as_ref().ok().and_then(|tools| tools.names.get(tool)).copied().unwrap_or_default()
    }

    /// A dimension's name.
    pub fn dimension(&self, dimension: Dimension) -> &'d str {
        self.dimensions.as_ref().ok().and_then(|all| all.names.get(dimension)).copied().unwrap_or_default()
    }
}

impl<'d> Tools<'d> {
    fn read(root: Value<'d>) -> Known<Self> {
        let mut tools =
            Tools { names: Vec::new(), index: HashMap::new(), withdrawn: Vec::new(), running: Ok(Vec::new()) };
        for item in array(root, "tools")?.items() {
            let name = item.as_str().ok_or_else(|| format!("{} is no tool id", item.pointer()))?;
            tools.index.entry(name).or_insert_with(|| {
                tools.names.push(name);
                tools.names.len() - 1
            });
        }
        tools.withdrawn = vec![false; tools.names.len()];
        let mut unclear = None;
        if let Some(withdrawn) = root.get("withdrawn") {
            if withdrawn.kind() != Kind::Array {
                unclear = Some("`withdrawn` is no array".to_owned());
            }
            for entry in withdrawn.items() {
                match entry.get("tool").and_then(Value::as_str).and_then(|name| tools.index.get(name)) {
                    Some(&tool) => tools.withdrawn[tool] = true,
                    None => unclear = Some(format!("{} names no enrolled tool", entry.pointer())),
                }
            }
        }
        tools.running = match unclear {
            Some(why) => Err(format!("which tools run is not known: {why}")),
            None => Ok((0..tools.names.len()).filter(|&tool| !tools.withdrawn[tool]).collect()),
        };
        Ok(tools)
    }

    /// The enrolled tool of a name.
    pub fn named(&self, name: &str) -> Option<Tool> {
        self.index.get(name).copied()
    }

    /// Whether a tool is enrolled and no entry of `withdrawn` names it.
    pub fn is_running(&self, tool: Tool) -> bool {
        self.withdrawn.get(tool) == Some(&false)
    }
}

impl<'d> Dimensions<'d> {
    fn read(root: Value<'d>) -> Known<Self> {
        let mut dimensions = Dimensions { names: Vec::new(), repeated: Vec::new() };
        for item in array(root, "dimensions")?.items() {
            let name = item.as_str().ok_or_else(|| format!("{} is no dimension", item.pointer()))?;
            if dimensions.names.contains(&name) {
                dimensions.repeated.push(item);
            } else if dimensions.names.len() == MOST_DIMENSIONS {
                return Err(format!("`dimensions` has more than {MOST_DIMENSIONS} entries"));
            } else {
                dimensions.names.push(name);
            }
        }
        if dimensions.names.is_empty() { Err("`dimensions` is empty".to_owned()) } else { Ok(dimensions) }
    }

    /// The dimension of a name.
    pub fn named(&self, name: &str) -> Option<Dimension> {
        self.names.iter().position(|&known| known == name)
    }

    /// Indices of all dimensions.
    pub fn all(&self) -> Range<Dimension> {
        0..self.names.len()
    }
}

impl<'d> Match<'d> {
    fn read(
        value: Value<'d>,
        enrolled: Option<&Tools<'d>>,
        dimensions: Option<&Dimensions<'d>>,
        comparisons: &mut Vec<Comparison<'d>>,
    ) -> Self {
        let tools = value.get("tools").and_then(two_names);
        let start = comparisons.len();
        let stated = value.get("dimensions");
        for entry in stated.iter().flat_map(|stated| stated.items()) {
            comparisons.push(Comparison::read(entry, tools, dimensions));
        }
        let find = |tool: Value<'d>| enrolled.and_then(|enrolled| enrolled.named(tool.as_str()?));
        Match {
            value,
            id: value.get("match_id").filter(|id| id.kind() == Kind::String),
            tools,
            enrolled: tools.map_or([None; 2], |tools| tools.map(find)),
            comparisons: start..comparisons.len(),
        }
    }

    /// The match as messages name it: its id, or else its place.
    pub fn name(&self) -> String {
        match self.id.and_then(Value::as_str) {
            Some(id) => format!("`{}`", id.escape_debug()),
            None => self.value.pointer(),
        }
    }
}

impl<'d> Comparison<'d> {
    fn read(value: Value<'d>, tools: Option<[Value<'d>; 2]>, dimensions: Option<&Dimensions<'d>>) -> Self {
        let name = value.get("dimension").filter(|name| name.kind() == Kind::String);
        let dimension = dimensions.and_then(|all| all.named(name?.as_str()?));
        let outcome = match value.get("outcome").and_then(Value::as_str) {
            Some("win") => match (value.get("winner").and_then(Value::as_str), tools) {
                (Some(winner), Some([first, _])) if first.as_str() == Some(winner) => Outcome::Win(Side::First),
                (Some(winner), Some([_, second])) if second.as_str() == Some(winner) => Outcome::Win(Side::Second),
                (Some(_), Some(_)) => Outcome::WinElsewhere,
                _ => Outcome::Unknown,
            },
            Some("draw") => match value.get("draw_kind") {
                None => Outcome::Draw(None),
                Some(kind) if kind.is_null() => Outcome::Draw(None),
                Some(kind) => kind.as_str().map_or(Outcome::Unknown, |kind| Outcome::Draw(Some(kind))),
            },
            Some("not_measured") => Outcome::NotMeasured,
            _ => Outcome::Unknown,
        };
        Comparison { value, name, dimension, outcome }
    }
}

fn two_names(tools: Value<'_>) -> Option<[Value<'_>; 2]> {
    let mut items = tools.items();
    let (first, second, none) = (items.next()?, items.next()?, items.next());
    let distinct = none.is_none() && first.as_str()? != second.as_str()?;
    distinct.then_some([first, second])
}

/// A member of the document that has to be an array.
pub fn array<'d>(root: Value<'d>, key: &str) -> Known<Value<'d>> {
    match root.get(key) {
        None => Err(format!("`{key}` is missing")),
        Some(value) if value.kind() != Kind::Array => Err(format!("`{key}` is no array")),
        Some(value) => Ok(value),
    }
}

/// What is known, or `None` after telling the judge why the current rule is not judged.
pub fn need<T>(known: Known<T>, judge: &mut Judge<'_>) -> Option<T> {
    known.map_err(|reason| judge.not_judged("", reason)).ok()
}

/// The first few of many names, each in backticks, and how many there are beside them.
pub fn named<S: AsRef<str>>(names: impl IntoIterator<Item = S>, total: usize) -> String {
    const SHOWN: usize = 8;
    let mut text = String::new();
    let mut shown = 0;
    for name in names.into_iter().take(SHOWN) {
        text.push_str(if shown == 0 { "`" } else { ", `" });
        text.extend(name.as_ref().escape_debug());
        text.push('`');
        shown += 1;
    }
    if total > shown {
        text.push_str(&format!(" and {} more", total - shown));
    }
    text
}
