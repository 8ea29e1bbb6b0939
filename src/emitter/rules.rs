//! What the emitter protocol demands of a process, as `list` and `explain` show it.
//!
//! These rules have no place in a document; each is stated by the protocol, and breaking one is an error.

use crate::finding::{Basis, Finding, Severity};

/// One demand of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessRule {
    /// `process/name`; public interface, never changes.
    pub id: &'static str,
    /// A few words, for tables.
    pub title: &'static str,
    /// What it demands, in one or two sentences.
    pub demand: &'static str,
    /// What an emitter does that keeps it, in words.
    pub good: &'static str,
    /// What an emitter does that breaks it, in words.
    pub bad: &'static str,
}

impl ProcessRule {
    pub(super) fn finding(&self, message: impl Into<String>) -> Finding {
        Finding::placeless(self.id, Basis::Stated, Severity::Error, message)
    }
}

/// Every rule, in the order in which a scenario can break them.
pub const RULES: &[ProcessRule] =
    &[START, TIMEOUT, OUTPUT_LIMIT, SIGNAL, EXIT, LEFT_BEHIND, IRREGULAR_FILE, NO_DOCUMENT, PROTOCOL, ERROR];

/// The rule with an id.
pub fn by_id(id: &str) -> Option<&'static ProcessRule> {
    RULES.iter().find(|rule| rule.id == id)
}

pub(super) const START: ProcessRule = ProcessRule {
    id: "process/start",
    title: "The emitter starts",
    demand: "The system can start the emitter's command for every scenario.",
    good: "The command names an executable file; a script begins with `#!` and an interpreter that is installed.",
    bad: "The script's first line names an interpreter that is not there.",
};

pub(super) const TIMEOUT: ProcessRule = ProcessRule {
    id: "process/timeout",
    title: "The emitter ends in time",
    demand: "The emitter ends within the time limit (30 s unless set otherwise). At the limit its whole process group is killed.",
    good: "It reads the scenario, writes its document and exits.",
    bad: "It waits for input that never comes, or for a process of its own that never ends.",
};

pub(super) const OUTPUT_LIMIT: ProcessRule = ProcessRule {
    id: "process/output-limit",
    title: "The output is bounded",
    demand: "Standard output and the files under CONFORM_OUT together stay within the output limit (64 MiB unless set otherwise), \
             and there are no more than 1,000 files and folders. At the limit the whole process group is killed.",
    good: "It writes one document and stops.",
    bad: "It writes the same line for ever.",
};

pub(super) const SIGNAL: ProcessRule = ProcessRule {
    id: "process/signal",
    title: "The emitter does not crash",
    demand: "The emitter ends by exiting, not by a signal.",
    good: "It exits with 0, or reports an error and exits with another code.",
    bad: "It reads through a null pointer and dies by SIGSEGV.",
};

pub(super) const EXIT: ProcessRule = ProcessRule {
    id: "process/exit",
    title: "The exit code says that a document was emitted",
    demand: "The emitter exits with 0 when it has emitted its document, or with 77 when it does not support the scenario. \
             Every other code is a failure, whatever was emitted.",
    good: "It writes its document and exits with 0.",
    bad: "It writes its document, fails while it tidies up and exits with 1.",
};

pub(super) const LEFT_BEHIND: ProcessRule = ProcessRule {
    id: "process/left-behind",
    title: "No process is left behind",
    demand: "When the emitter has exited, no process that it started still runs or holds its standard output or standard error \
             open (half a second later, unless set otherwise). What is left is killed.",
    good: "It waits for every process that it started.",
    bad: "It starts a server in the background and exits without stopping it.",
};

pub(super) const IRREGULAR_FILE: ProcessRule = ProcessRule {
    id: "process/irregular-file",
    title: "Only regular files are emitted",
    demand: "Everything under CONFORM_OUT is a folder or a regular file that can be read: no symbolic link, named pipe, socket or device.",
    good: "It writes run.yaml into the folder that CONFORM_OUT names.",
    bad: "It links run.yaml in that folder to a file elsewhere.",
};

pub(super) const NO_DOCUMENT: ProcessRule = ProcessRule {
    id: "process/no-document",
    title: "A document is emitted",
    demand: "An emitter that exits with 0 has written a document to standard output or at least one file under CONFORM_OUT.",
    good: "It writes its document to standard output and exits with 0.",
    bad: "It exits with 0 and has written nothing.",
};

pub(super) const PROTOCOL: ProcessRule = ProcessRule {
    id: "process/protocol",
    title: "A session keeps to the protocol",
    demand: "In session mode every line on standard output is a JSON object that answers one request which was made and is not answered yet.",
    good: "It answers {\"id\":3,…} with {\"id\":3,\"documents\":[{\"name\":\"run.yaml\",\"text\":\"…\"}]}.",
    bad: "It prints progress to standard output between its answers.",
};

pub(super) const ERROR: ProcessRule = ProcessRule {
    id: "process/error",
    title: "A session reports no error",
    demand: "In session mode the emitter answers a request with documents, or says that it does not support the scenario. \
             An error that it reports is a failure of the scenario.",
    good: "It answers {\"id\":3,\"unsupported\":\"no percentile latency here\"} where it cannot emit.",
    bad: "It answers {\"id\":3,\"error\":\"cannot open the ledger\"}.",
};
