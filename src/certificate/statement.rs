//! What a certificate says: an in-toto Statement v1 whose predicate is this project's own
//! (`schemas/conform-certificate-1.schema.json`).

use serde::{Deserialize, Serialize};

use crate::finding::{Basis, Finding, NotJudged, Place, Severity};
use crate::run::results::{Coverage, DeclaredFailure, SubjectResult, Verdict};
use crate::run::score::MutationScore;

/// The type of an in-toto Statement v1.
pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// The type of the predicate.
pub const PREDICATE: &str = "conform:///certificate/v1";

/// The statement: the emitter's files, and what was found about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    #[serde(rename = "_type")]
    pub kind: String,
    /// The files that the emitter consists of, as far as its command shows.
    pub subject: Vec<Subject>,
    pub predicate_type: String,
    pub predicate: Predicate,
}

/// A file that a statement is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    pub name: String,
    pub digest: DigestSet,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DigestSet {
    pub sha256: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Predicate {
    pub verdict: CertificateVerdict,
    /// Everything that keeps the verdict from being `certified`.
    pub exceptions: Vec<Exception>,
    /// When the run began, RFC 3339 in UTC.
    pub date: String,
    pub emitter: Emitter,
    pub conform: Tool,
    pub platform: Platform,
    pub judging: Judging,
    /// The suites of which scenarios were selected.
    pub suites: Vec<Suite>,
    /// How well each of these notices documents that were broken on purpose.
    pub mutation: Vec<MutationScore>,
    /// Obligations judged in full, of all obligations of all scenarios.
    pub coverage: Coverage,
    /// The expected failures in force.
    pub expected: Vec<DeclaredFailure>,
    pub results: Vec<ScenarioResult>,
    /// Scenarios that were selected and not run.
    pub not_run: Vec<String>,
    pub evidence: Evidence,
    /// SHA-256 of the statement's canonical form without this member. It finds what happened by accident; what is done on
    /// purpose only a signature finds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

/// What a run amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CertificateVerdict {
    /// Every required scenario of the suites was judged and passed; none was skipped, none is expected to fail.
    Certified,
    /// Nothing failed unexpectedly and everything required was judged, but there are exceptions.
    ConformantWithExceptions,
    /// Something failed unexpectedly.
    NotConformant,
    /// Nothing failed unexpectedly, but something required was not judged.
    Incomplete,
}

impl CertificateVerdict {
    /// The words that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            CertificateVerdict::Certified => "certified",
            CertificateVerdict::ConformantWithExceptions => "conformant with exceptions",
            CertificateVerdict::NotConformant => "not conformant",
            CertificateVerdict::Incomplete => "incomplete",
        }
    }
}

/// One thing that keeps a verdict from being `certified`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exception {
    pub kind: ExceptionKind,
    pub subject: String,
    /// The obligation that it is about, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obligation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExceptionKind {
    /// An obligation is broken, and nothing declared it.
    Failed,
    /// An obligation is broken, as declared.
    ExpectedFailure,
    /// A declaration says that it may fail.
    Flaky,
    Unsupported,
    NotJudged,
    /// It was selected, and the run ended before.
    NotRun,
    /// It belongs to the suite, and was not selected.
    NotSelected,
}

/// Who emitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Emitter {
    pub name: String,
    pub version: String,
    /// The argument vector it was started with.
    pub command: Vec<String>,
    /// `process` or `session`.
    pub mode: Mode,
    /// Its files, in the order of the statement's subjects.
    pub files: Vec<EmitterFile>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    Process,
    Session,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmitterFile {
    pub part: Part,
    pub path: String,
    pub sha256: String,
}

/// What a file is to the emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Executable,
    Argument,
    Manifest,
}

/// The conform that judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tool {
    pub version: String,
    /// Digest of its executable.
    pub sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Platform {
    pub os: String,
    pub arch: String,
}

/// The terms of judging.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Judging {
    pub strict: bool,
    pub deny_warnings: bool,
    pub max_bytes: u64,
    pub max_depth: u64,
    pub max_alias_nodes: u64,
    /// Documents that the judged ones could refer to.
    pub related: Vec<NamedDigest>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamedDigest {
    pub name: String,
    pub sha256: String,
}

/// What a suite demanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Suite {
    pub id: String,
    /// How many scenarios it has.
    pub scenarios: usize,
    /// Digest over the scenarios: over a line `<sha256>  <name>` for each, sorted by name.
    pub sha256: String,
    /// Its schema and every schema that it refers to.
    pub schemas: Vec<NamedDigest>,
    pub obligations: Obligations,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Obligations {
    pub count: usize,
    /// Digest over a line `<id> <basis> <severity> <demand>` for each, in their order.
    pub sha256: String,
}

/// Where the emitted documents are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    pub form: EvidenceForm,
    /// Digest of the archive, where they are in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceForm {
    Folder,
    Tar,
}

/// What a scenario came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScenarioResult {
    /// `suite/scenario`, or `session` where the end of one is at fault.
    pub subject: String,
    /// Digest of the scenario's file; absent for a session's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    pub verdict: Verdict,
    pub optional: bool,
    pub obligations: Coverage,
    pub findings: Vec<Found>,
    pub not_judged: Vec<NotJudged>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub documents: Vec<Document>,
}

/// A finding without the lines around it, which the evidence has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub obligation: String,
    pub basis: Basis,
    pub severity: Severity,
    pub message: String,
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

impl Found {
    fn of(finding: &Finding) -> Self {
        Found {
            obligation: finding.obligation.clone(),
            basis: finding.basis,
            severity: finding.severity,
            message: finding.message.clone(),
            place: finding.place.clone(),
            document: finding.document.clone(),
        }
    }

    /// The finding itself, as far as it is known.
    pub fn finding(&self) -> Finding {
        let mut finding = Finding::placeless(&self.obligation, self.basis, self.severity, &self.message);
        finding.place = self.place.clone();
        finding.document = self.document.clone();
        finding
    }

    /// Whether it is about how the emitter behaved, which no document shows.
    pub fn is_about_the_process(&self) -> bool {
        self.obligation.starts_with("process/")
    }
}

/// An emitted document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    /// Its name as the emitter gave it, or `stdout`.
    pub name: String,
    /// Where it is in the evidence.
    pub evidence: String,
    pub bytes: u64,
    pub sha256: String,
}

impl ScenarioResult {
    /// A result as a certificate states it; `scenario` is the digest of the scenario's file, and `places` says where each of its
    /// documents is in the evidence.
    pub fn of(result: &SubjectResult, scenario: Option<&str>, places: Vec<String>) -> Self {
        let documents = result.documents.iter().zip(places).map(|(document, evidence)| Document {
            name: document.name.clone(),
            evidence,
            bytes: document.bytes,
            sha256: document.sha256.clone(),
        });
        ScenarioResult {
            subject: result.subject.clone(),
            scenario: scenario.map(str::to_owned),
            verdict: result.verdict,
            optional: result.optional,
            obligations: result.obligations,
            findings: result.findings.iter().map(Found::of).collect(),
            not_judged: result.not_judged.clone(),
            reason: result.reason.clone(),
            documents: documents.collect(),
        }
    }
}
