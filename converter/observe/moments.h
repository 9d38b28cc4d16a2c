#pragma once
// Means and second moments of what layers read, so that weights can be rounded by what they are multiplied
// with.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "micrort/micrort.h"

namespace micrort::observe {

// How the filters of a layer read its input: a row of taps() * channels elements for each output pixel, zeros
// where the kernel lies outside. Output channels fall into `sets`, one after the other; those of set s read
// channels [s * channels, (s + 1) * channels) of every pixel. Of a matrix product, whose rows are those of x,
// all else is 1.
struct FilterWindow {
  int64_t sets = 1, channels = 1;
  int64_t kernel_h = 1, kernel_w = 1;
  int64_t stride_h = 1, stride_w = 1;
  int64_t dilation_h = 1, dilation_w = 1;
  int64_t pad_top = 0, pad_left = 0;
  bool is_product = false;

  int64_t taps() const { return kernel_h * kernel_w; }
  int64_t depth() const { return taps() * channels; }
};

using FilterWindows = std::map<std::string, FilterWindow>;  // by the name of the weights

// Long rows are cut into blocks, and products are kept of elements within one. What goes beyond blocks, above
// all how large the inputs are on average, the means tell.
struct InputMoments {
  static constexpr size_t kLargestBlock = 256;  // whose products a core's own cache holds

  size_t sets = 0, depth = 0, blocks = 0, block = 0;  // the last block may be shorter
  double rows = 0.0;
  std::vector<double> sums;     // of x[i] over the rows: [sets][depth]
  std::vector<float> products;  // of x[i] * x[j] with i <= j: [sets][blocks][block][block]

  const float* products_of(size_t set, size_t i) const {
    return &products[(set * blocks + i) * block * block];
  }
  float* products_of(size_t set, size_t i) { return &products[(set * blocks + i) * block * block]; }
  double mean(size_t set, size_t k) const { return sums[set * depth + k] / rows; }
};

using MomentsByWeights = std::map<std::string, InputMoments>;  // by the name of the weights

class MomentObserver final : public OpObserver {
 public:
  // `samples`: how many runs will be observed. A few thousand rows tell the moments, so that many samples
  // take no longer than a few.
  MomentObserver(const FilterWindows& windows, size_t samples);
  void BeforeOp(const OpInfo& op) override;
  // The moments of layers that have run.
  MomentsByWeights moments() && { return std::move(moments_); }

 private:
  void AddRows(const FilterWindow& window, const TensorView& x, const Shape& y, InputMoments* moments);

  const FilterWindows& windows_;
  const size_t rows_a_sample_;
  MomentsByWeights moments_;
};

}  // namespace micrort::observe
