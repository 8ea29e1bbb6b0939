//! `conform derive`: what follows from a document's own raw data.

use super::args::DeriveArgs;
use super::error::Error;
use super::exit::Exit;
use super::{judging, output};
use crate::check::guarded;
use crate::document;
use crate::suite;

/// Prints what follows from the document.
pub fn run(args: &DeriveArgs) -> Result<Exit, Error> {
    let limits = judging::limits(&args.limits);
    let chosen = args.suite.as_deref().map(judging::suite).transpose()?;
    let sources = judging::sources(std::slice::from_ref(&args.file))?;
    let [source] = sources.as_slice() else {
        return Err(Error::Usage(format!("{} names several documents; name one", args.file)));
    };
    let name = &source.name;
    let bytes = source.load(&limits).map_err(|finding| Error::Usage(format!("{name}: {}", finding.message)))?;
    let reading = document::read(bytes, &limits);
    let Some(document) = reading.document else {
        let why = reading.findings.first().map_or("it is no document", |finding| finding.message.as_str());
        return Err(Error::Usage(format!("{name} cannot be read: {why}; `conform check {name}` says where")));
    };
    let Some(suite) = chosen.or_else(|| suite::of(&document)) else {
        return Err(Error::Usage(format!("no suite claims {name}; name one with --suite")));
    };
    let derived = guarded(|| suite.family().derive(suite, &document)).map_err(Error::Fault)?;
    let mut text = derived.map_err(|why| Error::Usage(format!("nothing can be derived from {name}: {why}")))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    output::print(&text)?;
    Ok(Exit::Conformant)
}
