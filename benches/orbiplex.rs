//! Checking a folder of 10,000 signed records on all cores: read, schema, obligations, signatures, and what the records show together.
//!
//! `cargo bench --bench orbiplex`. The goal is 4 s for records of 4 KiB on two cores. The peer verifies the same signatures, which a check
//! cannot do without, on the same threads, and does nothing else.

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use rayon::prelude::*;

use conform::check::{Checker, STACK};
use conform::document::{Limits, source};
use conform::mutation::{Seeded, source::generated_document};
use conform::obligation::Settings;
use conform::schema::Schemas;
use conform::suite;

const RECORDS: u64 = 10_000;
/// Bytes of each record; what generation leaves short is filled with white space.
const SIZE: usize = 4096;

fn records(criterion: &mut Criterion) {
    let suite = suite::by_id("orbiplex-task-pack-execution-v1").expect("the suite");
    let folder = tempfile::tempdir().expect("a folder");
    for at in 0..RECORDS {
        let record = generated_document(suite, &mut Seeded::nth(7, at)).expect("a record");
        let text = record.json();
        let text = format!("{text}{}", " ".repeat(SIZE.saturating_sub(text.len())));
        std::fs::write(folder.path().join(format!("{at:05}.json")), text).expect("written");
    }
    let sources = source::collect(&[folder.path().display().to_string()]).expect("the records");
    let checker = Arc::new(Checker {
        schemas: Schemas::embedded().expect("the embedded schemas"),
        settings: Settings::default(),
        limits: Limits::default(),
        suite: Some(suite),
    });
    let check = || {
        let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().expect("threads");
        let mut stream = checker.judge_each(pool, sources.clone());
        let mut results = 0;
        while let Some(more) = stream.wait(Duration::from_secs(1)) {
            results += more.len();
        }
        assert_eq!(results as u64, RECORDS);
    };
    let signed: Vec<(VerifyingKey, Signature)> = (0..RECORDS)
        .map(|at| {
            let key = SigningKey::from_bytes(&[(at % 251) as u8; 32]);
            (key.verifying_key(), key.sign(&[7; 32]))
        })
        .collect();
    let mut group = criterion.benchmark_group("10,000 signed records of 4 KiB");
    group.sample_size(10).throughput(Throughput::Elements(RECORDS));
    group.bench_function("peer: verifying signatures alone", |bencher| {
        bencher.iter(|| {
            signed.par_iter().filter(|(key, signature)| key.verify_strict(&[7; 32], signature).is_ok()).count()
        });
    });
    group.bench_function("check", |bencher| bencher.iter(check));
    group.finish();
}

criterion_group!(benches, records);
criterion_main!(benches);
