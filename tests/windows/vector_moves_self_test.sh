#!/usr/bin/env bash
# vector_moves_self_test.sh AS OBJDUMP: does vector_moves.sh find each kind of move, and none that the assembler's option has turned?
set -euo pipefail
as=$1 objdump=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect pass|fail INSTRUCTION [option]: an object with this instruction, and a move that takes any address.
expect() {
  printf 'f:\n  vmovups (%%rax), %%ymm1\n  %s\n  ret\n' "$2" >"$folder/code.s"
  "$as" "${@:3}" "$folder/code.s" -o "$folder/code.obj"
  local found=pass
  "$here/vector_moves.sh" "$objdump" "$folder/code.obj" 2>"$folder/message" || found=fail
  [[ $found == "$1" ]] || { echo "vector_moves_self_test: $2 ${*:3}: expected $1, found $found" >&2; exit 1; }
}

turned=-muse-unaligned-vector-move
for move in 'vmovaps (%rsp), %ymm0' 'vmovdqa %ymm3, 32(%rsp)' 'vmovdqa64 %zmm0, 64(%rsp)' 'vmovapd (%rsp,%rax,8), %zmm20'; do
  expect fail "$move"
  expect pass "$move" "$turned"
done
expect fail 'vmovntps %ymm1, (%rcx)' "$turned"
expect pass 'vmovaps (%rsp), %xmm0'
expect pass 'vmovaps %ymm1, %ymm2'
expect pass 'vaddps (%rsp), %ymm1, %ymm2'
