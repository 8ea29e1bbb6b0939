//! Making mutants and judging them, on documents of about 10 KB: one mutant an iteration, over all operators of a suite in turn.
//!
//! `cargo bench --bench mutation`. The goal is 5,000 mutants a second a core: 200 µs for one.

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use conform::mutation::mutant::{Mutant, break_by};
use conform::mutation::{Base, Examiner, Operator, Seeded, operators, source};
use conform::suite::{self, Suite};

/// Documents nearest to this size in bytes, as compact JSON; of families whose documents are smaller, the largest.
const SIZE: usize = 10_000;
/// Documents that mutants are made of.
const BASES: usize = 8;

fn bases(suite: &'static Suite) -> Vec<Base> {
    let mut choice = Seeded::new(1);
    let mut all: Vec<(usize, Base)> = (0..400)
        .map(|_| source::generated_document(suite, &mut choice).expect("a document"))
        .map(|base| (base.document().to_string().len(), base))
        .collect();
    all.sort_by_key(|(size, _)| size.abs_diff(SIZE));
    all.truncate(BASES);
    all.into_iter().map(|(_, base)| base).collect()
}

fn mutants(criterion: &mut Criterion) {
    for suite in suite::all() {
        let bases = bases(suite);
        let examiner = Examiner::new(source::related(suite).expect("related documents")).expect("an examiner");
        let make = |operator: &'static Operator, base: &Base, seed: u64| -> Option<Mutant> {
            break_by(operator, base, examiner.schemas(), &mut Seeded::new(seed))
        };
        // What offers no place is not measured, neither as made nor as judged.
        let pairs: Vec<(&'static Operator, &Base)> = operators(suite, examiner.schemas())
            .into_iter()
            .flat_map(|operator| bases.iter().map(move |base| (operator, base)))
            .filter(|(operator, base)| make(operator, base, 0).is_some())
            .collect();
        let size =
            bases.iter().map(|base| base.document().to_string().len()).sum::<usize>() as f64 / bases.len() as f64;
        let mut group = criterion.benchmark_group(format!("{} ({:.1} KB)", suite.id, size / 1e3));
        group.throughput(Throughput::Elements(1));
        let mut at = 0;
        let mut next = || {
            at += 1;
            pairs[at % pairs.len()]
        };
        group.bench_function("make", |bencher| {
            bencher.iter(|| {
                let (operator, base) = next();
                make(operator, base, 0)
            });
        });
        group.bench_function("make and judge", |bencher| {
            bencher.iter(|| {
                let (operator, base) = next();
                make(operator, base, 0).map(|mutant| examiner.examine(&mutant).expect("no fault"))
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = mutants
}
criterion_main!(benches);
