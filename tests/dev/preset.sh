#!/usr/bin/env bash
# preset.sh CMAKE CTEST ROOT PRESET: the preset is configured, and CTest reads its tests. Exit code 77 (skipped) without clang.
set -euo pipefail
cmake=$1 ctest=$2 root=$3 preset=$4
command -v clang++ >/dev/null || { echo "no clang" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
"$cmake" --preset "$preset" -B "$folder" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"$ctest" --test-dir "$folder" -N >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
# A program that is not built yet has one entry.
grep -q 'runtime_tests_NOT_BUILT' "$folder/log" || { cat "$folder/log" >&2; exit 1; }
