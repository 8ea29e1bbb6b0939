//! Results as one page to read: for who fixes an emitter, who decides about it, and who checks that.
//!
//! The page is one file. It has no script, loads nothing, and forbids itself both: everything foreign in it is text. Filters,
//! folding and the dark colours are the style sheet's.

mod diff;
mod groups;
mod matrix;
mod obligations;
mod overview;
mod record;
mod subjects;

use std::io::{self, Write};

use askama::Template;

use self::groups::Groups;
use self::matrix::Matrix;
use self::obligations::Text;
use self::overview::Overview;
use self::record::Record;
use self::subjects::Subjects;
use super::words::{counted, harmless};
use crate::run::conclusion::Conclusion;
use crate::run::results::Results;

/// Writes results; `previous` are those of an earlier run, for the trend.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, previous: Option<&Results>, to: &mut dyn Write) -> io::Result<()> {
    let groups = Groups::new();
    let page = Page {
        style: include_str!("html/style.css"),
        head: Head::of(results),
        overview: Overview::of(results, previous, &groups),
        matrices: matrix::of(results, &groups),
        subjects: Subjects::of(results, &groups),
        obligations: obligations::of(results),
        record: Record::of(results),
    };
    // The template writes through an adapter that keeps the writer's own error.
    page.write_into(to)
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    style: &'static str,
    head: Head,
    overview: Overview,
    matrices: Vec<Matrix>,
    subjects: Subjects,
    obligations: Vec<Text>,
    record: Record,
}

/// What stands at the top.
struct Head {
    title: String,
    name: String,
    version: Option<String>,
    /// What was judged when, and by what.
    sub: String,
    stamp: &'static str,
    sign: &'static str,
    conclusion: &'static str,
    /// Colour of the icon that a browser shows for the page, without its `#`.
    icon: &'static str,
}

impl Head {
    fn of(results: &Results) -> Self {
        let conclusion = Conclusion::of(results);
        let (stamp, sign, icon) = match conclusion {
            Conclusion::Conformant => ("pass", "✓", "1a7f37"),
            Conclusion::NotConformant => ("fail", "✗", "cf222e"),
            Conclusion::Incomplete => ("part", "◐", "8a5a00"),
            Conclusion::Fault => ("none", "!", "57606a"),
        };
        let total = results.results.len() + results.summary.not_run;
        let (name, noun) = match &results.emitter {
            Some(emitter) => (shown(&emitter.name), "scenario"),
            None => ("Documents".to_owned(), "document"),
        };
        let mut sub = format!("{} · {}", when(&results.started), counted(total, noun));
        if let Some(shard) = results.shard {
            sub.push_str(&format!(" · shard {} of {}", shard.index, shard.of));
        }
        sub.push_str(&format!(" · judged by conform {}", harmless(&results.conform.version)));
        let version = results.emitter.as_ref().and_then(|emitter| emitter.version.as_deref()).map(shown);
        Head {
            title: format!("{name}: {}", conclusion.as_str()),
            name,
            version,
            sub,
            stamp,
            sign,
            conclusion: conclusion.as_str(),
            icon,
        }
    }
}

/// An instant as people write it: `30 November 2026, 11:59 UTC`. What is no instant stays as it is.
fn when(instant: &str) -> String {
    match instant.parse::<jiff::Timestamp>() {
        Ok(instant) => instant.strftime("%-d %B %Y, %H:%M UTC").to_string(),
        Err(_) => shown(instant),
    }
}

/// Foreign text as the page may show it; the template escapes what is markup.
fn shown(text: &str) -> String {
    harmless(text).into_owned()
}

/// A share as a width in per cent, so that something never has none.
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    // Two decimals: finer than any screen.
    (part as f64 / whole as f64 * 10_000.0).round() / 100.0
}
