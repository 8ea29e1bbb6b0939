//! feotest's explore experiment over a scripted service.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use feotest::experiment::ExploreExperiment;
use feotest::spec::explore::{ExploreSpecWriter, FactorYamlValue};
use serde_json::Value;

use crate::scenario::{Configuration, Explore};
use crate::script::{Script, Scripted};

/// Runs the experiment and has feotest write its documents below `out`.
pub fn explore(run: Explore, out: &Path) -> io::Result<Vec<PathBuf>> {
    let Explore { terms, configurations } = run;
    let trials = configurations.iter().flat_map(|configuration| configuration.trials.iter().cloned()).collect();
    let script = Script::new(terms, trials, Vec::new()).lasting();
    let terms = &script.terms;
    // The experiment knows a configuration by its name alone; what its factors are, the writer is told.
    let factors = configurations.iter().map(|own| (own.configuration.clone(), factors(own))).collect();
    let result = ExploreExperiment::builder()
        .service_contract_id(terms.contract.clone())
        .experiment_id(terms.experiment.clone())
        .factors(configurations.into_iter().map(Named).collect())
        .service_contract(|_: &Named| Scripted(script))
        .samples_per_config(terms.samples_planned)
        .inputs(&terms.inputs)
        .build()
        .run();
    ExploreSpecWriter::new(out).write_all(&result, &factors)
}

/// A configuration under the name that feotest asks for.
struct Named(Configuration);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.configuration)
    }
}

fn factors(configuration: &Configuration) -> BTreeMap<String, FactorYamlValue> {
    configuration.factors.iter().map(|(name, value)| (name.clone(), scalar(value))).collect()
}

fn scalar(value: &Value) -> FactorYamlValue {
    match value {
        Value::Bool(flag) => FactorYamlValue::Bool(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => FactorYamlValue::Int(whole),
            None => FactorYamlValue::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        other => FactorYamlValue::String(other.as_str().unwrap_or_default().to_owned()),
    }
}
