#!/usr/bin/env python3
"""Mutates the harness itself: negates conditions and shifts numbers in the obligations, and looks whether anything notices.

usage: python3 scripts/mutate-harness.py [--count N] [--jobs N] [--reuse] [FILE...]     (default: the sources of src/family)

All mutants are compiled into one binary, in a copy of the sources, each behind a number that CONFORM_HARNESS_MUTANT selects: one build in
place of one a mutant. A mutant is noticed if the mutation score of the family's suites changes, if a case document gets another result,
if the reference emitter's run of the family's suites does, or if a test of the family fails.
What is mutated: conditions of `if` and of guards without `let` and one-line closures of `filter`, `any`, `all`, `find`, `position` and
`take_while` (each negated, and with its bound moved by one), and `+ 1`, `- 1`. Prints a
table and lists as Markdown, and exits with 1 if a mutant survives.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "mutate-harness"
# Not mutated by default: what advises and derives for people (no watcher reads it), and what only describes.
LEFT_OUT = ["mod.rs", "derive.rs", "mistakes.rs", "kinds.rs", "example.rs"]
SWITCH = '''
/// Which mutant is in force.
#[allow(dead_code)]
pub fn mutant(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| std::env::var("CONFORM_HARNESS_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}
'''


def default_files():
    files = sorted(path.relative_to(ROOT) for path in (ROOT / "src" / "family").glob("*/**/*.rs"))
    return [str(file) for file in files if file.name not in LEFT_OUT]


class Mutants:
    """The mutants of all files: what each changes, by number from 1."""

    def __init__(self):
        self.changes = []

    def number(self, file, line, change):
        self.changes.append((file, line, change))
        return len(self.changes)

    def instrument(self, file, source):
        """The source with every change behind its number; rule texts and tests are left alone."""
        start = re.search(r"\n *(pub(\([^)]*\))? )?(const )?fn ", source)
        end = source.find("#[cfg(test)]")
        start, end = start.start() if start else len(source), len(source) if end < 0 else end
        head, body, tail = source[:start], source[start:end], source[end:]

        def line_of(match):
            return head.count("\n") + body[: match.start()].count("\n") + 1

        def moved(condition, line):
            """The condition with a bound that is (not) included, if it has one."""
            for bound, other in [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > ")]:
                if condition.count(bound) == 1:
                    number = self.number(file, line, f"`{bound.strip()}` becomes `{other.strip()}` in `{condition.strip()}`")
                    return f"if crate::mutant({number}) {{ {condition.replace(bound, other)} }} else {{ {condition} }}"
            return condition

        def is_prose(match):
            line = body[body.rfind("\n", 0, match.start()) + 1 : match.start()]
            # A comment, or the inside of a text.
            return line.lstrip().startswith("//") or line.count('"') % 2 == 1

        def negated(match):
            if is_prose(match):
                return match[0]
            condition, after = match["condition"], match["after"]
            if condition.rstrip().endswith("=>"):
                condition, after = condition.rstrip().removesuffix("=>").rstrip(), " =>" + after
            if "let " in condition or "crate::mutant" in condition or "=>" in condition or "\n" in condition or "{" in condition:
                return match[0]
            line = line_of(match)
            number = self.number(file, line, f"negate `{condition.strip()}`")
            return f"{match['before']}(crate::mutant({number}) != ({moved(condition, line)})){after}"

        def shifted(match):
            if is_prose(match):
                return match[0]
            number = self.number(file, line_of(match), f"`{match[0].strip()}` becomes nothing")
            return f" {match['sign']} (if crate::mutant({number}) {{ 0 }} else {{ 1 }})"

        closure = r"(?P<before>\.(?:filter|any|all|find|position|take_while)\(\|[^|]*\| )"
        body = re.sub(r" (?P<sign>[+-]) 1(?![\d.\w])", shifted, body)
        body = re.sub(r"(?P<before>\bif )(?P<condition>[^{}]+?)(?P<after> \{)", negated, body)
        body = re.sub(closure + r"(?P<condition>[^{}()]*(?:\([^{}()]*\)[^{}()]*)*)(?P<after>\))", negated, body)
        return head + body + tail


def build(files, reuse):
    WORK.mkdir(parents=True, exist_ok=True)
    tree = WORK / "source"
    mutants = Mutants()
    binary = WORK / "target" / "release" / "conform"
    if reuse:
        for file in files:
            if mutants.instrument(file, (ROOT / file).read_text()) != (tree / file).read_text():
                sys.exit(f"{file} has changed since the mutants were built; leave --reuse out")
        return mutants.changes, binary
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    for name in ["Cargo.toml", "Cargo.lock", "askama.toml", "build.rs", "src", "schemas", "suites", "templates", "emitters", "benches", "tests"]:
        path = ROOT / name
        (shutil.copytree if path.is_dir() else shutil.copy)(path, tree / name)
    for file in files:
        path = tree / file
        path.write_text(mutants.instrument(file, path.read_text()))
    library = tree / "src" / "lib.rs"
    library.write_text(library.read_text() + SWITCH)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "target"), "RUSTFLAGS": "-Awarnings"}
    subprocess.run(["cargo", "build", "--quiet", "--release", "--bin", "conform"], cwd=tree, env=environment, check=True, stderr=sys.stderr)
    return mutants.changes, binary


def test_programs():
    """Builds the test targets in the copy of the sources: the path of each by name."""
    names = [*FOR_ALL, *(name for own in TESTS.values() for name in own)]
    command = ["cargo", "test", "--quiet", "--release", "--no-run", "--message-format", "json"]
    targets = [word for name in names for word in ("--test", name)]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "target"), "RUSTFLAGS": "-Awarnings"}
    run = subprocess.run([*command, *targets], cwd=WORK / "source", env=environment, check=True, stdout=subprocess.PIPE)
    messages = [json.loads(line) for line in run.stdout.splitlines()]
    return {message["target"]["name"]: message["executable"] for message in messages if message.get("executable")}


SUITES = {
    "mavai": ["mavai-optimize-1", "mavai-explore-1", "mavai-baseline-1"],
    "torneo": ["torneo-epreuve-v1"],
    "orbiplex": ["orbiplex-task-pack-execution-v1"],
}
# What is looked at, in this order: the first that comes out otherwise has noticed the mutant.
WATCHERS = ["score", "cases", "scenarios", "tests"]
# The test targets of each family, beside those of all.
TESTS = {
    "mavai": ["mavai_comparison", "mavai_siblings", "mavai_sibling_scenarios", "broken"],
    "torneo": ["torneo", "torneo_emitters"],
    "orbiplex": ["orbiplex"],
}
FOR_ALL = ["bounds", "obligations", "scenarios"]


def commands(binaries, family, watcher, count):
    conform, tests = binaries
    if watcher == "tests":
        return [[tests[name], "--quiet", "--test-threads", "1"] for name in [*FOR_ALL, *TESTS[family]]]
    if watcher == "cases":
        return [[conform, "check", f"tests/fixtures/cases/{family}", "tests/fixtures/cases/emitted", "--format", "json", "--quiet"]]
    if watcher == "scenarios":
        return [[conform, "--emitter", "reference", "--suite", suite, "--quiet"] for suite in SUITES[family]]
    return [[conform, "mutate", "--score", "--format", "json", "--suite", suite, "--count", str(count)] for suite in SUITES[family]]


def observed(binaries, number, family, watcher, count):
    """What a watcher sees of a mutant: how each command exits and what it prints, but for times. Of tests, whether all passed."""
    environment = {**os.environ, "CONFORM_HARNESS_MUTANT": str(number), "NO_COLOR": "1"}
    seen = []
    for command in commands(binaries, family, watcher, count):
        try:
            run = subprocess.run(command, cwd=WORK / "source", env=environment, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "time-out"
        if watcher == "tests":
            if run.returncode != 0:
                return "failed"
            continue
        text = re.sub(rb'"(?:duration_?[Mm]s|started)": ?[^,\n]+|\[[\d.]+ m?s\]', b"", run.stdout)
        seen.append((run.returncode, text))
    return seen


def family_of(file):
    return pathlib.Path(file).relative_to("src/family").parts[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--count", type=int, default=4, help="mutants of each operator")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--reuse", action="store_true", help="run what was built before")
    arguments = parser.parse_args()
    files = arguments.files or default_files()
    changes, conform = build(files, arguments.reuse)
    binaries = conform, test_programs()
    families = sorted({family_of(file) for file, _, _ in changes})
    usual = {(family, watcher): observed(binaries, 0, family, watcher, arguments.count) for family in families for watcher in WATCHERS}
    if broken := [family for family in families if usual[family, "tests"]]:
        sys.exit(f"the tests of {', '.join(broken)} fail without any mutant")

    def watched(number):
        family = family_of(changes[number - 1][0])
        for watcher in WATCHERS:
            if observed(binaries, number, family, watcher, arguments.count) != usual[family, watcher]:
                return watcher
        return None

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(watched, range(1, len(changes) + 1)))
    report(changes, results)
    sys.exit(0 if all(results) else 1)


def report(changes, results):
    print("| file | mutants | noticed by the score | only by the cases | only by the scenarios | only by the tests | survived |\n|---|---|---|---|---|---|---|")

    def row(name, own):
        print(f"| {name} | {len(own)} | " + " | ".join(str(own.count(watcher)) for watcher in [*WATCHERS, None]) + " |")

    for file in dict.fromkeys(file for file, _, _ in changes):
        row(f"`{file}`", [result for change, result in zip(changes, results) if change[0] == file])
    row("**all**", results)
    for title, watcher in [("The survivors", None), *((f"Noticed by the {watcher} only", watcher) for watcher in reversed(WATCHERS[1:]))]:
        print(f"\n{title}:\n")
        for (file, line, change), result in zip(changes, results):
            if result == watcher:
                print(f"- `{file}` line {line}: {change}")


main()
