//! Starting the binary, and what the harness adds to a bare spawn of the same emitter.
//!
//! `cargo bench --bench run`.

use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use criterion::{Criterion, criterion_group, criterion_main};

use conform::emitter::{Cancel, Emitter, Request, RunLimits};

const CONFORM: &str = env!("CARGO_BIN_EXE_conform");

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("it starts").success());
}

fn start_up(criterion: &mut Criterion) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases/mavai/one-sample.json");
    let mut group = criterion.benchmark_group("start-up");
    group.bench_function("peer: /bin/true", |bencher| bencher.iter(|| run(&mut Command::new("/bin/true"))));
    group.bench_function("conform --version", |bencher| bencher.iter(|| run(Command::new(CONFORM).arg("--version"))));
    group.bench_function("conform check, one small document", |bencher| {
        bencher.iter(|| run(Command::new(CONFORM).arg("check").arg(&document)));
    });
    group.finish();
}

/// The same emitter (`cat`, which hands the scenario back), spawned bare and through the harness.
fn overhead(criterion: &mut Criterion) {
    let json = r#"{"conform":1,"suite":"mavai-optimize-1","scenario":"x","input":{}}"#;
    let request = Request { suite: "mavai-optimize-1", scenario: "x", json };
    let emitter = Emitter::resolve("/bin/cat", &[], Path::new("/")).expect("cat");
    let cancel = Cancel::new().expect("a cancel flag");
    let limits = RunLimits::default();
    let scenario = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(scenario.path(), json).expect("written");
    let mut group = criterion.benchmark_group("one scenario");
    group.bench_function("peer: bare spawn", |bencher| {
        bencher.iter(|| {
            let input = std::fs::File::open(scenario.path()).expect("the file");
            let output = Command::new("/bin/cat").stdin(input).output().expect("it runs");
            assert_eq!(output.stdout.len(), json.len());
        });
    });
    group.bench_function("through the harness", |bencher| {
        bencher.iter(|| {
            let emission = emitter.emit(&request, &limits, &cancel);
            assert_eq!(emission.documents.len(), 1);
        });
    });
    group.finish();
}

criterion_group!(benches, start_up, overhead);
criterion_main!(benches);
