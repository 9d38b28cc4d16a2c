#pragma once
// Functions of two tensors of any element type, with broadcasting and a fused activation.

#include "kernels/base/activation.h"
#include "kernels/base/parallel.h"
#include "kernels/base/rounding.h"
#include "kernels/elementwise/binary_64_bit.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_fixed.h"
#include "kernels/elementwise/binary_s16.h"
#include "kernels/elementwise/binary_s8.h"
#include "kernels/elementwise/broadcast.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_f32.h"

namespace micrort {

struct BinaryParams {
  BinaryKind kind;
  ElementFormat a, b, y;
  UnaryOp activation;
  BroadcastPlan plan;  // of a and b
  Rounding rounding = Rounding::kExact;
};

// BinaryParams bound to micro-kernels. Plain data.
struct BinaryTask {
  BinaryParams params;
  KernelId convert;       // of formats that are not computed in
  const char* algorithm;  // static storage
  ComputeType type;
  BinaryF32Fn f32;              // null unless type is kF32 and this CPU has the features
  BinaryIn64BitsFn in_64_bits;  // null if type is kF32
  UnaryF32Fn activation;        // null: none
  BinaryFixedFn fixed;          // instead of all these where it is not null
  BinaryFixedOp fixed_op;
  bool is_s8;     // likewise, where it is true
  BinaryS8Fn s8;  // null where this CPU has not the features
  BinaryS8Op s8_op;
  bool is_s16;      // likewise, by fixed_op
  BinaryS16Fn s16;  // as s8
};

// False if the kind does not exist for these formats. a and b must have one compute type; y has it too, but
// for comparisons, whose y is bool. Activations exist for kF32 only. Where rounding is not exact, all three
// are quantized int8, or int16, and the kind is one of PlanBinaryFixed.
bool PlanBinary(const BinaryParams& params, CpuFeatures features, BinaryTask* task);

// False if an integer was divided by zero; y is then unspecified. y may be an input that is not broadcast.
bool RunBinary(const BinaryTask& task, const void* a, const void* b, void* y, const Parallel& parallel);

}  // namespace micrort
