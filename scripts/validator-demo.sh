#!/usr/bin/env bash
# What conform says of a plain schema validator: refuses what breaks the schema, and accepts what only breaks an obligation.
# Installs `jsonschema` into a virtual environment of its own (or uses the one that is there), so that nothing else changes.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=${CONFORM_DEMO_VENV:-target/validator-demo}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet 'jsonschema[format]>=4.20,<5'
fi
conform=${CONFORM:-"cargo run --release --quiet --"}
validator="$venv/bin/python tests/fixtures/validators/jsonschema_validate.py schemas/mavai-optimize-1.schema.json"

echo "== structural mutants: a schema validator refuses them all"
$conform --validator "$validator" --suite mavai-optimize-1 --structural --mutants 1 --quiet

echo "== all mutants: it accepts what no schema can state (exit code 1 is the expected answer)"
code=0
$conform --validator "$validator" --suite mavai-optimize-1 --mutants 1 "$@" || code=$?
[ "$code" -eq 1 ]
