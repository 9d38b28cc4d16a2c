#!/usr/bin/env bash
# vector_moves.sh OBJDUMP FILE...: no instruction of a program for Windows may ask for memory that is aligned to 32 or 64 bytes, for GCC
# aligns the stack there to 16 alone (its bug 54412). Moves of these widths take any address; so do all others of AVX but the
# streaming ones, of which there are none.
set -euo pipefail
objdump=$1
shift
status=0
for file in "$@"; do
  # Every program has some wide moves: else this would look at nothing.
  "$objdump" -d --no-show-raw-insn "$file" >"${TMPDIR:-/tmp}/vector-moves-$$"
  found=$(grep -E '\bv(mov(aps|apd|dqa|dqa32|dqa64)|movnt[a-z]*)[[:space:]].*%[yz]mm.*\(|\bv(mov(aps|apd|dqa|dqa32|dqa64)|movnt[a-z]*)[[:space:]].*\(.*%[yz]mm' \
    "${TMPDIR:-/tmp}/vector-moves-$$" | head -n 5 || true)
  wide=$(grep -cE '\bvmov(ups|upd|dqu)[0-9]*[[:space:]].*%[yz]mm' "${TMPDIR:-/tmp}/vector-moves-$$" || true)
  rm -f "${TMPDIR:-/tmp}/vector-moves-$$"
  if [[ -n $found || $wide -eq 0 ]]; then
    echo "vector_moves: $file: ${found:-no wide moves at all}" >&2
    status=1
  fi
done
exit "$status"
