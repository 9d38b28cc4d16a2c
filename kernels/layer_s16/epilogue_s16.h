#pragma once
// From the sums of an int16 layer to its output, as TensorFlow Lite's reference kernels compute it: the
// numbers kept for each output channel, and their use.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Sums of 64 bits are multiplied by numbers of 15 bits and shifted right, by one bit at least: what the
// scales of input and weights make of the output's has to be less.
constexpr double kMaxScaleRatioS16 = 128;

// At the front of packed weights, [out_c] each.
struct ChannelTableS16 {
  int64_t* bias;
  int32_t* multipliers;
  int32_t* shifts;  // of wide sums to the right; of narrow ones as FixedMultiplier has them

  ChannelTableS16(const Conv2DParams& p, void* packed);
  static size_t Bytes(const Conv2DParams& p);  // a multiple of 64
  void Fill(const Conv2DParams& p, const ConvWeights& weights);
};

class EpilogueS16 {
 public:
  EpilogueS16(const Conv2DParams& p, const void* packed);

  // [n] sums of the channels from `column` on to elements of y.
  void Finish(const int64_t* sums, size_t n, int64_t column, int16_t* y) const;
  int32_t lo() const { return lo_; }
  int32_t hi() const { return hi_; }

 private:
  template <bool kNarrow>
  void Scale(const int64_t* sums, size_t n, int64_t column, int16_t* y) const;

  const ChannelTableS16 table_;
  const bool narrow_;
  int32_t lo_, hi_;
};

}  // namespace micrort
