//! Explore documents, one for each configuration.

use serde_json::{Value, json};

use super::bounded::identity;
use super::run;
use super::scenario::explore::{Configuration, Scenario};
use crate::instant::Instant;
use crate::{Emitted, Refusal, yaml};

/// The documents of an experiment, in the order of its configurations.
pub fn emit(input: Value, now: Instant) -> Result<Vec<Emitted>, Refusal> {
    let scenario = Scenario::read(input)?;
    let emitted = |(index, configuration): (usize, &Configuration)| Emitted {
        // Not named after the configuration, whose name need not be one that a file can have.
        name: format!("configuration-{index:04}.yaml"),
        text: yaml::write(&document(&scenario, configuration, now)),
    };
    Ok(scenario.configurations.iter().enumerate().map(emitted).collect())
}

fn document(scenario: &Scenario, configuration: &Configuration, now: Instant) -> Value {
    let mut document = json!({
        "schemaVersion": "mavai-explore-1",
        "serviceContractId": identity(&scenario.contract),
        "experimentId": identity(&scenario.experiment),
        "configuration": identity(&configuration.configuration),
    });
    if let Some(name) = &configuration.name {
        document["configurationName"] = json!(identity(name));
    }
    if configuration.base {
        document["baseConfiguration"] = json!(true);
    }
    document["generatedAt"] = json!(now.to_string());
    if let Some(declared) = &configuration.factors {
        document["factors"] = run::factors(declared);
    }
    document["inputs"] = run::inputs(&scenario.terms());
    run::add(&mut document, &scenario.terms(), &configuration.termination, &configuration.trials);
    document
}
