#!/usr/bin/env bash
# fuzz_names.sh ROOT: each harness has a program that ./dev fuzz runs by its name, every night, too.
set -euo pipefail
cd "$1"
expected=$(sed -n '/^extern const Harness/,/;/p' tests/fuzz/harness.h | grep -o 'k[A-Z][A-Za-z0-9]*' | cut -c 2- | sort)
found=$(cut -d ' ' -f 1 tests/fuzz/harnesses.txt | sort)
[[ $expected == "$found" ]] || { echo "tests/fuzz/harness.h and tests/fuzz/harnesses.txt differ:"; diff <(echo "$expected") <(echo "$found"); exit 1; }
nightly=$(sed -n 's/^ *harness: \[\(.*\)\]$/\1/p' .github/workflows/fuzz.yml | tr -d ' ' | tr , '\n' | sort)
[[ $nightly == "$(tr '[:upper:]' '[:lower:]' <<<"$found" | sort)" ]] || { echo "tests/fuzz/harnesses.txt and .github/workflows/fuzz.yml differ"; exit 1; }
