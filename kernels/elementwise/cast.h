#pragma once
// Elements of one type to another.

#include <cstddef>

#include "kernels/base/dtype.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"

namespace micrort {

// As ElementConverter in elements.h, for elements that are not quantized. n elements; y may be x where both
// types have the same size.
void Cast(DType from, DType to, const void* x, void* y, size_t n, KernelId convert, const Parallel& parallel);

// The same with everything decided.
struct CastCall {
  DType from, to;
  KernelId convert;  // SelectConvertF32
};

inline void RunCast(const CastCall& call, const void* x, void* y, size_t n, const Parallel& parallel) {
  Cast(call.from, call.to, x, y, n, call.convert, parallel);
}

}  // namespace micrort
