//! Embeds every file under `schemas/` and `suites/` in the binary, and what `conform init` writes out: a table of (path, text)
//! for `src/suite/embedded.rs`.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut files = Vec::new();
    for folder in ["schemas", "suites", "templates", "emitters/python"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root)?.to_str().ok_or("a file name that is no UTF-8")?.replace('\\', "/");
        table.push_str(&format!("({name:?}, include_str!({:?})),\n", file.to_str().ok_or("a path that is no UTF-8")?));
    }
    table.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs"), table)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // What running a template leaves behind.
            if !["target", "__pycache__"].iter().any(|leavings| path.ends_with(leavings)) {
                collect(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
