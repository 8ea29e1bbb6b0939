//! The dominance graph: A dominates B iff, in their match, A wins at least one dimension and loses none.

use super::components::strongly_connected;
use super::model::{Epreuve, Known, Match, Outcome, Side, Tool};
use super::tally::is_between_running;

/// One tool dominates another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub dominant: Tool,
    pub dominated: Tool,
    /// Index of the match that shows it.
    pub shown_by: usize,
}

/// Who dominates whom in a round.
pub struct Dominance {
    /// Sorted by dominant, then dominated tool.
    pub edges: Vec<Edge>,
    /// The running tools that no other dominates, in order.
    pub pareto: Vec<Tool>,
    /// The groups of two or more tools that dominate each other in a circle, each in order.
    pub cycles: Vec<Vec<Tool>>,
}

/// What the basis of one domination has to say: dimensions by name, in the épreuve's order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Basis<'d> {
    pub won: Vec<&'d str>,
    /// Drawn dimensions with their draw kind.
    pub undecided: Vec<(&'d str, Option<&'d str>)>,
    pub not_measured: Vec<&'d str>,
}

impl Dominance {
    /// Derives the graph from the matches that are there; not known where one of them cannot be read in full.
    pub(super) fn of(epreuve: &Epreuve<'_>) -> Known<Dominance> {
        let matches = epreuve.matches()?;
        let tally = epreuve.tally()?;
        let running = epreuve.running()?;
        tally.all_measured()?;
        let mut met: Vec<((Tool, Tool), usize)> = Vec::with_capacity(matches.len());
        for (at, played) in matches.iter().enumerate() {
            let [Some(first), Some(second)] = played.enrolled else { return Err(not_running(played)) };
            if !is_between_running(epreuve, played) {
                return Err(not_running(played));
            }
            met.push(((first.min(second), first.max(second)), at));
        }
        met.sort_unstable();
        let mut edges = Vec::new();
        for same in met.chunk_by(|a, b| a.0 == b.0) {
            let [(_, at), repeats @ ..] = same else { continue };
            let at = *at;
            let dominant = dominant(epreuve, &matches[at])?;
            if let Some((_, other)) = repeats.iter().find(|(_, other)| !agree(epreuve, &matches[at], &matches[*other]))
            {
                let (one, other) = (matches[at].name(), matches[*other].name());
                return Err(format!("matches {one} and {other} of the same tools disagree"));
            }
            if let (Some(side), [Some(first), Some(second)]) = (dominant, matches[at].enrolled) {
                let (dominant, dominated) = if side == Side::First { (first, second) } else { (second, first) };
                edges.push(Edge { dominant, dominated, shown_by: at });
            }
        }
        edges.sort_unstable();
        let count = epreuve.tools().map_or(0, |tools| tools.names.len());
        let mut dominated = vec![false; count];
        for edge in &edges {
            dominated[edge.dominated] = true;
        }
        let pairs: Vec<_> = edges.iter().map(|edge| (edge.dominant, edge.dominated)).collect();
        let mut cycles = strongly_connected(count, &pairs);
        cycles.retain(|component| component.len() > 1);
        let pareto = running.iter().copied().filter(|&tool| !dominated[tool]).collect();
        Ok(Dominance { edges, pareto, cycles })
    }
}

/// What the basis of a domination has to say.
pub fn basis<'d>(epreuve: &Epreuve<'d>, edge: &Edge) -> Basis<'d> {
    let mut basis = Basis::default();
    let Some(played) = epreuve.matches().ok().and_then(|matches| matches.get(edge.shown_by)) else {
        return basis;
    };
    let mut stated: Vec<_> =
        epreuve.comparisons(played).iter().filter_map(|c| Some((c.dimension?, c.outcome))).collect();
    stated.sort_unstable_by_key(|&(dimension, _)| dimension);
    for (dimension, outcome) in stated {
        let name = epreuve.dimension(dimension);
        match outcome {
            Outcome::Win(_) | Outcome::WinElsewhere => basis.won.push(name),
            Outcome::Draw(kind) => basis.undecided.push((name, kind)),
            Outcome::NotMeasured | Outcome::Unknown => basis.not_measured.push(name),
        }
    }
    basis
}

fn not_running(played: &Match<'_>) -> String {
    format!("match {} is not between two running tools", played.name())
}

/// The side that dominates in a match, if one does.
fn dominant(epreuve: &Epreuve<'_>, played: &Match<'_>) -> Known<Option<Side>> {
    let (mut first, mut second) = (false, false);
    for comparison in epreuve.comparisons(played).iter().filter(|comparison| comparison.dimension.is_some()) {
        match comparison.outcome {
            Outcome::Win(Side::First) => first = true,
            Outcome::Win(Side::Second) => second = true,
            Outcome::WinElsewhere => {
                return Err(format!("the win in match {} belongs to neither tool", played.name()));
            }
            Outcome::Draw(_) | Outcome::NotMeasured | Outcome::Unknown => {}
        }
    }
    Ok(match (first, second) {
        (true, false) => Some(Side::First),
        (false, true) => Some(Side::Second),
        _ => None,
    })
}

/// Whether two matches of the same tools say the same on every dimension.
fn agree(epreuve: &Epreuve<'_>, one: &Match<'_>, other: &Match<'_>) -> bool {
    let turned = one.enrolled != other.enrolled;
    epreuve.comparisons(one).iter().filter(|comparison| comparison.dimension.is_some()).all(|comparison| {
        let mut twins = epreuve.comparisons(other).iter().filter(|twin| twin.dimension == comparison.dimension);
        twins.all(|twin| match (comparison.outcome, twin.outcome) {
            (Outcome::Win(a), Outcome::Win(b)) => (a == b) != turned,
            (a, b) => a == b,
        })
    })
}
