//! Document families: for each, a model of the document, the obligations, and the oracle that derives from a scenario what a
//! conformant document must say.

pub mod mavai;
pub mod orbiplex;
pub mod torneo;

use crate::document::Document;
use crate::obligation::{Judge, Rule};
use crate::suite::Suite;

/// Every family. Adding one takes a folder and a line here.
pub static FAMILIES: &[&dyn Family] = &[&mavai::Mavai, &torneo::Torneo, &orbiplex::Orbiplex];

/// Which documents of one check make up a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sets {
    /// None: every document stands for itself.
    None,
    /// Those that lie in one folder: what an emitter wrote at another time lies elsewhere.
    Folder,
    /// All of the check.
    Check,
}

/// One family of documents.
pub trait Family: Sync {
    /// Short name, the prefix of its obligations' ids.
    fn name(&self) -> &'static str;

    /// Its suites, one for each kind of document.
    fn suites(&self) -> &'static [Suite];

    /// The obligations of a suite, in the order in which they are judged and listed.
    fn rules(&self, suite: &Suite) -> Vec<&'static Rule>;

    /// Obligations that only a scenario can show: what they forbid cannot be seen in a document alone.
    fn scenario_rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        Vec::new()
    }

    /// The plain example document of a suite, as JSON text: it keeps every obligation, and the rules' examples are edits of it.
    fn example(&self, suite: &Suite) -> &'static str;

    /// Puts right, in a document that was edited to break an obligation, what every edit breaks and the obligation is not about:
    /// refs, digests and signatures. Examples and mutants go through it after their edits.
    ///
    /// # Errors
    /// Where the document cannot be sealed; the text says why.
    fn seal(&self, _suite: &Suite, _obligation: &str, _document: &mut serde_json::Value) -> Result<(), String> {
        Ok(())
    }

    /// Whether [`Family::seal`] does anything.
    fn seals(&self) -> bool {
        false
    }

    /// The documents that an obligation's examples refer to, for [`crate::obligation::Settings::related`]: name and text.
    fn related(&self, _suite: &Suite, _obligation: &str) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Judges one document by every obligation of the suite. The structure may be broken anywhere (the schema has reported it
    /// then): what cannot be judged is said to be not judged, and the rest is judged.
    fn judge(&self, suite: &Suite, document: &Document, judge: &mut Judge<'_>);

    /// Which documents of one check [`Family::judge_set`] judges together. Where it is none, documents are not kept until all have
    /// been read.
    fn sets(&self, _suite: &Suite) -> Sets {
        Sets::None
    }

    /// Judges what only several documents can show. `documents` and `judges` run in parallel; only documents of
    /// this suite are given.
    fn judge_set(&self, _suite: &Suite, _documents: &[&Document], _judges: &mut [Judge<'_>]) {}

    /// How many documents an emitter makes of a scenario of the suite; `None` where that is open.
    fn documents_per_scenario(&self, _suite: &Suite) -> Option<usize> {
        Some(1)
    }

    /// Judges the documents that an emitter made of a scenario against what follows from the scenario's input. Differences are
    /// reported as `scenario/differs` (or under an obligation of the family that only a scenario can show).
    ///
    /// # Errors
    /// Where the input is not one that this family's scenarios may have; the text says where and why.
    fn judge_scenario(
        &self,
        suite: &Suite,
        input: &serde_json::Value,
        documents: &[&Document],
        judge: &mut Judge<'_>,
    ) -> Result<(), String>;

    /// What follows from a document's own raw data, printed for a person who fills or repairs one (`conform derive`).
    ///
    /// # Errors
    /// Where nothing can be derived; the text says what is missing.
    fn derive(&self, suite: &Suite, document: &Document) -> Result<String, String>;
}
