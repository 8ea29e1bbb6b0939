//! How well a suite notices what is broken: the mutation score of the suites that were judged by, as results state it.

use serde::{Deserialize, Serialize};

/// How the operators of a suite fared. Each breaks valid documents in one known way, and is killed where every document that it
/// broke was caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MutationScore {
    pub suite: String,
    /// What all that was chosen follows from.
    pub seed: u64,
    /// Most documents that each operator broke.
    pub mutants: usize,
    pub operators: usize,
    pub killed: usize,
    /// The operators that broke a document and were not caught, or found none to break.
    pub survived: Vec<String>,
    /// Obligations that the suite has.
    pub obligations: usize,
    /// Those that an operator breaks.
    pub covered: usize,
    /// Those that none does.
    pub uncovered: Vec<String>,
}

/// Names in a list that a sentence spells out.
const NAMED: usize = 3;

impl MutationScore {
    /// Whether every operator was killed and every obligation has one.
    pub fn is_full(&self) -> bool {
        self.survived.is_empty() && self.uncovered.is_empty()
    }

    /// Whether its numbers are those of its lists.
    pub fn adds_up(&self) -> bool {
        self.killed.checked_add(self.survived.len()) == Some(self.operators)
            && self.covered.checked_add(self.uncovered.len()) == Some(self.obligations)
    }

    /// Killed operators in per cent, rounded down: 100 only where none survived.
    pub fn percent(&self) -> usize {
        self.killed.saturating_mul(100).checked_div(self.operators).unwrap_or(0)
    }

    /// In half a sentence: how many operators were killed, and which were not.
    pub fn told(&self) -> String {
        let MutationScore { operators, killed, obligations, covered, .. } = self;
        let mut text =
            format!("{killed} of {operators} operators killed, {covered} of {obligations} obligations covered");
        for (what, names) in [("survived", &self.survived), ("without an operator", &self.uncovered)] {
            if names.is_empty() {
                continue;
            }
            let named: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
            let more = names.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!("; {what}: {}{more}", named.join(", ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_says_what_it_lacks() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let mut score = MutationScore {
            suite: "s".to_owned(),
            seed: 1,
            mutants: 10,
            operators: 200,
            killed: 200,
            survived: Vec::new(),
            obligations: 9,
            covered: 9,
            uncovered: Vec::new(),
        };
        assert!(score.is_full() && score.adds_up() && score.percent() == 100);
        assert_eq!(score.told(), "200 of 200 operators killed, 9 of 9 obligations covered");
        score.survived = names(&["a"]);
        assert!(!score.is_full() && !score.adds_up());
        score.killed = 199;
        assert!(score.adds_up() && score.percent() == 99);
        score.survived = names(&["a", "b", "c", "d"]);
        score.uncovered = names(&["f/o"]);
        assert_eq!(
            score.told(),
            "199 of 200 operators killed, 9 of 9 obligations covered; survived: a, b, c and 1 more; without an operator: f/o"
        );
    }
}
