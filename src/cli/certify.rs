//! `--certificate PATH` of a run: what has to be known before it, and the certificate after it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tempfile::TempDir;

use super::args::{LimitArgs, RunArgs};
use super::error::Error;
use super::{judging, output};
use crate::certificate::evidence::pack;
use crate::certificate::keys::PrivateKey;
use crate::certificate::statement::{
    CertificateVerdict, Emitter as EmitterPart, EmitterFile, Evidence, EvidenceForm, Judging, Mode as ModePart,
    Part as PartOf, Platform, Tool,
};
use crate::certificate::{self, Attested, Suites, envelope};
use crate::check::{Checker, is_fault};
use crate::digest;
use crate::emitter::{Emitter, Mode, Part};
use crate::expected::Expectations;
use crate::run::plan::{self, Job};
use crate::run::results::{EmitterIdentity, Results};
use crate::suite;

#[derive(Debug, Args)]
#[command(next_help_heading = "Certificate")]
pub struct CertificateArgs {
    /// Write a certificate, and every emitted document beside it under PATH.evidence/
    // What one run of every scenario showed is what is certified: neither a part of a run nor several runs.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["repeat", "shard"])]
    pub certificate: Option<PathBuf>,
    /// Sign the certificate with this Ed25519 key (PKCS#8 PEM; `conform keygen` makes one)
    #[arg(long, value_name = "KEY", requires = "certificate")]
    pub sign: Option<PathBuf>,
    /// Keep the documents in a folder, or pack them into PATH.evidence.tar
    #[arg(long, value_name = "FORM", value_enum, requires = "certificate")]
    pub evidence: Option<Form>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    #[default]
    Folder,
    Tar,
}

/// A certificate that is to be issued when the run is over.
pub struct Certifying {
    path: PathBuf,
    key: Option<PrivateKey>,
    form: Form,
    /// Where documents are kept while the run goes on.
    folder: PathBuf,
    /// The same, where it is to be packed and go.
    staging: Option<TempDir>,
    emitter: EmitterPart,
    conform: Tool,
    judging: Judging,
    /// Every scenario that there is.
    all: Vec<Job>,
}

/// Where the evidence of a certificate is.
pub fn evidence_path(certificate: &Path, form: Form) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    name.push(if form == Form::Tar { ".evidence.tar" } else { ".evidence" });
    name.into()
}

impl Certifying {
    /// Makes ready, where a certificate is asked for of an emitter that runs in a mode: whatever would keep it from being issued is found out before anything runs.
    ///
    /// # Errors
    /// Where the emitter's version is that of no one state, a file cannot be read, or the certificate or its evidence cannot
    /// be written.
    pub fn prepare(
        args: &RunArgs,
        emitter: &Emitter,
        mode: Mode,
        identity: &EmitterIdentity,
        checker: &Checker,
    ) -> Result<Option<Self>, Error> {
        let asked = &args.certificate;
        let Some(path) = &asked.certificate else { return Ok(None) };
        let version = identity.version.clone().ok_or_else(|| {
            let advice = "state it as `version` in an emitter.toml";
            Error::Usage(format!(
                "--certificate: {} states no version, and a certificate needs one; {advice}",
                identity.name
            ))
        })?;
        certificate::fixed(&version).map_err(|error| Error::Usage(format!("--certificate: {error}")))?;
        let key = asked.sign.as_deref().map(private_key).transpose()?;
        let suites: Vec<_> = suite::all().collect();
        let all = plan::scenarios(&suites, args.suites.as_deref()).map_err(|error| Error::Usage(error.to_string()))?;
        let conform = tool()?;
        let emitter = EmitterPart {
            name: identity.name.clone(),
            version,
            command: identity.command.clone(),
            mode: if mode == Mode::Session { ModePart::Session } else { ModePart::Process },
            files: emitter.files().iter().map(|(part, path)| file(*part, path)).collect::<Result<_, _>>()?,
        };
        let form = asked.evidence.unwrap_or_default();
        let (folder, staging) = room(path, form)?;
        let judging = terms(args, checker);
        Ok(Some(Certifying { path: path.clone(), key, form, folder, staging, emitter, conform, judging, all }))
    }

    /// Where the certificate goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that documents are kept in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Issues the certificate. Returns its verdict.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn issue(
        self,
        results: &Results,
        selected: &[Job],
        checker: &Checker,
        expectations: Option<&Expectations>,
    ) -> Result<CertificateVerdict, Error> {
        let fault = |problem: String| Error::Fault(format!("the certificate cannot be written down: {problem}"));
        let ran = |name: &String| results.results.iter().any(|result| result.subject == *name);
        let not_run: Vec<String> = if results.complete {
            Vec::new()
        } else {
            selected.iter().map(Job::name).filter(|name| !ran(name)).collect()
        };
        let covered = |id: &str| selected.iter().any(|job| job.suite.id == id);
        let suites = certificate::suites(&self.all, covered, checker);
        let evidence = self.pack()?;
        let attested = Attested {
            date: results.started.clone(),
            emitter: self.emitter,
            conform: self.conform,
            platform: Platform { os: std::env::consts::OS.to_owned(), arch: std::env::consts::ARCH.to_owned() },
            judging: self.judging,
            not_run,
            evidence,
        };
        let statement = certificate::assemble(
            attested,
            Suites { of: suites, mutation: results.mutation.clone() },
            &results.results,
            &self.all,
            expectations,
        );
        let verdict = statement.predicate.verdict;
        let mut bytes = certificate::bytes(statement).map_err(fault)?;
        if let Some(key) = &self.key {
            let envelope = envelope::sign(&bytes, key).map_err(|error| fault(error.to_string()))?;
            bytes = certificate::canonical(&envelope).map_err(fault)?;
        }
        output::replace(&self.path, &certificate::with_newline(bytes))
            .map_err(|error| unwritable(&self.path, &error))?;
        Ok(verdict)
    }

    /// Packs the evidence, where that is asked for.
    fn pack(&self) -> Result<Evidence, Error> {
        let Some(staging) = &self.staging else { return Ok(Evidence { form: EvidenceForm::Folder, sha256: None }) };
        let target = evidence_path(&self.path, self.form);
        let packed = || {
            pack(staging.path(), &mut File::create_new(&target)?)?;
            digest::of_file(&target)
        };
        let sha256 = packed().map_err(|error: io::Error| unwritable(&target, &error))?;
        Ok(Evidence { form: EvidenceForm::Tar, sha256: Some(sha256) })
    }

    /// Gives the certificate up. Documents that were kept stay.
    pub fn abandon(self) {
        // Only an empty folder is removed.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Why results are not certified, if so.
pub fn refused(results: &Results) -> Option<&'static str> {
    if results.results.iter().any(is_fault) {
        Some("something broke inside conform")
    } else if results.expected.as_ref().is_some_and(|expected| !expected.stale.is_empty()) {
        Some("the expected failures are not true any more; put their file right first")
    } else {
        None
    }
}

/// Makes the folder for documents. Evidence of another run is never added to, nor removed.
fn room(path: &Path, form: Form) -> Result<(PathBuf, Option<TempDir>), Error> {
    for form in [Form::Folder, Form::Tar] {
        let there = evidence_path(path, form);
        if fs::symlink_metadata(&there).is_ok() {
            let advice = "remove it, or give the certificate another name";
            return Err(Error::Usage(format!("--certificate: {} is already there; {advice}", there.display())));
        }
    }
    if path.is_dir() {
        return Err(Error::Usage(format!("--certificate: {} is a folder; name a file", path.display())));
    }
    let folder = evidence_path(path, Form::Folder);
    match form {
        Form::Folder => {
            fs::create_dir(&folder).map_err(|error| unwritable(&folder, &error))?;
            Ok((folder, None))
        }
        Form::Tar => {
            let beside = match path.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            };
            let staging = tempfile::Builder::new().prefix(".conform-evidence-").tempdir_in(beside);
            let staging = staging.map_err(|error| unwritable(&evidence_path(path, form), &error))?;
            Ok((staging.path().to_owned(), Some(staging)))
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::Usage(format!("--certificate: cannot write {}: {error}", path.display()))
}

fn private_key(path: &Path) -> Result<PrivateKey, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Usage(format!("--sign: cannot read {}: {error}", path.display())))?;
    PrivateKey::from_pem(&text).map_err(|error| Error::Usage(format!("--sign: {} {error}", path.display())))
}

/// This conform.
///
/// # Errors
/// Where its own executable cannot be read.
pub fn tool() -> Result<Tool, Error> {
    let sha256 = std::env::current_exe().and_then(|exe| digest::of_file(&exe));
    let sha256 = sha256.map_err(|error| Error::Fault(format!("conform's own executable cannot be read: {error}")))?;
    Ok(Tool { version: env!("CARGO_PKG_VERSION").to_owned(), sha256 })
}

fn file(part: Part, path: &Path) -> Result<EmitterFile, Error> {
    let sha256 = digest::of_file(path).map_err(|error| {
        Error::Usage(format!("--certificate: the emitter's file {} cannot be read: {error}", path.display()))
    })?;
    let part = match part {
        Part::Executable => PartOf::Executable,
        Part::Argument => PartOf::Argument,
        Part::Manifest => PartOf::Manifest,
    };
    Ok(EmitterFile { part, path: path.display().to_string(), sha256 })
}

fn terms(args: &RunArgs, checker: &Checker) -> Judging {
    let LimitArgs { max_bytes, max_depth, max_alias_nodes } = args.judging.limits;
    Judging {
        strict: args.judging.strict,
        deny_warnings: judging::denies_warnings(&args.judging),
        max_bytes,
        max_depth: max_depth as u64,
        max_alias_nodes: max_alias_nodes as u64,
        related: certificate::related(checker),
    }
}
