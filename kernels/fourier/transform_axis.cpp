#include "kernels/fourier/transform_axis.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"

namespace micrort {

namespace {

// One transform: of frame `frame` of a line that starts at `x` (its elements inner * channels apart).
void Load(const FourierAxis& a, const float* x, const float* window, int64_t frame, Complex* work) {
  const int64_t stride = a.inner * a.channels;
  const int64_t first = frame * a.step;
  const int64_t present = std::clamp<int64_t>(a.size - first, 0, a.used);
  for (int64_t i = 0; i < present; ++i) {
    const float* element = x + (first + i) * stride;
    const double factor = window == nullptr ? 1 : static_cast<double>(window[i]);
    work[i] = {factor * static_cast<double>(element[0]),
               a.channels == 2 ? factor * static_cast<double>(element[1]) : 0};
  }
  for (int64_t i = present; i < a.plan.length; ++i) work[i] = {0, 0};
  for (int64_t i = a.used; a.mirror && i < a.plan.length; ++i) {
    work[i] = {work[a.plan.length - i].re, -work[a.plan.length - i].im};
  }
}

void Store(const FourierAxis& a, const Complex* work, float* out) {
  const int64_t stride = a.inner * a.out_channels;
  for (int64_t i = 0; i < a.bins; ++i, out += stride) {
    out[0] = static_cast<float>(work[i].re);
    if (a.out_channels == 2) out[1] = static_cast<float>(work[i].im);
  }
}

}  // namespace

size_t FourierScratchBytes(const FourierAxis& a, int workers) {
  const auto elements = static_cast<uint64_t>(FourierTableSize(a.plan) + workers * FourierWorkSize(a.plan));
  return elements > SIZE_MAX ? kTooManyBytes : BytesOf({static_cast<size_t>(elements), sizeof(Complex)});
}

void TransformAxis(const FourierAxis& a, const float* x, const float* window, float* out, void* scratch,
                   const Parallel& parallel) {
  MICRORT_DCHECK(IsAligned(scratch));
  auto* tables = static_cast<Complex*>(scratch);
  Complex* works = tables + FourierTableSize(a.plan);
  MakeFourierTables(a.plan, tables);
  const int64_t lines = a.outer * a.frames * a.inner;
  ParallelFor(parallel, static_cast<size_t>(lines), [&](size_t tile, int worker) {
    const int64_t inner = static_cast<int64_t>(tile) % a.inner;
    const int64_t row = static_cast<int64_t>(tile) / a.inner;  // of outer * frames
    Complex* work = works + worker * FourierWorkSize(a.plan);
    Load(a, x + (row / a.frames * a.size * a.inner + inner) * a.channels, window, row % a.frames, work);
    TransformFourier(a.plan, tables, work);
    Store(a, work, out + (row * a.bins * a.inner + inner) * a.out_channels);
  });
}

}  // namespace micrort
