//! Iterations and convergence: the history in order, and the optimum that follows from it.

use super::model::{Run, RunModel, Slot, Stated, count, fraction, list, number, object, text};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Model, Obligation, Rule};

/// The marker for tables of obligations on an optimize document.
pub struct OptimizeModel;

impl Model for OptimizeModel {
    type Of<'d> = Optimize<'d>;
}

/// An optimize document beyond its runs.
pub struct Optimize<'d> {
    pub objective: Slot<'d, &'d str>,
    pub scorer: Slot<'d, &'d str>,
    pub convergence: Slot<'d, Value<'d>>,
    pub iterations: Vec<Iteration<'d>>,
    /// The `iterations` array itself.
    pub list: Slot<'d, Value<'d>>,
}

/// What convergence needs of one iteration.
pub struct Iteration<'d> {
    pub at: Value<'d>,
    pub number: Slot<'d, u64>,
    pub score: Slot<'d, f64>,
    pub factors: Slot<'d, Value<'d>>,
    pub successes: Slot<'d, u64>,
    pub executed: Slot<'d, u64>,
}

impl<'d> Iteration<'d> {
    pub fn of(at: Value<'d>, run: &Run<'d>) -> Self {
        Iteration {
            at,
            number: count(at, "iteration"),
            score: number(at, "score"),
            factors: object(at, "factors"),
            successes: run.successes,
            executed: run.samples_executed,
        }
    }
}

impl<'d> Optimize<'d> {
    /// Reads what convergence needs from a document's root; the iterations come with their runs.
    pub fn of(root: Value<'d>) -> Self {
        Optimize {
            objective: text(root, "objective"),
            scorer: text(root, "scorer"),
            convergence: object(root, "convergence"),
            iterations: Vec::new(),
            list: list(root, "iterations"),
        }
    }
}

impl Optimize<'_> {
    /// The scores, where every iteration has one; else the judge is told which has none.
    fn scores(&self, judge: &mut Judge<'_>) -> Option<Vec<f64>> {
        self.iterations.iter().map(|iteration| iteration.score.need(judge).map(|score| score.value)).collect()
    }

    /// The index of the optimum that follows from the scores: the first of the best.
    fn optimum(&self, judge: &mut Judge<'_>) -> Option<usize> {
        let objective = self.objective.need(judge)?;
        let better: fn(f64, f64) -> bool = match objective.value {
            "MAXIMIZE" => |a, b| a > b,
            "MINIMIZE" => |a, b| a < b,
            _ => {
                judge.not_judged(objective.at.pointer(), "the objective is neither MAXIMIZE nor MINIMIZE");
                return None;
            }
        };
        let scores = self.scores(judge)?;
        (0..scores.len()).reduce(|best, next| if better(scores[next], scores[best]) { next } else { best })
    }

    fn best(&self, judge: &mut Judge<'_>) -> Option<(Stated<'_, u64>, &Iteration<'_>)> {
        let convergence = self.convergence.need(judge)?;
        let best = count(convergence.value, "bestIteration").need(judge)?;
        let iteration = usize::try_from(best.value).ok().and_then(|at| self.iterations.get(at));
        if iteration.is_none() {
            judge.not_judged(best.at.pointer(), "bestIteration names no iteration");
        }
        Some((best, iteration?))
    }
}

pub const RUN: &[Obligation<RunModel>] = &[Obligation {
    rule: Rule {
        id: "mavai/samples-planned",
        title: "Executed samples were planned",
        demand: "Where samplesPlanned is stated, samplesExecuted is at most it, and a terminationReason COMPLETED means that they are equal.",
        basis: Basis::Derived,
        severity: Severity::Error,
        group: "iterations",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/iterations/1/execution/samplesPlanned", "5")],
            show: "/iterations/1/execution",
            also: &[],
        },
    },
    judge: samples_planned,
}];

pub const OBLIGATIONS: &[Obligation<OptimizeModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/iterations-numbered",
            title: "Iterations are numbered in order",
            demand: "iterations[i].iteration = i: the full history in execution order. A configuration may come back.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "iterations",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/1/iteration", "2")],
                show: "/iterations/1/iteration",
                also: &[],
            },
        },
        judge: numbered,
    },
    Obligation {
        rule: Rule {
            id: "mavai/convergence-consistent",
            title: "Convergence repeats the iteration that it names",
            demand: "totalIterations is the number of iterations, bestIteration names one of them, and bestScore and bestFactors equal that one's \
                     score and factors (deeply; numbers by value).",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "convergence",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/convergence/bestFactors/temperature", "0.7")],
                show: "/convergence",
                also: &[],
            },
        },
        judge: consistent,
    },
    Obligation {
        rule: Rule {
            id: "mavai/convergence-best",
            title: "The best iteration is the best",
            demand: "The score of bestIteration is the greatest of all under MAXIMIZE, the least under MINIMIZE.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "convergence",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/convergence/bestIteration", "0"),
                    Edit::Set("/convergence/bestScore", "0.6666666666666666"),
                    Edit::Set("/convergence/bestFactors", r#"{"model": "small", "temperature": 0.7}"#),
                ],
                show: "/convergence",
                also: &[],
            },
        },
        judge: best,
    },
    Obligation {
        rule: Rule {
            id: "mavai/convergence-tie",
            title: "The first of equals is the best",
            demand: "Where several iterations share the best score, bestIteration is the first of them, as the family's emitters choose.",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "convergence",
            example: Example {
                good: &[
                    Edit::Set("/scorer", r#""coin""#),
                    Edit::Set("/iterations/0/score", "1.0"),
                    Edit::Set("/convergence/bestIteration", "0"),
                    Edit::Set("/convergence/bestFactors/temperature", "0.7"),
                ],
                bad: &[
                    Edit::Set("/convergence/bestIteration", "1"),
                    Edit::Set("/convergence/bestFactors/temperature", "0.2"),
                ],
                show: "/convergence",
                also: &[],
            },
        },
        judge: tie,
    },
    Obligation {
        rule: Rule {
            id: "mavai/score-is-rate",
            title: "The observed-pass-rate score is the rate itself",
            demand: "With scorer observed-pass-rate, an iteration's score is successes / samplesExecuted, unrounded; 0 with no samples.",
            basis: Basis::Family,
            severity: Severity::Warning,
            group: "iterations",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/score", "0.6667")],
                show: "/iterations/0",
                also: &[],
            },
        },
        judge: score_is_rate,
    },
];

fn samples_planned(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(planned) = run.samples_planned.if_stated(judge) else { return };
    let Some(executed) = run.samples_executed.need(judge) else { return };
    if executed.value > planned.value {
        judge
            .finding(
                executed.at,
                format!("samplesExecuted is {}, but only {} were planned", executed.value, planned.value),
            )
            .mark(planned.at, "planned");
        return;
    }
    let Some(reason) = run.termination.need(judge) else { return };
    if reason.value == "COMPLETED" && executed.value != planned.value {
        judge
            .finding(
                reason.at,
                format!(
                    "terminationReason is COMPLETED, but {} of {} planned samples were executed",
                    executed.value, planned.value
                ),
            )
            .mark(executed.at, "")
            .mark(planned.at, "planned")
            .help("state why the run ended before its plan");
    }
}

fn numbered(optimize: &Optimize<'_>, judge: &mut Judge<'_>) {
    optimize.list.need(judge);
    for (index, iteration) in optimize.iterations.iter().enumerate() {
        let Some(number) = iteration.number.need(judge) else { continue };
        if number.value != index as u64 {
            judge
                .finding(number.at, format!("the iteration at position {index} is numbered {}", number.value))
                .help("number the iterations from 0 in execution order, and leave none out");
        }
    }
}

fn consistent(optimize: &Optimize<'_>, judge: &mut Judge<'_>) {
    let (Some(convergence), Some(list)) = (optimize.convergence.need(judge), optimize.list.need(judge)) else { return };
    let iterations = optimize.iterations.len() as u64;
    if let Some(total) = count(convergence.value, "totalIterations").need(judge)
        && total.value != iterations
    {
        judge
            .finding(
                total.at,
                format!("totalIterations is {}, but the document has {iterations} iterations", total.value),
            )
            .mark(list.at, "");
    }
    let Some(best_at) = convergence.value.get("bestIteration") else {
        judge.not_judged(convergence.at.pointer(), "`bestIteration` is missing");
        return;
    };
    let named =
        best_at.as_u64().and_then(|best| usize::try_from(best).ok()).and_then(|best| optimize.iterations.get(best));
    let Some(named) = named else {
        if best_at.as_f64().is_some() {
            judge
                .finding(
                    best_at,
                    format!(
                        "bestIteration is {}, but the iterations are 0 to {}",
                        best_at.written(),
                        iterations.saturating_sub(1)
                    ),
                )
                .help("name the selected optimum by its index in iterations");
        } else {
            judge.not_judged(best_at.pointer(), "it is not a number");
        }
        return;
    };
    let entered_score = number(convergence.value, "bestScore").need(judge);
    let entered_factors = object(convergence.value, "bestFactors").need(judge);
    let score_differs =
        matches!((entered_score, named.score.need(judge)), (Some(entered), Some(own)) if entered.value != own.value);
    let factors_differ = matches!((entered_factors, named.factors.need(judge)), (Some(entered), Some(own)) if !entered.value.same_as(own.value));
    if !score_differs && !factors_differ {
        return;
    }
    let what = match (score_differs, factors_differ) {
        (true, true) => "bestScore and bestFactors are",
        (true, false) => "bestScore is",
        _ => "bestFactors is",
    };
    let at = if score_differs { convergence.value.get("bestScore") } else { convergence.value.get("bestFactors") };
    judge
        .finding(
            at.unwrap_or(convergence.at),
            format!("{what} not those of iteration {}, which bestIteration names", best_at.written()),
        )
        .mark(named.at, "the iteration named")
        .comparison(
            block(best_at.written(), entered_score.map(|score| score.at), entered_factors.map(|factors| factors.at)),
            block(
                best_at.written(),
                named.score.get().map(|score| score.at),
                named.factors.get().map(|factors| factors.at),
            ),
        )
        .help("copy score and factors from the iteration named");
}

/// The convergence block, one member a line, factors sorted by name.
fn block(best: &str, score: Option<Value<'_>>, factors: Option<Value<'_>>) -> String {
    let mut lines = vec![format!("bestIteration: {best}")];
    if let Some(score) = score {
        lines.push(format!("bestScore: {}", score.written()));
    }
    if let Some(factors) = factors {
        let mut members: Vec<String> = factors
            .members()
            .map(|(key, value)| format!("bestFactors.{}: {}", key.as_str().unwrap_or_default(), value.to_json()))
            .collect();
        members.sort();
        lines.append(&mut members);
    }
    lines.join("\n") + "\n"
}

fn best(optimize: &Optimize<'_>, judge: &mut Judge<'_>) {
    let Some(optimum) = optimize.optimum(judge) else { return };
    let Some((best, named)) = optimize.best(judge) else { return };
    let (Some(own), Some(optimal)) = (named.score.get(), optimize.iterations[optimum].score.get()) else { return };
    if own.value != optimal.value {
        let direction = if own.value < optimal.value { "more" } else { "less" };
        judge
            .finding(
                best.at,
                format!(
                    "bestIteration is {} with score {}, but iteration {optimum} has {direction}: {}",
                    best.value,
                    own.at.written(),
                    optimal.at.written()
                ),
            )
            .mark(optimal.at, "the best score")
            .help("name the iteration with the best score under the objective");
    }
}

fn tie(optimize: &Optimize<'_>, judge: &mut Judge<'_>) {
    let Some(optimum) = optimize.optimum(judge) else { return };
    let Some((best, named)) = optimize.best(judge) else { return };
    let (Some(own), Some(first)) = (named.score.get(), optimize.iterations[optimum].score.get()) else { return };
    if own.value == first.value && best.value != optimum as u64 {
        judge
            .finding(
                best.at,
                format!("bestIteration is {}, but iteration {optimum} has the same score and comes first", best.value),
            )
            .mark(first.at, "the first with this score");
    }
}

fn score_is_rate(optimize: &Optimize<'_>, judge: &mut Judge<'_>) {
    if optimize.scorer.if_stated(judge).map(|scorer| scorer.value) != Some("observed-pass-rate") {
        return;
    }
    for iteration in &optimize.iterations {
        let (Some(score), Some(successes), Some(executed)) =
            (iteration.score.need(judge), iteration.successes.need(judge), iteration.executed.need(judge))
        else {
            continue;
        };
        let rate = fraction(successes.value.into(), executed.value.into());
        // An unrounded quotient differs by rounding in the last place at most.
        if (score.value - rate).abs() > 1e-9 {
            judge
                .finding(
                    score.at,
                    format!(
                        "score is {}, but {} of {} samples passed: {rate}",
                        score.at.written(),
                        successes.value,
                        executed.value
                    ),
                )
                .help("state the rate as it is, unrounded");
        }
    }
}
