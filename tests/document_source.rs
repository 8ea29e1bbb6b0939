//! Where documents come from: what arguments name, in which order, and what cannot be read.

use std::fs;
use std::path::Path;

use conform::document::Limits;
use conform::document::source::{CollectError, Source, collect};

/// A folder with documents and with what is none.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "b.yaml",
        "a.json",
        "deep/er/c.yml",
        "deep/D.YAML",
        "notes.txt",
        ".hidden.yaml",
        ".git/x.yaml",
        "target/x.yaml",
        "deep/node_modules/x.json",
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("name: {file}\n")).unwrap();
    }
    folder
}

fn names(folder: &Path, arguments: &[&str]) -> Result<Vec<String>, CollectError> {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| if *argument == "-" { "-".to_owned() } else { format!("{}/{argument}", folder.display()) })
        .collect();
    let prefix = format!("{}/", folder.display());
    Ok(collect(&arguments)?.into_iter().map(|source| source.name.replace(&prefix, "")).collect())
}

#[test]
fn a_folder_stands_for_its_documents_in_path_order() {
    let folder = folder();
    let all = ["a.json", "b.yaml", "deep/D.YAML", "deep/er/c.yml"];
    assert_eq!(names(folder.path(), &[""]).unwrap(), all);
    assert_eq!(names(folder.path(), &["deep", "target"]).unwrap(), ["deep/D.YAML", "deep/er/c.yml", "target/x.yaml"]);
}

#[test]
fn a_file_counts_whatever_it_is_called_and_only_once() {
    let folder = folder();
    assert_eq!(names(folder.path(), &["notes.txt", ".hidden.yaml"]).unwrap(), [".hidden.yaml", "notes.txt"]);
    let twice = ["b.yaml", "./b.yaml", "deep/../b.yaml", "*.yaml", "-", "-"];
    assert_eq!(names(folder.path(), &twice).unwrap(), ["<stdin>", "b.yaml"]);
}

#[test]
fn globs() {
    let folder = folder();
    assert_eq!(names(folder.path(), &["*.yaml"]).unwrap(), ["b.yaml"]);
    assert_eq!(names(folder.path(), &["**/*.y?ml", "[a]*"]).unwrap(), ["a.json", "b.yaml"]);
    assert_eq!(
        names(folder.path(), &["**/*"]).unwrap(),
        ["a.json", "b.yaml", "deep/D.YAML", "deep/er/c.yml", "notes.txt"]
    );
    assert_eq!(names(folder.path(), &["target/*"]).unwrap(), ["target/x.yaml"]);
    fs::write(folder.path().join("odd[1].yaml"), "a: 1\n").unwrap();
    assert_eq!(names(folder.path(), &["odd[1].yaml"]).unwrap(), ["odd[1].yaml"]);
}

#[test]
fn an_argument_that_names_nothing_is_an_error_that_names_it() {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (argument, expected) in [
        ("none.yaml", "no such file or folder: "),
        ("empty", "the folder "),
        ("*.toml", "no file matches "),
        ("a[", " is no glob: "),
    ] {
        let error = names(folder.path(), &["b.yaml", argument]).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(argument), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_go_round_end() {
    let folder = folder();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("deep/round")).unwrap();
    std::os::unix::fs::symlink("b.yaml", folder.path().join("twin.yaml")).unwrap();
    assert_eq!(names(folder.path(), &[""]).unwrap(), ["a.json", "b.yaml", "deep/D.YAML", "deep/er/c.yml"]);
    assert_eq!(names(folder.path(), &["**/*.yml"]).unwrap(), ["deep/er/c.yml"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_a_document_that_cannot_be_read() {
    let folder = folder();
    let gone = folder.path().join("gone.yaml");
    std::os::unix::fs::symlink("nowhere.yaml", &gone).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("no-document")).unwrap();
    let expected = ["a.json", "b.yaml", "deep/D.YAML", "deep/er/c.yml", "gone.yaml"];
    assert_eq!(names(folder.path(), &[""]).unwrap(), expected);
    assert_eq!(names(folder.path(), &["g*.yaml"]).unwrap(), ["gone.yaml"]);
    let (id, message) = load(&gone, &Limits::default()).unwrap_err();
    assert_eq!(id, "document/unreadable");
    assert!(message.starts_with("the link leads to nowhere.yaml, which cannot be opened: "), "{message}");
}

fn load(path: &Path, limits: &Limits) -> Result<Vec<u8>, (String, String)> {
    let source: Source = collect(&[path.display().to_string()]).unwrap().remove(0);
    source.load(limits).map_err(|finding| (finding.obligation, finding.message))
}

#[test]
fn loading() {
    let folder = folder();
    let path = folder.path().join("b.yaml");
    assert_eq!(load(&path, &Limits::default()).unwrap(), b"name: b.yaml\n");
    let (id, message) = load(&path, &Limits { bytes: 12, ..Limits::default() }).unwrap_err();
    assert_eq!(
        (id.as_str(), message.as_str()),
        ("document/size", "the document has 13 bytes or more, and the limit is 12")
    );
    let source = collect(&[path.display().to_string()]).unwrap().remove(0);
    fs::remove_file(&path).unwrap();
    let finding = source.load(&Limits::default()).unwrap_err();
    assert_eq!(finding.obligation, "document/unreadable");
    assert!(finding.message.contains("No such file"), "{}", finding.message);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_without_waiting() {
    let (id, message) = load(Path::new("/dev/null"), &Limits::default()).unwrap_err();
    assert_eq!(id, "document/unreadable");
    assert!(message.contains("regular file"), "{message}");
    let folder = folder();
    let pipe = folder.path().join("pipe.yaml");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let (id, _) = load(&pipe, &Limits::default()).unwrap_err();
    assert_eq!(id, "document/unreadable");
}
