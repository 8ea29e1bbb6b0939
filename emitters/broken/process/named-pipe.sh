#!/bin/sh
# Emits a named pipe, which whoever reads it would wait on for ever.
mkfifo "$CONFORM_OUT/run.yaml"
