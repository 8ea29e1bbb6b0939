//! Which scenarios a run takes on.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::suite::scenario::{self, Scenario};
use crate::suite::{self, Suite};

/// One scenario to run.
pub struct Job {
    pub suite: &'static Suite,
    pub scenario: Scenario,
}

impl Job {
    /// `suite/scenario`: what filters look at and reports show.
    pub fn name(&self) -> String {
        format!("{}/{}", self.suite.id, self.scenario.name)
    }
}

/// What the user selected, as `cargo test` selects tests.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// A name is selected if it contains one of these (with `exact`: is one of these), or if there are none.
    pub filters: Vec<String>,
    /// A name is left out if it contains one of these (with `exact`: is one of these).
    pub skip: Vec<String>,
    pub exact: bool,
}

impl Selection {
    /// Whether a name is selected.
    pub fn selects(&self, name: &str) -> bool {
        let hit = |pattern: &String| if self.exact { name == pattern } else { name.contains(pattern.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(hit)) && !self.skip.iter().any(hit)
    }
}

/// Every scenario of some suites, in their order and by name: those that the binary carries and those under
/// `<folder>/<suite>/scenarios`, of which one with the name of a carried one takes its place.
///
/// # Errors
/// Where the folder or a file in it cannot be read, a file is no scenario, or a subfolder has the name of no suite.
pub fn scenarios(suites: &[&'static Suite], folder: Option<&Path>) -> Result<Vec<Job>, PlanError> {
    if let Some(folder) = folder {
        expect_suites(folder)?;
    }
    let mut jobs = Vec::new();
    for &suite in suites {
        let mut scenarios = scenario::embedded(suite).map_err(PlanError::Embedded)?;
        if let Some(folder) = folder {
            for own in read(&folder.join(suite.id).join("scenarios"))? {
                scenarios.retain(|carried| carried.name != own.name);
                scenarios.push(own);
            }
        }
        scenarios.sort_by(|a, b| a.name.cmp(&b.name));
        jobs.extend(scenarios.into_iter().map(|scenario| Job { suite, scenario }));
    }
    Ok(jobs)
}

/// Refuses a folder in which a subfolder is no suite: a misspelt one would otherwise never be run.
fn expect_suites(folder: &Path) -> Result<(), PlanError> {
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && suite::by_id(&name).is_none() {
            return Err(PlanError::NoSuite(path));
        }
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Vec<Scenario>, PlanError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut scenarios = Vec::new();
    for path in entries(folder)? {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("yaml" | "yml" | "json")) {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| PlanError::Unreadable(path.clone(), error.to_string()))?;
        let scenario = Scenario::parse(&text).map_err(|error| PlanError::Malformed(path.clone(), error))?;
        if path.file_stem().and_then(|stem| stem.to_str()) != Some(scenario.name.as_str()) {
            let problem = format!("its name is {:?}, which is not the file's", scenario.name);
            return Err(PlanError::Malformed(path, problem));
        }
        scenarios.push(scenario);
    }
    Ok(scenarios)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = list().map_err(|error| PlanError::Unreadable(folder.to_owned(), error.to_string()))?;
    paths.sort();
    Ok(paths)
}

/// Why the scenarios cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanError {
    /// A scenario that the binary carries is none; a fault of conform's own.
    Embedded(String),
    Unreadable(PathBuf, String),
    Malformed(PathBuf, String),
    NoSuite(PathBuf),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Embedded(problem) => write!(f, "a scenario that conform carries is malformed: {problem}"),
            PlanError::Unreadable(path, problem) => write!(f, "cannot read {}: {problem}", path.display()),
            PlanError::Malformed(path, problem) => write!(f, "{} is no scenario: {problem}", path.display()),
            PlanError::NoSuite(path) => {
                let known: Vec<&str> = suite::all().map(|suite| suite.id).collect();
                write!(f, "{} is not named like a suite; the suites are {}", path.display(), known.join(", "))
            }
        }
    }
}

impl std::error::Error for PlanError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(filters: &[&str], skip: &[&str], exact: bool) -> Selection {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Selection { filters: owned(filters), skip: owned(skip), exact }
    }

    #[test]
    fn a_filter_is_looked_for_anywhere_in_the_name() {
        assert!(selection(&["deliv"], &[], false).selects("mavai-optimize-1/delivery"));
        assert!(selection(&["-1/d"], &[], false).selects("mavai-optimize-1/delivery"));
        assert!(!selection(&["xyz"], &[], false).selects("mavai-optimize-1/delivery"));
        assert!(selection(&["xyz", "mavai"], &[], false).selects("mavai-optimize-1/delivery"));
        assert!(selection(&[], &[], false).selects("anything"));
    }

    #[test]
    fn exact_wants_the_whole_name_in_filters_and_skips() {
        assert!(!selection(&["delivery"], &[], true).selects("s/delivery"));
        assert!(selection(&["s/delivery"], &[], true).selects("s/delivery"));
        assert!(selection(&[], &["delivery"], true).selects("s/delivery"));
        assert!(!selection(&[], &["delivery"], false).selects("s/delivery-causes"));
        assert!(!selection(&["s/a"], &["s/a"], true).selects("s/a"));
    }
}
