#pragma once
// Reductions of tensors of any element type.

#include "kernels/base/parallel.h"
#include "kernels/base/rounding.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/reduce/fold_f32.h"
#include "kernels/reduce/reduce_plan.h"
#include "kernels/reduce/reduce_s16.h"

namespace micrort {

struct ReduceParams {
  ReduceKind kind;  // not kArgMax or kArgMin
  ElementFormat x, y;
  ReducePlan plan;
  Rounding rounding = Rounding::kExact;
};

// ReduceParams bound to micro-kernels. Plain data.
struct ReduceTask {
  ReduceParams params;
  KernelId convert;
  ComputeType type;
  KernelId fold;      // of kF32
  UnaryF32Fn finish;  // of kF32: applied to the folded values; null: none
  bool is_s16;        // by ReduceS16 with this multiplier instead of all these
  FixedMultiplier by;
};

// False if the kind does not exist for these formats: x and y must have one compute type, and integers have
// no kL2, kLogSum and kLogSumExp. Without elements: sum 0, product 1, maximum -infinity or the lowest
// integer (of bools: false), mean NaN or 0. Where rounding is not exact, x and y are symmetric int16, and the
// kind is one of PlanReduceS16.
bool PlanReduceTask(const ReduceParams& params, CpuFeatures features, ReduceTask* task);

void RunReduce(const ReduceTask& task, const void* x, void* y, const Parallel& parallel);

}  // namespace micrort
