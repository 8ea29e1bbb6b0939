//! The torneo family.

use crate::document::Document;
use crate::family::Family;
use crate::obligation::{Judge, Rule};
use crate::suite::Suite;

/// The family of torneo documents.
pub struct Torneo;

static SUITES: &[Suite] = &[];

impl Family for Torneo {
    fn name(&self) -> &'static str {
        "torneo"
    }

    fn suites(&self) -> &'static [Suite] {
        SUITES
    }

    fn rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        Vec::new()
    }

    fn example(&self, _suite: &Suite) -> &'static str {
        "{}"
    }

    fn judge(&self, _suite: &Suite, _document: &Document, _judge: &mut Judge<'_>) {}

    fn judge_scenario(
        &self,
        _suite: &Suite,
        _input: &serde_json::Value,
        _documents: &[&Document],
        _judge: &mut Judge<'_>,
    ) -> Result<(), String> {
        Ok(())
    }

    fn derive(&self, _suite: &Suite, _document: &Document) -> Result<String, String> {
        Err("nothing is derived for this kind of document".to_owned())
    }
}
