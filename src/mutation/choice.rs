//! Where choices come from: a seed, or the bytes of a fuzzer or a property test. The same operators run on either.

use arbitrary::Unstructured;

/// A source of choices. It never runs dry: one that has nothing left to decide by chooses the first.
pub trait Choice {
    /// A number from 0 to `bound` - 1; 0 where `bound` is 0 or 1.
    fn below(&mut self, bound: usize) -> usize;

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times.saturating_sub(1)
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }
}

/// One of the candidates; `None` where there are none.
pub fn pick<T>(choice: &mut dyn Choice, mut candidates: Vec<T>) -> Option<T> {
    if candidates.is_empty() {
        return None;
    }
    let at = choice.below(candidates.len());
    Some(candidates.swap_remove(at))
}

/// One of some words.
pub fn word(choice: &mut dyn Choice, words: &[&'static str]) -> &'static str {
    words.get(choice.below(words.len())).copied().unwrap_or_default()
}

/// Choices that follow from a seed, the same on every machine and in every release: SplitMix64.
#[derive(Debug, Clone)]
pub struct Seeded(u64);

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Seeded(seed)
    }

    /// A source of its own for a place in a series, so that one element can be made again without those before it.
    pub fn nth(seed: u64, index: u64) -> Self {
        let mut source = Seeded(seed ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Seeded(source.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Choice for Seeded {
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// Choices taken from bytes, as a fuzzer and a property test supply them: shorter and smaller bytes choose earlier candidates, so
/// that shrinking the bytes shrinks what is built from them.
pub struct Bytes<'b>(Unstructured<'b>);

impl<'b> Bytes<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Bytes(Unstructured::new(bytes))
    }
}

impl Choice for Bytes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound.saturating_sub(1)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_stay_below_their_bound() {
        let mut seeded = Seeded::new(7);
        let mut bytes = Bytes::new(b"\xff\x00\x80 some bytes");
        for bound in [0, 1, 2, 3, 255, 256, 257, 70_000] {
            for _ in 0..50 {
                assert!(seeded.below(bound) < bound.max(1));
                assert!(bytes.below(bound) < bound.max(1));
            }
        }
        assert_eq!(bytes.below(9), 0, "exhausted bytes choose the first");
    }

    #[test]
    fn a_seed_means_the_same_in_every_release() {
        let mut seeded = Seeded::new(42);
        let drawn: Vec<usize> = (0..6).map(|_| seeded.below(1000)).collect();
        assert_eq!(drawn, [741, 159, 278, 344, 38, 868]);
    }

    #[test]
    fn elements_of_a_series_differ() {
        let first: Vec<usize> = (0..64).map(|at| Seeded::nth(1, at).below(1_000_000)).collect();
        let mut sorted = first.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert!(sorted.len() > 60, "{first:?}");
    }
}
