//! What it costs to report 5,000 results, in every format, and to read them.
//!
//! Beside them stands what it costs to serialise the results as compact JSON, the least that a report of everything can cost. A format is
//! judged by its ratio to that, since times are the machine's.

use std::hint::black_box;
use std::path::Path;

use conform::report::Format;
use conform::run::results::Results;
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use criterion::{Criterion, criterion_group, criterion_main};

const COUNT: usize = 5_000;

/// The results of the report tests' fixture over and over, under names of their own.
fn many() -> Results {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/report/results.json");
    let json = std::fs::read(file).expect("the fixture");
    let mut results = Results::parse(&json).expect("results");
    let few = std::mem::take(&mut results.results);
    let many = few.iter().cycle().take(COUNT).enumerate().map(|(at, result)| {
        let mut result = result.clone();
        result.subject = format!("{}-{at:05}", result.subject);
        result
    });
    let many = many.collect();
    results.conclude(many, 0, 1.0);
    results
}

fn report(criterion: &mut Criterion) {
    let results = many();
    let mut json = Vec::new();
    Format::Json.write(&results, None, &mut json).expect("a vector refuses nothing");
    let mut group = criterion.benchmark_group("report of 5,000 results");
    group.sample_size(10);
    group.bench_function("floor: compact JSON", |bencher| bencher.iter(|| serde_json::to_vec(black_box(&results))));
    group.bench_function("read", |bencher| bencher.iter(|| Results::parse(black_box(&json))));
    for format in Format::all() {
        group.bench_function(format.name(), |bencher| {
            bencher.iter(|| {
                let mut bytes = Vec::new();
                format.write(black_box(&results), Some(&results), &mut bytes).map(|()| bytes.len())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, report);
criterion_main!(benches);
