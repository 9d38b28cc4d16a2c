#pragma once
// Scaled dot-product attention of floats: softmax(scale * q * k^T + mask) * v for every head.
//
// Blocks of queries are finished one after the other, so that the scores of a few rows are all that exists of
// the [queries, keys] matrix at any time.

#include <cstddef>
#include <cstdint>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/dtype.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"

namespace micrort {

// Where the rows of a tensor [batch][heads][rows] lie, in elements; a row itself is contiguous.
struct AttentionStrides {
  int64_t batch, head, row;
};

// What is decided before it runs.
struct AttentionPlan {
  KernelId key_kernel = KernelId::none;    // of the product with the keys, of GEMM
  KernelId value_kernel = KernelId::none;  // and with the values
  KernelId softmax = KernelId::none;
  KernelId few = KernelId::none;  // of a few queries (kernels/attention/attend_few.h), in place of the others
  int32_t depth_block = 0;        // that is summed up at a time
  int32_t query_rows = 0;         // of a task
};

// All sizes may be 0 except depth and head counts; key_heads divides heads.
struct AttentionParams {
  int64_t batch, heads, key_heads;
  int64_t queries, keys;
  int64_t depth, value_depth;  // of a row of q and k; of v and y
  float scale;
  DType rows;      // of keys and values: float32, or of a cache (cache_rows.h)
  bool causal;     // the queries are the last of the keys' positions, and see none behind their own
  bool ring;       // of keys and values: AttentionTensors::positions says what lies where; only with a window
  int64_t window;  // 0, or how many positions a query sees at most, its own among them; causal, and no mask
  float softcap;   // scores become softcap * tanh(score / softcap), before the mask; 0: they do not
  bool sinks;      // AttentionTensors::sinks is there
  AttentionStrides q, k, v, y;
  AttentionStrides mask;  // 0 where the mask is the same for all; rows of `keys` elements
  CpuFeatures features;
  int workers;
  AttentionPlan plan;
};

struct AttentionTensors {
  const float* q;
  const void *k, *v;  // of AttentionParams::rows
  const float* mask;  // added to the scores; null: none
  float* y;
  // For a ring: as many positions have been there, `keys` at least, of which the last `keys` remain: p in row
  // p % keys. Where there are more, queries + window - 1 is `keys` at most.
  int64_t positions = 0;
  // [heads]: a score that takes part in each softmax of the head, and has no value. null: none.
  const float* sinks = nullptr;
};

// How many of the keys some query sees: the last ones.
constexpr int64_t SeenKeys(const AttentionParams& p) {
  if (!kHasRings || p.window == 0 || p.keys - p.queries < p.window) return p.keys;
  return p.queries + p.window - 1;
}

// Makes the plan of parameters that are complete but for it.
void PlanAttention(AttentionParams* p);
const char* AttentionName(const AttentionParams& p);  // static storage
// kTooManyBytes: there is no such block.
size_t AttentionScratchBytes(const AttentionParams& p);
// scratch: aligned to 64 bytes. parallel.workers() <= p.workers. The result does not depend on the number of
// workers.
void Attention(const AttentionParams& p, const AttentionTensors& tensors, void* scratch,
               const Parallel& parallel);

}  // namespace micrort
