#!/bin/sh
# Writes two documents to one stream.
cat "$(dirname "$0")/document.yaml"
echo "---"
cat "$(dirname "$0")/document.yaml"
