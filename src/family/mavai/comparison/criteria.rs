//! A run's criteria and their standings, beside what the scenario's trials say.

use super::attribution::{Names, reasons};
use super::{differs, same_count};
use crate::document::Value;
use crate::family::mavai::delivery::excerpt;
use crate::family::mavai::model::{Criterion, Run, Slot};
use crate::family::mavai::oracle::{Expected, ExpectedCriterion, ExpectedRow};
use crate::family::mavai::whole::LONGEST_KEY;
use crate::obligation::Judge;

pub fn criteria(expected: &Expected, run: &Run<'_>, names: &Names<'_>, judge: &mut Judge<'_>) {
    let Some(block) = run.criteria.get() else { return };
    // A baseline counts a criterion's trials and successes, and nothing over all criteria.
    let words = match run.successes {
        Slot::Foreign => ["successes", "trials less successes"],
        _ => ["pass", "fail"],
    };
    for criterion in &expected.criteria {
        match run.criterion_list.iter().find(|emitted| emitted.label() == criterion.name) {
            Some(emitted) => one_criterion(criterion, emitted, words, names, judge),
            None if criterion.name.chars().count() > LONGEST_KEY => {}
            None => {
                differs(block.at, format!("criterion {} of the scenario is missing", excerpt(&criterion.name)), judge)
            }
        }
    }
    let may_be_bounded = expected.criteria.iter().any(|criterion| criterion.name.chars().count() > LONGEST_KEY);
    for emitted in &run.criterion_list {
        if !may_be_bounded && !expected.criteria.iter().any(|criterion| criterion.name == emitted.label()) {
            differs(emitted.name, format!("the scenario has no criterion {}", excerpt(emitted.label())), judge);
        }
    }
}

fn one_criterion(
    expected: &ExpectedCriterion,
    emitted: &Criterion<'_>,
    [pass, fail]: [&str; 2],
    names: &Names<'_>,
    judge: &mut Judge<'_>,
) {
    same_count(&format!("{pass} of criterion {}", excerpt(&expected.name)), &emitted.pass, expected.pass, judge);
    same_count(&format!("{fail} of criterion {}", excerpt(&expected.name)), &emitted.fail, expected.fail, judge);
    reasons(&emitted.distribution, &expected.reasons, names, judge);
    if let Some(standings) = emitted.standings.get() {
        match (emitted.slack.get(), expected.slack.as_deref()) {
            (Some(stated), Some(declared)) if stated.value != declared => differs(
                stated.at,
                format!("optionalSlack is {}, declared is {}", excerpt(stated.value), excerpt(declared)),
                judge,
            ),
            (Some(stated), None) => {
                differs(stated.at, "optionalSlack is stated, but the criterion declares none".to_owned(), judge)
            }
            (None, Some(declared)) if emitted.slack.is_absent() => {
                differs(
                    standings.at,
                    format!("optionalSlack {} of the declaration is missing", excerpt(declared)),
                    judge,
                );
            }
            _ => {}
        }
        rows(expected, emitted, standings.at, names, judge);
    }
}

fn rows(
    expected: &ExpectedCriterion,
    emitted: &Criterion<'_>,
    standings: Value<'_>,
    names: &Names<'_>,
    judge: &mut Judge<'_>,
) {
    let mut missing: Vec<(u64, &str, &ExpectedRow)> =
        expected.rows.iter().map(|((input, check), row)| (*input, Names::comparable(check), row)).collect();
    for row in &emitted.rows {
        let (Some(input), Some(check)) = (row.input.get(), row.check.get()) else { return };
        let counts =
            [row.passed.get(), row.failed.get(), row.skipped.get()].map(|count| count.map(|count| count.value));
        let name = names.declared(check.value);
        let is_of = |(own, check, _): &(u64, &str, &ExpectedRow)| *own == input.value && *check == name;
        let equal = |(_, _, row): &(u64, &str, &ExpectedRow)| counts == [row.passed, row.failed, row.skipped].map(Some);
        // Several names too long to be told apart: the one that counts the same is the one meant.
        let at = missing.iter().position(|own| is_of(own) && equal(own)).or_else(|| missing.iter().position(is_of));
        let Some((_, _, own)) = at.map(|at| missing.remove(at)) else {
            // A row for an input that was never driven counts nothing; a doubled row is another obligation's finding.
            let doubled =
                expected.rows.keys().any(|(own, check)| *own == input.value && Names::comparable(check) == name);
            if counts.iter().any(|count| count.is_some_and(|count| count > 0)) && !doubled {
                let message =
                    format!("the check {} is not judged on input {} in the scenario", excerpt(name), input.value);
                differs(row.at, message, judge);
            }
            continue;
        };
        let follows = [own.passed, own.failed, own.skipped];
        if counts.iter().zip(follows).any(|(stated, follows)| stated.is_some_and(|stated| stated != follows)) {
            let shown = counts.map(|count| count.map_or("?".to_owned(), |count| count.to_string())).join("/");
            let message = format!(
                "passed/failed/skipped are {shown}, from the scenario follow {}/{}/{}",
                own.passed, own.failed, own.skipped
            );
            differs(row.at, message, judge);
        }
        if let Some(optional) = row.optional.get().filter(|optional| optional.value != own.optional) {
            differs(optional.at, format!("optional is {}, declared is {}", optional.value, own.optional), judge);
        }
        if let Some(provenance) = row.provenance.get()
            && row.is_stated_by_input() != own.stated_by_input
        {
            let follows = if own.stated_by_input { "input" } else { "criterion" };
            differs(
                provenance.at,
                format!("provenance is {}, declared is {follows}", excerpt(provenance.value)),
                judge,
            );
        }
    }
    for (input, check, _) in missing {
        differs(standings, format!("no row for check {} on input {input}", excerpt(check)), judge);
    }
}
