//! Scenarios of explore and baseline documents: what is emitted of each conforms, what tells of something else does not, and every
//! difference is reported at its place and in its document.

use conform::check::Checker;
use conform::document::{self, Document, Limits};
use conform::finding::Finding;
use conform::obligation::{Judge, Settings};
use conform::schema::Schemas;
use conform::suite::{self, Suite, scenario};
use serde_json::{Value, json};

const EXPLORE: &str = "mavai-explore-1";
const BASELINE: &str = "mavai-baseline-1";

fn suite(id: &str) -> &'static Suite {
    suite::by_id(id).expect("the suite is carried")
}

fn scenarios(id: &str) -> Vec<scenario::Scenario> {
    scenario::embedded(suite(id)).expect("the scenarios can be read")
}

fn input(id: &str, name: &str) -> Value {
    scenarios(id).into_iter().find(|scenario| scenario.name == name).expect("a scenario of this name").input
}

/// The reference emitter's texts for an input.
fn emitted(id: &str, input: &Value) -> Vec<String> {
    let wire = json!({ "suite": id, "input": input }).to_string();
    let documents = conform_reference_emitter::emit_all(&wire).unwrap_or_else(|refusal| panic!("{refusal}"));
    documents.into_iter().map(|document| document.text).collect()
}

/// The same as values, to be edited.
fn values(id: &str, name: &str) -> (Value, Vec<Value>) {
    let input = input(id, name);
    let values = emitted(id, &input).iter().map(|text| serde_yaml::from_str(text).expect("YAML")).collect();
    (input, values)
}

/// What the oracle finds in documents that were made of an input.
fn differences(id: &str, input: &Value, texts: &[String]) -> Result<Vec<Finding>, String> {
    let read =
        |text: &String| document::read(text.clone().into_bytes(), &Limits::default()).document.expect("a document");
    let documents: Vec<Document> = texts.iter().map(read).collect();
    let settings = Settings::default();
    let names = (0..documents.len()).map(|at| format!("document-{at}")).collect();
    let mut judge = Judge::of_documents(&settings, names);
    suite(id).family().judge_scenario(suite(id), input, &documents.iter().collect::<Vec<_>>(), &mut judge)?;
    Ok(judge.finish().0)
}

/// Of each difference the document, the place and the message.
fn told(id: &str, input: &Value, documents: &[Value]) -> Vec<String> {
    let texts: Vec<String> = documents.iter().map(Value::to_string).collect();
    let found = differences(id, input, &texts).expect("a scenario");
    let place = |finding: &Finding| finding.place.as_ref().map_or("nowhere", |place| &place.pointer).to_owned();
    found
        .iter()
        .map(|one| format!("{} {}: {}", one.document.as_deref().unwrap_or("all"), place(one), one.message))
        .collect()
}

#[test]
fn what_is_emitted_of_every_scenario_conforms() {
    for id in [EXPLORE, BASELINE] {
        let checker = Checker {
            schemas: Schemas::embedded().expect("the schemas"),
            settings: Settings { strict: true, ..Settings::default() },
            limits: Limits::default(),
            suite: Some(suite(id)),
        };
        for scenario in scenarios(id) {
            let texts = emitted(id, &scenario.input);
            for text in &texts {
                let result = checker.judge(&scenario.name, text.clone().into_bytes());
                assert_eq!((&result.findings[..], &result.not_judged[..]), (&[][..], &[][..]), "{}", scenario.name);
            }
            assert_eq!(differences(id, &scenario.input, &texts), Ok(Vec::new()), "{}", scenario.name);
        }
    }
}

#[test]
fn the_documents_of_one_scenario_fail_every_other() {
    for id in [EXPLORE, BASELINE] {
        let all = scenarios(id);
        for scenario in &all {
            let texts = emitted(id, &scenario.input);
            for other in all.iter().filter(|other| other.name != scenario.name) {
                let found = differences(id, &other.input, &texts).expect("a scenario");
                assert!(!found.is_empty(), "{id}: {} as {}", scenario.name, other.name);
            }
        }
    }
}

#[test]
fn explore_documents_are_told_apart_in_any_order() {
    let (input, documents) = values(EXPLORE, "same-counts");
    assert_eq!(told(EXPLORE, &input, &[documents[1].clone(), documents[0].clone()]), [""; 0]);
    let (input, mut documents) = values(EXPLORE, "base-of-three");
    documents.rotate_left(1);
    assert_eq!(told(EXPLORE, &input, &documents), [""; 0]);
}

#[test]
fn a_configuration_without_a_document_and_a_document_without_a_configuration_are_reported() {
    let (input, documents) = values(EXPLORE, "base-of-three");
    assert_eq!(
        told(EXPLORE, &input, &documents[..2]),
        ["all nowhere: no document tells of configuration \"model-large\""]
    );
    let mut stray = documents.clone();
    stray.push(documents[0].clone());
    stray[3]["configuration"] = json!("model-huge");
    stray[3]["factors"]["model"] = json!("huge");
    assert_eq!(
        told(EXPLORE, &input, &stray),
        ["document-3 /configuration: the scenario has no configuration \"model-huge\""]
    );
    // Named after another, it is known by its factors.
    let mut misnamed = documents.clone();
    misnamed[2]["configuration"] = json!("model-small");
    assert_eq!(
        told(EXPLORE, &input, &misnamed),
        ["document-2 /configuration: configuration is \"model-small\", the scenario says \"model-large\""]
    );
    // That it is there twice is what the set's own obligation reports.
    let mut repeated = documents.clone();
    repeated.push(documents[1].clone());
    assert_eq!(told(EXPLORE, &input, &repeated), [""; 0]);
}

#[test]
fn the_base_is_the_scenarios_where_it_names_one_and_the_emitters_choice_where_it_does_not() {
    let (input, mut documents) = values(EXPLORE, "base-of-three");
    let base = documents.iter().position(|document| document["baseConfiguration"] == json!(true)).unwrap();
    documents[base].as_object_mut().unwrap().remove("baseConfiguration");
    let missing = format!(
        "document-{base} /configuration: it is the scenario's base configuration, but states no baseConfiguration"
    );
    assert_eq!(told(EXPLORE, &input, &documents), [missing.as_str()]);
    let other = (base + 1) % documents.len();
    documents[base]["baseConfiguration"] = json!(true);
    documents[other]["baseConfiguration"] = json!(true);
    let wrong = format!("document-{other} /baseConfiguration: it is not the scenario's base configuration");
    assert_eq!(told(EXPLORE, &input, &documents), [wrong.as_str()]);
    let (input, mut documents) = values(EXPLORE, "plain");
    documents[0]["baseConfiguration"] = json!(true);
    assert_eq!(told(EXPLORE, &input, &documents), [""; 0]);
}

#[test]
fn every_kind_of_difference_is_reported_in_its_document() {
    type Edit = fn(&mut Value);
    let edits: [(Edit, &str); 8] = [
        (
            |document| document["serviceContractId"] = json!("other"),
            "/serviceContractId: serviceContractId is \"other\", the scenario says \"basket\"",
        ),
        (
            |document| document["configurationName"] = json!("Large"),
            "/configurationName: configurationName is \"Large\", the scenario says \"Large and cool\"",
        ),
        (
            |document| document["factors"]["temperature"] = json!("0.2"),
            "/factors/temperature: factor \"temperature\" is \"0.2\", the scenario says 0.2",
        ),
        (
            |document| document["execution"]["samplesPlanned"] = json!(9),
            "/execution/samplesPlanned: samplesPlanned is 9, from the scenario follows 7",
        ),
        (
            |document| document["statistics"]["criteria"]["tone"]["pass"] = json!(7),
            "/statistics/criteria/tone/pass: pass of criterion \"tone\" is 7, from the scenario follows 6",
        ),
        (
            |document| document["statistics"]["failureDistribution"][0]["condition"] = json!("stays polite"),
            "/statistics/failureDistribution/0: 1 trials are attributed to the condition \"stays polite\", from the scenario follow 0",
        ),
        (
            |document| document["inputs"][0]["inputExcerpt"] = json!("What does the basket cost now?"),
            "/inputs/0/inputExcerpt: the excerpt \"What does the basket cost now?\" is another input's text",
        ),
        (
            |document| document["resultProjection"] = json!({ "What does the basket cost now?": 1 }),
            "/resultProjection/What does the basket cost now?: the key \"What does the basket cost now?\" holds text of an input",
        ),
    ];
    for (edit, expected) in edits {
        let (input, mut documents) = values(EXPLORE, "plain");
        edit(&mut documents[1]);
        let found = told(EXPLORE, &input, &documents);
        assert!(found.iter().any(|one| one.starts_with(&format!("document-1 {expected}"))), "{expected}: {found:#?}");
    }
}

#[test]
fn every_kind_of_difference_of_a_baseline_is_reported() {
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit, &str); 10] = [
        (
            "expiry",
            |document| document["serviceName"] = json!("other"),
            "/serviceName: serviceName is \"other\", the scenario says \"basket-service\"",
        ),
        (
            "expiry",
            |document| document["confidenceLevel"] = json!(0.9),
            "/confidenceLevel: confidenceLevel is 0.9, the scenario's is 0.95",
        ),
        (
            "expiry",
            |document| document["covariateProfile"] = json!({ "model": "large" }),
            "/covariateProfile/model: covariate \"model\" is \"large\", the scenario says \"small\"",
        ),
        (
            "expiry",
            |document| document["covariateProfile"] = json!({}),
            "/covariateProfile: covariate \"model\" of the scenario is missing",
        ),
        (
            "expiry",
            |document| document["expiration"]["expiresInDays"] = json!(31),
            "/expiration/expiresInDays: expiresInDays is 31, from the scenario follows 30",
        ),
        (
            "inferential",
            |document| document["expiration"] = json!({ "expiresInDays": 31 }),
            "/expiration: the baseline expires, but the scenario declares no expiry",
        ),
        (
            "mixed-modes",
            |document| document["criteria"]["tone"]["procedure"] = json!("REGRESSION"),
            "/criteria/tone/procedure: procedure is \"REGRESSION\", the scenario says \"COMPLIANCE\"",
        ),
        (
            "mixed-modes",
            |document| document["criteria"]["length"]["successes"] = json!(3),
            "/criteria/length/successes: successes of criterion \"length\" is 3, from the scenario follows 2",
        ),
        (
            "percentiles-ten",
            |document| document["latency"]["sortedPassingLatenciesMs"][3] = json!(4.5),
            "/latency/sortedPassingLatenciesMs/3: the latency of rank 4 is 4.5, the scenario's passing trials have 4 there",
        ),
        (
            "inferential",
            |document| document["latency"]["sortedPassingLatenciesMs"] = json!([1, 2]),
            "/latency/sortedPassingLatenciesMs: 2 latencies were emitted, 4 trials passed",
        ),
    ];
    for (name, edit, expected) in edits {
        let (input, mut documents) = values(BASELINE, name);
        edit(&mut documents[0]);
        let found = told(BASELINE, &input, &documents);
        assert!(found.iter().any(|one| one.ends_with(expected)), "{expected}: {found:#?}");
    }
}

/// The inputs' identity is that of a set, and can only be held against another one.
#[test]
fn identities_of_inputs_are_held_against_each_other() {
    let (reordered, mut documents) = values(BASELINE, "inputs-reordered");
    documents[1]["inputsIdentity"] = json!("b");
    let found = told(BASELINE, &reordered, &documents);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("document-1 /inputsIdentity: inputsIdentity is b, but the same inputs"), "{found:?}");
    let (other, mut documents) = values(BASELINE, "inputs-other");
    documents[1]["inputsIdentity"] = documents[0]["inputsIdentity"].clone();
    let found = told(BASELINE, &other, &documents);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("for other inputs too"), "{found:?}");
    assert_eq!(
        told(BASELINE, &other, &documents[..1]),
        ["all nowhere: the scenario's measurements number 2, the documents emitted 1"]
    );
}

#[test]
fn what_is_the_emitters_own_makes_no_difference() {
    let (input, mut documents) = values(EXPLORE, "plain");
    for document in &mut documents {
        for optional in ["configurationName", "inputs", "cost", "latency"] {
            document.as_object_mut().map(|members| members.remove(optional));
        }
        document["execution"]["terminationReason"] = json!("DONE");
        document["more"] = json!({ "of": "its own" });
    }
    assert_eq!(told(EXPLORE, &input, &documents), [""; 0]);
    let (input, mut documents) = values(BASELINE, "inferential");
    documents[0]["covariateProfile"]["serviceType"] = json!("scripted");
    documents[0]["inputsIdentity"] = json!("of its own kind");
    documents[0]["contentFingerprint"] = json!("of its own kind");
    for optional in ["inputs", "cost", "latency"] {
        documents[0].as_object_mut().map(|members| members.remove(optional));
    }
    documents[0]["criteria"]["tone"].as_object_mut().map(|members| members.remove("procedure"));
    assert_eq!(told(BASELINE, &input, &documents), [""; 0]);
}

#[test]
fn an_input_that_is_none_is_refused_with_its_place() {
    type Edit = fn(&mut Value);
    let edits: [(&str, &str, Edit, &str); 9] = [
        (EXPLORE, "base-of-three", |input| input["configurations"] = json!([]), "it needs a configuration at least"),
        (
            EXPLORE,
            "base-of-three",
            |input| input["configurations"][0]["base"] = json!(true),
            "more than one configuration is the base",
        ),
        (
            EXPLORE,
            "base-of-three",
            |input| input["configurations"][1]["configuration"] = json!("model-small"),
            "a second configuration is \"model-small\"",
        ),
        (
            EXPLORE,
            "base-of-three",
            |input| input["configurations"][2]["factors"] = json!({ "prompt": "short" }),
            "configuration 2 does not state the factors that the first one states",
        ),
        (
            EXPLORE,
            "base-of-three",
            |input| input["configurations"][2]["trials"][1]["input"] = json!(0),
            "configuration 2, trial 1: input 0 is not the next of the round robin",
        ),
        (EXPLORE, "base-of-three", |input| input["score"] = json!(1), "unknown field `score`"),
        (
            BASELINE,
            "inputs-reordered",
            |input| input["again"]["trials"][0]["input"] = json!(1),
            "measurement 1, trial 0: input 1 is not the next of the round robin",
        ),
        (BASELINE, "inputs-reordered", |input| input["confidenceLevel"] = json!(1.5), "confidenceLevel is 1.5"),
        (
            BASELINE,
            "inputs-reordered",
            |input| input["criteria"][0]["checks"][0]["input"] = json!(1),
            "a check is stated by an input, but `again` has inputs of its own",
        ),
    ];
    for (id, name, edit, expected) in edits {
        let mut input = input(id, name);
        let texts = emitted(id, &input);
        edit(&mut input);
        let refusal = differences(id, &input, &texts).expect_err(expected);
        assert!(refusal.starts_with("the input is no mavai scenario: ") && refusal.contains(expected), "{refusal}");
    }
}

/// What no optimize document is judged by is only ever seen to work here.
#[test]
fn every_obligation_of_their_own_has_a_fault_that_must_trip_it() {
    let rules = |id: &str| suite(id).family().rules(suite(id)).into_iter().map(|rule| rule.id).collect::<Vec<_>>();
    let table = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("emitters/broken/mavai_siblings.toml");
    let table: toml::Table = std::fs::read_to_string(table).expect("the table").parse().expect("TOML");
    let rows = table["broken"].as_array().expect("rows");
    for id in [EXPLORE, BASELINE] {
        let of_suite = rows.iter().filter(|row| row["suite"].as_str() == Some(id));
        let trips: Vec<&str> =
            of_suite.flat_map(|row| row["trips"].as_array().expect("a list")).filter_map(toml::Value::as_str).collect();
        let shared = rules("mavai-optimize-1");
        let missed: Vec<_> =
            rules(id).into_iter().filter(|rule| !shared.contains(rule) && !trips.contains(rule)).collect();
        assert!(missed.is_empty(), "{id}: no fault must trip {missed:?}");
    }
}

/// What is derived from a document's own counts is what it states.
#[test]
fn what_is_derived_is_what_is_emitted() {
    for id in [EXPLORE, BASELINE] {
        for scenario in scenarios(id) {
            for text in emitted(id, &scenario.input) {
                let stated: Value = serde_yaml::from_str(&text).expect("YAML");
                let document = document::read(text.into_bytes(), &Limits::default()).document.expect("a document");
                let derived = suite(id).family().derive(suite(id), &document).expect("counts to derive from");
                let derived = serde_json::from_str(&derived).expect("JSON");
                assert!(states(&stated, &derived), "{}: {derived:#}", scenario.name);
            }
        }
    }
}

/// Whether a value states all of another one, numbers to nine digits.
fn states(stated: &Value, part: &Value) -> bool {
    match (stated, part) {
        (Value::Object(stated), Value::Object(part)) => {
            part.iter().all(|(key, part)| stated.get(key).is_some_and(|stated| states(stated, part)))
        }
        (Value::Array(stated), Value::Array(part)) => {
            stated.len() == part.len() && stated.iter().zip(part).all(|(stated, part)| states(stated, part))
        }
        (Value::Number(stated), Value::Number(part)) => {
            stated.as_f64().zip(part.as_f64()).is_some_and(|(stated, part)| (stated - part).abs() < 1e-9)
        }
        (stated, part) => stated == part,
    }
}
