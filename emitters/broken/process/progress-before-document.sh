#!/bin/sh
# Prints progress to standard output before its document.
echo "sample 1 of 1: ok"
echo "done."
cat "$(dirname "$0")/document.yaml"
