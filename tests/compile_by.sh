#!/usr/bin/env bash
# compile_by.sh [--plain] COMPILER [OPTION...] -- COMMAND ARGUMENT...: calls this compiler, with its options, in place of the command. CMake's
# launchers call it: they are for single targets, while a compiler is for all. --plain: without sanitizers, lines for debuggers and all but the
# last of several levels of optimization, so that the command is the one of a build that has none of them.
set -euo pipefail
plain=
if [[ $1 == --plain ]]; then
  plain=1
  shift
fi
compiler=()
while [[ $1 != -- ]]; do
  compiler+=("$1")
  shift
done
shift 2
if [[ ${compiler[*]} == *clang* ]]; then  # which has no such parameters
  arguments=()
  while (($#)); do
    if [[ $1 == --param ]]; then shift 2; continue; fi
    arguments+=("$1")
    shift
  done
  set -- "${arguments[@]}"
fi
if [[ $plain ]]; then
  arguments=() level=
  for argument; do
    case $argument in
      -O*) level=$argument ;;
      -g* | -f*sanitize* | -fno-omit-frame-pointer) ;;
      *) arguments+=("$argument") ;;
    esac
  done
  set -- "${arguments[@]}" $level
fi
# A header that is precompiled again would take what it was before for a part of it.
if [[ " $* " == *" -x c++-header "* && " $* " =~ \ -o\ ([^ ]+\.gch)\  ]]; then rm -f "${BASH_REMATCH[1]}"; fi
exec "${compiler[@]}" "$@"
