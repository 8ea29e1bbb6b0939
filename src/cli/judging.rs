//! From the flags to a checker: suites, schemas, settings and limits.

use std::fs;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::args::{Deny, JudgingArgs, LimitArgs};
use super::error::Error;
use crate::check::{Checker, STACK, nearest};
use crate::document::source::{self, CollectError, Source};
use crate::document::{self, Document, Limits};
use crate::mutation::score::Score;
use crate::obligation::Settings;
use crate::run::score::MutationScore;
use crate::schema::Schemas;
use crate::suite::{self, Suite};

/// A checker as the flags want it.
///
/// # Errors
/// Where a flag names a suite, a schema or a document that is not there or not usable.
pub fn checker(args: &JudgingArgs) -> Result<Checker, Error> {
    let limits = limits(&args.limits);
    Ok(Checker {
        suite: args.suite.as_deref().map(suite).transpose()?,
        schemas: schemas(args)?,
        settings: Settings { strict: args.strict, related: related(&args.related, &limits)?, brief: false },
        limits,
    })
}

/// Whether warnings, too, are denied.
pub fn denies_warnings(args: &JudgingArgs) -> bool {
    args.deny == Some(Deny::Warnings)
}

pub fn limits(args: &LimitArgs) -> Limits {
    Limits { bytes: args.max_bytes, depth: args.max_depth, alias_nodes: args.max_alias_nodes }
}

/// Threads to judge on: so many, or as many as the machine has.
///
/// # Errors
/// Where the system gives none.
pub fn threads(count: Option<u16>) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(count.map_or(0, usize::from)).stack_size(STACK).build();
    pool.map_err(|error| Error::Fault(format!("cannot start threads: {error}")))
}

/// The mutation scores of suites.
///
/// # Errors
/// Where something broke inside conform.
pub fn mutation<'s>(ids: impl Iterator<Item = &'s str>) -> Result<Vec<MutationScore>, Error> {
    let suites: Vec<&'static Suite> = ids.filter_map(suite::by_id).collect();
    let scores = threads(None)?.install(|| suites.into_par_iter().map(Score::usual).collect::<Result<_, _>>());
    scores.map_err(Error::Fault)
}

/// The suite with an id.
///
/// # Errors
/// Where there is none; the text suggests the nearest.
pub fn suite(id: &str) -> Result<&'static Suite, Error> {
    suite::by_id(id).ok_or_else(|| {
        let known: Vec<&str> = suite::all().map(|suite| suite.id).collect();
        let advice = match nearest(id, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", known.join(", ")),
        };
        Error::Usage(format!("no such suite: {id}; {advice}"))
    })
}

/// The schemas: those that the binary carries, then those of the folder, then the single files, each in the place of what was
/// there before.
fn schemas(args: &JudgingArgs) -> Result<Schemas, Error> {
    let mut schemas = Schemas::embedded().map_err(Error::Fault)?;
    if let Some(folder) = &args.schemas {
        schemas.add_folder(folder).map_err(|error| Error::Usage(format!("--schemas: {error}")))?;
    }
    for (id, path) in &args.schema {
        let text = fs::read_to_string(path)
            .map_err(|error| Error::Usage(format!("--schema: cannot read {}: {error}", path.display())))?;
        schemas
            .replace(id, text, &path.display().to_string())
            .map_err(|error| Error::Usage(format!("--schema: {error}")))?;
    }
    Ok(schemas)
}

/// The documents that paths name.
///
/// # Errors
/// Where a path names nothing: a slip of the command line, or a selection that holds no document.
pub fn sources(paths: &[String]) -> Result<Vec<Source>, Error> {
    source::collect(paths).map_err(|error| match error {
        CollectError::EmptyFolder(_) | CollectError::NoMatch(_) => {
            Error::NothingSelected(format!("no document selected: {error}"))
        }
        CollectError::NotFound(_) => {
            Error::Usage(format!("{error}; name a file, a folder, a glob in quotes, or `-` for standard input"))
        }
        CollectError::BadGlob(..) | CollectError::Folder(..) => Error::Usage(error.to_string()),
    })
}

fn related(paths: &[String], limits: &Limits) -> Result<Vec<(String, Document)>, Error> {
    let mut documents = Vec::new();
    for source in sources(paths)? {
        let refused = |why: &str| Error::Usage(format!("--related: {} cannot be read: {why}", source.name));
        let bytes = source.load(limits).map_err(|finding| refused(&finding.message))?;
        let reading = document::read(bytes, limits);
        let why = reading.findings.first().map_or("not a document", |finding| finding.message.as_str());
        documents.push((source.name.clone(), reading.document.ok_or_else(|| refused(why))?));
    }
    Ok(documents)
}
