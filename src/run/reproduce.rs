//! The command that runs one scenario again, alone, under the same conditions.

/// A command but for the scenario's name.
pub struct Reproduce {
    before: Vec<String>,
    after: Vec<String>,
}

impl Reproduce {
    /// From the emitter as it was named, and its own arguments.
    pub fn new(emitter: &str, strict: bool, arguments: &[String]) -> Self {
        let mut command =
            Reproduce { before: ["conform", "--emitter", emitter].map(str::to_owned).to_vec(), after: Vec::new() };
        if strict {
            command.flag("strict", None);
        }
        if !arguments.is_empty() {
            command.after.push("--".to_owned());
            command.after.extend(arguments.iter().cloned());
        }
        command
    }

    /// Adds a flag that bears on what a scenario comes to.
    pub fn flag(&mut self, name: &str, value: Option<String>) {
        self.before.push(format!("--{name}"));
        self.before.extend(value);
    }

    /// The command for a scenario, as a shell takes it.
    pub fn command(&self, scenario: &str) -> String {
        let words = self.before.iter().map(String::as_str).chain(["--exact", scenario]);
        shell_words::join(words.chain(self.after.iter().map(String::as_str)))
    }
}
