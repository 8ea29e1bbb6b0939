//! Shards: which part of a selection is run where, and what the whole of it is.

use sha2::{Digest, Sha256};

use super::plan::Job;
use super::results::{Shard, SuiteSelection};
use crate::digest;
use crate::schema::Schemas;

/// Whether a scenario belongs to a shard. It depends on the scenario's name alone: a scenario that comes or goes moves no other.
pub fn holds(shard: Shard, name: &str) -> bool {
    let digest = Sha256::digest(name);
    let hash = digest.iter().take(8).fold(0u64, |hash, &byte| hash << 8 | u64::from(byte));
    hash % u64::from(shard.of.max(1)) + 1 == u64::from(shard.index)
}

/// What is selected, by suite, in the order of the jobs.
pub fn selection(jobs: &[Job], schemas: &Schemas) -> Vec<SuiteSelection> {
    jobs.chunk_by(|one, next| one.suite.id == next.suite.id)
        .filter_map(|jobs| {
            let suite = jobs.first()?.suite;
            let mut lines = Vec::new();
            if let Some(schema) = schemas.schema(suite.schema) {
                line(&mut lines, schema);
            }
            for job in jobs {
                line(&mut lines, &job.scenario.wire(suite.id));
            }
            let sha256 = digest::sha256(&lines);
            Some(SuiteSelection { suite: suite.id.to_owned(), scenarios: jobs.len(), sha256 })
        })
        .collect()
}

fn line(lines: &mut Vec<u8>, value: &serde_json::Value) {
    // A value that has no canonical form (a number past what doubles hold) stands as it was written.
    let canonical = serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| value.to_string().into_bytes());
    lines.extend_from_slice(&canonical);
    lines.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_in_exactly_one_shard() {
        for of in 1..=8 {
            for name in ["mavai-optimize-1/one-sample", "x", "", "torneo-epreuve-v1/draw"] {
                let in_it = (1..=of).filter(|&index| holds(Shard { index, of }, name)).count();
                assert_eq!(in_it, 1, "{name} of {of}");
            }
        }
    }

    #[test]
    fn shards_are_about_as_large_as_each_other() {
        let names: Vec<String> = (0..1000).map(|number| format!("suite/scenario-{number}")).collect();
        for index in 1..=4 {
            let held = names.iter().filter(|name| holds(Shard { index, of: 4 }, name)).count();
            assert!((200..300).contains(&held), "{index}: {held}");
        }
    }
}
