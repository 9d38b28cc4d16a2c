#pragma once
// What makes one step of element-wise steps, and what runs it. Operators name it, so that only programs with
// such operators link it.

#include "kernels/base/cpu_features.h"
#include "kernels/base/parallel.h"
#include "kernels/base/status.h"

namespace micrort {

struct FusedProgram;
struct Program;

struct FusedFunctions {
  Status (*fuse)(CpuFeatures features, Program* program);
  void (*run)(const FusedProgram& program, const void* const* in, void* const* out, const Parallel& parallel);
};

// runtime/program/rewrites/fuse_elementwise.cpp; builds that plan nothing fuse nothing (runtime/offline/).
extern const FusedFunctions kFusedFunctions;

}  // namespace micrort
