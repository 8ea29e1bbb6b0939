#!/bin/sh
# Dies by SIGSEGV halfway through its document.
head -n 12 "$(dirname "$0")/document.yaml"
kill -SEGV $$
