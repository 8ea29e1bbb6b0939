//! The champion, who holds every title: rare by construction.

use std::collections::BTreeSet;

use super::model::{Dimension, Epreuve, Epreuves, Known, Outcome, Tool, named, need};
use crate::document::{Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/champion-titles",
            title: "a champion holds every title",
            demand: "Where `champion` is not null, `epreuve_winners` names that tool on every dimension of the épreuve.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "champion",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/epreuve_winners/cost", "null")],
                show: "/epreuve_winners",
                also: &[],
            },
        },
        judge: champion_titles,
    },
    Obligation {
        rule: Rule {
            id: "torneo/champion-measured",
            title: "a champion's épreuve was measured in full",
            demand: "Where `champion` is not null, no dimension of the épreuve stayed unmeasured. This project reads that as: no comparison of any \
                     match has the outcome `not_measured`.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "champion",
            example: Example {
                good: ONE_NOT_MEASURED,
                bad: &[Edit::Set("/champion", r#""archer""#)],
                show: "/champion",
                also: &[],
            },
        },
        judge: champion_measured,
    },
    Obligation {
        rule: Rule {
            id: "torneo/champion-vendors",
            title: "a champion beat another vendor",
            demand: "Where `champion` is not null, the running tools have at least two distinct vendors in `tool_vendors`; a tool without a vendor \
                     proves no diversity.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "champion",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/tool_vendors",
                    r#"{"archer": "Ash & Co", "baker": "Ash & Co", "drover": "Oak Works"}"#,
                )],
                show: "/tool_vendors",
                also: &[],
            },
        },
        judge: champion_vendors,
    },
    Obligation {
        rule: Rule {
            id: "torneo/champion-omitted",
            title: "a champion is named where there is one",
            demand: "Where one tool holds every title, every comparison was measured and two vendors ran, `champion` should name it and not be null. \
                     This is this project's reading: the schema says when a champion may be named, not that one must be.",
            basis: Basis::Reading,
            severity: Severity::Warning,
            group: "champion",
            example: Example { good: &[], bad: &[Edit::Set("/champion", "null")], show: "/champion", also: &[] },
        },
        judge: champion_omitted,
    },
];

/// The plain example with the one comparison on cost that was drawn not measured, and so without a champion.
const ONE_NOT_MEASURED: &[Edit] = &[
    Edit::Set(
        "/matches/1/dimensions/1",
        r#"{"dimension": "cost", "outcome": "not_measured", "reason": "the invoice is missing"}"#,
    ),
    Edit::Set("/standings/1/table/0", r#"{"tool": "archer", "wins": 1, "draws": 0, "losses": 0, "not_measured": 1}"#),
    Edit::Set("/standings/1/table/2", r#"{"tool": "carver", "wins": 0, "draws": 0, "losses": 1, "not_measured": 1}"#),
    Edit::Set("/dominance_basis/1/undecided", "[]"),
    Edit::Set("/dominance_basis/1/not_measured", r#"["cost"]"#),
    Edit::Set("/denominators/comparisons_played", "5"),
    Edit::Set("/denominators/per_dimension/cost", r#"{"played": 2, "concluded": 2, "not_measured": 1}"#),
    Edit::Set("/champion", "null"),
];

/// The champion, where one is named.
fn champion<'d>(epreuve: &Epreuve<'d>) -> Option<(&'d str, Value<'d>)> {
    epreuve.root.get("champion").and_then(|champion| Some((champion.as_str()?, champion)))
}

fn champion_titles(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some((champion, at)) = champion(epreuve) else { return };
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    let stated = epreuve.root.get("epreuve_winners");
    if stated.is_some_and(|stated| stated.kind() != Kind::Object) {
        judge.not_judged("/epreuve_winners", "`epreuve_winners` is no object");
        return;
    }
    let winner = |name: &str| stated.and_then(|stated| stated.get(name)?.as_str());
    let lacks = || dimensions.names.iter().filter(|name| winner(name) != Some(champion));
    let count = lacks().count();
    if count > 0 {
        let report = judge
            .finding(
                at,
                format!("`{}` is champion without the title of {}", champion.escape_debug(), named(lacks(), count)),
            )
            .help("a champion holds the title of every dimension; without them all, `champion` is null");
        if let Some(stated) = lacks().find_map(|name| stated?.get(name)) {
            report.mark(stated, "the title is another's");
        }
    }
}

/// A comparison that was not measured, if any was; not known where one cannot be read.
fn unmeasured<'d>(epreuve: &Epreuve<'d>) -> Known<Option<(Dimension, Value<'d>)>> {
    let tally = epreuve.tally()?;
    let found = epreuve.all_comparisons().iter().find_map(|comparison| {
        let not_measured = comparison.outcome == Outcome::NotMeasured;
        Some((comparison.dimension.filter(|_| not_measured)?, comparison.value))
    });
    if found.is_none() {
        tally.all_measured()?;
    }
    Ok(found)
}

fn champion_measured(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some((champion, at)) = champion(epreuve) else { return };
    let Some(Some((dimension, shown))) = need(unmeasured(epreuve), judge) else { return };
    let count = epreuve.all_comparisons().iter().filter(|c| c.outcome == Outcome::NotMeasured).count();
    let message = format!(
        "`{}` is champion of an épreuve with {count} comparisons not measured, one of them on `{}`",
        champion.escape_debug(),
        epreuve.dimension(dimension)
    );
    judge
        .finding(at, message)
        .mark(shown, "not measured")
        .help("where a comparison was not measured there is no champion: `champion` is null");
}

/// Distinct vendors of the running tools; not known where a running tool's vendor cannot be read.
pub(super) fn vendors<'d>(epreuve: &Epreuve<'d>) -> Known<BTreeSet<&'d str>> {
    let running = epreuve.running()?;
    let Some(stated) = epreuve.root.get("tool_vendors") else { return Ok(BTreeSet::new()) };
    if stated.kind() != Kind::Object {
        return Err("`tool_vendors` is no object".to_owned());
    }
    let tools = epreuve.tools()?;
    let runs = |name: &str| tools.named(name).is_some_and(|tool: Tool| running.binary_search(&tool).is_ok());
    let mut vendors = BTreeSet::new();
    let mut unreadable = None;
    for (key, vendor) in stated.members().filter(|(key, _)| key.as_str().is_some_and(runs)) {
        match vendor.as_str() {
            Some(vendor) => {
                vendors.insert(vendor);
            }
            None => unreadable = Some(key),
        }
    }
    match unreadable {
        Some(key) if vendors.len() < 2 => Err(format!("{} is no vendor's name", key.pointer())),
        _ => Ok(vendors),
    }
}

fn champion_vendors(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some((champion, at)) = champion(epreuve) else { return };
    let Some(vendors) = need(vendors(epreuve), judge) else { return };
    if vendors.len() >= 2 {
        return;
    }
    let have = vendors.first().map_or_else(
        || "no running tool has a vendor".to_owned(),
        |only| format!("the running tools have no vendor but `{}`", only.escape_debug()),
    );
    let report = judge
        .finding(at, format!("`{}` is champion, and {have}; a champion needs two", champion.escape_debug()))
        .help("state every running tool's vendor in `tool_vendors`; with fewer than two vendors `champion` is null");
    if let Some(stated) = epreuve.root.get("tool_vendors") {
        report.mark(stated, "fewer than two vendors");
    }
}

fn champion_omitted(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(at) = epreuve.root.get("champion").filter(|champion| champion.is_null()) else { return };
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    let stated = epreuve.root.get("epreuve_winners");
    let mut titles = dimensions.names.iter().map(|name| stated.and_then(|stated| stated.get(name)?.as_str()));
    let Some(Some(holder)) = titles.next() else { return };
    let holds_all = titles.all(|winner| winner == Some(holder));
    let runs = epreuve.tools().is_ok_and(|tools| tools.named(holder).is_some_and(|tool| tools.is_running(tool)));
    if !holds_all || !runs {
        return;
    }
    let Some(not_measured) = need(unmeasured(epreuve), judge) else { return };
    let Some(vendors) = need(vendors(epreuve), judge) else { return };
    if not_measured.is_none() && vendors.len() >= 2 {
        judge
            .finding(at, format!("`{}` holds every title and `champion` is null", holder.escape_debug()))
            .help("name the tool in `champion`, or check the titles in `epreuve_winners`");
    }
}
