#!/bin/sh
# Runs the released emitters that conform has adapters for over the suites, and fails if one of their known faults is gone or
# a new one is there (emitters/*/expected.toml), or if other scenarios are unsupported than before.
#
#     scripts/real-emitters.sh [path of conform]      target/release/conform, which is built, unless a path is given
#
# Needs Python 3.11 or later with venv, and cargo. The packages come from the registries. Where that of Python cannot be reached, its
# emitter is not run, which is said.
set -eu
cd "$(dirname -- "$0")/.."

conform=${1:-}
if [ -z "$conform" ]; then
    cargo build --quiet --release --locked
    conform=target/release/conform
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# judge NAME MANIFEST UNSUPPORTED: runs one emitter, of whose scenarios so many are known to be unsupported.
judge() {
    echo "== $1"
    begun=$(date +%s)
    status=0
    "$conform" --emitter "$2" --deny warnings --quiet \
        --expected "emitters/$1/expected.toml" --report "json=$work/$1.json" || status=$?
    # 3: nothing failed, but there are scenarios that the emitter does not support.
    case $status in
    0 | 3) ;;
    *)
        failed=1
        return
        ;;
    esac
    unsupported=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["summary"]["unsupported"])' "$work/$1.json")
    if [ "$unsupported" != "$3" ]; then
        echo "$1: $unsupported scenarios are unsupported, where $3 were expected" >&2
        failed=1
    fi
    echo "$1: as expected, after $(($(date +%s) - begun)) s"
}

if python3 emitters/baseltest/build.py >"$work/build" 2>&1; then
    judge baseltest emitters/baseltest/emitter-session.toml 23
else
    cat "$work/build" >&2
    # What pip says of an index that it does not get at.
    if grep -q 'from versions: none' "$work/build"; then
        echo "SKIPPED baseltest: the registry of Python packages cannot be reached" >&2
    else
        failed=1
    fi
fi
if emitters/feotest/build; then
    judge feotest emitters/feotest 42
else
    failed=1
fi
exit $failed
