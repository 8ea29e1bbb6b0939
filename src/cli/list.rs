//! `conform list`: the suites, the scenarios, the obligations.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::args::{ListArgs, TableFormat, What};
use super::error::Error;
use super::exit::Exit;
use super::{judging, output};
use crate::catalogue::{self, Entry};
use crate::report::palette::Palette;
use crate::report::words::{columns, counted, harmless};
use crate::run::plan::{self, Job, PlanError};
use crate::suite::{self, Suite};

/// Lists what is asked for.
pub fn run(args: &ListArgs) -> Result<Exit, Error> {
    let suites: Vec<&'static Suite> = match &args.suite {
        Some(id) => vec![judging::suite(id)?],
        None => suite::all().collect(),
    };
    let wanted = |id: &str| args.filters.is_empty() || args.filters.iter().any(|filter| id.contains(filter.as_str()));
    let table = match args.what {
        What::Suites => suites_table(&suites, args, wanted)?,
        What::Scenarios => scenarios_table(&jobs(&suites, args)?, wanted),
        What::Obligations => {
            let entries = catalogue::all().into_iter();
            obligations_table(entries.filter(|entry| {
                wanted(entry.id)
                    && (args.suite.is_none() || suites.iter().any(|suite| entry.suites.contains(&suite.id)))
            }))
        }
    };
    if table.rows.is_empty() && !args.filters.is_empty() {
        let nothing = format!("no {} contains {}", table.noun, args.filters.join(" or "));
        return Err(Error::NothingSelected(nothing));
    }
    let text = match args.format {
        TableFormat::Json => table.json(),
        TableFormat::Pretty => table.pretty(&output::palette(args.color.color)),
    };
    output::print(&text)?;
    Ok(Exit::Conformant)
}

/// The scenarios that a run would take on, as `conform --list` prints them: a name a line.
pub fn names(jobs: &[Job], format: TableFormat, palette: &Palette) -> String {
    let table = scenarios_table(jobs, |_| true);
    match format {
        TableFormat::Json => table.json(),
        TableFormat::Pretty => table.pretty(palette),
    }
}

fn jobs(suites: &[&'static Suite], args: &ListArgs) -> Result<Vec<Job>, Error> {
    plan::scenarios(suites, args.suites.as_deref()).map_err(|error| match error {
        PlanError::Embedded(_) => Error::Fault(error.to_string()),
        _ => Error::Usage(error.to_string()),
    })
}

fn suites_table(suites: &[&'static Suite], args: &ListArgs, wanted: impl Fn(&str) -> bool) -> Result<Table, Error> {
    let jobs = jobs(suites, args)?;
    let rows = suites.iter().filter(|suite| wanted(suite.id)).map(|suite| {
        let family = suite.family();
        let obligations = family.rules(suite).len() + family.scenario_rules(suite).len();
        let scenarios = jobs.iter().filter(|job| job.suite.id == suite.id).count();
        Row {
            cells: vec![suite.id.to_owned(), obligations.to_string(), scenarios.to_string(), suite.title.to_owned()],
            json: json!({
                "id": suite.id, "title": suite.title, "family": suite.family, "schema": suite.schema,
                "obligations": obligations, "scenarios": scenarios,
            }),
        }
    });
    Ok(Table {
        noun: "suite",
        heads: &["SUITE", "OBLIGATIONS", "SCENARIOS", ""],
        numbers: &[1, 2],
        rows: rows.collect(),
    })
}

fn scenarios_table(jobs: &[Job], wanted: impl Fn(&str) -> bool) -> Table {
    let rows = jobs.iter().filter(|job| wanted(&job.name())).map(|job| {
        let optional = if job.scenario.required { "" } else { " (optional)" };
        Row {
            cells: vec![job.name(), format!("{}{optional}", job.scenario.purpose)],
            json: json!({
                "name": job.name(), "suite": job.suite.id, "scenario": job.scenario.name,
                "purpose": job.scenario.purpose, "required": job.scenario.required,
            }),
        }
    });
    Table { noun: "scenario", heads: &["SCENARIO", ""], numbers: &[], rows: rows.collect() }
}

fn obligations_table(entries: impl Iterator<Item = Entry>) -> Table {
    let rows = entries.map(|entry| Row {
        cells: vec![
            entry.id.to_owned(),
            entry.basis.as_str().to_owned(),
            entry.severity.as_str().to_owned(),
            entry.title.to_owned(),
        ],
        json: json!({
            "id": entry.id, "title": entry.title, "demand": entry.demand, "basis": entry.basis.as_str(),
            "severity": entry.severity.as_str(), "group": entry.group, "suites": entry.suites,
        }),
    });
    Table { noun: "obligation", heads: &["OBLIGATION", "BASIS", "SEVERITY", ""], numbers: &[], rows: rows.collect() }
}

struct Row {
    cells: Vec<String>,
    json: Value,
}

struct Table {
    noun: &'static str,
    heads: &'static [&'static str],
    /// Columns of numbers, set to the right.
    numbers: &'static [usize],
    rows: Vec<Row>,
}

impl Table {
    fn json(&self) -> String {
        let rows: Vec<&Value> = self.rows.iter().map(|row| &row.json).collect();
        // Text and numbers always have a JSON form.
        let mut text = serde_json::to_string_pretty(&rows).unwrap_or_default();
        text.push('\n');
        text
    }

    fn pretty(&self, palette: &Palette) -> String {
        let Palette { id, dim, .. } = palette;
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(column)).map(|cell| columns(&harmless(cell)));
            cells.chain(self.heads.get(column).map(|head| head.len())).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let line = |cells: &[&str], first: &anstyle::Style, rest: &anstyle::Style| {
            let mut line = String::new();
            for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let cell = harmless(cell);
                let fill = " ".repeat(width.saturating_sub(columns(&cell)));
                let style = if column == 0 { first } else { rest };
                let gap = if column == 0 { "" } else { "  " };
                let _ = if self.numbers.contains(&column) {
                    write!(line, "{gap}{fill}{style}{cell}{style:#}")
                } else {
                    write!(line, "{gap}{style}{cell}{style:#}{fill}")
                };
            }
            line.trim_end().to_owned() + "\n"
        };
        let mut text = line(self.heads, dim, dim);
        let plain = anstyle::Style::new();
        for row in &self.rows {
            let cells: Vec<&str> = row.cells.iter().map(String::as_str).collect();
            text.push_str(&line(&cells, id, &plain));
        }
        let _ = writeln!(text, "{dim}{}{dim:#}", counted(self.rows.len(), self.noun));
        text
    }
}
