//! `conform explain`.

use insta::assert_snapshot;

use super::conform;

#[test]
fn an_obligation_is_shown_kept_beside_broken() {
    assert_snapshot!(conform("explain orbiplex/evidence-instance").shown());
}

#[test]
fn what_no_document_shows_is_said_in_words() {
    assert_snapshot!(conform("explain process/timeout").shown());
}

#[test]
fn a_rule_about_text_shows_two_texts() {
    assert_snapshot!(conform("explain document/duplicate-key").shown());
}

#[test]
fn what_a_scenario_demands_is_explained() {
    assert_snapshot!(conform("explain scenario/documents").shown());
}

#[test]
fn an_unknown_id_is_met_with_the_nearest() {
    let ran = conform("explain orbiplex/evidence-instanse");
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr,
        "error: no such obligation: orbiplex/evidence-instanse; did you mean orbiplex/evidence-instance?\n"
    );
    let ran = conform("explain evidence-instance");
    assert!(ran.stderr.contains("did you mean orbiplex/evidence-instance?"), "{}", ran.stderr);
    let ran = conform("explain xyzzy");
    assert_eq!(ran.stderr, "error: no such obligation: xyzzy; `conform list obligations` lists them all\n");
}
