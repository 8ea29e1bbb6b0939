//! `--help` and `--version`.

use insta::assert_snapshot;

use super::conform;

#[test]
fn the_main_help_teaches() {
    assert_snapshot!(conform("--help").stdout);
}

#[test]
fn the_short_help_fits_on_a_page_or_two() {
    assert_snapshot!(conform("-h").stdout);
}

#[test]
fn each_command_has_help_with_examples() {
    for name in ["check", "list", "explain", "derive", "init"] {
        let ran = conform(&format!("{name} --help"));
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("Examples:"), "{name}");
    }
    assert_snapshot!(conform("check --help").stdout);
}

/// What clap wraps on its own is no concern here; examples and the sample finding are set by hand.
#[test]
fn hand_set_lines_are_not_wrapped() {
    for line in ["--help", "check --help", "list --help", "explain --help", "derive --help", "init --help"] {
        let help = conform(line).stdout;
        let (_, set) = help.split_once("Examples:").unwrap();
        for line in set.lines().filter(|line| line.starts_with("  conform")) {
            assert!(line.chars().count() <= 98, "{line}");
        }
        let widest = set.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(98), "{line}: {widest:?}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(conform("--version").stdout, format!("conform {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_arguments_the_help_is_shown_as_an_error() {
    let ran = conform("");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.is_empty() && ran.stderr.contains("Usage: conform"));
}
