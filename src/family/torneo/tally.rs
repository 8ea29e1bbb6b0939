//! What the matches add up to: a table a dimension, and the denominators.

use super::model::{Dimension, Epreuve, Known, Match, Outcome, Side, Tool};

/// A round of more tools has more than 50 million matches, which no document within the limits can hold.
const MOST_TOOLS: usize = 10_000;

/// One tool on one dimension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub not_measured: u64,
    /// Comparisons on the dimension in matches that name the tool, countable or not.
    pub appearances: u64,
}

/// All comparisons on one dimension.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measured {
    pub wins: u64,
    pub draws_insufficient_precision: u64,
    pub draws_equivalent_within_margin: u64,
    pub draws_unspecified: u64,
    /// Draws of kinds that only another schema than `match.v1` knows.
    pub draws_other: u64,
    pub not_measured: u64,
    /// Why the counts are not all that the matches say, if they are not.
    gap: Option<String>,
    /// A match whose win belongs to neither tool: still a win, but nobody's.
    elsewhere: Option<String>,
}

impl Measured {
    /// Comparisons that were measured: wins and draws.
    pub fn played(&self) -> u64 {
        self.wins
            + self.draws_insufficient_precision
            + self.draws_equivalent_within_margin
            + self.draws_unspecified
            + self.draws_other
    }
}

/// Counts over all matches.
pub struct Tally {
    tools: usize,
    /// A table after the other, each with a row for every enrolled tool.
    counts: Vec<Counts>,
    measured: Vec<Measured>,
    /// Number of matches.
    pub matches: u64,
    /// Matches with at least one win.
    pub matches_concluded: u64,
    /// Why no table can be derived, if none can.
    round_gap: Option<String>,
}

impl Tally {
    /// Counts an épreuve's matches.
    pub(super) fn of(epreuve: &Epreuve<'_>) -> Known<Tally> {
        let matches = epreuve.matches()?;
        let dimensions = epreuve.dimensions()?;
        let (tools, round_gap) = match epreuve.tools() {
            Ok(tools) if tools.names.len() > MOST_TOOLS => (0, Some(format!("more than {MOST_TOOLS} tools"))),
            Ok(tools) => (tools.names.len(), None),
            Err(why) => (0, Some(why.clone())),
        };
        let mut tally = Tally {
            tools,
            counts: vec![Counts::default(); tools * dimensions.names.len()],
            measured: vec![Measured::default(); dimensions.names.len()],
            matches: matches.len() as u64,
            matches_concluded: 0,
            round_gap,
        };
        for played in matches {
            tally.add(epreuve, played);
        }
        Ok(tally)
    }

    fn add(&mut self, epreuve: &Epreuve<'_>, played: &Match<'_>) {
        if self.round_gap.is_none() && !is_between_running(epreuve, played) {
            self.round_gap = Some(format!("match {} is not between two running tools", played.name()));
        }
        // One bit a dimension: the model has at most 32.
        let mut seen = 0u32;
        let mut concluded = false;
        for comparison in epreuve.comparisons(played) {
            let Some(dimension) = comparison.dimension else { continue };
            if seen & 1 << dimension != 0 {
                self.gap(dimension, || format!("match {} has the dimension twice", played.name()));
            }
            seen |= 1 << dimension;
            let measured = &mut self.measured[dimension];
            match comparison.outcome {
                Outcome::Win(_) => measured.wins += 1,
                Outcome::WinElsewhere => {
                    measured.wins += 1;
                    let why = || format!("the win in match {} belongs to neither tool", played.name());
                    measured.elsewhere.get_or_insert_with(why);
                }
                Outcome::Draw(Some("insufficient_precision")) => measured.draws_insufficient_precision += 1,
                Outcome::Draw(Some("equivalent_within_margin")) => measured.draws_equivalent_within_margin += 1,
                Outcome::Draw(Some(_)) => measured.draws_other += 1,
                Outcome::Draw(None) => measured.draws_unspecified += 1,
                Outcome::NotMeasured => measured.not_measured += 1,
                Outcome::Unknown => {
                    self.gap(dimension, || format!("an outcome of match {} cannot be read", played.name()));
                }
            }
            concluded |= matches!(comparison.outcome, Outcome::Win(_) | Outcome::WinElsewhere);
            for (side, tool) in [Side::First, Side::Second].into_iter().zip(played.enrolled) {
                let Some(row) = tool.and_then(|tool| self.row_mut(dimension, tool)) else { continue };
                row.appearances += 1;
                match comparison.outcome {
                    Outcome::Win(winner) if winner == side => row.wins += 1,
                    Outcome::Win(_) => row.losses += 1,
                    Outcome::Draw(_) => row.draws += 1,
                    Outcome::NotMeasured => row.not_measured += 1,
                    Outcome::WinElsewhere | Outcome::Unknown => {}
                }
            }
        }
        self.matches_concluded += u64::from(concluded);
        for dimension in (0..self.measured.len()).filter(|dimension| seen & 1 << dimension == 0) {
            self.gap(dimension, || format!("match {} lacks the dimension", played.name()));
        }
    }

    /// The rows of a dimension's table, by enrolled tool.
    pub fn table(&self, dimension: Dimension) -> Known<&[Counts]> {
        if let Some(why) = &self.round_gap {
            return Err(why.clone());
        }
        let measured = self.measured(dimension)?;
        if let Some(why) = &measured.elsewhere {
            return Err(why.clone());
        }
        Ok(self.counts.get(dimension * self.tools..(dimension + 1) * self.tools).unwrap_or_default())
    }

    /// Number of comparisons on a dimension in matches that name the tool, whoever the other is.
    pub fn appearances(&self, dimension: Dimension, tool: Tool) -> u64 {
        let at = dimension * self.tools + tool;
        if tool < self.tools { self.counts.get(at).map_or(0, |row| row.appearances) } else { 0 }
    }

    /// The counts of a dimension, whoever played.
    pub fn measured(&self, dimension: Dimension) -> Known<&Measured> {
        let measured = self.measured.get(dimension).ok_or("no such dimension")?;
        measured.gap.as_ref().map_or(Ok(measured), |why| Err(why.clone()))
    }

    /// The counts of all dimensions, in their order.
    pub fn all_measured(&self) -> Known<&[Measured]> {
        let gap = self.measured.iter().find_map(|measured| measured.gap.as_ref());
        gap.map_or(Ok(&self.measured), |why| Err(why.clone()))
    }

    /// Counts of a dimension as far as they could be read: a lower bound.
    pub fn at_least(&self, dimension: Dimension) -> Option<&Measured> {
        self.measured.get(dimension)
    }

    fn row_mut(&mut self, dimension: Dimension, tool: Tool) -> Option<&mut Counts> {
        if tool < self.tools { self.counts.get_mut(dimension * self.tools + tool) } else { None }
    }

    fn gap(&mut self, dimension: Dimension, why: impl FnOnce() -> String) {
        if let Some(measured) = self.measured.get_mut(dimension) {
            measured.gap.get_or_insert_with(why);
        }
    }
}

/// Whether both tools of a match are enrolled and run.
pub(super) fn is_between_running(epreuve: &Epreuve<'_>, played: &Match<'_>) -> bool {
    let runs = |tool: Tool| epreuve.tools().is_ok_and(|tools| tools.is_running(tool));
    played.enrolled.iter().all(|tool| tool.is_some_and(runs))
}
