#pragma once
// Rows times one panel of half weights: the depth is cut into blocks, whose sums of halves are added in
// float. So errors grow with the number of blocks, not with the length of one.

#include <limits>

#include "kernels/gemm/depth_blocks.h"
#include "kernels/gemm/gemm_f16.h"

namespace micrort {

// So many products are summed up in half at most, where nothing else rounds to halves.
constexpr int64_t kHalfDepth = 256;

class HalfPanel {
 public:
  // Floats [rows][nr] that several blocks need in between, where the result is halves.
  static int64_t SumElements(const Depth& depth, int64_t rows, int64_t nr) {
    return depth.taps * depth.channels > kHalfDepth ? rows * nr : 0;
  }

  // At most `most` products are summed up in half. `pointers`: [ceil(rows / mr)][depth.taps][mr].
  HalfPanel(const GemmF16Kernel& kernel, const Depth& depth, int64_t most, const uint16_t* const* pointers,
            int64_t rows, float* sums)
      : kernel_(kernel),
        depth_(depth),
        block_(BlockOf(depth, most)),
        pointers_(pointers),
        rows_(rows),
        sums_(sums) {}

  // `result`: of all rows, where they start and end; what depends on blocks is left out. `b`: [depth][nr].
  void Run(const uint16_t* b, const GemmF16Tile& result) const {
    ForEachDepthBlock(depth_, block_, [&](const DepthBlock& block) { RunBlock(block, b, result); });
  }

 private:
  void RunBlock(const DepthBlock& block, const uint16_t* b, GemmF16Tile tile) const {
    const auto mr = static_cast<int64_t>(kernel_.mr), nr = static_cast<int64_t>(kernel_.nr);
    tile.taps = static_cast<size_t>(block.taps);
    tile.channels = static_cast<size_t>(block.channels);
    tile.a_offset += static_cast<size_t>(block.first_channel);
    tile.b = b + (block.first_tap * depth_.channels + block.first_channel) * nr;
    const bool is_float = tile.c != nullptr;
    if (!block.first) tile.start = is_float ? tile.c : sums_;
    if (!block.first) tile.start_stride = is_float ? tile.c_stride : static_cast<size_t>(nr);
    if (!block.last) {
      tile.bias = nullptr;
      tile.lo = -std::numeric_limits<float>::infinity();
      tile.hi = std::numeric_limits<float>::infinity();
    }
    if (!block.last && !is_float) {
      tile.residual = nullptr;
      tile.c = sums_;
      tile.c_stride = static_cast<size_t>(nr);
    }
    for (int64_t row = 0; row < rows_; row += mr) {
      tile.m = static_cast<size_t>(rows_ - row < mr ? rows_ - row : mr);
      tile.a = pointers_ + row * depth_.taps + block.first_tap * mr;
      kernel_.run(tile);
      if (tile.start != nullptr) tile.start += kernel_.mr * tile.start_stride;
      if (tile.residual != nullptr) tile.residual += kernel_.mr * tile.y_stride;
      if (tile.c != nullptr) tile.c += kernel_.mr * tile.c_stride;
      if (tile.y != nullptr) tile.y += kernel_.mr * tile.y_stride;
    }
  }

  const GemmF16Kernel& kernel_;
  const Depth depth_, block_;
  const uint16_t* const* pointers_;
  const int64_t rows_;
  float* const sums_;
};

}  // namespace micrort
