//! `conform verify`: a certificate, checked from its evidence.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::args::{ColorArg, JudgingArgs, LimitArgs, TableFormat};
use super::certify::{self, Form, evidence_path};
use super::error::Error;
use super::exit::Exit;
use super::{judging, output};
use crate::certificate::keys::PublicKey;
use crate::certificate::statement::{Judging, Statement, Tool};
use crate::certificate::{self, MOST_BYTES, Outcome, Verification, Verify};
use crate::report::palette::Palette;
use crate::report::words::harmless;
use crate::run::plan;
use crate::suite;

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,
    /// The folder or archive of documents; otherwise CERTIFICATE.evidence or CERTIFICATE.evidence.tar
    #[arg(long, value_name = "PATH")]
    pub evidence: Option<PathBuf>,
    /// The public key that the certificate must be signed by (PEM)
    #[arg(long, value_name = "PUB")]
    pub key: Option<PathBuf>,
    /// Also know the scenarios in DIR/<suite>/scenarios/*.yaml, as in the run
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
    /// Validate by this file in the place of an embedded schema, as in the run; repeatable
    #[arg(long, value_name = "ID=FILE", value_parser = super::args::assignment)]
    pub schema: Vec<(String, PathBuf)>,
    /// Validate by the schemas in this folder, as in the run
    #[arg(long, value_name = "DIR")]
    pub schemas: Option<PathBuf>,
    /// Documents that the judged ones may refer to, as in the run; repeatable
    #[arg(long, value_name = "PATH")]
    pub related: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
    #[command(flatten)]
    pub color: ColorArg,
}

pub fn run(args: &VerifyArgs) -> Result<Exit, Error> {
    let bytes = bytes(&args.certificate)?;
    let evidence = evidence(args)?;
    let key = args.key.as_deref().map(public_key).transpose()?;
    let read = match certificate::read(&bytes) {
        Ok(read) => read,
        Err(error) => {
            let path = args.certificate.display().to_string();
            let _ = writeln!(std::io::stderr().lock(), "error: {} {}", harmless(&path), harmless(&error.to_string()));
            return Ok(Exit::NotConformant);
        }
    };
    let terms = &read.statement.predicate.judging;
    let checker = judging::checker(&judging_args(args, terms)?)?;
    let suites: Vec<_> = suite::all().collect();
    let jobs = plan::scenarios(&suites, args.suites.as_deref()).map_err(|error| Error::Usage(error.to_string()))?;
    let entered: BTreeSet<&str> = read.statement.predicate.suites.iter().map(|suite| suite.id.as_str()).collect();
    let mutation = judging::mutation(suites.iter().map(|suite| suite.id).filter(|id| entered.contains(id)))?;
    let verify = Verify {
        certificate: &read,
        evidence: &evidence,
        key: key.as_ref(),
        checker: &checker,
        jobs: &jobs,
        mutation: &mutation,
    };
    let verification = judging::threads(None)?.install(|| verify.run());
    let text = match args.format {
        TableFormat::Pretty => pretty(args, &read.statement, &verification)?,
        TableFormat::Json => format!("{:#}\n", as_json(args, &read.statement, &verification)),
    };
    output::print(&text)?;
    Ok(if verification.differs() {
        Exit::NotConformant
    } else if verification.is_complete() {
        Exit::Conformant
    } else {
        Exit::Incomplete
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let unreadable = |problem: String| Error::Usage(format!("cannot read {}: {problem}", path.display()));
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unreadable(format!("it has more than {MOST_BYTES} bytes, which no certificate has")));
    }
    Ok(bytes)
}

fn evidence(args: &VerifyArgs) -> Result<PathBuf, Error> {
    if let Some(path) = &args.evidence {
        return if path.exists() {
            Ok(path.clone())
        } else {
            Err(Error::Usage(format!("--evidence: {} is not there", path.display())))
        };
    }
    let beside = [Form::Folder, Form::Tar].map(|form| evidence_path(&args.certificate, form));
    beside.iter().find(|path| path.exists()).cloned().ok_or_else(|| {
        let [folder, archive] = &beside;
        let there = format!("neither {} nor {} is there", folder.display(), archive.display());
        Error::Usage(format!("no evidence: {there}; say where it is with --evidence"))
    })
}

fn public_key(path: &Path) -> Result<PublicKey, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Usage(format!("--key: cannot read {}: {error}", path.display())))?;
    PublicKey::from_pem(&text).map_err(|error| Error::Usage(format!("--key: {} {error}", path.display())))
}

/// Judging as in the run. Its limits hold as far as those of this command line: what a certificate says must not let a
/// document cost more than its reader allows.
fn judging_args(args: &VerifyArgs, terms: &Judging) -> Result<JudgingArgs, Error> {
    let allowed = &args.limits;
    for (flag, entered, allowed) in [
        ("max-bytes", terms.max_bytes, allowed.max_bytes),
        ("max-depth", terms.max_depth, allowed.max_depth as u64),
        ("max-alias-nodes", terms.max_alias_nodes, allowed.max_alias_nodes as u64),
    ] {
        if entered > allowed {
            return Err(Error::Usage(format!(
                "the certificate is of a run with --{flag} {entered}; allow that here too"
            )));
        }
    }
    // Each is at most what a flag of this machine's width said.
    let narrow = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(JudgingArgs {
        suite: None,
        strict: terms.strict,
        deny: None,
        schema: args.schema.clone(),
        schemas: args.schemas.clone(),
        related: args.related.clone(),
        limits: LimitArgs {
            max_bytes: terms.max_bytes,
            max_depth: narrow(terms.max_depth),
            max_alias_nodes: narrow(terms.max_alias_nodes),
        },
    })
}

fn pretty(args: &VerifyArgs, statement: &Statement, verification: &Verification) -> Result<String, Error> {
    let Palette { pass, fail, warn, id, dim, .. } = output::palette(args.color.color);
    let predicate = &statement.predicate;
    let path = args.certificate.display().to_string();
    let emitter = format!("{} {}", predicate.emitter.name, predicate.emitter.version);
    let mut text = format!(
        "{id}{}{id:#}: {}, {}, {}\n",
        harmless(&path),
        harmless(&emitter),
        harmless(&predicate.date),
        predicate.verdict.as_str()
    );
    let mut note = |line: String| text.push_str(&line);
    for check in &verification.checks {
        let name = check.name;
        match &check.outcome {
            Outcome::Holds(what) => note(format!("  {pass}ok{pass:#}          {name}: {}\n", harmless(what))),
            Outcome::NotChecked(why) => note(format!("  {warn}not checked{warn:#} {name}: {}\n", harmless(why))),
            Outcome::Differs(differences) => {
                for difference in differences {
                    note(format!("  {fail}DIFFERS{fail:#}     {name}: {}\n", harmless(difference)));
                }
            }
        }
    }
    if let Some(other) = other_tool(&predicate.conform)? {
        note(format!("  {dim}{}{dim:#}\n", harmless(&other)));
    }
    if verification.differs() {
        note(format!("{fail}not verified{fail:#}: the certificate does not say what follows from its evidence\n"));
    } else if verification.is_complete() {
        note(format!("{pass}verified{pass:#}: {}\n", predicate.verdict.as_str()));
    } else {
        note(format!("{warn}not wholly verified{warn:#}: nothing differs, but not everything was checked\n"));
    }
    Ok(text)
}

/// That another conform issued the certificate, if so. What it judged by is compared apart from that.
fn other_tool(issuer: &Tool) -> Result<Option<String>, Error> {
    let own = certify::tool()?;
    Ok((own != *issuer).then(|| {
        format!(
            "issued by conform {} (sha256 {}); this is {} (sha256 {})",
            issuer.version, issuer.sha256, own.version, own.sha256
        )
    }))
}

fn as_json(args: &VerifyArgs, statement: &Statement, verification: &Verification) -> serde_json::Value {
    let checks: Vec<_> = verification
        .checks
        .iter()
        .map(|check| match &check.outcome {
            Outcome::Holds(what) => json!({"name": check.name, "outcome": "holds", "details": [what]}),
            Outcome::Differs(differences) => json!({"name": check.name, "outcome": "differs", "details": differences}),
            Outcome::NotChecked(why) => json!({"name": check.name, "outcome": "not-checked", "details": [why]}),
        })
        .collect();
    json!({
        "certificate": args.certificate.display().to_string(),
        "verdict": statement.predicate.verdict,
        "verified": !verification.differs() && verification.is_complete(),
        "checks": checks,
    })
}
