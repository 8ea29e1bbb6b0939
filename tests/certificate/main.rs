//! Certificates and evidence that someone changed, or made up: whatever was done to them is found, and nothing harms who checks.

mod flips;
mod hostile;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use conform::certificate::keys::PublicKey;
use conform::certificate::{self, Verification, Verify};
use conform::check::{Checker, STACK};
use conform::document::Limits;
use conform::mutation::score::Score;
use conform::obligation::Settings;
use conform::run::plan::{self, Job};
use conform::run::score::MutationScore;
use conform::schema::Schemas;
use conform::suite;
use tempfile::TempDir;

/// Certificates that conform issued, with their evidence: `plain.json`, `signed.json` (by `keys/conform.key`) and `packed.json`.
pub struct Issued {
    folder: TempDir,
    jobs: Vec<Job>,
    pub mutation: Vec<MutationScore>,
    checker: Checker,
    pool: rayon::ThreadPool,
}

/// The same for all tests, which only read it.
pub fn issued() -> &'static Issued {
    static ISSUED: OnceLock<Issued> = OnceLock::new();
    ISSUED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        conform(&["keygen", &path("keys")], 0);
        let (key, run) = (path("keys/conform.key"), ["--emitter", "reference", "-q", "--exact"]);
        let two = ["mavai-optimize-1/one-sample", "mavai-optimize-1/all-pass", "--certificate"];
        conform(&[&run[..], &two, &[&path("plain.json")]].concat(), 0);
        conform(&[&run[..], &two, &[&path("signed.json"), "--sign", &key]].concat(), 0);
        conform(&[&run[..], &two, &[&path("packed.json"), "--evidence", "tar"]].concat(), 0);
        let suites: Vec<_> = suite::all().collect();
        let checker = Checker {
            schemas: Schemas::embedded().unwrap(),
            settings: Settings::default(),
            limits: Limits::default(),
            suite: None,
        };
        let mutation = vec![Score::usual(suite::by_id("mavai-optimize-1").unwrap()).unwrap()];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(STACK).build().unwrap();
        Issued { jobs: plan::scenarios(&suites, None).unwrap(), mutation, folder, checker, pool }
    })
}

fn conform(args: &[&str], code: i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_conform")).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Issued {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn key(&self) -> PublicKey {
        PublicKey::from_pem(&fs::read_to_string(self.path("keys/conform.pub")).unwrap()).unwrap()
    }

    /// Verifies bytes as a certificate; an error where they are none.
    pub fn verify(&self, bytes: &[u8], evidence: &Path, key: Option<&PublicKey>) -> Result<Verification, String> {
        self.verify_by(bytes, evidence, key, &self.mutation)
    }

    /// The same by a conform whose suites have these scores.
    pub fn verify_by(
        &self,
        bytes: &[u8],
        evidence: &Path,
        key: Option<&PublicKey>,
        mutation: &[MutationScore],
    ) -> Result<Verification, String> {
        let read = certificate::read(bytes).map_err(|error| error.to_string())?;
        let Issued { jobs, checker, .. } = self;
        let verify = Verify { certificate: &read, evidence, key, checker, jobs, mutation };
        Ok(self.pool.install(|| verify.run()))
    }
}

/// Whether a verification shows that everything is as it was issued.
pub fn holds(verification: &Result<Verification, String>) -> bool {
    verification.as_ref().is_ok_and(|verification| !verification.differs() && verification.is_complete())
}
