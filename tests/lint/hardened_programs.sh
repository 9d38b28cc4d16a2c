#!/usr/bin/env bash
# hardened_programs.sh PROGRAM...: do they have read-only relocations, no executable stack, stack protectors and checked buffers; and
# those that are not static, are they position-independent, with all symbols bound at the start? Environment: READELF.
set -euo pipefail

expect() { # PROGRAM WHAT PATTERN TEXT
  grep -qE -- "$3" <<<"$4" || { echo "hardened_programs: error: $1: expected $2" >&2; exit 1; }
}

for program in "$@"; do
  segments=$("$READELF" -lW "$program")
  symbols=$("$READELF" -sW "$program")
  expect "$program" "read-only relocations" 'GNU_RELRO' "$segments"
  expect "$program" "a stack that is not executable" 'GNU_STACK .* RW +0x' "$segments"
  expect "$program" "stack protectors" '__stack_chk_fail' "$symbols"
  expect "$program" "checked buffers (_FORTIFY_SOURCE)" '__[a-z]*printf_chk' "$symbols"
  grep -q 'INTERP' <<<"$segments" || continue
  expect "$program" "position-independent code" 'Type: *DYN' "$("$READELF" -hW "$program")"
  expect "$program" "all symbols to be bound at the start" 'BIND_NOW' "$("$READELF" -dW "$program")"
done
