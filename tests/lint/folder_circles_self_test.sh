#!/usr/bin/env bash
# Does folder_circles.sh find circles, of any length, and nothing else?
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# expect COUNT "FOLDER>FOLDER..." ...: so many pairs in circles, in a tree where each folder includes those behind it.
expect() {
  local count=$1 edge
  shift
  rm -rf "${root:?}"/*
  mkdir -p "$root"/{kernels,runtime,converter}
  for edge in "$@"; do
    mkdir -p "$root/${edge%>*}"
    printf '#include "%s/x.h"\n' "${edge#*>}" >>"$root/${edge%>*}/y.h"
  done
  local found code=0
  "$here/folder_circles.sh" "$root" >"$root/pairs" || code=$?
  found=$(grep -c '^circle: ' "$root/pairs" || true)
  [[ $found == "$count" && $code == $((count > 0)) ]] && return
  echo "folder_circles_self_test: $*: expected $count pairs, found $found" >&2
  exit 1
}

expect 0 'kernels/a>kernels/b' 'kernels/b>kernels/c' 'kernels/a>kernels/c'
expect 1 'kernels/a>kernels/b' 'kernels/b>kernels/a'
expect 3 'runtime/a>runtime/b' 'runtime/b>runtime/c' 'runtime/c>runtime/a'
expect 0 'runtime/a>runtime/a/sub' 'runtime/a/sub>runtime/a' 'runtime/a>runtime/b'
expect 1 'converter/a/sub>converter/b' 'converter/b>converter/a'
expect 1 'converter/passes>converter/ir' 'converter/ir>converter/passes'
