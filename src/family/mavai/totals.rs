//! Totals of standings rows: they follow from the round robin over the inputs, and they bound the criterion that holds them.

use std::collections::{BTreeMap, HashMap};

use super::model::{Criterion, Run, RunModel, input_suffix};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

const ROWS: &str = "/iterations/0/statistics/criteria/tone/standings/rows";

pub const OBLIGATIONS: &[Obligation<RunModel>] = &[
    Obligation {
        rule: Rule {
            id: "mavai/standings-row-total",
            title: "Row totals follow the round robin",
            demand: "passed + failed + skipped of a row is the number of trials of its input. So no total exceeds samplesExecuted, the \
                     rows of one criterion and input share one total, the inputs' totals sum to samplesExecuted, and, since the inputs \
                     are driven round robin from the first, input j of k has floor(n/k) trials, plus one where j < n mod k. A row \
                     stated by an input stands under that input only.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/2/skipped", "1"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/2/passed", "4"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/2/observedFraction", "0.8"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/0/skipped", "0"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/0/observedFraction", "0.666667"),
                ],
                show: ROWS,
                also: &[],
            },
        },
        judge: row_total,
    },
    Obligation {
        rule: Rule {
            id: "mavai/standings-bound-criterion",
            title: "Binding checks bound their criterion",
            demand: "A trial that does not pass a required check fails its criterion. So over the rows of a required check the criterion has \
                     pass ≤ the sum of passed and fail ≥ the sum of failed + skipped; an optional check binds so only where optionalSlack \
                     is absent.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "standings",
            example: Example {
                good: &[],
                bad: &[
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/1/passed", "3"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/1/failed", "1"),
                    Edit::Set("/iterations/0/statistics/criteria/tone/standings/rows/1/observedFraction", "0.75"),
                ],
                show: "/iterations/0/statistics/criteria/tone",
                also: &[],
            },
        },
        judge: bound_criterion,
    },
];

fn row_total(run: &Run<'_>, judge: &mut Judge<'_>) {
    for row in run.criterion_list.iter().flat_map(|criterion| &criterion.rows) {
        let (Some(input), Some(check)) = (row.input.get(), row.check.get()) else { continue };
        if let Some(own) = input_suffix(check.value).filter(|&own| row.is_stated_by_input() && own != input.value) {
            judge
                .finding(
                    row.at,
                    format!("the check is stated by input {own}, but its row stands under input {}", input.value),
                )
                .help("judge a check that an input's own expected values state on that input's trials only");
        }
    }
    for criterion in run.criterion_list.iter().filter(|criterion| !criterion.rows.is_empty()) {
        criterion_totals(run, criterion, judge);
    }
}

/// One kind of fault a criterion: each later comparison takes for granted that the earlier ones hold.
fn criterion_totals(run: &Run<'_>, criterion: &Criterion<'_>, judge: &mut Judge<'_>) {
    let Some(executed) = run.samples_executed.need(judge) else { return };
    let samples = u128::from(executed.value);
    // For each input the first row with its total.
    let mut totals: BTreeMap<u64, (Value<'_>, u128)> = BTreeMap::new();
    let mut sound = true;
    let mut complete = true;
    for row in &criterion.rows {
        let (Some(input), Some(counts)) = (row.input.need(judge), row.counts(judge)) else {
            complete = false;
            continue;
        };
        let total = counts.total();
        let (first, expected) = *totals.entry(input.value).or_insert((row.at, total));
        if total > samples {
            sound = false;
            judge
                .finding(row.at, format!("the row counts {total} trials, but samplesExecuted is {samples}"))
                .mark(executed.at, "executed")
                .help("count each trial once a row, also where a criterion states the same check twice");
        } else if total != expected && expected <= samples {
            sound = false;
            judge
                .finding(
                    row.at,
                    format!(
                        "the row counts {total} trials, but another row of input {} counts {expected}",
                        input.value
                    ),
                )
                .mark(first, format!("{expected} trials"))
                .help("every check of a criterion is judged or skipped on every trial of its input");
        }
    }
    if !sound || !complete {
        return;
    }
    // Checks that only inputs state leave the other inputs without rows.
    let asserted_of_all = criterion.rows.iter().any(|row| !row.is_stated_by_input());
    let sum: u128 = totals.values().map(|(_, total)| total).sum();
    let stated_inputs =
        run.inputs.and_then(|inputs| inputs.stated_count).filter(|&count| totals.keys().all(|&input| input < count));
    if let Some(count) = stated_inputs.map(u128::from).filter(|&count| count > 0) {
        for (&input, &(row, total)) in &totals {
            let expected = samples / count + u128::from(u128::from(input) < samples % count);
            if total != expected {
                judge
                    .finding(
                        row,
                        format!("input {input} counts {total} trials, but {samples} samples over {count} inputs give it {expected}"),
                    )
                    .mark(executed.at, "executed")
                    .help("drive the inputs round robin from the first, and start again at the first in each iteration");
                return;
            }
        }
    }
    if asserted_of_all && sum != samples {
        let Some(&(row, _)) = totals.values().next() else { return };
        judge
            .finding(
                row,
                format!(
                    "the trials of the inputs in the standings of criterion \"{}\" sum to {sum}, but samplesExecuted is {samples}",
                    criterion.label()
                ),
            )
            .mark(executed.at, "executed")
            .help("state a row for every input that was driven, and count undelivered trials as skipped");
        return;
    }
    let listed: Vec<(u64, Value<'_>, u128)> =
        totals.iter().map(|(&input, &(row, total))| (input, row, total)).collect();
    for pair in listed.windows(2) {
        let [(before, _, earlier), (input, row, later)] = *pair else { continue };
        if later > earlier || listed[0].2 - later > 1 {
            judge
                .finding(
                    row,
                    format!("input {input} counts {later} trials beside {earlier} of input {before}, which no round robin yields"),
                )
                .help("drive the inputs round robin from the first, and start again at the first in each iteration");
            return;
        }
    }
}

/// Sums over the rows of one check.
#[derive(Default)]
struct CheckSums<'d> {
    passed: u128,
    missed: u128,
    /// Every row is one that the criterion asserts of every input.
    asserted_of_all: bool,
    first: Option<Value<'d>>,
}

fn bound_criterion(run: &Run<'_>, judge: &mut Judge<'_>) {
    for criterion in run.criterion_list.iter().filter(|criterion| !criterion.rows.is_empty()) {
        let tolerated = !criterion.slack.is_absent();
        let mut sums: BTreeMap<&str, CheckSums<'_>> = BTreeMap::new();
        let mut seen = HashMap::new();
        let mut unread = Vec::new();
        for row in &criterion.rows {
            let (Some(check), Some(optional)) = (row.check.need(judge), row.optional.need(judge)) else { continue };
            if optional.value && tolerated {
                continue;
            }
            // Doubled and overcounted rows are other obligations' findings; summing them would only say the same again.
            let doubled = row.input.get().is_some_and(|input| seen.insert((input.value, check.value), ()).is_some());
            let overcounted = |total: u128| run.samples_executed.get().is_some_and(|n| total > n.value.into());
            let Some(counts) = row.counts(judge).filter(|counts| !doubled && !overcounted(counts.total())) else {
                unread.push(check.value);
                continue;
            };
            let sum = sums.entry(check.value).or_insert(CheckSums { asserted_of_all: true, ..CheckSums::default() });
            sum.passed += counts.passed;
            sum.missed += counts.failed + counts.skipped;
            sum.asserted_of_all &= !row.is_stated_by_input();
            sum.first.get_or_insert(row.at);
        }
        for check in unread {
            sums.remove(check);
        }
        bound_by_checks(run, criterion, &sums, judge);
    }
}

fn bound_by_checks(
    run: &Run<'_>,
    criterion: &Criterion<'_>,
    sums: &BTreeMap<&str, CheckSums<'_>>,
    judge: &mut Judge<'_>,
) {
    let (Some(pass), Some(fail)) = (criterion.pass.need(judge), criterion.fail.need(judge)) else { return };
    let executed = run.samples_executed.get().map(|executed| u128::from(executed.value));
    for (check, sum) in sums {
        let Some(first) = sum.first else { continue };
        if u128::from(fail.value) < sum.missed {
            judge
                .finding(
                    fail.at,
                    format!(
                        "criterion \"{}\" failed {} trials, but its check {check:?} was failed or skipped on {}",
                        criterion.label(),
                        fail.value,
                        sum.missed
                    ),
                )
                .mark(first, "its rows")
                .help("a trial that does not pass a binding check fails the criterion");
        } else if sum.asserted_of_all
            && Some(sum.passed + sum.missed) == executed
            && u128::from(pass.value) > sum.passed
        {
            judge
                .finding(
                    pass.at,
                    format!(
                        "criterion \"{}\" passed {} trials, but its check {check:?} passed only {}",
                        criterion.label(),
                        pass.value,
                        sum.passed
                    ),
                )
                .mark(first, "its rows")
                .help("a trial that does not pass a binding check fails the criterion");
        }
    }
}
