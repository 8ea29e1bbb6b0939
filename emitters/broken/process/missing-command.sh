#!/bin/sh
# Is a script whose command is not installed.
exec no-such-emitter-is-installed
