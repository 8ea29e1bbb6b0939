//! `conform list`.

use insta::assert_snapshot;

use super::conform;

#[test]
fn suites_come_with_their_counts() {
    let suites = conform("list --format json").json();
    let suites = suites.as_array().unwrap().clone();
    assert!(!suites.is_empty());
    for suite in suites {
        let id = suite["id"].as_str().unwrap();
        let count = |what: &str| {
            conform(&format!("list {what} --suite {id} --format json")).json().as_array().unwrap().len() as u64
        };
        assert_eq!(suite["obligations"], count("obligations"));
        assert_eq!(suite["scenarios"], count("scenarios"));
        assert!(suite["obligations"].as_u64().unwrap() > 0, "{id}");
    }
}

#[test]
fn the_table_names_every_suite_of_the_json() {
    let table = conform("list").stdout;
    for suite in conform("list --format json").json().as_array().unwrap() {
        assert!(table.lines().any(|line| line.starts_with(suite["id"].as_str().unwrap())), "{table}");
    }
}

#[test]
fn obligations_are_filtered_by_parts_of_their_ids() {
    assert_snapshot!(conform("list obligations scenario/").shown());
}

#[test]
fn scenarios_of_the_users_own_are_listed_too() {
    let ran = conform("list scenarios own-optional --suites suites");
    assert_snapshot!(ran.shown());
    assert_eq!(conform("list scenarios own-optional").code, Some(4));
}

#[test]
fn a_folder_of_scenarios_is_read_strictly() {
    let malformed = conform("list scenarios --suites suites-malformed");
    assert!(malformed.stderr.contains("scenarios/broken.yaml is no scenario"), "{}", malformed.stderr);
    let misspelt = conform("list scenarios --suites suites-misspelt");
    assert!(misspelt.stderr.contains("mavai-optimise-1 is not named like a suite"), "{}", misspelt.stderr);
}
