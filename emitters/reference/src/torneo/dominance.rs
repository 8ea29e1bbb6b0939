//! Who dominates whom, on what basis, and which tools dominate each other in a circle.

use serde_json::{Value, json};

use super::round::{Match, Outcome, Round};

/// The dominance relation of a round.
pub struct Dominance<'a> {
    round: &'a Round<'a>,
    /// `(dominant, the match)`, in the order of the matches.
    pairs: Vec<(usize, &'a Match)>,
}

impl<'a> Dominance<'a> {
    pub fn of(round: &'a Round<'a>) -> Self {
        let pairs = round.matches.iter().filter_map(|one| Some((dominant(one)?, one))).collect();
        Self { round, pairs }
    }

    /// The `pareto_set` of the document: the tools that nobody dominates.
    pub fn pareto_set(&self) -> Value {
        let dominated = |tool: usize| self.pairs.iter().any(|(dominant, one)| one.opponent(*dominant) == tool);
        self.round.tools.iter().enumerate().filter(|(tool, _)| !dominated(*tool)).map(|(_, name)| json!(name)).collect()
    }

    /// The `dominance_basis` of the document.
    pub fn basis(&self) -> Value {
        self.pairs.iter().map(|(dominant, one)| self.basis_of(*dominant, one)).collect()
    }

    fn basis_of(&self, dominant: usize, one: &Match) -> Value {
        let (mut won, mut undecided, mut not_measured) = (Vec::new(), Vec::new(), Vec::new());
        for (dimension, outcome) in self.round.dimensions.iter().zip(&one.outcomes) {
            match outcome {
                Outcome::Win { .. } => won.push(json!(dimension)),
                Outcome::Draw { kind, .. } => undecided.push(json!({ "dimension": dimension, "draw_kind": kind })),
                Outcome::NotMeasured { .. } => not_measured.push(json!(dimension)),
            }
        }
        json!({
            "dominant": self.round.tools[dominant],
            "dominated": self.round.tools[one.opponent(dominant)],
            "won": won,
            "undecided": undecided,
            "not_measured": not_measured,
        })
    }

    /// The `dominance_cycles` of the document. Two tools belong to one circle where each is reached from the other by dominations.
    pub fn cycles(&self) -> Value {
        let reach = self.closure();
        let mut placed = vec![false; reach.len()];
        let mut cycles = Vec::new();
        for start in 0..reach.len() {
            if placed[start] || !reach[start][start] {
                continue;
            }
            let circle: Vec<usize> =
                (start..reach.len()).filter(|tool| reach[start][*tool] && reach[*tool][start]).collect();
            circle.iter().for_each(|tool| placed[*tool] = true);
            cycles.push(circle.into_iter().map(|tool| self.round.tools[tool]).collect::<Vec<_>>());
        }
        json!(cycles)
    }

    /// Which tool reaches which by one domination or more (Warshall's algorithm).
    fn closure(&self) -> Vec<Vec<bool>> {
        let count = self.round.tools.len();
        let mut reach = vec![vec![false; count]; count];
        for (dominant, one) in &self.pairs {
            reach[*dominant][one.opponent(*dominant)] = true;
        }
        for through in 0..count {
            let onward = reach[through].clone();
            for from in reach.iter_mut().filter(|from| from[through]) {
                from.iter_mut().zip(&onward).for_each(|(known, also)| *known |= also);
            }
        }
        reach
    }
}

/// The tool that dominates the other in their match: it wins at least one dimension and loses none.
fn dominant(one: &Match) -> Option<usize> {
    let mut winners = one.outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Win { winner, .. } => Some(*winner),
        Outcome::Draw { .. } | Outcome::NotMeasured { .. } => None,
    });
    let first = winners.next()?;
    winners.all(|winner| winner == first).then_some(first)
}
