#pragma once
// From tiles of int32 sums to the output of an int16 layer: vectors where all sums are exact in floating
// point, else number by number.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "kernels/layer_s16/finish_s16.h"

namespace micrort {

// At the front of packed weights: ChannelTableS16, and the same as doubles.
struct TileTableS16 {
  ChannelTableS16 channels;
  double* bias;    // [out_c], and 8 more
  double* scales;  // as bias
  uint8_t* exact;  // whether FinishS16 may be used

  TileTableS16(const Conv2DParams& p, void* packed);
  static size_t Bytes(const Conv2DParams& p);  // a multiple of 64
  // Tiles of sums will lack `offset` times the sum of the channel's weights.
  void Fill(const Conv2DParams& p, const ConvWeights& weights, int offset);
};

// What the epilogue reads of the plan.
void PlanTileEpilogueS16(CpuFeatures features, ConvPlan* plan);

class TileEpilogueS16 {
 public:
  TileEpilogueS16(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors);

  // [blocks][m][n] sums as FinishS16Tile has them, of output pixels from `row` on and channels from `column`
  // on.
  struct Sums {
    const int32_t* acc;
    size_t stride, blocks, block_stride;
  };
  void Finish(const Sums& sums, size_t m, size_t n, int64_t row, int64_t column) const;

 private:
  void FinishEach(const Sums& sums, size_t m, size_t n, int64_t column, int16_t* y) const;

  const TileTableS16 table_;
  const EpilogueS16 each_;
  const FinishS16Fn finish_;
  int16_t* const y_;
  const int64_t y_stride_;
};

}  // namespace micrort
