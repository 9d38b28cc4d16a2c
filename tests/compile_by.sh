#!/usr/bin/env bash
# compile_by.sh COMPILER [OPTION...] -- COMMAND ARGUMENT...: calls this compiler, with its options, in place of the command. CMake's
# launchers call it: they are for single targets, while a compiler is for all.
set -euo pipefail
compiler=()
while [[ $1 != -- ]]; do
  compiler+=("$1")
  shift
done
shift 2
# A header that is precompiled again would take what it was before for a part of it.
if [[ " $* " == *" -x c++-header "* && " $* " =~ \ -o\ ([^ ]+\.gch)\  ]]; then rm -f "${BASH_REMATCH[1]}"; fi
exec "${compiler[@]}" "$@"
