#!/usr/bin/env bash
# Does include_arrows.sh find each kind of violation, and nothing else?
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# expect pass|fail FILE INCLUDE: a tree with just this file and this line.
expect() {
  rm -rf "${root:?}"/*
  mkdir -p "$root/$(dirname "$2")"
  printf '#pragma once\n#include %s\n' "$3" >"$root/$2"
  local found=pass
  "$here/include_arrows.sh" "$root" >"$root/output" || found=fail
  if [[ $found != "$1" ]] || { [[ $1 == fail ]] && ! grep -q "^$2:2: " "$root/output"; }; then
    echo "include_arrows_self_test: $2 with #include $3: expected $1, found $found" >&2
    exit 1
  fi
}

expect pass kernels/gemm/gemm.cpp '"kernels/base/span.h"'
expect pass kernels/gemm/gemm.cpp '<vector>'
expect fail kernels/gemm/gemm.cpp '"runtime/ops/op.h"'
expect fail kernels/gemm/gemm.inc '"schema/micrort_generated.h"'
expect fail kernels/gemm/gemm.h '"micrort/model.h"'
expect fail kernels/gemm/gemm.h '"x86/avx2/vec8_avx2.h"'
expect pass x86/avx2/gemm.cpp '"kernels/gemm/gemm.h"'
expect pass x86/avx2/gemm.cpp '<immintrin.h>'
expect fail x86/avx2/gemm.cpp '<algorithm>'
expect fail x86/avx2/gemm.cpp '"runtime/ops/op.h"'
expect fail arm/neon/gemm.cpp '"x86/avx2/vec8_avx2.h"'
expect fail wasm/simd128/gemm.cpp '"x86/sse41/vec8_sse41.h"'
expect pass wasm/simd128/gemm.cpp '<wasm_simd128.h>'
expect pass runtime/ops/conv2d.cpp '"schema/micrort_generated.h"'
expect fail runtime/ops/conv2d.cpp '"converter/ir/graph.h"'
expect fail runtime/ops/conv2d.cpp '"tools/io/file.h"'
expect fail runtime/ops/conv2d.cpp '"arm/neon/vec8_neon.h"'
expect fail runtime/ops/conv2d.cpp '"kernels/reference/conv2d.h"'
expect pass tests/kernels/conv2d_test.cpp '"kernels/reference/conv2d.h"'
expect fail runtime/include/micrort/model.h '"runtime/model/model_impl.h"'
expect fail runtime/include/micrort/model.h '"kernels/gemm/gemm.h"'
expect pass runtime/include/micrort/model.h '"kernels/base/status.h"'
expect pass converter/main.cpp '"tools/io/file.h"'
expect fail converter/main.cpp '"tools/bench/report.h"'
expect pass converter/lower/boxes.cpp '"converter/ir/dims.h"'
expect fail converter/lower/boxes.cpp '"converter/frontend/common/axes.h"'
expect pass converter/frontend/tflite/ops/pad.cpp '"converter/lower/arrays.h"'
expect fail converter/frontend/tflite/ops/pad.cpp '"converter/frontend/onnx/registry.h"'
expect fail converter/frontend/tensorflow/ops/pad.cpp '"converter/frontend/onnx/registry.h"'
expect fail converter/frontend/torchscript/ops/pad.cpp '"converter/frontend/onnx/registry.h"'
expect fail converter/frontend/common/sizes.cpp '"converter/frontend/onnx/registry.h"'
expect fail tools/io/file.cpp '"converter/ir/graph.h"'
expect pass examples/a/main.cpp '<micrort/micrort.h>'
expect pass examples/a/main.cpp '"stb/stb_image.h"'
expect fail examples/a/main.cpp '"kernels/base/half.h"'
expect fail examples/a/main.cpp '<tools/io/file.h>'
expect fail examples/a/main.cpp '"../../runtime/ops/op.h"'
