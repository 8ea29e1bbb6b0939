#!/usr/bin/env bash
# Renders the HTML report of the fixture and looks at it in headless Chromium: no script runs, nothing is loaded, contrast, filters,
# light, dark, narrow and print. Installs Chromium where it can; says so and succeeds where it cannot.
#
# usage: scripts/report-in-browser.sh [CONFORM] [FOLDER]     (target/debug/conform, target/report-in-browser)
set -euo pipefail
cd "$(dirname "$0")/.."
conform=${1:-target/debug/conform}
folder=${2:-target/report-in-browser}

if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    if ! { command -v apt-get && apt-get update -qq && apt-get install -y -qq chromium chromium-driver; } >/dev/null 2>&1; then
        echo "skipped: Chromium is not here and cannot be installed; the page was not looked at in a browser"
        exit 0
    fi
fi

mkdir -p "$folder"
fixture=tests/fixtures/report
"$conform" report $fixture/results.json --previous $fixture/previous.json --as "html=$folder/report.html"
python3 scripts/many_results.py $fixture/results.json 5000 >"$folder/many.json"
"$conform" report "$folder/many.json" --as "html=$folder/many.html"
python3 scripts/report_in_browser.py "$folder/report.html" "$folder/many.html" --screenshots "$folder"
