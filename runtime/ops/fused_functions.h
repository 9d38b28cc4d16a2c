#pragma once
// What makes one step of element-wise steps, and what runs it. Operators name it, so that only programs with
// such operators link it.

#include "kernels/base/cpu_features.h"
#include "kernels/base/parallel.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort {

struct FusedElementwise;
struct FusedProgram;
struct Program;
struct Shape;

struct FusedFunctions {
  Status (*fuse)(CpuFeatures features, Program* program);
  // Makes the program of fused steps for other shapes of their inputs, and of their outputs. `fits`: whether
  // it keeps to the limits.
  Status (*plan)(CpuFeatures features, Span<const Shape> inputs, const Shape& out, FusedElementwise* fused,
                 bool* fits);
  void (*run)(const FusedProgram& program, const void* const* in, void* const* out, const Parallel& parallel);
};

// runtime/program/rewrites/fuse_elementwise.cpp; builds that plan nothing fuse nothing (runtime/offline/).
extern const FusedFunctions kFusedFunctions;

}  // namespace micrort
