#!/bin/sh
# Emits white space.
printf "\n   \n"
