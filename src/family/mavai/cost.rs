//! Cost: averages are of the executed samples.

use super::model::{Run, RunModel, count};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[Obligation {
    rule: Rule {
        id: "mavai/cost-average",
        title: "Averages are totals over samples",
        demand: "avgTimePerSampleMs is within 1 of totalTimeMs / samplesExecuted, and avgTokensPerSample of totalTokens / samplesExecuted; \
                 with no samples an average is 0.",
        basis: Basis::Derived,
        severity: Severity::Error,
        group: "cost",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/iterations/0/cost/avgTimePerSampleMs", "31")],
            show: "/iterations/0/cost",
            also: &[],
        },
    },
    judge: average,
}];

fn average(run: &Run<'_>, judge: &mut Judge<'_>) {
    let Some(cost) = run.cost.if_stated(judge) else { return };
    let Some(executed) = run.samples_executed.need(judge) else { return };
    for (average_key, total_key) in [("avgTimePerSampleMs", "totalTimeMs"), ("avgTokensPerSample", "totalTokens")] {
        let average = count(cost.value, average_key).if_stated(judge);
        let total = count(cost.value, total_key).if_stated(judge);
        let (Some(average), Some(total)) = (average, total) else { continue };
        let wrong = if executed.value == 0 {
            average.value != 0
        } else {
            // |avg - total/n| ≤ 1, in integers: |avg·n - total| ≤ n.
            let (n, avg) = (u128::from(executed.value), u128::from(average.value));
            (avg * n).abs_diff(total.value.into()) > n
        };
        if wrong {
            let quotient = if executed.value == 0 { 0.0 } else { total.value as f64 / executed.value as f64 };
            judge
                .finding(
                    average.at,
                    format!(
                        "{average_key} is {}, but {total_key} {} over {} samples is {quotient:.1}",
                        average.value, total.value, executed.value
                    ),
                )
                .mark(total.at, "")
                .mark(executed.at, "executed")
                .help("divide the total by samplesExecuted, not by the passing samples");
        }
    }
}
