//! The command that runs one scenario again, alone, under the same conditions.

use super::args::{LimitArgs, RunArgs};
use crate::document::Limits;

/// A command but for the scenario's name.
pub struct Reproduce {
    before: Vec<String>,
    after: Vec<String>,
}

impl Reproduce {
    /// From the flags of a run: every one that bears on what a scenario comes to, and none else.
    pub fn of(args: &RunArgs, emitter: &str) -> Self {
        let mut before = vec!["conform".to_owned(), "--emitter".to_owned(), emitter.to_owned()];
        let mut flag = |name: &str, value: Option<String>| {
            before.push(format!("--{name}"));
            before.extend(value);
        };
        let judging = &args.judging;
        if judging.strict {
            flag("strict", None);
        }
        if judging.deny.is_some() {
            flag("deny", Some("warnings".to_owned()));
        }
        if let Some(folder) = &judging.schemas {
            flag("schemas", Some(folder.display().to_string()));
        }
        for (id, path) in &judging.schema {
            flag("schema", Some(format!("{id}={}", path.display())));
        }
        for path in &judging.related {
            flag("related", Some(path.display().to_string()));
        }
        if let Some(folder) = &args.suites {
            flag("suites", Some(folder.display().to_string()));
        }
        if let Some(timeout) = args.timeout {
            flag("timeout", Some(timeout.as_secs_f64().to_string()));
        }
        if args.repeat > 1 {
            flag("repeat", Some(args.repeat.to_string()));
        }
        let LimitArgs { max_bytes, max_depth, max_alias_nodes } = judging.limits;
        let usual = Limits::default();
        for (name, value, usual) in [
            ("max-bytes", max_bytes, usual.bytes),
            ("max-depth", max_depth as u64, usual.depth as u64),
            ("max-alias-nodes", max_alias_nodes as u64, usual.alias_nodes as u64),
        ] {
            if value != usual {
                flag(name, Some(value.to_string()));
            }
        }
        let mut after = Vec::new();
        if !args.emitter_args.is_empty() {
            after.push("--".to_owned());
            after.extend(args.emitter_args.iter().cloned());
        }
        Reproduce { before, after }
    }

    /// The command for a scenario, as a shell takes it.
    pub fn command(&self, scenario: &str) -> String {
        let words = self.before.iter().map(String::as_str).chain(["--exact", scenario]);
        shell_words::join(words.chain(self.after.iter().map(String::as_str)))
    }
}
