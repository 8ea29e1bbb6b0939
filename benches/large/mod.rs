//! Large valid documents: the reference emitter's answer to a scenario, its iterations repeated until the size is reached.

use conform::suite::{self, scenario};

/// An optimize document of about `json_bytes` as compact JSON, and the same as block YAML.
pub fn optimize(json_bytes: usize) -> (String, String) {
    let suite = suite::by_id("mavai-optimize-1").expect("the suite");
    let scenarios = scenario::embedded(suite).expect("the scenarios");
    let plain = scenarios.iter().find(|scenario| scenario.name == "inputs-many").expect("the scenario");
    let text = conform_reference_emitter::emit(&plain.wire(suite.id).to_string()).expect("a document");
    let mut document: serde_json::Value = serde_yaml::from_str(&text).expect("YAML");
    let template = document["iterations"].as_array().expect("iterations").clone();
    let size = serde_json::to_string(&template).expect("JSON").len();
    let copies = json_bytes / size + 1;
    let mut iterations = Vec::with_capacity(copies * template.len());
    for _ in 0..copies {
        for iteration in &template {
            let mut iteration = iteration.clone();
            iteration["iteration"] = iterations.len().into();
            iterations.push(iteration);
        }
    }
    document["convergence"]["totalIterations"] = iterations.len().into();
    document["iterations"] = iterations.into();
    let json = serde_json::to_string(&document).expect("JSON");
    let yaml = conform_reference_emitter::yaml::write(&document);
    (json, yaml)
}
