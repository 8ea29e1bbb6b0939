//! What is wrong, one cause for each thing that has to be mended: the validator's errors, taken apart and thinned out.

use std::collections::{HashMap, HashSet};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};

use super::adapter::node_of;
use super::condition::Condition;
use super::files::SchemaFiles;
use crate::document::{Document, NodeId};
use crate::finding::Severity;

/// One thing that a schema demands and a document does not keep.
#[derive(Debug, Clone)]
pub(super) struct Cause {
    /// The value at fault, or the key of a member that should not be there.
    pub(super) node: NodeId,
    pub(super) demand: Demand,
    /// Where the demand stands.
    pub(super) schema: Option<SchemaPlace>,
}

/// A keyword's place: the address of its file, and the pointer in it.
#[derive(Debug, Clone)]
pub(super) struct SchemaPlace {
    pub(super) address: String,
    pub(super) pointer: String,
}

/// A keyword and its operand, as far as a message needs it.
#[derive(Debug, Clone)]
pub(super) enum Demand {
    Type(Vec<JsonType>),
    Const(serde_json::Value),
    Enum(Vec<serde_json::Value>),
    /// The members that are missing.
    Required(Vec<String>),
    /// No member of this name may be there; the keyword is `additionalProperties` or `unevaluatedProperties`.
    NoMember(&'static str),
    Format(String),
    Pattern(String),
    /// A bound of a number, by keyword.
    Bound(&'static str, String),
    /// A bound of a length or a number of parts, by keyword.
    Count(&'static str, u64),
    MultipleOf(String),
    Unique,
    Contains,
    /// `not`, the schema `false`, or `items` where that is `false`.
    Excluded(&'static str),
    /// None of the branches fits; for each, the first cause.
    NoBranch(&'static str, Vec<Option<Cause>>),
    /// More than one branch of `oneOf` fits.
    ManyBranches,
    /// A keyword without an operand that would help, with the validator's own words.
    Other(String, String),
    /// Nested deeper than schemas are applied: depth and limit.
    TooDeep(usize, usize),
    /// More errors than are collected.
    CutShort(usize),
}

impl Demand {
    /// The keyword, as the finding's id has it after `schema/`.
    pub(super) fn keyword(&self) -> &str {
        match self {
            Demand::Type(_) => "type",
            Demand::Const(_) => "const",
            Demand::Enum(_) => "enum",
            Demand::Required(_) => "required",
            Demand::Format(_) => "format",
            Demand::Pattern(_) => "pattern",
            Demand::NoMember(keyword) | Demand::Bound(keyword, _) | Demand::Count(keyword, _) => keyword,
            Demand::MultipleOf(_) => "multipleOf",
            Demand::Unique => "uniqueItems",
            Demand::Contains => "contains",
            Demand::Excluded(keyword) | Demand::NoBranch(keyword, _) => keyword,
            Demand::ManyBranches => "oneOf",
            Demand::Other(keyword, _) => keyword,
            Demand::TooDeep(..) => "depth",
            Demand::CutShort(_) => "limit",
        }
    }

    /// Which demand on a value says most about what is wrong with it; the others follow from it. `None` for demands that
    /// stand side by side.
    fn precedence(&self) -> Option<u8> {
        match self {
            Demand::Type(_) => Some(0),
            Demand::Const(_) => Some(1),
            Demand::Enum(_) => Some(2),
            _ => None,
        }
    }
}

impl Cause {
    pub(super) fn too_deep(node: NodeId, depth: usize, limit: usize) -> Self {
        Cause { node, demand: Demand::TooDeep(depth, limit), schema: None }
    }

    pub(super) fn cut_short(node: NodeId, limit: usize) -> Self {
        Cause { node, demand: Demand::CutShort(limit), schema: None }
    }

    /// How much the finding weighs: all but the note on what was not collected is an error.
    pub(super) fn severity(&self) -> Severity {
        if matches!(self.demand, Demand::CutShort(_)) { Severity::Note } else { Severity::Error }
    }

    /// The finding's id.
    pub(super) fn id(&self) -> String {
        format!("schema/{}", self.demand.keyword())
    }
}

/// Takes one error of the validator apart, down to the values that are at fault.
pub(super) fn flatten(error: ValidationError<'_>, document: &Document, causes: &mut Vec<Cause>) {
    // The validator's own words are wanted only where no keyword below has better ones.
    let own_words = match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. }
        | ValidationErrorKind::ContentEncoding { .. }
        | ValidationErrorKind::ContentMediaType { .. }
        | ValidationErrorKind::FromUtf8 { .. }
        | ValidationErrorKind::UnevaluatedItems { .. }
        | ValidationErrorKind::Custom { .. }
        | ValidationErrorKind::Referencing(_) => error.masked().to_string(),
        _ => String::new(),
    };
    let parts = error.into_parts();
    // Past the budget an error carries no node.
    let Some(node) = node_of(&parts.instance) else { return };
    let schema = parts.absolute_keyword_location.map(|uri| SchemaPlace {
        address: uri.as_str().split('#').next().unwrap_or_default().to_owned(),
        pointer: parts.schema_path.to_string(),
    });
    let mut push = |demand| causes.push(Cause { node, demand, schema: schema.clone() });
    let keyword = parts.kind.keyword().to_owned();
    match parts.kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => push(Demand::Type(vec![kind])),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => push(Demand::Type(kinds.iter().collect())),
        ValidationErrorKind::Constant { expected_value } => push(Demand::Const((*expected_value).clone())),
        ValidationErrorKind::Enum { options } => {
            push(Demand::Enum(options.as_array().cloned().unwrap_or_default()));
        }
        ValidationErrorKind::Required { property } => {
            push(Demand::Required(vec![property.as_str().unwrap_or_default().to_owned()]));
        }
        ValidationErrorKind::Format { format } => push(Demand::Format(format)),
        ValidationErrorKind::Pattern { pattern } => push(Demand::Pattern(pattern)),
        ValidationErrorKind::Minimum { limit } => push(Demand::Bound("minimum", limit.to_string())),
        ValidationErrorKind::Maximum { limit } => push(Demand::Bound("maximum", limit.to_string())),
        ValidationErrorKind::ExclusiveMinimum { limit } => push(Demand::Bound("exclusiveMinimum", limit.to_string())),
        ValidationErrorKind::ExclusiveMaximum { limit } => push(Demand::Bound("exclusiveMaximum", limit.to_string())),
        ValidationErrorKind::MinLength { limit } => push(Demand::Count("minLength", limit)),
        ValidationErrorKind::MaxLength { limit } => push(Demand::Count("maxLength", limit)),
        ValidationErrorKind::MinItems { limit } => push(Demand::Count("minItems", limit)),
        ValidationErrorKind::MaxItems { limit } => push(Demand::Count("maxItems", limit)),
        ValidationErrorKind::MinProperties { limit } => push(Demand::Count("minProperties", limit)),
        ValidationErrorKind::MaxProperties { limit } => push(Demand::Count("maxProperties", limit)),
        ValidationErrorKind::AdditionalItems { limit } => push(Demand::Count("items", limit as u64)),
        ValidationErrorKind::MultipleOf { multiple_of } => push(Demand::MultipleOf(multiple_of.to_string())),
        ValidationErrorKind::UniqueItems => push(Demand::Unique),
        ValidationErrorKind::Contains => push(Demand::Contains),
        ValidationErrorKind::Not { .. } => push(Demand::Excluded("not")),
        ValidationErrorKind::FalseSchema => {
            // `false` as the schema of all further items closes an array, which is better said by that keyword.
            let closes_array = schema.as_ref().is_some_and(|place| place.pointer.ends_with("/items"));
            push(Demand::Excluded(if closes_array { "items" } else { "false" }));
        }
        ValidationErrorKind::OneOfMultipleValid { .. } => push(Demand::ManyBranches),
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            push_members("additionalProperties", &unexpected, node, &schema, document, causes);
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            push_members("unevaluatedProperties", &unexpected, node, &schema, document, causes);
        }
        ValidationErrorKind::PropertyNames { error } => flatten(*error, document, causes),
        ValidationErrorKind::AnyOf { context } => push_branches("anyOf", context, node, schema, document, causes),
        ValidationErrorKind::OneOfNotValid { context } => {
            push_branches("oneOf", context, node, schema, document, causes)
        }
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. }
        | ValidationErrorKind::ContentEncoding { .. }
        | ValidationErrorKind::ContentMediaType { .. }
        | ValidationErrorKind::FromUtf8 { .. }
        | ValidationErrorKind::UnevaluatedItems { .. }
        | ValidationErrorKind::Custom { .. }
        | ValidationErrorKind::Referencing(_) => push(Demand::Other(keyword, own_words)),
    }
}

/// One cause for each member that should not be there, at its key.
fn push_members(
    keyword: &'static str,
    unexpected: &[String],
    object: NodeId,
    schema: &Option<SchemaPlace>,
    document: &Document,
    causes: &mut Vec<Cause>,
) {
    let Some(object) = document.value(object) else { return };
    let unexpected: HashSet<&str> = unexpected.iter().map(String::as_str).collect();
    let keys = object.members().map(|(key, _)| key);
    let keys = keys.filter(|key| key.as_str().is_some_and(|name| unexpected.contains(name)));
    causes.extend(keys.map(|key| Cause { node: key.id(), demand: Demand::NoMember(keyword), schema: schema.clone() }));
}

/// The causes of the branch that was meant, where the value shows which one that is; else one cause that sums all up.
fn push_branches(
    keyword: &'static str,
    branches: Vec<Vec<ValidationError<'_>>>,
    node: NodeId,
    schema: Option<SchemaPlace>,
    document: &Document,
    causes: &mut Vec<Cause>,
) {
    let mut branches: Vec<Vec<Cause>> = branches
        .into_iter()
        .map(|errors| {
            let mut causes = Vec::new();
            errors.into_iter().for_each(|error| flatten(error, document, &mut causes));
            causes
        })
        .collect();
    // A branch is not meant if the value has the wrong type for it, or a member that names the kind names another one.
    let own_parts: HashSet<NodeId> = document
        .value(node)
        .into_iter()
        .flat_map(|value| value.members().map(|(_, member)| member.id()).chain([value.id()]).collect::<Vec<_>>())
        .collect();
    let other_kind = |cause: &Cause| match cause.demand {
        Demand::Type(_) => cause.node == node,
        Demand::Const(_) | Demand::Enum(_) => own_parts.contains(&cause.node),
        _ => false,
    };
    let mut meant = branches.iter().enumerate().filter(|(_, causes)| !causes.iter().any(other_kind));
    match (meant.next(), meant.next()) {
        (Some((at, _)), None) => causes.append(&mut branches.swap_remove(at)),
        (None, _) if let Some(cause) = one_of_kinds(&branches, other_kind) => causes.push(Cause { schema, ..cause }),
        _ => {
            let first = |causes: Vec<Cause>| causes.iter().find(|cause| other_kind(cause)).or(causes.first()).cloned();
            let firsts = branches.into_iter().map(first).collect();
            causes.push(Cause { node, demand: Demand::NoBranch(keyword, firsts), schema });
        }
    }
}

/// Where every branch wants another type, or another value of the member that names the kind: the types or values together.
fn one_of_kinds(branches: &[Vec<Cause>], other_kind: impl Fn(&Cause) -> bool) -> Option<Cause> {
    let firsts: Vec<&Cause> =
        branches.iter().map(|causes| causes.iter().find(|cause| other_kind(cause))).collect::<Option<_>>()?;
    let node = firsts.first()?.node;
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for cause in firsts {
        match &cause.demand {
            _ if cause.node != node => return None,
            Demand::Type(more) => types.extend_from_slice(more),
            Demand::Const(value) => values.push(value.clone()),
            Demand::Enum(more) => values.extend_from_slice(more),
            _ => return None,
        }
    }
    let demand = match (types.is_empty(), values.is_empty()) {
        (false, true) => Demand::Type(types),
        (true, false) => Demand::Enum(values),
        _ => return None,
    };
    Some(Cause { node, demand, schema: None })
}

/// More missing members of one object than this are one finding: the object is another thing than the schema expects.
const MISSING_APART: usize = 3;

/// The root causes in document order: each once, and none that only follows from another.
pub(super) fn roots(mut causes: Vec<Cause>, document: &Document, files: &SchemaFiles) -> Vec<Cause> {
    let last = |cause: &Cause| matches!(cause.demand, Demand::CutShort(_));
    causes.sort_by_key(|cause| (last(cause), cause.node, cause.demand.precedence().unwrap_or(u8::MAX)));
    let mut seen = HashSet::new();
    causes.retain(|cause| seen.insert((cause.node, operand(cause))));
    // The first at a node has the highest precedence; beside a wrong type or value nothing else there counts.
    let mut alone: HashMap<NodeId, bool> = HashMap::new();
    let mut noted = false;
    causes.retain(|cause| match alone.get(&cause.node) {
        // Said once, whichever part of the document was cut short.
        _ if last(cause) => !std::mem::replace(&mut noted, true),
        Some(&alone) => !alone,
        None => {
            alone.insert(cause.node, cause.demand.precedence().is_some());
            true
        }
    });
    // What is required on a condition is not missing while the value that decides the condition is itself wrong.
    causes.retain(|cause| {
        let Some(condition) = Condition::of(cause, files) else { return true };
        let Some(object) = document.value(cause.node) else { return true };
        !condition.members().filter_map(|name| object.get(name)).any(|decides| alone.contains_key(&decides.id()))
    });
    join_missing(&mut causes, files);
    causes
}

/// Joins what is missing from one object under no condition, where that is much.
fn join_missing(causes: &mut Vec<Cause>, files: &SchemaFiles) {
    let mut missing: HashMap<NodeId, Vec<String>> = HashMap::new();
    for cause in causes.iter() {
        if let Demand::Required(keys) = &cause.demand
            && Condition::of(cause, files).is_none()
        {
            missing.entry(cause.node).or_default().extend_from_slice(keys);
        }
    }
    missing.retain(|_, keys| keys.len() > MISSING_APART);
    if missing.is_empty() {
        return;
    }
    let mut joined = HashSet::new();
    causes.retain_mut(|cause| {
        let Demand::Required(_) = cause.demand else { return true };
        if Condition::of(cause, files).is_some() || !(missing.contains_key(&cause.node) || joined.contains(&cause.node))
        {
            return true;
        }
        if let Some(keys) = missing.remove(&cause.node) {
            cause.demand = Demand::Required(keys);
        }
        joined.insert(cause.node)
    });
}

/// Tells apart what is demanded of one node.
fn operand(cause: &Cause) -> String {
    match &cause.demand {
        // Two schemas may each list the branches in their own way.
        Demand::NoBranch(keyword, _) => (*keyword).to_owned(),
        demand => format!("{} {demand:?}", demand.keyword()),
    }
}
