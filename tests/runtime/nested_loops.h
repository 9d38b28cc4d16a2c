#pragma once
// Models whose loops, inside each other, have constant trip counts and one addition in the innermost body.

#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {

// sum = 1, then `trips[0]` times (`trips[1]` times (... sum = sum + iteration)).
inline ModelBuilder NestedLoops(const std::vector<int64_t>& trips) {
  ModelBuilder b;
  int value = b.Constant<int64_t>("start", {}, {1});
  for (size_t level = 0; level < trips.size(); ++level) {
    const int count = b.Constant<int64_t>("trips", {}, {trips[level]});
    const int result = b.Tensor("result", DType::kInt64, {});
    const uint32_t body = b.AddGraph("body" + std::to_string(level));
    b.Node(LoopOf(body, 1, false), {count, -1, value}, {result}, "loop" + std::to_string(level));
    b.Output(result);
    b.Use(body);
    b.Input("iteration", DType::kInt64, {});
    b.Input("condition", DType::kBool, {});
    value = b.Input("before", DType::kInt64, {});
  }
  const int after = b.Tensor("after", DType::kInt64, {});
  b.Node(BinaryOf(schema::BinaryKind::Add), {value, b.graph().inputs[0]}, {after}, "add");
  b.Output(after);
  b.Use(0);
  return b;
}

}  // namespace micrort::testing
