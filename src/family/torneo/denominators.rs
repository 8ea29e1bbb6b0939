//! Denominators: matches and comparisons concluded, of those played.

use super::model::{Epreuve, Epreuves, need};
use super::tally::{Measured, Tally};
use crate::document::{Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[Obligation {
    rule: Rule {
        id: "torneo/denominators-derived",
        title: "denominators are the counts over the matches",
        demand: "`matches_played` is the number of matches and `matches_concluded` those with a win on some dimension; `comparisons_played` counts \
                 wins and draws (this project's reading: what was not measured was not played), `comparisons_concluded` wins; `per_dimension` has \
                 the same for exactly the épreuve's dimensions, its draws by kind and `not_measured` beside.",
        basis: Basis::Stated,
        severity: Severity::Error,
        group: "denominators",
        example: Example {
            good: &[],
            bad: &[Edit::Set("/denominators/comparisons_concluded", "6")],
            show: "/denominators",
            also: &[],
        },
    },
    judge: denominators_derived,
}];

/// One stated count: what the document says and what follows from its matches.
struct Count<'d> {
    key: String,
    at: Value<'d>,
    /// `None` where it is no count.
    entered: Option<u64>,
    derived: u64,
}

/// The counts of one dimension, by key.
pub(super) fn counts_of(measured: &Measured) -> [(&'static str, u64); 6] {
    [
        ("played", measured.played()),
        ("concluded", measured.wins),
        ("draws_insufficient_precision", measured.draws_insufficient_precision),
        ("draws_equivalent_within_margin", measured.draws_equivalent_within_margin),
        ("draws_unspecified", measured.draws_unspecified),
        ("not_measured", measured.not_measured),
    ]
}

/// The counts over all dimensions, by key.
pub(super) fn totals_of(tally: &Tally, measured: &[Measured]) -> [(&'static str, u64); 4] {
    [
        ("comparisons_played", measured.iter().map(Measured::played).sum()),
        ("comparisons_concluded", measured.iter().map(|one| one.wins).sum()),
        ("matches_played", tally.matches),
        ("matches_concluded", tally.matches_concluded),
    ]
}

fn denominators_derived(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(stated) = epreuve.root.get("denominators") else { return };
    if stated.kind() != Kind::Object {
        return judge.not_judged("/denominators", "`denominators` is no object");
    }
    let Some(tally) = need(epreuve.tally(), judge) else { return };
    let mut counts = Vec::new();
    match tally.all_measured() {
        Ok(measured) => counts.extend(totals_of(tally, measured).iter().filter_map(|count| compare("", stated, count))),
        Err(why) => judge.not_judged("/denominators", why),
    }
    if let Some(per_dimension) = stated.get("per_dimension") {
        if per_dimension.kind() == Kind::Object {
            per_dimension_counts(epreuve, tally, per_dimension, &mut counts, judge);
        } else {
            judge.not_judged("/denominators/per_dimension", "`per_dimension` is no object");
        }
    }
    for count in counts.iter().filter(|count| count.entered.is_none()) {
        judge.not_judged(count.at.pointer(), "not a count");
    }
    let wrong: Vec<_> = counts.iter().filter(|count| count.entered.is_some_and(|n| n != count.derived)).collect();
    let [first, others @ ..] = wrong.as_slice() else { return };
    let more = match others.len() {
        0 => String::new(),
        1 => ", and another count differs".to_owned(),
        more => format!(", and {more} other counts differ"),
    };
    let entered = first.entered.unwrap_or_default();
    judge
        .finding(first.at, format!("{} is {entered}; the matches say {}{more}", first.key, first.derived))
        .comparison(lines(&counts, |count| count.entered), lines(&counts, |count| Some(count.derived)))
        .help("derive the counts from the matches; `conform derive` prints them");
}

/// Judges the keys of `per_dimension` and adds its counts.
fn per_dimension_counts<'d>(
    epreuve: &Epreuve<'d>,
    tally: &Tally,
    stated: Value<'d>,
    counts: &mut Vec<Count<'d>>,
    judge: &mut Judge<'_>,
) {
    let Ok(dimensions) = epreuve.dimensions() else { return };
    for (key, value) in stated.members() {
        let name = key.as_str().unwrap_or_default();
        let Some(dimension) = dimensions.named(name) else {
            judge
                .finding(key, format!("counts for `{}`, no dimension of the épreuve", name.escape_debug()))
                .help("`per_dimension` has one entry for each of `dimensions` and no other");
            continue;
        };
        match tally.measured(dimension) {
            Ok(measured) => {
                let prefix = format!("per_dimension.{name}.");
                counts.extend(counts_of(measured).iter().filter_map(|count| compare(&prefix, value, count)));
            }
            Err(why) => judge.not_judged(value.pointer(), why),
        }
    }
    for name in dimensions.names.iter().filter(|name| stated.get(name).is_none()) {
        judge
            .finding(stated, format!("no counts for `{name}`"))
            .help("`per_dimension` has one entry for each of `dimensions` and no other");
    }
}

/// A count beside what follows from the matches; `None` where the document does not state it.
fn compare<'d>(prefix: &str, stated: Value<'d>, &(key, derived): &(&str, u64)) -> Option<Count<'d>> {
    let at = stated.get(key)?;
    Some(Count { key: format!("{prefix}{key}"), at, entered: at.as_u64(), derived })
}

fn lines(counts: &[Count<'_>], value: impl Fn(&Count<'_>) -> Option<u64>) -> String {
    let mut text = String::new();
    for count in counts.iter().filter(|count| count.entered.is_some()) {
        text.push_str(&format!("{}: {}\n", count.key, value(count).unwrap_or_default()));
    }
    text
}
