//! The relation gate and the artifacts: chains of documents, each signed here, and what is found in them.

use conform::family::orbiplex::digest::{digest_text, sha256};
use conform::family::orbiplex::example::RELATED;
use conform::family::orbiplex::kinds::{ADOPTION, DECISION, EXECUTION, Kind, PROPOSAL, REVIEW};
use conform::family::orbiplex::seal::Signer;
use conform::finding::{Finding, NotJudged, Severity};
use conform::obligation::Settings;
use serde_json::{Value, json};

use super::{ids, judge_with, read, suite};

/// A record and the documents that it refers to; changed in parts, then linked and signed again.
struct Chain {
    record: Value,
    proposal: Value,
    review: Value,
    decision: Value,
    others: Vec<Value>,
}

impl Chain {
    /// The chain of the example.
    fn whole() -> Self {
        let text = |name: &str| {
            let (_, text) = RELATED.iter().find(|(file, _)| *file == format!("{name}.json")).expect(name);
            serde_json::from_str(text).expect("JSON")
        };
        Chain {
            record: serde_json::from_str(suite().family().example(suite())).expect("JSON"),
            proposal: text("proposal"),
            review: text("review"),
            decision: text("decision"),
            others: vec![text("candidate"), text("result")],
        }
    }

    /// Names each document in the next and signs all of them, so that only what was changed before is wrong.
    fn link(&mut self) -> &mut Self {
        seal(&PROPOSAL, &mut self.proposal);
        let proposal = self.proposal["proposal/ref"].clone();
        self.review["proposal/ref"] = proposal.clone();
        self.review["proposal/digest"] = tail(&proposal);
        self.decision["proposal/ref"] = proposal.clone();
        seal(&REVIEW, &mut self.review);
        let review = self.review["review/ref"].clone();
        self.decision["review/ref"] = review.clone();
        self.decision["review/digest"] = tail(&review);
        seal(&DECISION, &mut self.decision);
        let decision = self.decision["decision/ref"].clone();
        for (kind, name) in [("proposal", proposal), ("review", review), ("decision", decision)] {
            self.record[format!("{kind}/digest")] = tail(&name);
            self.record[format!("{kind}/ref")] = name;
        }
        self.seal_record()
    }

    fn seal_record(&mut self) -> &mut Self {
        seal(&EXECUTION, &mut self.record);
        self
    }

    fn result(&mut self) -> &mut Value {
        &mut self.others[1]
    }

    /// Gives the record the digest of the result as it is now.
    fn digest_result(&mut self) -> &mut Self {
        let bytes = serde_json_canonicalizer::to_vec(self.result()).expect("canonical");
        self.record["result/digest"] = digest_text(&sha256(&bytes)).into();
        self.seal_record()
    }

    fn judge(&self) -> (Vec<Finding>, Vec<NotJudged>) {
        let documents = [&self.proposal, &self.review, &self.decision].into_iter().chain(&self.others);
        let related = documents.enumerate().map(|(at, document)| (format!("{at}.json"), read(&document.to_string())));
        let settings = Settings { related: related.collect(), ..Settings::default() };
        judge_with(&settings, &read(&self.record.to_string()))
    }

    #[track_caller]
    fn finds(&self, expected: &[&str]) -> Vec<Finding> {
        let (findings, not_judged) = self.judge();
        assert_eq!(ids(&findings), expected, "{findings:#?}");
        assert!(not_judged.is_empty(), "{not_judged:#?}");
        findings
    }
}

fn seal(kind: &Kind, document: &mut Value) {
    Signer::example().seal(kind, "host/node-id", document).expect("sealed");
}

fn tail(name: &Value) -> Value {
    name.as_str().and_then(|name| name.split_once(':')).map(|(_, digest)| digest.into()).expect("a ref")
}

#[test]
fn a_whole_chain_is_judged_in_full() {
    Chain::whole().finds(&[]);
    Chain::whole().link().finds(&[]);
}

#[test]
fn without_related_documents_nothing_is_judged() {
    let chain = Chain::whole();
    let (findings, not_judged) = judge_with(&Settings::default(), &read(&chain.record.to_string()));
    assert!(findings.is_empty());
    assert_eq!(not_judged.len(), 8);
    assert!(not_judged.iter().all(|entry| entry.reason.contains("--related FOLDER")));
}

#[test]
fn a_missing_document_is_named() {
    let mut chain = Chain::whole();
    chain.decision = json!({});
    let (findings, not_judged) = chain.judge();
    assert!(findings.is_empty(), "{findings:#?}");
    let name = chain.record["decision/ref"].as_str().expect("a ref");
    let mut missing: Vec<&str> = not_judged.iter().map(|entry| entry.obligation.as_str()).collect();
    missing.sort_unstable();
    assert_eq!(
        missing,
        ["candidate", "chain", "digest", "room", "verdict"].map(|rule| format!("orbiplex/relation-{rule}"))
    );
    assert!(not_judged.iter().all(|entry| entry.reason.contains(name) && entry.pointer == "/decision~1ref"));
}

#[test]
fn a_document_signed_under_another_domain_is_unsound() {
    let mut chain = Chain::whole();
    let as_v1 = Kind { domain: "corpus-reasoning-experiment-proposal.v1", ..PROPOSAL_PARTS };
    seal(&as_v1, &mut chain.proposal);
    let findings = chain.finds(&["orbiplex/relation-digest"]);
    assert!(findings[0].message.contains("does not verify under the domain `corpus-reasoning-experiment-proposal.v2`"));
}

/// The proposal's kind, to be changed in one part.
const PROPOSAL_PARTS: Kind =
    Kind { name: "proposal", ref_key: "proposal/ref", ref_kind: "corpus-experiment", domain: "" };

#[test]
fn an_approval_does_not_carry_over_to_a_corrected_candidate() {
    let mut chain = Chain::whole();
    chain.others[0]["steps"] = json!([]);
    let bytes = serde_json_canonicalizer::to_vec(&chain.others[0]).expect("canonical");
    let digest = digest_text(&sha256(&bytes));
    chain.record["candidate"]["artifact-ref"] = format!("object-store:{digest}").into();
    chain.record["candidate"]["digest"] = digest.into();
    let findings = chain.seal_record().finds(&["orbiplex/relation-candidate"]);
    assert_eq!(findings.len(), 3, "proposal, review and decision each differ");
    assert!(
        findings.iter().all(|finding| finding.help.as_ref().is_some_and(|help| help.contains("never carries over")))
    );
    assert!(findings.iter().all(|finding| finding.comparison.is_some()));
}

#[test]
fn a_review_of_other_bytes_is_found() {
    let mut chain = Chain::whole();
    chain.review["candidate"]["digest"] = digest_text(&sha256(b"other")).into();
    let findings = chain.link().finds(&["orbiplex/relation-candidate"]);
    assert!(findings[0].message.contains("the review"));
}

#[test]
fn only_an_accepted_and_admitted_experiment_runs() {
    for (part, key, value) in [
        ("review", "verdict", "reject"),
        ("review", "verdict", "request-regeneration"),
        ("decision", "decision", "block"),
        ("decision", "decision", "request-revision"),
    ] {
        let mut chain = Chain::whole();
        let document = if part == "review" { &mut chain.review } else { &mut chain.decision };
        document[key] = value.into();
        let findings = chain.link().finds(&["orbiplex/relation-verdict"]);
        assert!(findings[0].message.contains(value), "{}", findings[0].message);
    }
    let mut chain = Chain::whole();
    chain.proposal["executor"]["mode"] = "agent".into();
    chain.link().finds(&["orbiplex/relation-verdict"]);
}

#[test]
fn review_and_decision_are_of_the_records_room() {
    for key in ["query/id", "room/id"] {
        let mut chain = Chain::whole();
        chain.review[key] = "room:elsewhere".into();
        chain.link().finds(&["orbiplex/relation-room"]);
    }
}

/// A chain whose proposal is of an earlier context, with an adoption that brings it into the record's.
fn historical(change: impl FnOnce(&mut Value)) -> Chain {
    let mut chain = Chain::whole();
    chain.proposal["room/id"] = "room:earlier".into();
    chain.link();
    let mut adoption = json!({
        "schema": "corpus-task-pack-candidate-adoption.v1",
        "context": { "query/id": chain.record["query/id"], "room/id": chain.record["room/id"] },
        "owner/node-id": Signer::example().node_id(),
        "source": { "proposal": chain.proposal },
    });
    change(&mut adoption);
    seal(&ADOPTION, &mut adoption);
    chain.record["candidate/adoption-ref"] = adoption["adoption/ref"].clone();
    chain.others.push(adoption);
    chain.seal_record();
    chain
}

#[test]
fn a_historical_proposal_needs_its_own_adoption() {
    historical(|_| ()).finds(&[]);
    let other_context = historical(|adoption| adoption["context"]["room/id"] = "room:elsewhere".into());
    assert!(other_context.finds(&["orbiplex/relation-adoption"])[0].message.contains("another query or room"));
    let edited = historical(|adoption| adoption["source"]["proposal"]["idempotency/key"] = "edited".into());
    assert!(edited.finds(&["orbiplex/relation-adoption"])[0].message.contains("not of the proposal"));
    let mut without = historical(|_| ());
    without.record.as_object_mut().expect("an object").remove("candidate/adoption-ref");
    assert!(without.seal_record().finds(&["orbiplex/relation-adoption"])[0].message.contains("no adoption"));
}

#[test]
fn an_adoption_that_is_not_needed_is_a_warning() {
    let mut chain = historical(|_| ());
    chain.proposal["room/id"] = chain.record["room/id"].clone();
    let findings = chain.link().finds(&["orbiplex/relation-adoption"]);
    assert_eq!(findings[0].severity, Severity::Warning);
}

#[test]
fn the_result_is_the_one_of_the_digest() {
    let mut chain = Chain::whole();
    chain.result()["timings"]["finished-at"] = "2026-10-01T07:41:00Z".into();
    chain.finds(&["orbiplex/artifact-digest"]);
    chain.digest_result().finds(&[]);
}

#[test]
fn the_result_says_what_the_record_says() {
    let changes: [fn(&mut Value); 6] = [
        |result| result["outcome"] = "verified".into(),
        |result| result["plan/ref"] = "operator-task-plan:other".into(),
        |result| result["task-profile/digest"] = digest_text(&sha256(b"other")).into(),
        |result| result["refusal/code"] = "verifier/timeout".into(),
        |result| result["steps"][1]["outcome"] = "not-run".into(),
        |result| result["steps"][1]["step/id"] = "another-step".into(),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut chain = Chain::whole();
        change(chain.result());
        assert_eq!(chain.digest_result().finds(&["orbiplex/artifact-agrees"]).len(), 1, "change {at}");
    }
}

#[test]
fn a_plan_that_is_given_is_of_the_candidate() {
    let mut chain = Chain::whole();
    let plan = json!({
        "schema": "operator-task-experiment-plan.v1",
        "plan/ref": chain.record["plan/ref"],
        "candidate/digest": chain.record["candidate"]["digest"],
        "task-profile/digest": chain.record["target"]["task-profile/digest"],
        "steps": [{ "step/id": "read-zone" }, { "step/id": "check-zone" }],
    });
    chain.others.push(plan);
    chain.finds(&[]);
    chain.others[2]["candidate/digest"] = digest_text(&sha256(b"other")).into();
    chain.finds(&["orbiplex/artifact-agrees"]);
}

#[test]
fn a_result_of_another_run_is_not_taken() {
    let mut chain = Chain::whole();
    chain.result()["run/ref"] = "operator-task-run:other".into();
    let (findings, not_judged) = chain.judge();
    assert!(findings.is_empty(), "{findings:#?}");
    let ids: Vec<&str> = not_judged.iter().map(|entry| entry.obligation.as_str()).collect();
    assert_eq!(ids, ["orbiplex/artifact-digest", "orbiplex/artifact-agrees"]);
}
