#!/bin/sh
# Emits bytes that are no UTF-8.
printf "schemaVersion: \377\376\n"
