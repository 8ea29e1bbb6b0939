#!/bin/sh
# Writes to one file for ever.
exec yes "schemaVersion: mavai-optimize-1" > "$CONFORM_OUT/run.yaml"
