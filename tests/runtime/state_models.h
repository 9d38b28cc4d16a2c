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

inline constexpr int32_t kCacheRows = 4;

// Tensors of SumOfRows.
struct CacheIds {
  int x, length, cache, next_length, present, y;
};

// y: the sum of all rows x so far, of two numbers each, in a cache of `type` with room for kCacheRows of
// them; each run counts as `counted_rows`.
inline ModelBuilder SumOfRows(CacheIds* ids, int64_t counted_rows = 1, DType type = kF32) {
  const bool is_narrow = type != kF32;
  const int32_t elements = type == DType::kInt8 ? 2 + static_cast<int32_t>(sizeof(float)) : 2;
  ModelBuilder b;
  ids->x = b.Input("x", kF32, {1, 1, 2});
  ids->length = b.Input("length", DType::kInt64, {1});
  ids->cache = b.Input("cache", type, {1, kCacheRows, elements});
  const int places = b.Constant<int64_t>("places", {kCacheRows - 1}, {0, 1, 2});
  const int zero = b.Constant<int64_t>("zero", {1}, {0});
  const int counted = b.Constant<int64_t>("counted", {1}, {counted_rows});
  const int taken = b.Tensor("taken", DType::kInt64, {-1});
  ids->next_length = b.Tensor("next_length", DType::kInt64, {1});
  ids->present = b.Tensor("present", type, {1, -1, elements});
  ids->y = b.Tensor("y", kF32, {1, 2});
  b.Node(schema::SliceOptionsT(), {places, zero, ids->length, zero}, {taken}, "take");
  b.Node(schema::BinaryOptionsT(), {ids->length, counted}, {ids->next_length}, "count");
  b.Node(schema::AppendOptionsT(), {ids->cache, ids->length, ids->x, taken}, {ids->present}, "append");
  const int floats = is_narrow ? b.Tensor("floats", kF32, {1, -1, 2}) : ids->present;
  if (is_narrow) b.Node(schema::ReadCacheOptionsT(), {ids->present}, {floats}, "read");
  schema::ReduceOptionsT sum;
  sum.axes = {1};
  sum.keep_dims = false;
  b.Node(sum, {floats}, {ids->y}, "sum");
  b.Output(ids->y);
  KeepState(b, ids->next_length).kind = schema::StateKind::Length;
  KeepState(b, ids->present).kind = schema::StateKind::Cache;
  b.model.schema_version = is_narrow ? 19 : 18;
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
