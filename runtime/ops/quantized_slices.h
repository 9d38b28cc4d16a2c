#pragma once
// A quantized tensor as slices that have one scale each.

#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/tiles.h"
#include "runtime/ops/op.h"

namespace micrort {

// The tensor is [outer][slices][inner]; slice i of every outer index has scale i. One scale for all: 1 x 1 x
// elements.
struct QuantizedSlices {
  size_t outer, slices, inner;
};

// kInvalidModel unless the tensor is quantized, with as many scales as slices, all finite and > 0, and zero
// points that its type can hold.
Status ReadQuantizedSlices(const Tensor& tensor, const Shape& shape, QuantizedSlices* slices);

// Calls f(first, n, params) for pieces of elements with the same parameters.
template <typename Function>
void ForEachQuantizedPiece(const QuantizedSlices& s, const QuantizationView& q, const Parallel& parallel,
                           Function f) {
  const auto params = [&](size_t i) { return QuantizationParams{q.scale(i), q.zero_point(i)}; };
  if (s.slices == 1) {
    ForEachTile(parallel, s.outer * s.inner,
                [&](size_t begin, size_t end) { f(begin, end - begin, params(0)); });
    return;
  }
  ParallelFor(parallel, s.outer, [&](size_t outer, int) {
    for (size_t i = 0; i < s.slices; ++i) f((outer * s.slices + i) * s.inner, s.inner, params(i));
  });
}

}  // namespace micrort
