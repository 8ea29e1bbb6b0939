#!/bin/sh
# Runs the released emitters that conform has adapters for over the suites, and fails if one of their known faults is gone or
# a new one is there (emitters/*/expected.toml), or if a scenario is no longer supported that was.
#
#     scripts/real-emitters.sh [path of conform]      target/release/conform, which is built, unless a path is given
#
# The adapters are installed from the package registries. Where those cannot be reached, nothing is run, which is said.
set -eu
cd "$(dirname -- "$0")/.."

conform=${1:-}
if [ -z "$conform" ]; then
    cargo build --quiet --release --locked
    conform=target/release/conform
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

baseltest=${BASELTEST_VERSION:-0.27.0}
if [ ! -e "${BASELTEST_ENVIRONMENTS:-emitters/baseltest/.environments}/$baseltest/complete" ] &&
    ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$results" "baseltest==$baseltest"; then
    echo "skipped: the Python package registry cannot be reached, or has no baseltest $baseltest" >&2
    exit 0
fi
if ! cargo fetch --quiet --locked --manifest-path emitters/feotest/Cargo.toml; then
    echo "skipped: the crate registry cannot be reached" >&2
    exit 0
fi

failed=0

# judge NAME MANIFEST UNSUPPORTED: runs one emitter, of whose scenarios so many are known to be unsupported.
judge() {
    echo "== $1" >&2
    status=0
    "$conform" --build --emitter "$2" --deny warnings --quiet \
        --expected "emitters/$1/expected.toml" --report "json=$results/$1.json" || status=$?
    # 3: nothing failed, but there are scenarios that the emitter does not support.
    case $status in
    0 | 3) ;;
    *)
        failed=1
        return
        ;;
    esac
    unsupported=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["summary"]["unsupported"])' "$results/$1.json")
    if [ "$unsupported" != "$3" ]; then
        echo "$1: $unsupported scenarios are unsupported, where $3 were expected" >&2
        failed=1
    fi
}

judge baseltest emitters/baseltest/emitter-session.toml 7
judge feotest emitters/feotest 35
exit $failed
