#pragma once
// A tensor as the caller sees it. A view owns nothing.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/shape.h"

namespace micrort {

// real = scales[i] * (q - zero_points[i]), where i is the index along `axis`, or 0 if axis is -1. Inputs and
// outputs are never int4; int4 weights of a step whose scales the file has as halves are shown without them.
struct QuantizationView {
  const float* scales = nullptr;
  const int32_t* zero_points = nullptr;  // null: all zero
  size_t count = 0;                      // 0: not quantized
  int axis = -1;
  int32_t group = 0;  // of int4: elements of a slice that share a scale

  bool empty() const { return count == 0; }
  float scale(size_t i = 0) const { return scales[i]; }
  int32_t zero_point(size_t i = 0) const { return zero_points == nullptr ? 0 : zero_points[i]; }
};

// Elements are row-major, outermost dimension first, little-endian. The caller writes `data` of an input
// before each Run(). `data` of an output is valid from one Run() until inputs are written for the
// next, or until Resize() or the end of its interpreter. Run() may overwrite inputs, so every input must be
// written again before the next run, unless InterpreterOptions::keep_inputs is set.
struct TensorView {
  const char* name = "";  // never null; lives as long as the Model
  DType dtype = DType::kUnknown;
  Shape shape;  // the current sizes; no dimension is negative
  void* data = nullptr;
  QuantizationView quantization;

  size_t elements() const { return static_cast<size_t>(shape.elements()); }
  size_t bytes() const { return elements() * SizeOf(dtype); }
  // Null unless T is the element type.
  template <typename T>
  T* as() const {
    return dtype == kDTypeOf<T> ? static_cast<T*>(data) : nullptr;
  }
};

}  // namespace micrort
