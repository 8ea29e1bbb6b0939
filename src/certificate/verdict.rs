//! The verdict of a certificate, and everything that keeps it from being `certified`.

use std::collections::BTreeMap;

use super::statement::{CertificateVerdict, Exception, ExceptionKind};
use crate::expected::Expectations;
use crate::finding::{Finding, Severity};
use crate::run::plan::Job;
use crate::run::results::{SubjectResult, Verdict};

/// Judges a run as a whole. What a declaration calls flaky is an exception even where it passed this time. `jobs` are all scenarios of the suites that the certificate is about; what is not among the results
/// was not run where `not_run` names it, and not selected otherwise.
pub(super) fn conclude(
    results: &[SubjectResult],
    jobs: &[&Job],
    not_run: &[String],
    deny_warnings: bool,
    expectations: Option<&Expectations>,
) -> (CertificateVerdict, Vec<Exception>) {
    let by_subject: BTreeMap<&str, &SubjectResult> =
        results.iter().map(|result| (result.subject.as_str(), result)).collect();
    let mut exceptions = Vec::new();
    let mut incomplete = false;
    for result in results {
        of_result(result, deny_warnings, &mut exceptions);
        for flaky in expectations.iter().flat_map(|known| known.flaky(&result.subject)) {
            let told = |other: &Exception| other.kind == ExceptionKind::Flaky && other.subject == result.subject;
            if !exceptions.iter().any(told) {
                exceptions.push(Exception {
                    kind: ExceptionKind::Flaky,
                    subject: result.subject.clone(),
                    obligation: Some(flaky.obligation),
                    reason: Some(flaky.reason),
                });
            }
        }
        incomplete |= match result.verdict {
            Verdict::NotJudged => true,
            Verdict::Unsupported => !result.optional,
            Verdict::Pass | Verdict::Fail => false,
        };
    }
    for job in jobs {
        let subject = job.name();
        if by_subject.contains_key(subject.as_str()) {
            continue;
        }
        incomplete |= job.scenario.required;
        let kind = if not_run.contains(&subject) { ExceptionKind::NotRun } else { ExceptionKind::NotSelected };
        exceptions.push(Exception { kind, subject, obligation: None, reason: None });
    }
    let failed = exceptions.iter().any(|exception| exception.kind == ExceptionKind::Failed);
    let verdict = match (failed, incomplete, exceptions.is_empty()) {
        (true, ..) => CertificateVerdict::NotConformant,
        (_, true, _) => CertificateVerdict::Incomplete,
        (_, _, false) => CertificateVerdict::ConformantWithExceptions,
        _ => CertificateVerdict::Certified,
    };
    (verdict, exceptions)
}

fn of_result(result: &SubjectResult, deny_warnings: bool, exceptions: &mut Vec<Exception>) {
    let mut add = |kind, obligation: Option<&str>, reason: Option<&str>| {
        let exception = Exception {
            kind,
            subject: result.subject.clone(),
            obligation: obligation.map(str::to_owned),
            reason: reason.map(str::to_owned),
        };
        if !exceptions.contains(&exception) {
            exceptions.push(exception);
        }
    };
    let fails = |finding: &Finding| match finding.severity {
        Severity::Error => true,
        Severity::Warning => deny_warnings,
        Severity::Note => false,
    };
    for finding in result.findings.iter().filter(|finding| fails(finding)) {
        match result.expectation(finding) {
            None => add(ExceptionKind::Failed, Some(&finding.obligation), None),
            Some(known) => {
                let kind = if known.flaky { ExceptionKind::Flaky } else { ExceptionKind::ExpectedFailure };
                add(kind, Some(&finding.obligation), Some(&known.reason));
            }
        }
    }
    match result.verdict {
        Verdict::Unsupported => add(ExceptionKind::Unsupported, None, result.reason.as_deref()),
        Verdict::NotJudged => add(ExceptionKind::NotJudged, None, result.reason.as_deref()),
        Verdict::Pass | Verdict::Fail => {}
    }
}
