//! The latency block: the latencies of passing trials and their percentiles.

use serde_json::{Value, json};

use super::scenario::Trial;

/// Name, percentage, and the fewest contributing samples that state it.
type Percentile = (&'static str, usize, usize);

/// Those that every document knows.
pub const PERCENTILES: [Percentile; 3] = [("p50Ms", 50, 5), ("p95Ms", 95, 20), ("p99Ms", 99, 100)];

/// Those of a baseline.
pub const BASELINE_PERCENTILES: [Percentile; 4] =
    [("p50Ms", 50, 5), ("p90Ms", 90, 10), ("p95Ms", 95, 20), ("p99Ms", 99, 100)];

/// The block for a run's passing trials out of `total`; `None` where there are none.
pub fn block(passing: &[&Trial], total: usize, percentiles: &[Percentile]) -> Option<Value> {
    let mut latencies: Vec<_> = passing.iter().map(|trial| &trial.latency_ms).collect();
    latencies.sort_by(|a, b| a.as_f64().unwrap_or(0.0).total_cmp(&b.as_f64().unwrap_or(0.0)));
    if latencies.is_empty() {
        return None;
    }
    let mut block =
        json!({ "basis": "passing-samples", "contributingSamples": latencies.len(), "totalSamples": total });
    for &(name, percent, fewest) in percentiles {
        let rank = (latencies.len() * percent).div_ceil(100);
        if let Some(value) = latencies.get(rank - 1).filter(|_| latencies.len() >= fewest) {
            block[name] = json!(value);
        }
    }
    block["sortedPassingLatenciesMs"] = json!(latencies);
    Some(block)
}
