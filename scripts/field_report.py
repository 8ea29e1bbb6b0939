#!/usr/bin/env python3
"""Runs every released version of the emitters that conform has adapters for, and keeps the tables of docs/field-report.md.

    scripts/field_report.py [--write] [path of conform]      target/release/conform unless a path is given

Without --write it prints the tables and exits with 1 where the page has others. The first run installs five packages and takes
minutes; a version that is installed already is not installed again.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "field-report.md"
BEGIN, END = "<!-- scripts/field_report.py --write puts the tables here -->\n", "<!-- the tables end here -->\n"
RELEASES = [
    ("baseltest", "emitters/baseltest/emitter-session.toml", "BASELTEST_VERSION", ["0.16.1", "0.24.0", "0.27.0"]),
    ("feotest", "emitters/feotest", "FEOTEST_VERSION", ["0.3.1", "0.5.0"]),
]


def main(arguments):
    write = "--write" in arguments
    conform = next((argument for argument in arguments if not argument.startswith("--")), "target/release/conform")
    columns = [
        (f"{name} {version}", results(conform, manifest, {variable: version}))
        for name, manifest, variable, versions in RELEASES
        for version in versions
    ]
    new = tables(columns)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    if write:
        PAGE.write_text(before + BEGIN + new + END + after, encoding="utf-8")
        return 0
    print(new)
    if old != new:
        print(f"{PAGE.relative_to(ROOT)} has other tables; --write puts these in", file=sys.stderr)
        return 1
    return 0


def results(conform, manifest, version):
    """What each scenario came to in one release."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "results.json"
        command = [conform, "--build", "--emitter", manifest, "--quiet", "--report", f"json={report}"]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **version}, stdout=subprocess.DEVNULL)
        # 1: something failed; 3: something is unsupported.
        if ended.returncode not in (0, 1, 3):
            sys.exit(f"{manifest} {version}: conform ended with {ended.returncode}")
        return json.loads(report.read_text(encoding="utf-8"))["results"]


def tables(columns):
    suites = ordered(result["suite"] for _, own in columns for result in own)
    rows = [[f"`{suite}`", *(came_to(own, suite) for _, own in columns)] for suite in suites]
    text = table(["scenarios: passed / failed / unsupported", *(name for name, _ in columns)], rows)
    broken = ordered(
        (result["suite"], finding["severity"], finding["obligation"])
        for suite in suites
        for severity in ("error", "warning")
        for _, own in columns
        for result in own
        for finding in result["findings"]
        if result["suite"] == suite and finding["severity"] == severity
    )
    rows = [
        [
            f"`{suite}`",
            f"`{obligation}`" + (" (warning)" if severity == "warning" else ""),
            *(scenarios(own, suite, severity, obligation) for _, own in columns),
        ]
        for suite, severity, obligation in broken
    ]
    return text + "\nScenarios in which an obligation is broken:\n\n" + table(["suite", "obligation", *(name for name, _ in columns)], rows)


def came_to(own, suite):
    verdicts = [result["verdict"] for result in own if result["suite"] == suite]
    if not verdicts:
        return "not written"
    return " / ".join(str(verdicts.count(verdict)) for verdict in ("pass", "fail", "unsupported"))


def scenarios(own, suite, severity, obligation):
    wanted = (severity, obligation)
    of_suite = [result for result in own if result["suite"] == suite]
    count = sum(any((f["severity"], f["obligation"]) == wanted for f in result["findings"]) for result in of_suite)
    return str(count) if count else "–" if of_suite else "·"


def ordered(items):
    return list(dict.fromkeys(items))


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
