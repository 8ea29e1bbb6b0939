//! Documents judged in parallel, whose results come out one by one, in the order of the documents.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use rayon::ThreadPool;

use super::{Checker, Judgement, folder_of};
use crate::check::stages::{Judged, guarded};
use crate::document::source::Source;
use crate::family::Sets;
use crate::run::results::{SubjectResult, Verdict};

/// Why a document has no verdict whose set was not read to the end.
const INTERRUPTED: &str =
    "the check was interrupted before all documents that are judged together with this one were read";

/// The results of a check while they come in.
///
/// A result stands when its document was judged and, where several documents are judged together, when all of those were.
pub struct Stream {
    checker: Arc<Checker>,
    // Keeps the threads; they are not waited for, since one of them may be reading what never ends.
    _pool: ThreadPool,
    incoming: Receiver<(usize, Judgement)>,
    sequence: Sequence,
}

impl Stream {
    pub(super) fn start(checker: &Arc<Checker>, pool: ThreadPool, sources: Vec<Source>) -> Self {
        let sequence = Sequence::new(&sources);
        let (sender, incoming) = mpsc::channel();
        let (sources, next) = (Arc::<[Source]>::from(sources), AtomicUsize::new(0));
        let judging = Arc::clone(checker);
        // In order, one after the other, and not each thread a stretch of its own: what comes first is wanted first.
        pool.spawn_broadcast(move |_| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(at) else { return };
                let judgement = guarded(|| judging.judge_source(source)).unwrap_or_else(|fault| {
                    let judged = Judged { fault: Some(fault), ..Judged::default() };
                    (judged.into_result(source.name.clone(), Duration::ZERO), None)
                });
                if sender.send((at, judgement)).is_err() {
                    return;
                }
            }
        });
        Stream { checker: Arc::clone(checker), _pool: pool, incoming, sequence }
    }

    /// The results that stand now and did not before, in order; there may be none after waiting as long as that. `None` when nothing
    /// more will come.
    pub fn wait(&mut self, longest: Duration) -> Option<Vec<SubjectResult>> {
        if self.sequence.given == self.sequence.entries.len() {
            return None;
        }
        match self.incoming.recv_timeout(longest) {
            Ok((at, judgement)) => self.sequence.take(at, judgement, &self.checker),
            Err(RecvTimeoutError::Timeout) => return Some(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
        while let Ok((at, judgement)) = self.incoming.try_recv() {
            self.sequence.take(at, judgement, &self.checker);
        }
        Some(self.sequence.standing())
    }

    /// How many documents were judged by now.
    pub fn judged(&self) -> usize {
        self.sequence.entries.len() - self.sequence.outstanding
    }

    /// Ends the check, at whatever point: the results that were not given yet, and how many documents were not judged.
    pub fn end(mut self) -> (Vec<SubjectResult>, usize) {
        while let Ok((at, judgement)) = self.incoming.try_recv() {
            self.sequence.take(at, judgement, &self.checker);
        }
        self.sequence.remaining()
    }
}

/// Puts what comes in any order into the order in which it is given.
struct Sequence {
    entries: Vec<Entry>,
    /// How many entries, from the first, were given.
    given: usize,
    /// How many documents have not been judged yet, in all and by folder.
    outstanding: usize,
    folders: HashMap<String, Folder>,
}

enum Entry {
    Outstanding,
    Judged(Box<Judgement>),
    Given,
}

#[derive(Default)]
struct Folder {
    outstanding: usize,
    members: Vec<usize>,
}

impl Sequence {
    fn new(sources: &[Source]) -> Self {
        let mut folders: HashMap<String, Folder> = HashMap::new();
        for (at, source) in sources.iter().enumerate() {
            let folder = folders.entry(folder_of(&source.name).to_owned()).or_default();
            folder.outstanding += 1;
            folder.members.push(at);
        }
        let entries: Vec<Entry> = sources.iter().map(|_| Entry::Outstanding).collect();
        Sequence { given: 0, outstanding: entries.len(), entries, folders }
    }

    fn take(&mut self, at: usize, judgement: Judgement, checker: &Checker) {
        let folder = folder_of(&judgement.0.subject).to_owned();
        self.entries[at] = Entry::Judged(Box::new(judgement));
        self.outstanding -= 1;
        if let Some(folder) = self.folders.get_mut(&folder) {
            folder.outstanding -= 1;
            if folder.outstanding == 0 {
                let members = std::mem::take(&mut folder.members);
                self.judge_together(&members, Sets::Folder, checker);
            }
        }
        if self.outstanding == 0 {
            let all: Vec<usize> = (self.given..self.entries.len()).collect();
            self.judge_together(&all, Sets::Check, checker);
        }
    }

    /// Judges the sets of one kind that these documents make up.
    fn judge_together(&mut self, members: &[usize], kind: Sets, checker: &Checker) {
        let (mut places, mut set) = (Vec::new(), Vec::new());
        for &at in members {
            let waits = |kept: &super::Kept| kept.suite.family().sets(kept.suite) == kind;
            if let Entry::Judged(judgement) = &mut self.entries[at]
                && judgement.1.as_ref().is_some_and(waits)
                && let Entry::Judged(judgement) = std::mem::replace(&mut self.entries[at], Entry::Outstanding)
            {
                places.push(at);
                set.push(*judgement);
            }
        }
        checker.judge_sets(&mut set);
        for (at, (result, _)) in places.into_iter().zip(set) {
            self.entries[at] = Entry::Judged(Box::new((result, None)));
        }
    }

    /// The results from the first that was not given to the last that stands without a gap.
    fn standing(&mut self) -> Vec<SubjectResult> {
        let mut results = Vec::new();
        while let Some(entry) = self.entries.get_mut(self.given)
            && matches!(entry, Entry::Judged(judgement) if judgement.1.is_none())
            && let Entry::Judged(judgement) = std::mem::replace(entry, Entry::Given)
        {
            results.push(judgement.0);
            self.given += 1;
        }
        results
    }

    /// What was judged and not given, in order, and how many documents were not judged. What is judged only together with documents that
    /// were not read has no verdict, unless it failed by itself.
    fn remaining(self) -> (Vec<SubjectResult>, usize) {
        let judged = self.entries.into_iter().filter_map(|entry| match entry {
            Entry::Judged(judgement) => Some(*judgement),
            Entry::Outstanding | Entry::Given => None,
        });
        let results = judged.map(|(mut result, kept)| {
            if kept.is_some() && result.verdict == Verdict::Pass {
                result.verdict = Verdict::NotJudged;
                result.reason = Some(INTERRUPTED.to_owned());
                result.obligations.judged = 0;
            }
            result
        });
        (results.collect(), self.outstanding)
    }
}
