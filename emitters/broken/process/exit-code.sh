#!/bin/sh
# Writes its whole document, then exits with 1.
cat "$(dirname "$0")/document.yaml"
echo "cannot write the index" >&2
exit 1
