//! Which emitter an argument names, and what is said where it names none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use conform::emitter::{Cancel, Emitter, EmitterError, ErrorKind, Mode, Outcome, Request, RunLimits};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitters")
}

fn resolve(argument: &str) -> Result<Emitter, EmitterError> {
    Emitter::resolve(argument, &[], &fixtures())
}

/// The first document that an emitter emits, line by line.
fn emitted(emitter: &Emitter) -> Vec<String> {
    let request = Request { suite: "mavai-optimize-1", scenario: "delivery", json: "{}" };
    let emission = emitter.emit(&request, &RunLimits::default(), &Cancel::new().unwrap());
    assert_eq!(emission.outcome, Outcome::Emitted, "{emission:#?}");
    String::from_utf8(emission.documents[0].bytes.clone()).unwrap().lines().map(str::to_owned).collect()
}

/// Writes a manifest and resolves it.
fn manifest(text: &str) -> Result<Emitter, String> {
    manifest_in(&tempfile::tempdir().unwrap(), text)
}

fn manifest_in(folder: &tempfile::TempDir, text: &str) -> Result<Emitter, String> {
    let path = folder.path().join("emitter.toml");
    std::fs::write(&path, text).unwrap();
    Emitter::resolve(path.to_str().unwrap(), &[], Path::new("/")).map_err(|error| {
        assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
        error.to_string().replace(&format!("{}/", folder.path().display()), "")
    })
}

#[test]
fn a_relative_path_is_the_callers() {
    let emitter = resolve("./protocol.sh").unwrap();
    assert_eq!(emitter.name(), "protocol.sh");
    assert_eq!(emitter.argv(), [fixtures().join("protocol.sh").to_str().unwrap()]);
    assert_eq!((emitter.mode(), emitter.suites(), emitter.timeout()), (Mode::Process, None, None));
    assert_eq!(emitted(&resolve("manifest/../protocol.sh").unwrap())[1], "protocol: 1");
    assert_eq!(emitted(&resolve(fixtures().join("protocol.sh").to_str().unwrap()).unwrap())[1], "protocol: 1");
}

#[test]
fn a_command_has_words_and_a_script_is_the_callers() {
    let emitter = resolve("sh protocol.sh 'two words' -x").unwrap();
    assert_eq!(emitter.name(), "sh protocol.sh 'two words' -x");
    assert_eq!(emitted(&emitter).last().unwrap(), "arguments: two words -x");
}

#[test]
fn arguments_after_the_dashes_come_last() {
    let extra = ["--fast".to_owned(), "a b".to_owned()];
    let emitter = Emitter::resolve("./protocol.sh", &extra, &fixtures()).unwrap();
    assert_eq!(emitted(&emitter).last().unwrap(), "arguments: --fast a b");
}

#[test]
fn a_path_may_hold_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let spaced = folder.path().join("my emitters");
    std::fs::create_dir(&spaced).unwrap();
    std::os::unix::fs::symlink(fixtures().join("protocol.sh"), spaced.join("an emitter")).unwrap();
    let emitter = Emitter::resolve("my emitters/an emitter", &[], folder.path()).unwrap();
    assert_eq!(emitted(&emitter)[1], "protocol: 1");
}

#[test]
fn a_manifest_is_named_by_its_folder_or_itself() {
    let folder = fixtures().join("manifest");
    for argument in ["manifest", "./manifest/", "manifest/emitter.toml", folder.to_str().unwrap()] {
        let emitter = resolve(argument).unwrap();
        assert_eq!(emitter.name(), "the manifest's emitter");
        assert_eq!(emitter.suites(), Some(&["mavai-optimize-1".to_owned()][..]));
        assert_eq!(emitter.timeout(), Some(Duration::from_millis(2500)));
        let lines = emitted(&emitter);
        let dir = folder.display();
        let [.., greeting, arguments] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(greeting, &format!("greeting: hello from {dir}").replace("//", "/"));
        assert_eq!(arguments, &format!("arguments: {dir}/data {dir}/version.sh plain"));
    }
}

#[test]
fn a_version_command_prints_the_version() {
    let cancel = Cancel::new().unwrap();
    let version = |emitter: &Emitter| emitter.version(&RunLimits::default(), &cancel);
    assert_eq!(version(&resolve("manifest").unwrap()), Ok(Some("1.2.3".to_owned())));
    assert_eq!(version(&resolve("./echo.sh").unwrap()), Ok(None));
    let stated = manifest("command = \"sh\"\nversion = \"7\"").unwrap();
    assert_eq!(version(&stated), Ok(Some("7".to_owned())));

    let folder = tempfile::tempdir().unwrap();
    let failing =
        manifest_in(&folder, "command = 'sh'\nversion = { command = ['sh', '-c', 'echo lost >&2; exit 4'] }").unwrap();
    let error = version(&failing);
    let Err(error) = error else { panic!("{error:?}") };
    assert_eq!(error.kind(), ErrorKind::NotStarted);
    assert_eq!(
        error.to_string(),
        "the emitter's version command `sh -c 'echo lost >&2; exit 4'` exited with 4; its standard error ends\n    lost"
    );
    let silent = manifest_in(&folder, "command = 'sh'\nversion = { command = 'true' }").unwrap();
    assert!(version(&silent).unwrap_err().to_string().ends_with("printed nothing to standard output"));
}

#[test]
fn a_build_makes_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let script = fixtures().join("echo.sh");
    let text = format!("command = \"./built\"\nbuild = [\"ln\", \"-s\", '{}', \"built\"]\n", script.display());
    std::fs::write(folder.path().join("emitter.toml"), text).unwrap();
    let (argument, cancel) = (folder.path().to_str().unwrap(), Cancel::new().unwrap());

    let error = Emitter::resolve(argument, &[], Path::new("/")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotStarted);
    assert!(error.to_string().ends_with("or build it with --build"), "{error}");
    Emitter::build(argument, Path::new("/"), &cancel).unwrap();
    assert_eq!(emitted(&Emitter::resolve(argument, &[], Path::new("/")).unwrap()), ["{}"]);
    // `ln` refuses to do it twice.
    let error = Emitter::build(argument, Path::new("/"), &cancel).unwrap_err();
    assert!(error.to_string().contains("` exited with 1"), "{error}");

    let nothing = Emitter::build("./echo.sh", &fixtures(), &cancel).unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::Configuration);
}

#[test]
fn the_reference_is_this_executable() {
    let emitter = resolve("reference").unwrap();
    let exe = std::env::current_exe().unwrap();
    assert_eq!(emitter.argv(), [exe.to_str().unwrap(), "reference-emitter"]);
    assert_eq!(Emitter::reference("/opt/conform".into()).argv(), ["/opt/conform", "reference-emitter"]);
}

#[test]
fn what_cannot_be_started_says_so() {
    let dir = fixtures();
    let dir = dir.display();
    for (argument, expected) in [
        ("./absent", format!("no emitter program `./absent`: there is no {dir}/absent; check the path")),
        (
            "no-such-program-anywhere --flag",
            "no emitter program `no-such-program-anywhere`: it is neither on PATH nor a path; install it, or name its path"
                .to_owned(),
        ),
        (
            "echo.sh",
            format!("no emitter program `echo.sh`: it is not on PATH; for the one in {dir}, write ./echo.sh"),
        ),
        (
            "./not-executable.sh",
            format!(
                "{dir}/not-executable.sh cannot be executed: it has no execute permission; run `chmod +x \
                 {dir}/not-executable.sh`, or name its interpreter, as in `python3 {dir}/not-executable.sh`"
            ),
        ),
        ("./manifest/ x", format!("{dir}/manifest/ cannot be executed: it is a folder")),
    ] {
        let error = resolve(argument).unwrap_err();
        assert_eq!((error.to_string(), error.kind()), (expected, ErrorKind::NotStarted));
    }
}

#[test]
fn what_names_nothing_says_so() {
    let dir = fixtures();
    for (argument, expected) in [
        (
            "empty-folder",
            format!(
                "{0}/empty-folder is a folder without emitter.toml; name the emitter's executable, or describe the emitter in \
                 {0}/empty-folder/emitter.toml",
                dir.display()
            ),
        ),
        ("", "the emitter command `` is empty; name a program".to_owned()),
        (
            "run 'it",
            "the emitter command `run 'it` has a quote that is not closed; words are split as a POSIX shell does"
                .to_owned(),
        ),
    ] {
        let error = resolve(argument).unwrap_err();
        assert_eq!((error.to_string(), error.kind()), (expected, ErrorKind::Configuration));
    }
}

#[test]
fn a_wrong_manifest_names_its_line() {
    let command = "command = \"sh\"\n";
    for (text, expected) in [
        ("name = \"x\"\n", "emitter.toml: there is no `command`; write, for example, command = [\"./my-emitter\"]"),
        ("name = \"x\n", "emitter.toml:1: invalid basic string, expected `\"`"),
        (
            "command = \"sh\"\n\ncomand = 1\n",
            "emitter.toml:3: `comand` is no field of an emitter's manifest; did you mean `command`?",
        ),
        (
            "command = \"sh\"\nxyz = 1\n",
            "emitter.toml:2: `xyz` is no field of an emitter's manifest; its fields are name, version, command, mode, suites, \
             timeout, env, build",
        ),
        ("command = 3\n", "emitter.toml:1: `command` is an integer, where an array of words or a string was expected"),
        ("command = []\n", "emitter.toml:1: `command` names no program"),
        ("command = [\"\"]\n", "emitter.toml:1: `command` names no program"),
        ("command = [\"sh\", 1]\n", "emitter.toml:1: `command` is an integer, where a string was expected"),
        (
            "command = \"sh 'x\"\n",
            "emitter.toml:1: the emitter command `sh 'x` has a quote that is not closed; words are split as a POSIX shell does",
        ),
    ] {
        assert_eq!(manifest(text).unwrap_err(), expected, "{text}");
    }
    for (field, expected) in [
        ("name = 1", "`name` is an integer, where a string was expected"),
        ("name = \"a\\u0000b\"", "`name` has a NUL character in it"),
        ("version = 1.2", "`version` is a float, where a string or { command = […] } was expected"),
        ("version = { comand = \"x\" }", "`comand` is no field of `version`; did you mean `command`?"),
        ("version = {}", "`version` has no `command`; write version = \"1.0\" or version = { command = […] }"),
        ("mode = \"fast\"", "`mode` is \"fast\", where \"process\" or \"session\" was expected"),
        ("suites = \"mavai-optimize-1\"", "`suites` is a string, where an array of strings was expected"),
        ("timeout = \"30s\"", "`timeout` is a string, where a number of seconds above 0 was expected"),
        ("timeout = 0", "`timeout` is not a number of seconds above 0 and at most a day (86400)"),
        ("timeout = -1.5", "`timeout` is not a number of seconds above 0 and at most a day (86400)"),
        ("timeout = inf", "`timeout` is not a number of seconds above 0 and at most a day (86400)"),
        ("timeout = nan", "`timeout` is not a number of seconds above 0 and at most a day (86400)"),
        ("timeout = 1e300", "`timeout` is not a number of seconds above 0 and at most a day (86400)"),
        ("env = []", "`env` is an array, where a table of strings was expected"),
        ("env = { A = 1 }", "`env.A` is an integer, where a string was expected"),
        ("env = { \"A=B\" = \"x\" }", "\"A=B\" cannot be a variable's name"),
        ("env = { CONFORM_OUT = \"x\" }", "CONFORM_OUT is set by the protocol; choose a name without CONFORM_"),
        ("build = true", "`build` is a boolean, where an array of words or a string was expected"),
    ] {
        assert_eq!(
            manifest(&format!("{command}{field}\n")).unwrap_err(),
            format!("emitter.toml:2: {expected}"),
            "{field}"
        );
    }
    assert!(manifest("command = 'sh'\nmode = 'session'\ntimeout = 0x10\nenv = {}").is_ok());
}
