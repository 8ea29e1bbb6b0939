#!/bin/sh
# Writes to standard output for ever.
exec yes "schemaVersion: mavai-optimize-1"
