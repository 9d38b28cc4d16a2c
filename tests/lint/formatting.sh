#!/usr/bin/env bash
# formatting.sh ROOT CLANG_FORMAT: is every tracked C++ file as clang-format writes it? Exit code 77 (skipped) outside
# a git checkout.
set -euo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 77
git ls-files -z '*.h' '*.cpp' '*.c' | xargs -0 "$2" --dry-run -Werror
