#!/bin/sh
# Prints a line to standard output after its document.
cat "$(dirname "$0")/document.yaml"
echo "Written in 3 ms."
