#!/bin/sh
# Writes to standard error for ever.
exec yes "still trying" >&2
