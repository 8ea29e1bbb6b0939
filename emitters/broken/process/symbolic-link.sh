#!/bin/sh
# Emits a link to its document.
cp "$(dirname "$0")/document.yaml" run.yaml
ln -s "$PWD/run.yaml" "$CONFORM_OUT/run.yaml"
