#pragma once
// y = x * x, of enough elements for several threads.

#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {

constexpr size_t kSquares = 1 << 18;

inline ModelBuilder Squares() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {static_cast<int32_t>(kSquares)});
  const int y = b.Tensor("y", DType::kFloat32, {static_cast<int32_t>(kSquares)});
  b.Node(BinaryOf(schema::BinaryKind::Mul), {x, x}, {y});
  b.Output(y);
  return b;
}

}  // namespace micrort::testing
