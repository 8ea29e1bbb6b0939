#!/bin/sh
# Writes its whole document and never exits.
cat "$(dirname "$0")/document.yaml"
exec sleep 3600
