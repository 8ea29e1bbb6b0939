//! Checks: documents judged through every stage (read, schema, obligations), and what each comes to.
//!
//! Nothing that happens while one document is judged touches another: a fault of conform's own in one of them is caught, said,
//! and leaves the others' results as they are.

pub mod rules;
mod stages;
mod stream;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPool;

pub use stages::{Judged, is_fault};
pub(crate) use stages::{guarded, milliseconds, nearest, unjudged};
pub use stream::Stream;

use crate::document::source::Source;
use crate::document::{Document, Limits};
use crate::family::Sets;
use crate::obligation::{Judge, Settings};
use crate::run::results::SubjectResult;
use crate::schema::Schemas;
use crate::suite::Suite;

/// Stack of a thread that judges: schema validation recurses with the document's depth, up to the greatest limit that the
/// command line accepts ([`Limits::depth`] of 4,096). Reserved, not committed.
pub const STACK: usize = 64 << 20;

/// How documents are judged; shared by all documents of a check or a run.
pub struct Checker {
    pub schemas: Schemas,
    pub settings: Settings,
    pub limits: Limits,
    /// The suite that documents are judged by; `None` lets each document's own version field decide.
    pub suite: Option<&'static Suite>,
}

impl Checker {
    /// Judges one document from its bytes. `subject` is the name under which the result is reported.
    pub fn judge(&self, subject: &str, bytes: Vec<u8>) -> SubjectResult {
        let begun = Instant::now();
        self.stages(subject, bytes, self.suite).into_result(subject.to_owned(), begun.elapsed())
    }

    /// Judges documents in parallel over all threads of a pool. The results come in the order of the sources.
    pub fn judge_each(self: &Arc<Self>, pool: ThreadPool, sources: Vec<Source>) -> Stream {
        Stream::start(self, pool, sources)
    }

    fn judge_source(&self, source: &Source) -> Judgement {
        let begun = Instant::now();
        let bytes = match source.load(&self.limits) {
            Ok(bytes) => bytes,
            Err(finding) => return (self.unread(finding).into_result(source.name.clone(), begun.elapsed()), None),
        };
        let mut judged = self.stages(&source.name, bytes, self.suite);
        let kept = match (judged.suite, judged.document.take()) {
            (Some(suite), Some(document)) if suite.family().sets(suite) != Sets::None => Some(Kept { suite, document }),
            _ => None,
        };
        (judged.into_result(source.name.clone(), begun.elapsed()), kept)
    }

    /// Judges what only several documents show, one set after the other.
    fn judge_sets(&self, judged: &mut [Judgement]) {
        let mut sets: BTreeMap<(&str, String), Vec<(&Document, &mut SubjectResult)>> = BTreeMap::new();
        for (result, kept) in judged.iter_mut() {
            let Some(Kept { suite, document }) = kept.as_ref() else { continue };
            let folder = match suite.family().sets(suite) {
                Sets::Folder => folder_of(&result.subject).to_owned(),
                Sets::Check | Sets::None => String::new(),
            };
            sets.entry((suite.id, folder)).or_default().push((document, result));
        }
        for ((id, _), members) in sets {
            let Some(suite) = crate::suite::by_id(id) else { continue };
            let (documents, results): (Vec<&Document>, Vec<&mut SubjectResult>) = members.into_iter().unzip();
            let outcome = stages::guarded(|| {
                let mut judges: Vec<Judge<'_>> = documents.iter().map(|_| Judge::new(&self.settings)).collect();
                suite.family().judge_set(suite, &documents, &mut judges);
                judges.into_iter().map(Judge::finish).collect::<Vec<_>>()
            });
            match outcome {
                Ok(found) => {
                    for (result, (findings, not_judged)) in results.into_iter().zip(found) {
                        stages::extend(result, suite, findings, not_judged);
                    }
                }
                Err(fault) => results.into_iter().for_each(|result| stages::mark_fault(result, &fault)),
            }
        }
    }
}

/// What one document came to by itself, and the document where others are judged together with it.
type Judgement = (SubjectResult, Option<Kept>);

/// The folder in a document's name.
fn folder_of(name: &str) -> &str {
    name.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
}

/// A document kept after it was judged, for what only several documents show.
struct Kept {
    suite: &'static Suite,
    document: Document,
}
