#!/bin/sh
# Conform's emitter protocol in a shell script, for a framework that is a program of its own.
#
#   standard input       the scenario, one JSON object; it is also in the file $CONFORM_SCENARIO_FILE
#   $CONFORM_SUITE       the suite, for example mavai-optimize-1
#   $CONFORM_SCENARIO    the scenario's name
#   $CONFORM_OUT         an empty folder: files written there are the documents; with none there, standard output is the document
#   standard error       free text, shown where the scenario fails
#   exit code            0: emitted; 77: not supported, and the first line of standard error says why; any other: failed
#
# A shell is no place to read JSON or to compute a document. This script decides what is supported and hands the rest over.
set -eu
here=$(dirname -- "$0")

unsupported() {
    echo "$1" >&2
    exit 77
}

case $CONFORM_SUITE/$CONFORM_SCENARIO in
mavai-optimize-1/one-sample) ;;
*) unsupported "the stand-in program knows the scenario one-sample only" ;;
esac

# Your framework goes here: a program that lives through the scenario in "$CONFORM_SCENARIO_FILE" and writes its document.
exec sh "$here/stand-in.sh" "$CONFORM_SCENARIO_FILE"
