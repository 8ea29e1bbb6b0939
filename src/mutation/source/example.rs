//! The suites' example documents: the plain one, and the good example of every obligation that has one of its own.

use crate::mutation::base::Base;
use crate::suite::Suite;

/// The example documents of a suite, the plain one first.
///
/// # Errors
/// Where an example does not apply, a fault of conform's own.
pub fn documents(suite: &'static Suite) -> Result<Vec<Base>, String> {
    let family = suite.family();
    let plain: serde_json::Value =
        serde_json::from_str(family.example(suite)).map_err(|error| format!("the example of {}: {error}", suite.id))?;
    let mut bases = vec![Base::new(suite, "example".to_owned(), plain.clone(), None)];
    for rule in family.rules(suite) {
        if rule.example.good.is_empty() {
            continue;
        }
        let mut document = plain.clone();
        // Examples of an obligation that several suites share are edits of the first suite's document.
        if rule.example.good.iter().any(|edit| edit.apply(&mut document).is_err()) {
            continue;
        }
        family.seal(suite, rule.id, &mut document)?;
        bases.push(Base::new(suite, format!("good example of {}", rule.id), document, None));
    }
    Ok(bases)
}
