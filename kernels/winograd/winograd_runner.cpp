#include "kernels/winograd/winograd_runner.h"

#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32_rows.h"

namespace micrort {
namespace {

// How many tiles the memory of a block, where each worker has blocks of its own or all have one, is for.
int64_t BlockTiles(const WinogradTiles& tiles, const ConvBlocks& blocks, bool by_worker) {
  if (tiles.is_1d()) return tiles.tiles;
  return by_worker ? blocks.rows : blocks.room;
}

// One layer as planned.
struct LayerRun {
  const Conv2DParams& p;
  const ConvTensors& tensors;
  const ConvBlocks& blocks;
  const WinogradTiles tiles;
  const WinogradMemory memory;
  const WinogradF32Kernel& transforms;
  const ActivateF32 activate;

  LayerRun(const Conv2DParams& params, const ConvTarget& target, const ConvPlan& plan,
           const ConvTensors& operands, int m)
      : p(params),
        tensors(operands),
        blocks(plan.blocks),
        tiles(p, VariantOf(GemmF32Kernels(), plan.kernel), m),
        memory(p, target, tiles, BlockTiles(tiles, blocks, blocks.by_worker)),
        transforms(VariantOf(WinogradF32Kernels(), plan.transform)),
        activate(p.types.activation, plan.activation) {}

  // Blocks are multiples of mr tiles, but for the last one.
  int64_t FirstTile(int64_t index) const {
    const auto mr = static_cast<int64_t>(tiles.gemm.mr);
    const int64_t first = CeilDiv(tiles.tiles, mr) * index / blocks.columns * mr;
    return first < tiles.tiles ? first : tiles.tiles;
  }
};

// The work on one block of tiles, with memory of its own.
class BlockRunner {
 public:
  BlockRunner(const LayerRun& layer, int64_t block, void* scratch)
      : p_(layer.p),
        tensors_(layer.tensors),
        tiles_(layer.tiles),
        memory_(layer.memory),
        layer_(layer),
        first_(layer.FirstTile(block)),
        count_(layer.FirstTile(block + 1) - first_),
        input_count_(tiles_.inputs(p_, count_)) {
    auto* bytes = static_cast<uint8_t*>(scratch);
    padding_ = reinterpret_cast<float*>(bytes);
    pointers_ = reinterpret_cast<const float**>(bytes + memory_.padding_bytes);
    inputs_ = reinterpret_cast<float*>(bytes + memory_.padding_bytes + memory_.pointer_bytes);
    products_ = inputs_ + memory_.input_bytes / sizeof(float);
  }

  void Run(const Parallel& parallel) {
    if (count_ == 0) return;
    WriteZeros();
    WritePointers();
    ParallelFor(parallel, static_cast<size_t>(input_count_),
                [&](size_t i, int) { TransformInput(static_cast<int64_t>(i)); });
    ParallelFor(parallel, static_cast<size_t>(tiles_.points * tiles_.panels), [&](size_t i, int) {
      Multiply(static_cast<int64_t>(i) / tiles_.panels, static_cast<int64_t>(i) % tiles_.panels);
    });
    ParallelFor(parallel, static_cast<size_t>(count_),
                [&](size_t i, int) { TransformProducts(static_cast<int64_t>(i)); });
  }

 private:
  // Of a tile, of all that are counted through images: where it lies.
  struct Place {
    int64_t image, row, column;
  };
  Place PlaceOf(int64_t tile, int64_t rows) const {
    return {tile / tiles_.tiles_w / rows, tile / tiles_.tiles_w % rows, tile % tiles_.tiles_w};
  }

  void WriteZeros() {
    for (int64_t c = 0; c < p_.in_c; ++c) padding_[c] = 0.0f;
    for (int64_t k = 0; k < tiles_.points && tiles_.is_1d(); ++k) {
      float* behind = inputs_ + k * static_cast<int64_t>(memory_.input_stride) + input_count_ * p_.in_c;
      for (int64_t c = 0; c < p_.in_c; ++c) behind[c] = 0.0f;
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
    const float** to = pointers_;
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
    const auto* image = static_cast<const float*>(tensors_.x) + place.image * p_.in_h * p_.in_w * p_.in_c;
    const float* pixels[kMaxWinogradPoints];
    const float** pixel = pixels;
    for (int64_t y = top; y < top + tiles_.in_h; ++y) {
      for (int64_t x = left; x < left + tiles_.in_w; ++x) {
        const bool inside = y >= 0 && y < p_.in_h && x >= 0 && x < p_.in_w;
        *pixel++ = inside ? image + (y * p_.in_w + x) * p_.in_c : padding_;
      }
    }
    layer_.transforms.input(
        {tiles_.m, pixels, static_cast<size_t>(p_.in_c), inputs_ + i * p_.in_c, memory_.input_stride});
  }

  void Multiply(int64_t point, int64_t panel) {
    const auto mr = static_cast<int64_t>(tiles_.gemm.mr), nr = static_cast<int64_t>(tiles_.gemm.nr);
    const int64_t columns = p_.out_c - panel * nr;
    GemmF32Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.taps = static_cast<size_t>(tiles_.taps);
    tile.channels = static_cast<size_t>(p_.in_c);
    tile.a_offset = static_cast<size_t>(point) * memory_.input_stride;
    tile.b = static_cast<const float*>(tensors_.packed) +
             static_cast<size_t>(point * tiles_.panels + panel) * tiles_.panel_elements;
    tile.c_stride = static_cast<size_t>(p_.out_c);
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    // While this panel is multiplied by one tile of rows after another, the next one comes in.
    const bool last_panel = point * tiles_.panels + panel + 1 == tiles_.points * tiles_.panels;
    tile.next = last_panel ? nullptr : tile.b + tiles_.panel_elements;
    tile.next_step = last_panel ? 0 : static_cast<size_t>(CeilDiv(nr, CeilDiv(count_, mr)));
    tile.m = static_cast<size_t>(count_);
    tile.a = pointers_;
    tile.a_step = static_cast<size_t>(mr * tiles_.taps);
    tile.c = products_ + static_cast<size_t>(point) * memory_.product_stride + panel * nr;
    RunGemmF32Rows(tiles_.gemm, &tile);
  }

  void TransformProducts(int64_t i) {
    const Place place = PlaceOf(first_ + i, tiles_.tiles_h);
    const int64_t top = place.row * tiles_.out_h, left = place.column * tiles_.out_w;
    const auto* residual = static_cast<const float*>(tensors_.residual);
    float* pixels[kMaxWinogradOutput * kMaxWinogradOutput];
    const float* starts[kMaxWinogradOutput * kMaxWinogradOutput];
    int64_t k = 0;
    for (int64_t y = top; y < top + tiles_.out_h; ++y) {
      for (int64_t x = left; x < left + tiles_.out_w; ++x, ++k) {
        const bool inside = y < p_.out_h && x < p_.out_w;
        const int64_t at = (place.image * p_.out_h + y) * p_.out_w + x;
        pixels[k] = inside ? static_cast<float*>(tensors_.y) + at * PixelStride(p_, tensors_) : nullptr;
        starts[k] = inside && residual != nullptr ? residual + at * p_.out_c : nullptr;
      }
    }
    const auto channels = static_cast<size_t>(p_.out_c);
    const Activation& activation = p_.types.activation;
    layer_.transforms.output({tiles_.m, products_ + i * p_.out_c, memory_.product_stride, channels,
                              tensors_.bias, residual == nullptr ? nullptr : starts, pixels, activation.lo(),
                              activation.hi()});
    if (activation.is_clamp()) return;
    while (--k >= 0) {
      if (pixels[k] != nullptr) layer_.activate(pixels[k], 1, channels, channels);
    }
  }

  const Conv2DParams& p_;
  const ConvTensors& tensors_;
  const WinogradTiles& tiles_;
  const WinogradMemory& memory_;
  const LayerRun& layer_;
  const int64_t first_, count_;  // tiles
  const int64_t input_count_;    // that are transformed
  float* padding_;               // a pixel of zeros
  const float** pointers_;       // to transformed inputs
  float* inputs_;                // [points][inputs][in_c], in one dimension zeros behind the last
  float* products_;              // [points][block][out_c]
};

}  // namespace

void RunWinograd(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                 const ConvTensors& tensors, int m, const Parallel& parallel) {
  const LayerRun layer(p, target, plan, tensors, m);
  auto* scratch = static_cast<uint8_t*>(tensors.scratch);
  const auto run = [&](int64_t block, int worker, const Parallel& inside) {
    BlockRunner(layer, block, scratch + layer.memory.bytes() * static_cast<size_t>(worker)).Run(inside);
  };
  if (layer.blocks.by_worker) {
    ParallelFor(parallel, static_cast<size_t>(layer.blocks.columns),
                [&](size_t block, int worker) { run(static_cast<int64_t>(block), worker, Sequential()); });
    return;
  }
  for (int64_t block = 0; block < layer.blocks.columns; ++block) run(block, 0, parallel);
}

MICRORT_COLD uint64_t WinogradScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                           const ConvPlan& plan, int m) {
  const WinogradTiles tiles(p, VariantOf(GemmF32Kernels(), plan.kernel), m);
  const auto bytes = [&](bool by_worker) {
    return WinogradMemory(p, target, tiles, BlockTiles(tiles, plan.blocks, by_worker)).bytes();
  };
  const size_t shared = bytes(false);
  if (tiles.is_1d()) return shared;
  const size_t of_workers = bytes(true) * static_cast<size_t>(target.workers);
  return plan.blocks.by_worker || of_workers > shared ? of_workers : shared;
}

}  // namespace micrort
