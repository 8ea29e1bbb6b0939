//! Mutation: every operator of every suite is caught, and every obligation has one.

use conform::mutation::score::{MUTANTS, SEED, Score};
use conform::suite::{self, Suite};

/// What the score of a suite lacks, for people.
fn gaps(suite: &'static Suite) -> Vec<String> {
    // As certificates state it.
    let score = Score::of(suite, SEED, MUTANTS).unwrap();
    let mut gaps: Vec<String> = score.uncovered.iter().map(|id| format!("{id}: no operator")).collect();
    for line in score.operators.iter().filter(|line| !line.is_killed()) {
        gaps.push(format!("{} ({}): {} of {} killed", line.operator, line.obligation, line.killed, line.mutants));
        gaps.extend(line.survivors.iter().map(|survivor| format!("    {survivor:?}")));
    }
    gaps
}

macro_rules! every_operator_is_killed {
    ($($test:ident: $suite:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            let gaps = gaps(suite::by_id($suite).unwrap());
            assert!(gaps.is_empty(), "{}", gaps.join("\n"));
        })*

        #[test]
        fn no_suite_is_left_out() {
            let tested = [$($suite),*];
            assert!(suite::all().all(|suite| tested.contains(&suite.id)));
        }
    };
}

every_operator_is_killed! {
    every_optimize_operator_is_killed: "mavai-optimize-1",
    every_explore_operator_is_killed: "mavai-explore-1",
    every_baseline_operator_is_killed: "mavai-baseline-1",
    every_torneo_operator_is_killed: "torneo-epreuve-v1",
    every_orbiplex_operator_is_killed: "orbiplex-task-pack-execution-v1",
}
