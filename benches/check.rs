//! Checking large documents, each beside reading it alone and beside the common way: parse into `serde_json::Value`, then validate.
//!
//! `cargo bench --bench check`. CONFORM_BENCH_MB sets the size of the JSON document (60); the YAML one is about 1.7 times that.

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

use conform::check::Checker;
use conform::document::{self, Limits};
use conform::obligation::Settings;
use conform::schema::Schemas;
use conform::suite;

#[path = "large/mod.rs"]
mod large;

fn checker() -> Checker {
    Checker {
        schemas: Schemas::embedded().expect("the embedded schemas"),
        settings: Settings::default(),
        limits: Limits::default(),
        suite: suite::by_id("mavai-optimize-1"),
    }
}

fn large_documents(criterion: &mut Criterion) {
    let megabytes: usize = std::env::var("CONFORM_BENCH_MB").ok().and_then(|size| size.parse().ok()).unwrap_or(60);
    let (json, yaml) = large::optimize(megabytes << 20);
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../schemas/mavai-optimize-1.schema.json")).expect("the schema");
    let validator =
        jsonschema::draft202012::options().should_validate_formats(true).build(&schema).expect("the schema compiles");
    let checker = checker();
    for (name, text) in [("json", json), ("yaml", yaml)] {
        let bytes = text.into_bytes();
        let result = checker.judge(name, bytes.clone());
        assert!(result.findings.is_empty(), "{:?}", result.findings);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("read", |bencher| {
            bencher.iter_batched(
                || bytes.clone(),
                |bytes| document::read(bytes, &Limits::default()),
                BatchSize::PerIteration,
            );
        });
        group.bench_function("check", |bencher| {
            bencher.iter_batched(|| bytes.clone(), |bytes| checker.judge(name, bytes), BatchSize::PerIteration);
        });
        group.bench_function("peer: serde value + schema", |bencher| {
            bencher.iter(|| {
                let value: serde_json::Value = if name == "json" {
                    serde_json::from_slice(&bytes).expect("JSON")
                } else {
                    serde_yaml::from_slice(&bytes).expect("YAML")
                };
                let valid = validator.is_valid(&value);
                // Dropping such a tree takes longer than building it; the peer is spared that.
                std::mem::forget(value);
                valid
            });
        });
        group.finish();
    }
}

criterion_group!(benches, large_documents);
criterion_main!(benches);
