//! The files that the binary carries: schemas, suites, and emitters to start from.

/// Path from the project's root (`schemas/…`, `suites/…`, `templates/…`) and text, sorted by path.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The text of one embedded file.
pub fn file(path: &str) -> Option<&'static str> {
    FILES.binary_search_by(|(name, _)| (*name).cmp(path)).ok().map(|at| FILES[at].1)
}

/// Every embedded file under a folder, with its path.
pub fn under(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied().filter(move |(name, _)| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}
