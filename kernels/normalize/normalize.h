#pragma once
// Normalization to mean 0 and variance 1, or to a mean square of 1, with a scale and a bias.

#include "kernels/base/parallel.h"
#include "kernels/normalize/normalize_f32.h"
#include "kernels/normalize/normalize_plan.h"
#include "kernels/reduce/fold_f32.h"

namespace micrort {

// Plain data.
struct NormalizeTask {
  NormalizePlan plan;
  float epsilon;
  bool centered;
  KernelId kernel = KernelId::none;
  KernelId fold = KernelId::none;
};

struct NormalizeTensors {
  const float* x;
  const float* scale;  // null: 1
  const float* bias;   // null: 0
  float* y;            // may be x
};

size_t NormalizeScratchBytes(const NormalizePlan& plan);

// scratch: NormalizeScratchBytes, aligned for floats.
void Normalize(const NormalizeTask& task, const NormalizeTensors& tensors, void* scratch,
               const Parallel& parallel);

}  // namespace micrort
