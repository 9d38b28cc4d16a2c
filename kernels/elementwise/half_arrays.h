#pragma once
// Large arrays of halves to floats and back, by all threads.

#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {

inline void HalvesToFloats(const ConvertF32Kernel& convert, const uint16_t* x, size_t n, float* floats,
                           const Parallel& parallel) {
  ForEachTile(parallel, n,
              [&](size_t begin, size_t end) { convert.from_half(x + begin, floats + begin, end - begin); });
}

inline void FloatsToHalves(const ConvertF32Kernel& convert, const float* x, size_t n, uint16_t* halves,
                           const Parallel& parallel) {
  ForEachTile(parallel, n,
              [&](size_t begin, size_t end) { convert.to_half(x + begin, halves + begin, end - begin); });
}

}  // namespace micrort
