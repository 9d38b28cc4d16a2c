#!/usr/bin/env bash
# usage: compare.sh PROGRAM PAGE: fails unless the page is what the program prints.
set -euo pipefail
"$1" | diff -u "$2" - || { echo "$2 is out of date: run ./dev docs" >&2; exit 1; }
