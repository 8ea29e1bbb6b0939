#!/bin/sh
# Emits 1,001 empty files.
i=0
while [ "$i" -le 1000 ]; do
    : > "$CONFORM_OUT/$i.yaml"
    i=$((i + 1))
done
