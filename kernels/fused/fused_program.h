#pragma once
// Fused element-wise functions as a program: vector instructions, and between them functions that take a pass
// of their own over a buffer. Made once, for one class of CPUs; plain data.

#include "kernels/base/fixed_array.h"
#include "kernels/base/status.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_layout.h"

namespace micrort {

constexpr size_t kMaxFusedInstructions = 64;

struct PlannedInstruction {
  FusedHandler handler = nullptr;  // null: of a kernel that is not in this build
  FusedOp op = kNoFusedOp;
  FusedPlace place = 0;
  float a = 0, b = 0;
};

// Instructions, or one of the functions.
struct FusedStage {
  uint16_t first = 0, count = 0;  // instructions with their kEnd; none: a function
  UnaryOp unary;
  UnaryF32Fn unary_fn = nullptr;
  BinaryKind binary = BinaryKind::kAdd;
  BinaryF32Fn binary_fn = nullptr;
  FusedPlace a = 0, b = 0, to = 0;
  FusedOperand a_operand = FusedOperand::kDense, b_operand = FusedOperand::kDense;
};

struct FusedProgram {
  FusedLayout layout;
  KernelId kernel = KernelId::none;  // SelectFusedF32
  FixedArray<PlannedInstruction> instructions;
  FixedArray<FusedStage> stages;
};

// `fits`: whether the graph keeps to the limits. An output may lie over an input that is dense, has elements
// of the same size and is read by no later node.
Status PlanFusedProgram(const FusedGraph& graph, Span<const Shape> shapes, const Shape& out,
                        CpuFeatures features, FusedProgram* program, bool* fits);

void RunFusedProgram(const FusedProgram& program, const void* const* in, void* const* out,
                     const Parallel& parallel);

}  // namespace micrort
