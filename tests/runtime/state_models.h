#pragma once
// Models that keep values between runs.

#include <memory>
#include <vector>

#include "tests/runtime/model_builder.h"

namespace micrort::testing {

// What runs leave in `computed` is what the next ones find in `value`, which has just been added as an input.
inline schema::StateT& KeepState(ModelBuilder& b, int computed) {
  b.Output(computed);
  b.graph().states.push_back(std::make_unique<schema::StateT>());
  b.model.schema_version = 5;
  return *b.graph().states.back();
}

// y = -(x + total), and x + total is the next total.
inline ModelBuilder Accumulator(std::vector<int32_t> shape) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, shape);
  const int total = b.Input("total", kF32, shape);
  const int next = b.Tensor("next", kF32, shape);
  const int y = b.Tensor("y", kF32, shape);
  schema::UnaryOptionsT negate;
  negate.kind = schema::UnaryKind::Neg;
  b.Node(schema::BinaryOptionsT(), {x, total}, {next}, "add");
  b.Node(negate, {next}, {y}, "negate");
  b.Output(y);
  KeepState(b, next);
  return b;
}

// The next buffer of the file, with these elements.
template <typename T>
uint32_t AddBuffer(ModelBuilder& b, const std::vector<T>& elements) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(elements.data());
  b.model.buffers.push_back(std::make_unique<schema::BufferT>());
  b.model.buffers.back()->data.assign(bytes, bytes + elements.size() * sizeof(T));
  return static_cast<uint32_t>(b.model.buffers.size()) - 1;
}

}  // namespace micrort::testing
