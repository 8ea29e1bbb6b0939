//! Counts: every executed trial is a success or a failure, of the run and of each criterion.

use super::model::{Run, RunModel, fraction, fraction_agrees};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const STATISTICS: &str = "/iterations/0/statistics";

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/trials-counted",
            title: "Every trial is counted once",
            demand: "successes + failures = execution.samplesExecuted, and every criterion has pass + fail = samplesExecuted: a \
                     trial that was not delivered is a failed trial of the run and of every criterion.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "counts",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/1/statistics/criteria/tone/pass", "3"),
                    Edit::Set("/iterations/1/statistics/criteria/tone/observedPassRate", "1.0"),
                ],
                show: "/iterations/1/statistics/criteria",
                also: &["mavai/criteria-bound-trials"],
            },
        },
        judge: trials_counted,
    },
    Obligation {
        rule: Rule {
            id: "mavai/observed-rate",
            title: "Rates are the counts' quotients",
            demand: "observed = successes / (successes + failures) and observedPassRate = pass / (pass + fail), within 5e-5 (5e-7 \
                     under --strict); with no samples the rate is 0.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "counts",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/iterations/0/statistics/observed", "0.67")],
                show: STATISTICS,
                also: &[],
            },
        },
        judge: observed_rate,
    },
    Obligation {
        rule: Rule {
            id: "mavai/criteria-bound-trials",
            title: "Criteria bound the trials",
            demand: "A trial passes if and only if it passes every criterion. So successes is at most every criterion's pass, failures \
                     is at least every criterion's fail and at most their sum; with one criterion, successes = pass.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "counts",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/1/statistics/criteria/tone/pass", "3"),
                    Edit::Set("/iterations/1/statistics/criteria/tone/fail", "1"),
                    Edit::Set("/iterations/1/statistics/criteria/tone/observedPassRate", "0.75"),
                ],
                show: "/iterations/1/statistics",
                also: &[],
            },
        },
        judge: criteria_bound_trials,
    },
];

fn trials_counted(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(executed) = run.samples_executed.need(judge) else { return };
    if let (Some(successes), Some(failures)) = (run.successes.need(judge), run.failures.need(judge)) {
        let counted = u128::from(successes.value) + u128::from(failures.value);
        if counted != executed.value.into() {
            judge
                .finding(
                    successes.at,
                    format!(
                        "successes {} + failures {} = {counted}, but samplesExecuted is {}",
                        successes.value, failures.value, executed.value
                    ),
                )
                .mark(failures.at, "")
                .mark(executed.at, "executed")
                .help(
                    "count every executed trial once, as a success or as a failure; an undelivered trial is a failure",
                );
        }
    }
    for criterion in &run.criterion_list {
        let (Some(pass), Some(fail)) = (criterion.pass.need(judge), criterion.fail.need(judge)) else { continue };
        let counted = u128::from(pass.value) + u128::from(fail.value);
        if counted != executed.value.into() {
            judge
                .finding(
                    pass.at,
                    format!(
                        "criterion \"{}\" counts pass {} + fail {} = {counted} trials, but samplesExecuted is {}",
                        criterion.label(),
                        pass.value,
                        fail.value,
                        executed.value
                    ),
                )
                .mark(fail.at, "")
                .mark(executed.at, "executed")
                .help("every criterion judges every executed trial; an undelivered trial fails every criterion");
        }
    }
}

fn observed_rate(run: &Run<'_>, judge: &mut Judge<'_>) {
    if let (Some(rate), Some(successes), Some(failures)) =
        (run.observed.need(judge), run.successes.need(judge), run.failures.need(judge))
    {
        let (part, whole) = (successes.value.into(), u128::from(successes.value) + u128::from(failures.value));
        if !fraction_agrees(rate.value, part, whole, judge) {
            judge
                .finding(
                    rate.at,
                    format!(
                        "observed is {}, but {part} of {whole} trials passed: {}",
                        rate.at.written(),
                        decimals(part, whole)
                    ),
                )
                .mark(successes.at, "")
                .mark(failures.at, "");
        }
    }
    for criterion in &run.criterion_list {
        let (Some(rate), Some(pass), Some(fail)) =
            (criterion.rate.need(judge), criterion.pass.need(judge), criterion.fail.need(judge))
        else {
            continue;
        };
        let (part, whole) = (pass.value.into(), u128::from(pass.value) + u128::from(fail.value));
        if !fraction_agrees(rate.value, part, whole, judge) {
            judge
                .finding(
                    rate.at,
                    format!(
                        "observedPassRate of criterion \"{}\" is {}, but {part} of {whole} trials passed it: {}",
                        criterion.label(),
                        rate.at.written(),
                        decimals(part, whole)
                    ),
                )
                .mark(pass.at, "")
                .mark(fail.at, "");
        }
    }
}

fn criteria_bound_trials(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(criteria) = run.criteria.need(judge) else { return };
    let (Some(successes), Some(failures)) = (run.successes.need(judge), run.failures.need(judge)) else { return };
    let only = run.criterion_list.len() == 1;
    let mut fails = Some(0u128);
    for criterion in &run.criterion_list {
        if let Some(pass) = criterion.pass.need(judge)
            && (successes.value > pass.value || (only && successes.value != pass.value))
        {
            let relation = if only { "must equal" } else { "can be at most" };
            judge
                .finding(
                    successes.at,
                    format!(
                        "successes is {}, but it {relation} the pass of criterion \"{}\", {}",
                        successes.value,
                        criterion.label(),
                        pass.value
                    ),
                )
                .mark(pass.at, format!("passed \"{}\"", criterion.label()))
                .help("a trial is a success if and only if it passes every criterion");
        }
        match criterion.fail.need(judge) {
            Some(fail) => {
                if fail.value > failures.value {
                    judge
                        .finding(
                            failures.at,
                            format!(
                                "failures is {}, but criterion \"{}\" alone failed {} trials",
                                failures.value,
                                criterion.label(),
                                fail.value
                            ),
                        )
                        .mark(fail.at, format!("failed \"{}\"", criterion.label()))
                        .help("a trial that fails a criterion is a failed trial");
                }
                fails = fails.map(|sum| sum + u128::from(fail.value));
            }
            None => fails = None,
        }
    }
    if let Some(fails) = fails.filter(|&fails| !criteria.value.is_empty() && u128::from(failures.value) > fails) {
        judge
            .finding(
                failures.at,
                format!("failures is {}, but the criteria failed only {fails} trials in all", failures.value),
            )
            .mark(criteria.at, "")
            .help("every failed trial fails at least one criterion; an undelivered trial fails them all");
    }
}

/// The quotient as messages show it.
pub fn decimals(part: u128, whole: u128) -> String {
    let shown = format!("{:.6}", fraction(part, whole));
    let trimmed = shown.trim_end_matches('0').trim_end_matches('.');
    trimmed.to_owned()
}
