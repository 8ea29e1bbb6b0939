#!/bin/sh
# Stops in the middle of a quoted text.
head -c 219 "$(dirname "$0")/document.yaml"
