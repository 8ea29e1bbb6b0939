//! Checking complete rounds of 50, 100 and 200 tools over five dimensions: the cost must grow with the number of matches (1,225, 4,950,
//! 19,900), not with its square. Throughput is in matches.
//!
//! `cargo bench --bench torneo`.

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};

use conform::check::Checker;
use conform::document::Limits;
use conform::obligation::Settings;
use conform::schema::Schemas;
use conform::suite::{self, scenario};

const DIMENSIONS: &str = "four-tools-five-dimensions";

/// The reference emitter's épreuve of a round in which every comparison is decided by chance, the same in every run.
fn round(tools: usize) -> Vec<u8> {
    let suite = suite::by_id("torneo-epreuve-v1").expect("the suite");
    let scenarios = scenario::embedded(suite).expect("the scenarios");
    let mut scenario = scenarios.into_iter().find(|scenario| scenario.name == DIMENSIONS).expect("the scenario");
    let dimensions = scenario.input["dimensions"].as_array().expect("dimensions").clone();
    let names: Vec<String> = (0..tools).map(|at| format!("tool-{at:03}")).collect();
    let mut comparisons: Vec<Value> = Vec::new();
    let mut state = 7u64;
    for (at, first) in names.iter().enumerate() {
        for second in &names[at + 1..] {
            for dimension in &dimensions {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let result = ["first", "second", "draw"][(state >> 60) as usize % 3];
                comparisons.push(json!({ "pair": [first, second], "dimension": dimension, "result": result }));
            }
        }
    }
    let enrolled =
        names.iter().enumerate().map(|(at, tool)| json!({ "tool": tool, "vendor": format!("vendor {}", at % 7) }));
    scenario.input["tools"] = enrolled.collect();
    scenario.input["comparisons"] = comparisons.into();
    conform_reference_emitter::emit(&scenario.wire(suite.id).to_string()).expect("an épreuve").into_bytes()
}

fn rounds(criterion: &mut Criterion) {
    let checker = Checker {
        schemas: Schemas::embedded().expect("the embedded schemas"),
        settings: Settings::default(),
        limits: Limits::default(),
        suite: suite::by_id("torneo-epreuve-v1"),
    };
    let mut group = criterion.benchmark_group("round");
    group.sample_size(10);
    for tools in [50, 100, 200] {
        let bytes = round(tools);
        let result = checker.judge("round", bytes.clone());
        assert!(result.findings.is_empty(), "{:?}", result.findings.first());
        group.throughput(Throughput::Elements((tools * (tools - 1) / 2) as u64));
        group.bench_function(format!("{tools} tools"), |bencher| {
            bencher.iter_batched(|| bytes.clone(), |bytes| checker.judge("round", bytes), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, rounds);
criterion_main!(benches);
