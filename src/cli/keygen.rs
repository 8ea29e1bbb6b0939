//! `conform keygen`: a pair of keys to sign certificates with.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::Error;
use super::exit::Exit;
use super::output;
use crate::certificate::keys::{NoKey, PrivateKey};

/// The files' names.
const PRIVATE: &str = "conform.key";
const PUBLIC: &str = "conform.pub";

#[derive(Debug, Args)]
pub struct KeygenArgs {
    /// The folder to write conform.key and conform.pub into; it is made if need be
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

pub fn run(args: &KeygenArgs) -> Result<Exit, Error> {
    let fault = |error: NoKey| Error::Fault(error.to_string());
    let key = PrivateKey::generate().map_err(fault)?;
    let public = key.public();
    let unwritable = |path: &Path, error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::Usage(format!(
            "{} is already there, and a key is never overwritten; give another folder",
            path.display()
        )),
        _ => Error::Usage(format!("cannot write {}: {error}", path.display())),
    };
    fs::create_dir_all(&args.folder).map_err(|error| unwritable(&args.folder, error))?;
    let (private_path, public_path) = (args.folder.join(PRIVATE), args.folder.join(PUBLIC));
    if public_path.exists() {
        return Err(unwritable(&public_path, io::ErrorKind::AlreadyExists.into()));
    }
    write(&private_path, &key.to_pem().map_err(fault)?, 0o600).map_err(|error| unwritable(&private_path, error))?;
    write(&public_path, &public.to_pem().map_err(fault)?, 0o644).map_err(|error| unwritable(&public_path, error))?;
    output::print(&format!(
        "{}: the private key; sign with `--sign`, and keep it to yourself\n{}: the public key; verify with `--key`\nkey id {}\n",
        private_path.display(),
        public_path.display(),
        public.id().map_err(fault)?
    ))?;
    Ok(Exit::Conformant)
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?.write_all(text.as_bytes())
}
