#pragma once
// A layer by Winograd's algorithm: blocks of tiles one after the other, or each by one worker. Templates over
// what knows its elements:
//
//   struct Layer : WinogradLayer {
//     using Element;
//     transforms;  // a row of their registry
//     activate;    // what is no clamp: (y, rows, columns, stride)
//     // The products of `count` rows at one point by one panel of columns. `pointers`: at point 0,
//     // [ceil(count / mr)][taps][mr]; `products`: of the point, [count][out_c].
//     void Multiply(const Element* const* pointers, int64_t count, int64_t point, int64_t panel,
//                   Element* products) const;
//   };

#include <type_traits>

#include "kernels/base/checked_math.h"
#include "kernels/winograd/winograd_tiles.h"

namespace micrort {

// One layer as planned.
struct WinogradLayer {
  const Conv2DParams& p;
  const ConvTensors& tensors;
  const ConvBlocks& blocks;
  const WinogradTiles tiles;
  const WinogradMemory memory;

  WinogradLayer(const Conv2DParams& params, const ConvTarget& target, const ConvPlan& plan,
                const ConvTensors& operands, const WinogradTiles& of_layer)
      : p(params),
        tensors(operands),
        blocks(plan.blocks),
        tiles(of_layer),
        memory(p, target, tiles, tiles.in_block(blocks, blocks.by_worker)) {}

  // Blocks are multiples of mr tiles, but for the last one.
  int64_t FirstTile(int64_t index) const {
    const auto mr = static_cast<int64_t>(tiles.gemm.mr);
    const int64_t first = CeilDiv(tiles.tiles, mr) * index / blocks.columns * mr;
    return first < tiles.tiles ? first : tiles.tiles;
  }

  // The columns of a panel.
  size_t Columns(int64_t panel) const {
    const int64_t nr = static_cast<int64_t>(tiles.gemm.nr), columns = p.out_c - panel * nr;
    return static_cast<size_t>(columns < nr ? columns : nr);
  }
};

// The work on one block of tiles, with memory of its own.
template <typename Layer>
class WinogradBlock {
  using T = typename Layer::Element;

 public:
  WinogradBlock(const Layer& layer, int64_t block, void* scratch)
      : p_(layer.p),
        tensors_(layer.tensors),
        tiles_(layer.tiles),
        memory_(layer.memory),
        layer_(layer),
        first_(layer.FirstTile(block)),
        count_(layer.FirstTile(block + 1) - first_),
        input_count_(tiles_.inputs(p_, count_)) {
    auto* bytes = static_cast<uint8_t*>(scratch);
    padding_ = reinterpret_cast<T*>(bytes);
    pointers_ = reinterpret_cast<const T**>(bytes + memory_.padding_bytes);
    inputs_ = reinterpret_cast<T*>(bytes + memory_.padding_bytes + memory_.pointer_bytes);
    products_ = inputs_ + memory_.input_bytes / sizeof(T);
  }

  void Run(const Parallel& parallel) {
    if (count_ == 0) return;
    WriteZeros();
    WritePointers();
    ParallelFor(parallel, static_cast<size_t>(input_count_),
                [&](size_t i, int) { TransformInput(static_cast<int64_t>(i)); });
    ParallelFor(parallel, static_cast<size_t>(tiles_.points * tiles_.panels), [&](size_t i, int) {
      const int64_t point = static_cast<int64_t>(i) / tiles_.panels,
                    panel = static_cast<int64_t>(i) % tiles_.panels;
      layer_.Multiply(pointers_, count_, point, panel,
                      products_ + static_cast<size_t>(point) * memory_.product_stride);
    });
    ParallelFor(parallel, static_cast<size_t>(count_),
                [&](size_t i, int) { TransformProducts(static_cast<int64_t>(i)); });
  }

 private:
  // Where a tile lies, whose number counts through all images.
  struct Place {
    int64_t image, row, column;
  };
  Place PlaceOf(int64_t tile, int64_t rows) const {
    return {tile / tiles_.tiles_w / rows, tile / tiles_.tiles_w % rows, tile % tiles_.tiles_w};
  }

  void WriteZeros() {
    for (int64_t c = 0; c < p_.in_c; ++c) padding_[c] = 0;
    for (int64_t k = 0; k < tiles_.points && tiles_.is_1d(); ++k) {
      T* behind = inputs_ + k * static_cast<int64_t>(memory_.input_stride) + input_count_ * p_.in_c;
      for (int64_t c = 0; c < p_.in_c; ++c) behind[c] = 0;
    }
  }

  // The transformed input under a tap of a tile's product; in one dimension also the zeros behind the last.
  int64_t InputUnder(int64_t tile, int64_t tap) const {
    if (!tiles_.is_1d()) return tile;
    const Place place = PlaceOf(tile, p_.out_h);
    const int64_t y = place.row - p_.pad_top + tap;
    return y < 0 || y >= p_.in_h ? input_count_ : (place.image * p_.in_h + y) * tiles_.tiles_w + place.column;
  }

  // [tiles of mr][taps][mr], at point 0. The last is filled up.
  void WritePointers() {
    const auto mr = static_cast<int64_t>(tiles_.gemm.mr);
    const T** to = pointers_;
    for (int64_t first = 0; first < count_; first += mr) {
      for (int64_t tap = 0; tap < tiles_.taps; ++tap) {
        for (int64_t i = first; i < first + mr; ++i) {
          *to++ = inputs_ + InputUnder(i < count_ ? i : count_ - 1, tap) * p_.in_c;
        }
      }
    }
  }

  void TransformInput(int64_t i) {
    const Place place = PlaceOf(first_ + i, tiles_.input_rows(p_));
    const int64_t top = tiles_.is_1d() ? place.row : place.row * tiles_.out_h - p_.pad_top;
    const int64_t left = place.column * tiles_.out_w - p_.pad_left;
    const auto* image = static_cast<const T*>(tensors_.x) + place.image * p_.in_h * p_.in_w * p_.in_c;
    const T* pixels[kMaxWinogradPoints];
    const T** pixel = pixels;
    for (int64_t y = top; y < top + tiles_.in_h; ++y) {
      for (int64_t x = left; x < left + tiles_.in_w; ++x) {
        const bool inside = y >= 0 && y < p_.in_h && x >= 0 && x < p_.in_w;
        *pixel++ = inside ? image + (y * p_.in_w + x) * p_.in_c : padding_;
      }
    }
    layer_.transforms.input(
        {tiles_.m, pixels, static_cast<size_t>(p_.in_c), inputs_ + i * p_.in_c, memory_.input_stride});
  }

  void TransformProducts(int64_t i) {
    const Place place = PlaceOf(first_ + i, tiles_.tiles_h);
    const int64_t top = place.row * tiles_.out_h, left = place.column * tiles_.out_w;
    const auto* residual = static_cast<const T*>(tensors_.residual);
    T* pixels[kMaxWinogradOutput * kMaxWinogradOutput];
    const T* starts[kMaxWinogradOutput * kMaxWinogradOutput];
    int64_t k = 0;
    for (int64_t y = top; y < top + tiles_.out_h; ++y) {
      for (int64_t x = left; x < left + tiles_.out_w; ++x, ++k) {
        const bool inside = y < p_.out_h && x < p_.out_w;
        const int64_t at = (place.image * p_.out_h + y) * p_.out_w + x;
        pixels[k] = inside ? static_cast<T*>(tensors_.y) + at * PixelStride(p_, tensors_) : nullptr;
        starts[k] = inside && residual != nullptr ? residual + at * p_.out_c : nullptr;
      }
    }
    const auto channels = static_cast<size_t>(p_.out_c);
    const Activation& activation = p_.types.activation;
    const float* slopes = std::is_same_v<T, float> ? tensors_.slopes : nullptr;
    layer_.transforms.output({tiles_.m, products_ + i * p_.out_c, memory_.product_stride, channels,
                              tensors_.bias, residual == nullptr ? nullptr : starts, pixels, activation.lo(),
                              activation.hi(), slopes});
    if (activation.is_clamp() || slopes != nullptr) return;
    while (--k >= 0) {
      if (pixels[k] != nullptr) layer_.activate(pixels[k], 1, channels, channels, 0);
    }
  }

  const Conv2DParams& p_;
  const ConvTensors& tensors_;
  const WinogradTiles& tiles_;
  const WinogradMemory& memory_;
  const Layer& layer_;
  const int64_t first_, count_;  // tiles
  const int64_t input_count_;    // that are transformed
  T* padding_;                   // a pixel of zeros
  const T** pointers_;           // to transformed inputs
  T* inputs_;                    // [points][inputs][in_c], in one dimension zeros behind the last
  T* products_;                  // [points][block][out_c]
};

template <typename Layer>
void RunWinogradBlocks(const Layer& layer, const Parallel& parallel) {
  auto* scratch = static_cast<uint8_t*>(layer.tensors.scratch);
  const auto run = [&](int64_t block, int worker, const Parallel& inside) {
    WinogradBlock<Layer>(layer, block, scratch + layer.memory.bytes() * static_cast<size_t>(worker))
        .Run(inside);
  };
  if (layer.blocks.by_worker) {
    ParallelFor(parallel, static_cast<size_t>(layer.blocks.columns),
                [&](size_t block, int worker) { run(static_cast<int64_t>(block), worker, Sequential()); });
    return;
  }
  for (int64_t block = 0; block < layer.blocks.columns; ++block) run(block, 0, parallel);
}

}  // namespace micrort
