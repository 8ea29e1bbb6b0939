#!/bin/sh
# Ignores SIGTERM and waits for a child that does the same and never ends.
trap "" TERM INT HUP
(
    trap "" TERM INT HUP
    while :; do sleep 3600; done
) &
wait
