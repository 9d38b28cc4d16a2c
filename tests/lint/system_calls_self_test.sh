#!/usr/bin/env bash
# Does system_calls.sh find each kind of line, and nothing else?
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# expect pass|fail FILE LINE: a tree with just this file and this line.
expect() {
  rm -rf "${root:?}"/*
  mkdir -p "$root/$(dirname "$2")"
  printf '#pragma once\n%s\n' "$3" >"$root/$2"
  local found=pass
  "$here/system_calls.sh" "$root" >"$root/output" 2>/dev/null || found=fail
  if [[ $found != "$1" ]] || { [[ $1 == fail ]] && ! grep -q "^$2:2:" "$root/output"; }; then
    echo "system_calls_self_test: $2 with $3: expected $1, found $found" >&2
    exit 1
  fi
}

expect fail kernels/gemm/gemm.cpp '#include <unistd.h>'
expect fail runtime/model/model.cpp '#include <sys/mman.h>'
expect fail tools/run/main.cpp '#  include <windows.h>'
expect fail sealed/key_file.cpp '#if defined(_WIN32)'
expect fail runtime/ops/op.h '#elif defined(__linux__) && MICRORT_HEAP'
expect fail tools/bench/main.cpp '  clock_gettime(CLOCK_MONOTONIC, &now);'
expect fail converter/observe/progress.cpp '#include <unistd.h>'
expect fail converter/frontend/onnx/external_file.cpp '    const ssize_t n = pread(file_, out, bytes, offset);'
expect pass converter/aot/source_text.cpp '#if defined(__APPLE__)'
expect pass tools/bench/main.cpp '#include <ctime>'
expect pass tools/bench/main.cpp '  // as clock_gettime() does'
expect pass tools/bench/main.cpp '#include "tools/io/platform/process.h"'
expect pass kernels/base/platform/clock.h '#include <sys/time.h>'
expect pass tools/io/platform/files_windows.cpp '#if defined(_WIN32)'
expect pass kernels/base/cpu_features.cpp '#if defined(__aarch64__)'
expect pass serve/server/server.cpp '#include <unistd.h>'
