#!/usr/bin/env python3
"""Mutates the harness itself: negates conditions and shifts numbers in the obligations, and looks whether anything notices.

usage: python3 scripts/mutate-harness.py [--count N] [--jobs N] [--reuse] [FILE...]     (default: a few files of src/family/mavai)

All mutants are compiled into one binary, in a copy of the sources, each behind a number that CONFORM_HARNESS_MUTANT selects: one build in
place of one a mutant. A mutant is noticed if the mutation score of the suites changes, or a case document gets another result.
What is mutated: conditions of `if` and of guards without `let`, `.filter(...)` closures of one expression, and `+ 1`, `- 1`. Prints a table as
Markdown, and exits with 1 if a mutant survives.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "mutate-harness"
DEFAULT = ["counts", "totals", "failures", "delivery", "latency", "cost", "exemplars", "standings", "convergence", "inputs", "whole"]
SWITCH = '''
/// Which mutant is in force.
#[allow(dead_code)]
pub fn mutant(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| std::env::var("CONFORM_HARNESS_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}
'''


class Mutants:
    """The mutants of all files: what each changes, by number from 1."""

    def __init__(self):
        self.changes = []

    def number(self, file, line, change):
        self.changes.append((file, line, change))
        return len(self.changes)

    def instrument(self, file, source):
        """The source with every change behind its number; rule texts and tests are left alone."""
        start = source.index("\nfn ")
        end = source.find("#[cfg(test)]")
        end = len(source) if end < 0 else end
        head, body, tail = source[:start], source[start:end], source[end:]

        def line_of(match):
            return head.count("\n") + body[: match.start()].count("\n") + 1

        def negated(match):
            condition, after = match["condition"], match["after"]
            if condition.rstrip().endswith("=>"):
                condition, after = condition.rstrip().removesuffix("=>").rstrip(), " =>" + after
            if "let " in condition or "crate::mutant" in condition or "\n" in condition:
                return match[0]
            number = self.number(file, line_of(match), f"negate `{condition.strip()}`")
            return f"{match['before']}(crate::mutant({number}) != ({condition})){after}"

        def shifted(match):
            number = self.number(file, line_of(match), f"`{match[0].strip()}` becomes nothing")
            return f" {match['sign']} (if crate::mutant({number}) {{ 0 }} else {{ 1 }})"

        body = re.sub(r" (?P<sign>[+-]) 1(?![\d.\w])", shifted, body)
        body = re.sub(r"(?P<before>\bif )(?P<condition>[^{}]+?)(?P<after> \{)", negated, body)
        body = re.sub(r"(?P<before>\.filter\(\|[^|]*\| )(?P<condition>[^{}()]*(?:\([^{}()]*\)[^{}()]*)*)(?P<after>\))", negated, body)
        return head + body + tail


def build(files, reuse):
    WORK.mkdir(parents=True, exist_ok=True)
    tree = WORK / "source"
    mutants = Mutants()
    binary = WORK / "target" / "debug" / "conform"
    if reuse:
        for file in files:
            if mutants.instrument(file, (ROOT / file).read_text()) != (tree / file).read_text():
                sys.exit(f"{file} has changed since the mutants were built; leave --reuse out")
        return mutants.changes, binary
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    for name in ["Cargo.toml", "Cargo.lock", "build.rs", "src", "schemas", "suites", "emitters", "benches", "tests"]:
        path = ROOT / name
        (shutil.copytree if path.is_dir() else shutil.copy)(path, tree / name)
    for file in files:
        path = tree / file
        path.write_text(mutants.instrument(file, path.read_text()))
    library = tree / "src" / "lib.rs"
    library.write_text(library.read_text() + SWITCH)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "target")}
    subprocess.run(["cargo", "build", "--quiet", "--bin", "conform"], cwd=tree, env=environment, check=True, stderr=sys.stderr)
    return mutants.changes, binary


def observed(binary, number, count):
    """What the mutant makes of the suites' mutants and of the cases, and how it exits."""
    environment = {**os.environ, "CONFORM_HARNESS_MUTANT": str(number), "NO_COLOR": "1"}
    commands = [
        ["check", "tests/fixtures/cases", "--format", "json", "--quiet"],
        ["mutate", "--score", "--suite", "mavai-optimize-1", "--count", str(count)],
    ]
    seen = []
    for command in commands:
        try:
            run = subprocess.run([binary, *command], cwd=ROOT, env=environment, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            return ["time-out"]
        text = re.sub(rb'"(?:duration_?[Mm]s|started)": ?[^,\n]+', b"", run.stdout)
        seen.append((run.returncode, text))
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--reuse", action="store_true", help="run what was built before")
    arguments = parser.parse_args()
    files = arguments.files or [f"src/family/mavai/{name}.rs" for name in DEFAULT]
    changes, binary = build(files, arguments.reuse)
    usual = observed(binary, 0, arguments.count)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda number: observed(binary, number, arguments.count) != usual, range(1, len(changes) + 1)))
    print(f"{sum(results)} of {len(results)} mutants noticed\n")
    print("| file | line | change | |\n|---|---|---|---|")
    for (file, line, change), noticed in zip(changes, results):
        change = change.replace("|", "\\|")
        print(f"| {file} | {line} | {change} | {'noticed' if noticed else '**survived**'} |")
    sys.exit(0 if all(results) else 1)


main()
