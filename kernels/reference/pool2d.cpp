#include "kernels/reference/pool2d.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace micrort::reference {

namespace {

// Calls tap(element) for every tap of the window that is inside the input and returns how many are inside the
// input and its pads.
template <typename T, typename Tap>
int64_t VisitWindow(const Pool2DParams& p, const T* in, int64_t n, int64_t oh, int64_t ow, int64_t c,
                    Tap tap) {
  int64_t padded = 0;
  for (int64_t kh = 0; kh < p.kernel_h; ++kh) {
    for (int64_t kw = 0; kw < p.kernel_w; ++kw) {
      const int64_t y = oh * p.stride_h - p.pad_top + kh * p.dilation_h;
      const int64_t x = ow * p.stride_w - p.pad_left + kw * p.dilation_w;
      if (y < p.in_h + p.pad_bottom && x < p.in_w + p.pad_right) ++padded;
      if (y >= 0 && y < p.in_h && x >= 0 && x < p.in_w)
        tap(in[((n * p.in_h + y) * p.in_w + x) * p.channels + c]);
    }
  }
  return padded;
}

// Calls visit(n, oh, ow, c, index) for every element of the output.
template <typename Visit>
void ForEachOutput(const Pool2DParams& p, Visit visit) {
  int64_t index = 0;
  for (int64_t n = 0; n < p.batch; ++n) {
    for (int64_t oh = 0; oh < p.out_h; ++oh) {
      for (int64_t ow = 0; ow < p.out_w; ++ow) {
        for (int64_t c = 0; c < p.channels; ++c) visit(n, oh, ow, c, index++);
      }
    }
  }
}

struct Sum {
  double value;
  int64_t inside;
  int64_t divisor;
};
template <typename T>
Sum SumWindow(const Pool2DParams& p, const T* in, int64_t n, int64_t oh, int64_t ow, int64_t c) {
  Sum sum = {0, 0, 0};
  const int64_t padded = VisitWindow(p, in, n, oh, ow, c, [&](T x) {
    sum.value += static_cast<double>(x);
    ++sum.inside;
  });
  sum.divisor = p.sum ? 1 : std::max<int64_t>(1, p.count_include_pad ? padded : sum.inside);
  return sum;
}

}  // namespace

template <typename T>
void MaxPool2D(const Pool2DParams& p, const T* in, T* out) {
  ForEachOutput(p, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t index) {
    T best = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
    VisitWindow(p, in, n, oh, ow, c, [&](T x) { best = std::max(best, x); });
    out[index] = best;
  });
}

void AveragePool2D(const Pool2DParams& p, const float* in, double* out) {
  ForEachOutput(p, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t index) {
    const Sum sum = SumWindow(p, in, n, oh, ow, c);
    out[index] = sum.value / static_cast<double>(sum.divisor);
  });
}

void AveragePool2D(const Pool2DParams& p, const PoolQuantization& q, const int8_t* in, int8_t* out) {
  ForEachOutput(p, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t index) {
    const Sum sum = SumWindow(p, in, n, oh, ow, c);
    const double centered = sum.value - static_cast<double>(sum.inside * q.in_zero_point);
    const float multiplier = static_cast<float>(q.scale_ratio / static_cast<double>(sum.divisor));
    const double level = std::nearbyint(static_cast<float>(centered) * multiplier) + q.out_zero_point;
    out[index] = static_cast<int8_t>(std::clamp(level, -128.0, 127.0));
  });
}

template void MaxPool2D(const Pool2DParams&, const float*, float*);
template void MaxPool2D(const Pool2DParams&, const int8_t*, int8_t*);
template void MaxPool2D(const Pool2DParams&, const uint8_t*, uint8_t*);
template void MaxPool2D(const Pool2DParams&, const int16_t*, int16_t*);

}  // namespace micrort::reference
