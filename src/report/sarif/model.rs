//! The part of SARIF 2.1.0 that reports use.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Serialize)]
pub struct Log<'r> {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: Vec<Run<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run<'r> {
    pub tool: Tool<'r>,
    pub automation_details: Automation,
    pub invocations: Vec<Invocation<'r>>,
    pub column_kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_uri_base_ids: Option<BTreeMap<&'static str, Base>>,
    pub artifacts: Vec<Artifact<'r>>,
    pub results: Vec<SarifResult<'r>>,
}

#[derive(Serialize)]
pub struct Automation {
    pub id: String,
}

#[derive(Serialize)]
pub struct Base {
    pub description: Message,
}

#[derive(Serialize)]
pub struct Tool<'r> {
    pub driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver<'r> {
    pub name: &'static str,
    pub version: &'r str,
    pub semantic_version: &'r str,
    pub rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub id: String,
    pub short_description: MultiformatMessage,
    pub full_description: MultiformatMessage,
    pub help: MultiformatMessage,
    pub default_configuration: Configuration,
    pub properties: Properties,
}

#[derive(Serialize)]
pub struct MultiformatMessage {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

#[derive(Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

#[derive(Serialize)]
pub struct Properties {
    pub basis: &'static str,
    pub tags: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation<'r> {
    pub execution_successful: bool,
    pub start_time_utc: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub struct Notification {
    pub level: &'static str,
    pub message: Message,
}

#[derive(Serialize)]
pub struct Message {
    pub text: String,
}

impl Message {
    pub fn of(text: &str) -> Self {
        Message { text: text.to_owned() }
    }
}

#[derive(Serialize)]
pub struct Artifact<'r> {
    pub location: ArtifactLocation,
    pub length: u64,
    pub hashes: Hashes<'r>,
}

#[derive(Serialize)]
pub struct Hashes<'r> {
    #[serde(rename = "sha-256")]
    pub sha256: &'r str,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult<'r> {
    pub rule_id: &'r str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<RelatedLocation<'r>>,
    /// What was declared beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<Vec<Suppression<'r>>>,
    pub partial_fingerprints: Fingerprints,
    pub properties: ResultProperties<'r>,
}

#[derive(Serialize)]
pub struct ResultProperties<'r> {
    pub basis: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entered: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<&'r str>,
}

#[derive(Serialize)]
pub struct Suppression<'r> {
    pub kind: &'static str,
    pub status: &'static str,
    pub justification: &'r str,
}

#[derive(Serialize)]
pub struct Fingerprints {
    #[serde(rename = "conformFinding/v1")]
    pub finding: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation<'r>>,
    pub logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedLocation<'r> {
    pub id: usize,
    pub message: Message,
    pub physical_location: PhysicalLocation<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation<'r> {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region<'r> {
    pub start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet<'r>>,
}

#[derive(Serialize)]
pub struct Snippet<'r> {
    pub text: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation {
    pub fully_qualified_name: String,
    pub kind: &'static str,
}
