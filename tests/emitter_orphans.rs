//! Daemons that leave their emitter's process group and hold no pipe. Adopting orphans is a setting of the whole process,
//! hence a test program of its own.

use std::path::Path;

use conform::emitter::{Cancel, Emitter, Outcome, Request, RunLimits, adopt_orphans};

#[test]
fn an_adopting_process_finds_quiet_daemons() {
    if !adopt_orphans() {
        return;
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/emitters");
    let emit = |name: &str| {
        let request = Request { suite: "mavai-optimize-1", scenario: "delivery", json: "{}" };
        let emitter = Emitter::resolve(&format!("./{name}.sh"), &[], &fixtures).unwrap();
        emitter.emit(&request, &RunLimits::default(), &Cancel::new().unwrap())
    };
    let emission = emit("quiet-daemon");
    assert_eq!(emission.outcome, Outcome::Emitted);
    let messages: Vec<_> = emission.findings.iter().map(|finding| (&*finding.obligation, &*finding.message)).collect();
    let [("process/left-behind", message)] = messages[..] else { panic!("{messages:?}") };
    assert!(message.contains("now killed: sleep ("), "{message}");

    // What was adopted is waited for, so that no zombie stays.
    for name in ["child-holds-pipe", "daemon-holds-pipe", "quiet-child", "late-child", "hang-with-child"] {
        emit_briefly(&fixtures, name);
    }
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let children: String =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok()).collect();
    assert_eq!(children.trim(), "", "children remain");
}

fn emit_briefly(fixtures: &Path, name: &str) {
    let request = Request { suite: "mavai-optimize-1", scenario: "delivery", json: "{}" };
    let limits = RunLimits { time: std::time::Duration::from_secs(1), ..RunLimits::default() };
    let emitter = Emitter::resolve(&format!("./{name}.sh"), &[], fixtures).unwrap();
    emitter.emit(&request, &limits, &Cancel::new().unwrap());
}
