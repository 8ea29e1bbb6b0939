#!/usr/bin/env bash
# The GitHub Action's step: inputs are in INPUT_… variables, every input a flag. Ends with conform's own exit code, after the reports,
# the annotations and the step's summary are written.
set -euo pipefail

conform=${CONFORM_BINARY:-$RUNNER_TEMP/conform-target/release/conform}
folder=${INPUT_FOLDER:-conform-reports}
mkdir -p "$folder"

flags=()
value() { # FLAG VALUE
    if [[ -n $2 ]]; then flags+=("$1" "$2"); fi
}
switch() { # FLAG VALUE
    case $2 in
    true) flags+=("$1") ;;
    "" | false) ;;
    *)
        echo "::error title=conform::the input for $1 is neither true nor false"
        exit 2
        ;;
    esac
}
lines() { # FLAG TEXT
    while IFS= read -r line; do
        if [[ -n $line ]]; then flags+=("$1" "$line"); fi
    done <<<"$2"
}
words=()
each() { # TEXT, into words
    words=()
    while IFS= read -r line; do
        if [[ -n $line ]]; then words+=("$line"); fi
    done <<<"$1"
}

value --suite "${INPUT_SUITE:-}"
lines --schema "${INPUT_SCHEMA:-}"
value --schemas "${INPUT_SCHEMAS:-}"
lines --related "${INPUT_RELATED:-}"
switch --strict "${INPUT_STRICT:-}"
value --deny "${INPUT_DENY:-}"
value --test-threads "${INPUT_TEST_THREADS:-}"
value --previous "${INPUT_PREVIOUS:-}"
for report in json=results.json html=report.html sarif=report.sarif junit=junit.xml markdown=summary.md; do
    flags+=(--report "${report%%=*}=$folder/${report#*=}")
done
# Annotations are read off the log.
flags+=(--report github=-)
lines --report "${INPUT_REPORTS:-}"

if [[ -n ${INPUT_EMITTER:-} ]]; then
    value --emitter "$INPUT_EMITTER"
    value --suites "${INPUT_SUITES:-}"
    lines --skip "${INPUT_SKIP:-}"
    switch --exact "${INPUT_EXACT:-}"
    switch --build "${INPUT_BUILD:-}"
    value --expected "${INPUT_EXPECTED:-}"
    switch --score "${INPUT_SCORE:-}"
    if [[ -n ${INPUT_SESSION:-} ]]; then flags+=("--session=$INPUT_SESSION"); fi
    value --certificate "${INPUT_CERTIFICATE:-}"
    value --sign "${INPUT_SIGN:-}"
    value --evidence "${INPUT_EVIDENCE:-}"
    value --timeout "${INPUT_TIMEOUT:-}"
    value --repeat "${INPUT_REPEAT:-}"
    value --shard "${INPUT_SHARD:-}"
    switch --fail-fast "${INPUT_FAIL_FAST:-}"
    each "${INPUT_FILTERS:-}"
    filters=("${words[@]}")
    each "${INPUT_ARGUMENTS:-}"
    command=("$conform" "${flags[@]}" "${filters[@]}" -- "${words[@]}")
else
    each "${INPUT_PATHS:-}"
    if [[ ${#words[@]} -eq 0 ]]; then
        echo "::error title=conform::neither an emitter nor paths are given"
        exit 2
    fi
    command=("$conform" check "${flags[@]}" -- "${words[@]}")
fi

code=0
"${command[@]}" || code=$?
{
    echo "exit-code=$code"
    echo "results=$folder/results.json"
    echo "sarif=$folder/report.sarif"
} >>"${GITHUB_OUTPUT:-/dev/null}"
if [[ -f $folder/summary.md ]]; then
    cat "$folder/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$code"
