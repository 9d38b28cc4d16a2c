#pragma once
// Options of operators that several tests take.

#include "schema/micrort_generated.h"

namespace micrort::testing::simple_options {

inline schema::BinaryOptionsT Binary(schema::BinaryKind kind) {
  schema::BinaryOptionsT options;
  options.kind = kind;
  return options;
}

// The second factor lies as [columns, rows].
inline schema::MatMulOptionsT Transposed() {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  return options;
}

// Windows of two elements of a row, next to each other.
inline schema::Pool2DOptionsT Pairs(schema::PoolKind kind) {
  schema::Pool2DOptionsT options;
  options.kind = kind;
  options.kernel_w = options.stride_w = 2;
  return options;
}

}  // namespace micrort::testing::simple_options
