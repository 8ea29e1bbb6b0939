#!/bin/sh
# Emits a web page.
echo "<!DOCTYPE html><html><body>502: Bad Gateway</body></html>"
