#!/usr/bin/env bash
# concerned_tests.sh ROOT: which tests ./dev check runs for which files.
set -euo pipefail
source "$1/tests/dev/test.sh"

expect() {
  local told
  told=$(concerned_tests)
  [[ $told == "$1" ]] || { echo "expected $1, found $told" >&2; exit 1; }
}

expect '^(lint|serve)' <<<serve/http/server.cpp
expect '^(lint|serve|docs)' <<<$'serve/http/server.cpp\ndocs/serving.md'
expect '^(lint|kernels|runtime|offline|aot)' <<<x86/avx2/gemm_f32_avx2.cpp
expect '^(lint|kernels|runtime|offline|aot)' <<<wasm/simd128/gemm_f32_simd128.cpp
expect '^(lint|converter)' <<<tests/converter/onnx_softmax_test.cpp
expect '^(lint|.*)' <<<CMakeLists.txt
expect '^(lint|.*)' <<<tests/refusal.h
expect '^(lint|.*)' <<<''
