#pragma once
// Functions of one tensor of any element type.

#include "kernels/base/parallel.h"
#include "kernels/base/rounding.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_64_bit.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort {

struct UnaryParams {
  UnaryOp op;
  ElementFormat x, y;
  Rounding rounding = Rounding::kExact;
};

// UnaryParams bound to micro-kernels. Plain data.
struct UnaryTask {
  UnaryParams params;
  KernelId convert;       // of formats that are not computed in
  const char* algorithm;  // static storage
  ComputeType type;
  UnaryF32Fn f32;
  UnaryIn64BitsFn in_64_bits;
  bool by_table;       // from one byte to one byte, both quantized
  uint8_t table[256];  // output byte for each input byte
  bool is_s16;         // by this operation instead of all these
  UnaryS16Op s16_op;
  UnaryS16Fn s16;  // null where this CPU has not the features
};

// False if the kind does not exist for these formats. y has the compute type of x, but for kIsNaN and kIsInf,
// whose y is bool; kNot goes from bool to bool, kBitwiseNot from integers. Where rounding is not exact, x and
// y are quantized, and one of them int16 (PlanUnaryS16).
bool PlanUnary(const UnaryParams& params, CpuFeatures features, UnaryTask* task);

// n elements; y may be x where their elements have the same size.
void RunUnary(const UnaryTask& task, const void* x, void* y, size_t n, const Parallel& parallel);

}  // namespace micrort
