#pragma once
// Causal attention of a few queries, as of a decoder that makes one token after the other: keys and values
// are read where they lie, once for all heads that share them, with the softmax carried from block to block
// (online). Nothing is packed, and no row of scores is as long as the keys are many.

#include "kernels/attention/attention.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int64_t kAttendFewRows = 16;   // queries that share keys, at most
constexpr int64_t kAttendFewBlock = 64;  // keys, which stay in the first-level cache for all rows

// All queries of the heads that share head `key_head` of keys.
using AttendFewFn = void (*)(const AttentionParams& p, const AttentionTensors& t, int64_t batch,
                             int64_t key_head);

// The same over rows of a cache that are no floats (cache_rows.h), which `block` is for: floats of
// AttendFewBlockFloats(p).
using AttendFewNarrowFn = void (*)(const AttentionParams& p, const AttentionTensors& t, int64_t batch,
                                   int64_t key_head, float* block);

// x = softcap * tanh(factor * x) of n scores.
using CapScoresFn = void (*)(float factor, float softcap, int64_t n, float* x);

struct AttendFewKernel {
  const char* name;      // "attend_few_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  AttendFewFn run;
  CapScoresFn cap;
};
struct AttendFewNarrowKernel {
  const char* name;      // "attend_few_int8_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  AttendFewNarrowFn run;
};

// Weakest first, for rows of floats. All give the same bits.
Span<const AttendFewKernel> AttendFewKernels();
// The same variants, with the same ids, for rows of float16 or int8: a part (kernels/base/part.h).
Span<const AttendFewNarrowKernel> AttendFewNarrowKernels(DType rows);
const AttendFewKernel& SelectAttendFew(CpuFeatures features);

// Whether rows of queries that share keys are so few that packing keys would take longer than reading them.
bool SuitsAttendFew(const AttentionParams& p);
const char* AttendFewName(const AttentionParams& p);  // static storage
// By the kernel of p.plan.few, without scratch. The result does not depend on the number of workers.
void AttendFew(const AttentionParams& p, const AttentionTensors& tensors, const Parallel& parallel);
// The same over rows of a cache that are no floats: a part. scratch: a block for each worker.
void AttendFewNarrow(const AttentionParams& p, const AttentionTensors& tensors, void* scratch,
                     const Parallel& parallel);
constexpr int64_t AttendFewBlockFloats(const AttentionParams& p) {
  return kAttendFewBlock * (p.depth + p.value_depth);
}

#define MICRORT_ATTEND_FEW(name, set)                                                           \
  void CapScores_##name(float factor, float softcap, int64_t n, float* x);                      \
  void AttendFew_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,     \
                        int64_t key_head);                                                      \
  void AttendFewHalf_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head, float* block);                                    \
  void AttendFewInt8_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head, float* block);
#include "kernels/attention/attend_few.inc"
#undef MICRORT_ATTEND_FEW

}  // namespace micrort
