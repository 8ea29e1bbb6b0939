//! Results as SARIF 2.1.0, for code scanning and the editors that read it.
//!
//! A rule for each obligation that a finding names, a result for each finding, an artifact for each document. Columns count
//! characters. What was not judged is a notification: SARIF has no result for it that is not read as passed.

mod model;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use self::model::{
    Artifact, ArtifactLocation, Automation, Configuration, Descriptor, Driver, Fingerprints, Hashes, Invocation,
    Location, Log, LogicalLocation, Message, MultiformatMessage, Notification, PhysicalLocation, Properties, Region,
    RelatedLocation, Run, SarifResult, Snippet, Suppression, Tool,
};
use crate::catalogue::{self, Entry, Form};
use crate::digest::sha256;
use crate::finding::{Finding, Severity, SnippetLine};
use crate::run::conclusion::Conclusion;
use crate::run::results::{EmittedDocument, Results, SubjectResult, Verdict};

/// The base of documents that an emitter wrote: they are in no file of the repository.
const EMITTED: &str = "EMITTED";

/// Writes results.
///
/// # Errors
/// Where the writer refuses.
pub fn write(results: &Results, to: &mut dyn Write) -> io::Result<()> {
    let log =
        Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: vec![run(results)] };
    serde_json::to_writer_pretty(&mut *to, &log)?;
    writeln!(to)
}

fn run(results: &Results) -> Run<'_> {
    let entries = catalogue::all();
    let entries: HashMap<&str, &Entry> = entries.iter().map(|entry| (entry.id, entry)).collect();
    let mut rules = Rules { entries: &entries, index: HashMap::new(), descriptors: Vec::new() };
    let mut artifacts = Artifacts { results, index: HashMap::new(), list: Vec::new() };
    let mut found = Vec::new();
    let mut notifications = Vec::new();
    for subject in &results.results {
        for document in &subject.documents {
            artifacts.add(subject, document);
        }
        for finding in &subject.findings {
            found.push(result(&mut rules, &mut artifacts, subject, finding));
        }
        notifications.extend(notification(subject));
    }
    Run {
        tool: Tool {
            driver: Driver {
                name: "conform",
                version: &results.conform.version,
                semantic_version: &results.conform.version,
                rules: rules.descriptors,
            },
        },
        automation_details: Automation { id: automation(results) },
        invocations: vec![Invocation {
            execution_successful: results.complete && Conclusion::of(results) != Conclusion::Fault,
            start_time_utc: &results.started,
            command_line: results.emitter.as_ref().map(|emitter| shell_words::join(&emitter.command)),
            tool_execution_notifications: notifications,
        }],
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: results.emitter.is_some().then(|| {
            let description = Message::of("What the emitter wrote, by scenario.");
            BTreeMap::from([(EMITTED, model::Base { description })])
        }),
        artifacts: artifacts.list,
        results: found,
    }
}

/// What tells runs of one emitter, or checks, from those of another.
fn automation(results: &Results) -> String {
    match &results.emitter {
        Some(emitter) => format!("conform/{}/", emitter.name),
        None => "conform/check/".to_owned(),
    }
}

struct Rules<'r> {
    entries: &'r HashMap<&'r str, &'r Entry>,
    index: HashMap<String, usize>,
    descriptors: Vec<Descriptor>,
}

impl Rules<'_> {
    fn index(&mut self, finding: &Finding) -> usize {
        if let Some(&at) = self.index.get(&finding.obligation) {
            return at;
        }
        let at = self.descriptors.len();
        self.index.insert(finding.obligation.clone(), at);
        self.descriptors.push(match self.entries.get(finding.obligation.as_str()) {
            Some(entry) => described(entry),
            None => undescribed(finding),
        });
        at
    }
}

fn described(entry: &Entry) -> Descriptor {
    let mut text = format!("{} ({})", entry.demand, entry.basis.as_str());
    let mut markdown = text.clone();
    // An example that cannot be made is a fault that a test rules out; the help is then without it.
    if let Ok(Some(shown)) = entry.example.shown() {
        text.push_str(&format!("\n\nGood:\n{}\n\nBad:\n{}", shown.good.trim_end(), shown.bad.trim_end()));
        let fence = if shown.form == Form::Words { "text" } else { "yaml" };
        markdown.push_str(&format!(
            "\n\n**Good**\n\n```{fence}\n{}\n```\n\n**Bad**\n\n```{fence}\n{}\n```",
            shown.good.trim_end(),
            shown.bad.trim_end()
        ));
    }
    Descriptor {
        id: entry.id.to_owned(),
        short_description: MultiformatMessage { text: sentence(entry.title), markdown: None },
        full_description: MultiformatMessage { text: entry.demand.to_owned(), markdown: None },
        help: MultiformatMessage { text, markdown: Some(markdown) },
        default_configuration: Configuration { level: level(entry.severity) },
        properties: Properties { basis: entry.basis.as_str(), tags: vec![entry.group.to_owned()] },
    }
}

/// A rule that no table has: a keyword of the schema.
fn undescribed(finding: &Finding) -> Descriptor {
    let (group, keyword) = finding.obligation.split_once('/').unwrap_or(("", &finding.obligation));
    let text = match group {
        "schema" => format!("The document keeps the schema's keyword `{keyword}`."),
        _ => format!("The obligation {}.", finding.obligation),
    };
    let message = || MultiformatMessage { text: text.clone(), markdown: None };
    Descriptor {
        id: finding.obligation.clone(),
        short_description: message(),
        full_description: message(),
        help: message(),
        default_configuration: Configuration { level: level(finding.severity) },
        properties: Properties { basis: finding.basis.as_str(), tags: vec![group.to_owned()] },
    }
}

fn sentence(title: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

struct Artifacts<'r> {
    results: &'r Results,
    index: HashMap<String, usize>,
    list: Vec<Artifact<'r>>,
}

impl<'r> Artifacts<'r> {
    fn add(&mut self, subject: &'r SubjectResult, document: &'r EmittedDocument) {
        let location = self.location(subject, &document.name);
        if !self.index.contains_key(&location.uri) {
            self.index.insert(location.uri.clone(), self.list.len());
            let hashes = Hashes { sha256: &document.sha256 };
            self.list.push(Artifact { location, length: document.bytes, hashes });
        }
    }

    /// Where a document is: a checked one at its path; one that an emitter wrote under its scenario's name.
    fn location(&self, subject: &SubjectResult, document: &str) -> ArtifactLocation {
        if self.results.emitter.is_some() {
            let uri = format!("{}/{}", encoded(&subject.subject), encoded(document));
            let index = self.index.get(&uri).copied();
            return ArtifactLocation { uri, uri_base_id: Some(EMITTED), index };
        }
        let path = if subject.subject == "<stdin>" { "stdin" } else { &subject.subject };
        let uri = match path.strip_prefix('/') {
            Some(absolute) => format!("file:///{}", encoded(absolute)),
            None => encoded(path.strip_prefix("./").unwrap_or(path)),
        };
        let index = self.index.get(&uri).copied();
        ArtifactLocation { uri, uri_base_id: None, index }
    }
}

fn result<'r>(
    rules: &mut Rules<'_>,
    artifacts: &mut Artifacts<'r>,
    subject: &'r SubjectResult,
    finding: &'r Finding,
) -> SarifResult<'r> {
    let document = subject.document_of(finding);
    let physical = match (document, artifacts.results.emitter.is_some()) {
        (Some(name), _) => Some(artifacts.location(subject, name)),
        (None, false) => Some(artifacts.location(subject, "")),
        (None, true) => None,
    };
    let physical = physical.map(|artifact_location| PhysicalLocation {
        artifact_location,
        region: finding.place.as_ref().map(|place| region(finding, place.line, place.column)),
    });
    let name = match &finding.place {
        Some(place) => format!("{}#{}", subject.subject, place.pointer),
        None => subject.subject.clone(),
    };
    let related = match &physical {
        Some(physical) => related(finding, &physical.artifact_location),
        None => Vec::new(),
    };
    let comparison = finding.comparison.as_ref();
    SarifResult {
        rule_id: &finding.obligation,
        rule_index: rules.index(finding),
        level: level(finding.severity),
        message: Message { text: message(finding) },
        locations: vec![Location {
            physical_location: physical,
            logical_locations: vec![LogicalLocation { fully_qualified_name: name, kind: "member" }],
        }],
        related_locations: related,
        suppressions: subject.expectation(finding).map(|expected| {
            vec![Suppression { kind: "external", status: "accepted", justification: &expected.reason }]
        }),
        partial_fingerprints: Fingerprints { finding: fingerprint(subject, finding) },
        properties: model::ResultProperties {
            basis: finding.basis.as_str(),
            reproduce: subject.reproduce.as_deref(),
            entered: comparison.map(|comparison| comparison.entered.as_str()),
            derived: comparison.map(|comparison| comparison.derived.as_str()),
        },
    }
}

fn message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    }
}

/// The place, with as much of the line as is marked.
fn region(finding: &Finding, line: u32, column: u32) -> Region<'_> {
    let own = finding.snippet.iter().find(|snippet| snippet.line == line);
    let width = own.and_then(|snippet| snippet.mark.as_ref()).map_or(1, |mark| mark.width);
    Region {
        start_line: line,
        start_column: Some(column),
        end_column: Some(column.saturating_add(width.max(1))),
        snippet: own.map(|snippet| Snippet { text: &snippet.text }),
    }
}

/// The other lines that a finding shows, with what it says of them.
fn related<'r>(finding: &'r Finding, artifact: &ArtifactLocation) -> Vec<RelatedLocation<'r>> {
    let own = finding.place.as_ref().map(|place| place.line);
    let others = finding.snippet.iter().filter(|line| Some(line.line) != own);
    let labelled = others.filter_map(|line| {
        let mark = line.mark.as_ref().filter(|mark| !mark.label.is_empty())?;
        Some((line, mark.label.as_str()))
    });
    let location = |(at, (line, label)): (usize, (&'r SnippetLine, &'r str))| RelatedLocation {
        id: at + 1,
        message: Message { text: label.to_owned() },
        physical_location: PhysicalLocation {
            artifact_location: artifact.clone(),
            region: Some(Region {
                start_line: line.line,
                start_column: None,
                end_column: None,
                snippet: Some(Snippet { text: &line.text }),
            }),
        },
    };
    labelled.enumerate().map(location).collect()
}

/// The same for the same finding in the next run, also where lines have moved.
fn fingerprint(subject: &SubjectResult, finding: &Finding) -> String {
    let pointer = finding.place.as_ref().map_or("", |place| place.pointer.as_str());
    let document = finding.document.as_deref().unwrap_or("");
    let parts = [subject.subject.as_str(), document, finding.obligation.as_str(), pointer];
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    sha256(&bytes)
}

fn notification(subject: &SubjectResult) -> Option<Notification> {
    let (level, what) = match subject.verdict {
        Verdict::NotJudged => ("error", "not judged"),
        Verdict::Unsupported if subject.optional => ("note", "unsupported (optional)"),
        Verdict::Unsupported => ("warning", "unsupported"),
        Verdict::Pass | Verdict::Fail => return None,
    };
    let reason = subject.reason.as_deref().map_or(String::new(), |reason| format!(": {reason}"));
    Some(Notification { level, message: Message { text: format!("{} is {what}{reason}", subject.subject) } })
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

/// A path as the path of a URI: every byte that is not unreserved or a slash is written as `%XX`.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
