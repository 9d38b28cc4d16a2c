#pragma once
// How layers are cut into tiles for Winograd's algorithms, and the memory that a block of tiles takes.
//
// A tile has m x m outputs, and each of its (m + 2)^2 points is a matrix product over the channels. In one
// dimension, m = 1, it has 2 outputs side by side and 4 points, and the products have three taps, the rows of
// the filter: they read tiles of the rows of the input, each of which is transformed once, or zeros.

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/winograd/winograd_transform.h"

namespace micrort {

constexpr int kWinograd1D = 1;  // m

// What memory depends on of the micro-kernel that multiplies.
struct WinogradGemm {
  size_t mr, nr;
  size_t element_bytes;
};

// The tiles of one layer, and its weights for a micro-kernel.
struct WinogradTiles {
  int m;
  int64_t out_h, out_w;  // pixels of a tile's output
  int64_t in_h, in_w;    // and of its input
  int64_t points, taps;
  WinogradGemm gemm;
  int64_t tiles_h, tiles_w, tiles;  // of an image, of a row; of all images
  int64_t panels;
  size_t panel_elements;
  int64_t packed_bytes;

  WinogradTiles(const Conv2DParams& p, const WinogradGemm& kernel, int outputs);

  bool is_1d() const { return m == kWinograd1D; }
  // Rows of an image that have tiles of inputs.
  int64_t input_rows(const Conv2DParams& p) const { return is_1d() ? p.in_h : tiles_h; }
  // Inputs that are transformed for a block of so many tiles: theirs, or the whole layer's.
  int64_t inputs(const Conv2DParams& p, int64_t block) const {
    return is_1d() ? p.batch * p.in_h * tiles_w : block;
  }
  // How many tiles the memory of a block, where each worker has blocks of its own or all have one, is for.
  int64_t in_block(const ConvBlocks& blocks, bool by_worker) const {
    return is_1d() ? tiles : by_worker ? blocks.rows : blocks.room;
  }
};

// The memory of a block of up to so many tiles.
struct WinogradMemory {
  size_t input_stride, product_stride;  // elements from point to point
  size_t padding_bytes, pointer_bytes, input_bytes, product_bytes;

  WinogradMemory(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& t, int64_t block);

  size_t bytes() const { return padding_bytes + pointer_bytes + input_bytes + product_bytes; }
};

// What a run as planned needs.
uint64_t WinogradScratchBytes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                              const WinogradTiles& tiles);

}  // namespace micrort
