#pragma once
// Functions of int16 tensors in integers, as TensorFlow Lite's reference kernels compute them.

#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_point.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// Outputs of kSigmoid and kTanh have one scale, or one within 0.07 % of it.
constexpr float kTableS16Scale = 1.0f / 32768;

// kIdentity, kClip: y = x_by * (x - x_zero) + y_zero. kAbs: of the magnitude. kLeakyRelu: negative numbers
// times `negative_by`, whose multiplier may be negative. Clamped to [lo, hi]; products are rounded twice
// (kernels/base/fixed_point.h).
// kSigmoid, kTanh: x * x_by.multiplier / 2^x_by.shift is the place in a table, between whose numbers outputs
// lie on a line.
struct UnaryS16Op {
  UnaryKind kind;
  DType x, y;  // int16; of kIdentity int8 and int32, too, but not int8 on both sides
  int32_t x_zero, y_zero;
  FixedMultiplier x_by, negative_by;
  int32_t lo, hi;  // values of the type of y
};

// False for other kinds, types and scales. Quantizations that are no symmetric ones only of kIdentity.
bool PlanUnaryS16(const UnaryOp& function, const ElementFormat& x, const ElementFormat& y, UnaryS16Op* op);

// y may be x where their elements have one size.
using UnaryS16Fn = void (*)(const UnaryS16Op& op, const void* x, void* y, size_t n);

struct UnaryS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  UnaryS16Fn run;
};

// Weakest first. All give the same bits; all but the portable one scale int8 and int16 alone.
Span<const UnaryS16Kernel> UnaryS16Kernels();
// The portable one where vectors do not have the operation.
const UnaryS16Kernel& SelectUnaryS16(const UnaryS16Op& op, CpuFeatures features);

#define MICRORT_UNARY_S16(name, set) \
  void UnaryS16_##name(const UnaryS16Op& op, const void* x, void* y, size_t n);
#include "kernels/elementwise/unary_s16.inc"
#undef MICRORT_UNARY_S16

}  // namespace micrort
