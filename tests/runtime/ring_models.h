#pragma once
// A model whose caches are rings: attention of the last positions.

#include "kernels/attention/cache_rows.h"
#include "tests/runtime/state_models.h"

namespace micrort::testing {

inline constexpr int32_t kRingWindow = 5, kRingRows = 8, kRingWidth = 4, kRingRoom = 50;

// Tensors, and operators by their place.
struct RingIds {
  int x, length, next_length, cache[2], present[2], y;

  static constexpr size_t kAppendKeys = 2, kAppendValues = 3, kAttend = 4;
};

// y: each of `rows` new positions x, of one head, attends to the last kRingWindow ones, which are keys and
// values at once, in rings of `ring_rows` for as many as kRingRoom positions.
inline ModelBuilder AttentionOverRings(RingIds* ids, int32_t rows = 1, DType type = kF32,
                                       int32_t ring_rows = kRingRows) {
  const auto elements = kRingWidth + static_cast<int32_t>(CacheScaleElements(type));
  ModelBuilder b;
  ids->x = b.Input("x", kF32, {1, rows, 1, kRingWidth});
  ids->length = b.Input("length", DType::kInt64, {1});
  for (const int i : {0, 1})
    ids->cache[i] = b.Input(i == 0 ? "keys" : "values", type, {1, ring_rows, 1, elements});
  std::vector<int64_t> all(static_cast<size_t>(kRingRoom - rows));
  const int places = b.Constant<int64_t>("places", {kRingRoom - rows}, all);
  const int zero = b.Constant<int64_t>("zero", {1}, {0}),
            counted = b.Constant<int64_t>("counted", {1}, {rows});
  const int taken = b.Tensor("taken", DType::kInt64, {-1});
  ids->next_length = b.Tensor("next_length", DType::kInt64, {1});
  for (const int i : {0, 1})
    ids->present[i] = b.Tensor(i == 0 ? "all_keys" : "all_values", type, {1, -1, 1, elements});
  ids->y = b.Tensor("y", kF32, {1, rows, 1, kRingWidth});
  b.Node(schema::SliceOptionsT(), {places, zero, ids->length, zero}, {taken}, "take");
  b.Node(schema::BinaryOptionsT(), {ids->length, counted}, {ids->next_length}, "count");
  schema::AppendOptionsT append;
  append.window = kRingWindow;
  for (const int i : {0, 1})
    b.Node(append, {ids->cache[i], ids->length, ids->x, taken}, {ids->present[i]}, "append");
  schema::AttentionOptionsT attend;
  attend.scale = 0.5f;
  attend.causal = true;
  attend.window = kRingWindow;
  b.Node(attend, {ids->x, ids->present[0], ids->present[1], -1, ids->next_length}, {ids->y}, "attend");
  b.Output(ids->y);
  KeepState(b, ids->next_length).kind = schema::StateKind::Length;
  for (const int i : {0, 1}) KeepState(b, ids->present[i]).kind = schema::StateKind::Cache;
  b.model.schema_version = 20;
  return b;
}

}  // namespace micrort::testing
