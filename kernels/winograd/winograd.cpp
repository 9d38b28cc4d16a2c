#include "kernels/winograd/winograd.h"

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/winograd/winograd_f32.h"
#include "kernels/winograd/winograd_layer.h"
#include "kernels/winograd/winograd_weights.h"

namespace micrort {
namespace {

// Transformed inputs and products of one block of tiles together take about as much as input, output and
// weights of the layer, within these bounds: less would stream the weights more often, more would only cost
// memory. Beside weights that stay in the cache a block is smaller, to stay there too. Blocks of several
// workers share what two may have.
constexpr int64_t kBlocksOfWorkers = 2;

int64_t BlockBytes(const Conv2DParams& p, const ConvTarget& target, bool cached_weights) {
  const MachineModel& model = MachineModelOf(target.features);
  const int64_t elements = p.in_h * p.in_w * p.in_c + p.out_h * p.out_w * p.out_c + p.depth() * p.out_c;
  const int64_t bytes = elements * static_cast<int64_t>(sizeof(float));
  const int64_t most = cached_weights ? model.near_block_bytes : model.block_bytes;
  return bytes < model.small_block_bytes ? model.small_block_bytes : bytes > most ? most : bytes;
}

int64_t Least(int64_t a, int64_t b) { return a < b ? a : b; }

// The tiles of one layer, of m x m pixels, and its weights for a micro-kernel.
struct Tiles {
  int m, size, points;
  const GemmF32Kernel& gemm;
  int64_t tiles_h, tiles_w, tiles;
  int64_t panels;
  size_t panel_elements;
  int64_t packed_bytes;

  Tiles(const Conv2DParams& p, const GemmF32Kernel& kernel, int outputs)
      : m(outputs),
        size(outputs + kWinogradTaps - 1),
        points(size * size),
        gemm(kernel),
        tiles_h(CeilDiv<int64_t>(p.out_h, m)),
        tiles_w(CeilDiv<int64_t>(p.out_w, m)),
        tiles(p.batch * tiles_h * tiles_w),
        panels(CeilDiv(p.out_c, static_cast<int64_t>(gemm.nr))),
        panel_elements(static_cast<size_t>(p.in_c) * gemm.nr),
        packed_bytes(points * panels * static_cast<int64_t>(panel_elements * sizeof(float))) {}

  int64_t tile_bytes(const Conv2DParams& p) const {
    return points * (p.in_c + p.out_c) * static_cast<int64_t>(sizeof(float));
  }
};

Tiles TilesFor(const Conv2DParams& p, const ConvTarget& target, int m) {
  return {p, GemmF32Kernels()[WinogradGemmIndex(p, target)], m};
}

bool HasNearWeights(const Tiles& t, const ConvTarget& target) {
  return t.packed_bytes <= MachineModelOf(target.features).near_weight_bytes;
}

// Tiles are cut into blocks: transform inputs, multiply, transform products. Either each worker takes whole
// blocks, or all work on one block after the other.
class Blocks {
 public:
  Blocks(const Conv2DParams& p, const ConvTarget& target, const Tiles& tiles)
      : tiles_(tiles), workers_(target.workers), cached_weights_(HasNearWeights(tiles, target)) {
    const int64_t tile_bytes = tiles.tile_bytes(p), block_bytes = BlockBytes(p, target, cached_weights_);
    fitting_ = WholeTiles(CeilDiv(block_bytes, tile_bytes));
    const auto mr = static_cast<int64_t>(tiles.gemm.mr);
    const int64_t of_worker = kBlocksOfWorkers * block_bytes / (workers_ * tile_bytes);
    fitting_worker_ = Least(fitting_, WholeTiles(of_worker / mr * mr));
    // What other workers have transformed, where all work on one block.
    exchanged_ = tiles.tiles * tile_bytes * (workers_ - 1) / (workers_ * workers_);
  }

  ConvBlocks Cut() const {
    ConvBlocks result;
    const int64_t count = CeilDiv(tiles_.tiles, fitting_);
    const int64_t for_workers = CeilDiv(CeilDiv(tiles_.tiles, fitting_worker_), workers_) * workers_;
    // What a worker reads from afar: its share of the weights or all of them, for each of its blocks.
    const int64_t turns = cached_weights_ ? 1 : count;
    const int64_t worker_turns = cached_weights_ ? 1 : for_workers / workers_;
    result.by_worker =
        workers_ > 1 && tiles_.tiles >= for_workers * static_cast<int64_t>(tiles_.gemm.mr) &&
        worker_turns * tiles_.packed_bytes <= turns * tiles_.packed_bytes / workers_ + exchanged_;
    result.columns = BlockSize(result.by_worker ? for_workers : count);
    // Memory is for the largest block of up to so many tiles, and for both ways to use workers: a layer that
    // is planned for a bound asks for no more when fewer tiles, cut evenly, make larger blocks.
    result.rows = BlockSize(Least(WholeTiles(CeilDiv<int64_t>(tiles_.tiles, workers_)), fitting_worker_));
    result.room = BlockSize(Least(WholeTiles(tiles_.tiles), fitting_));
    return result;
  }

 private:
  // At least one of mr rows.
  int64_t WholeTiles(int64_t count) const {
    const auto mr = static_cast<int64_t>(tiles_.gemm.mr);
    return count == 0 ? mr : CeilDiv(count, mr) * mr;
  }

  const Tiles& tiles_;
  const int64_t workers_;
  const bool cached_weights_;
  int64_t fitting_, fitting_worker_, exchanged_;
};

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target, int m) {
  const Tiles tiles = TilesFor(p, target, m);
  ConvPlan plan = PlanWinograd(p, target);
  plan.blocks = Blocks(p, target, tiles).Cut();
  return plan;
}

// The memory of a block of up to so many tiles.
struct BlockMemory {
  size_t input_stride, product_stride;  // elements from point to point
  size_t padding_bytes, pointer_bytes, input_bytes, product_bytes;

  BlockMemory(const Conv2DParams& p, const ConvTarget& target, int points, int64_t tiles)
      : input_stride(WinogradPointStride(tiles * p.in_c)),
        product_stride(WinogradPointStride(tiles * p.out_c)),
        padding_bytes(AlignUp(static_cast<size_t>(p.in_c) * sizeof(float), kAlignment)),
        pointer_bytes(AlignUp(static_cast<size_t>(tiles) * PointerBytes(target.features), kAlignment)),
        input_bytes(static_cast<size_t>(points) * input_stride * sizeof(float)),
        product_bytes(static_cast<size_t>(points) * product_stride * sizeof(float)) {}

  size_t bytes() const { return padding_bytes + pointer_bytes + input_bytes + product_bytes; }
};

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                                     int m) {
  const int points = WinogradPoints(m);
  const size_t of_workers =
      BlockMemory(p, target, points, plan.blocks.rows).bytes() * static_cast<size_t>(target.workers);
  if (plan.blocks.by_worker) return of_workers;
  const size_t shared = BlockMemory(p, target, points, plan.blocks.room).bytes();
  return shared > of_workers ? shared : of_workers;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target, int m) {
  const Tiles plan = TilesFor(p, target, m);
  const ConvBlocks blocks = Blocks(p, target, plan).Cut();
  const double products = TiledCost(plan.points, plan.tiles, p.out_c, p.in_c, plan.gemm);
  const double streaming = WinogradStreamingCost(target, plan.packed_bytes, blocks.columns);
  // Loads, additions and stores for every element of the transformed planes, eight channels at a time, and
  // the search for the pixels of each tile. Those of F(6, 3) do more for an element.
  constexpr double kTransform = 7, kTransform6 = 11, kPixel = 100;
  const auto channels =
      static_cast<double>(CeilDiv<int64_t>(p.in_c, 8) * 8 + CeilDiv<int64_t>(p.out_c, 8) * 8);
  const double planes = static_cast<double>(plan.points) * static_cast<double>(plan.tiles);
  const double transform = (m == 6 ? kTransform6 : kTransform) * WinogradTransformTime(plan.gemm);
  const double transforms = planes * (transform * channels + kPixel);
  // Products hide the streaming of weights, but not of many of F(6, 3): a block has few of its large tiles.
  if (m == 6 && !HasNearWeights(plan, target)) return products + streaming + transforms;
  return (products > streaming ? products : streaming) + transforms;
}

// One layer as planned.
struct LayerRun {
  const Conv2DParams& p;
  const ConvTensors& tensors;
  const ConvBlocks& blocks;
  const Tiles tiles;
  const BlockMemory memory;
  const WinogradF32Kernel& transforms;
  const ActivateF32 activate;

  LayerRun(const Conv2DParams& params, const ConvTarget& target, const ConvPlan& plan,
           const ConvTensors& operands, int m)
      : p(params),
        tensors(operands),
        blocks(plan.blocks),
        tiles(p, VariantOf(GemmF32Kernels(), plan.kernel), m),
        memory(p, target, tiles.points, blocks.by_worker ? blocks.rows : blocks.room),
        transforms(VariantOf(WinogradF32Kernels(), plan.transform)),
        activate(p.types.activation, plan.activation) {}

  // Blocks are multiples of mr tiles, but for the last one.
  int64_t FirstTile(int64_t index) const {
    const auto mr = static_cast<int64_t>(tiles.gemm.mr);
    return Least(CeilDiv(tiles.tiles, mr) * index / blocks.columns * mr, tiles.tiles);
  }
};

// The work on one block of tiles, with memory of its own.
class BlockRunner {
 public:
  BlockRunner(const LayerRun& layer, int64_t block, void* scratch)
      : p_(layer.p),
        tensors_(layer.tensors),
        plan_(layer.tiles),
        memory_(layer.memory),
        layer_(layer),
        first_(layer.FirstTile(block)),
        count_(layer.FirstTile(block + 1) - first_) {
    auto* bytes = static_cast<uint8_t*>(scratch);
    padding_ = reinterpret_cast<float*>(bytes);
    rows_ = reinterpret_cast<const float**>(bytes + memory_.padding_bytes);
    inputs_ = reinterpret_cast<float*>(bytes + memory_.padding_bytes + memory_.pointer_bytes);
    products_ = inputs_ + memory_.input_bytes / sizeof(float);
  }

  void Run(const Parallel& parallel) {
    if (count_ == 0) return;
    const auto mr = static_cast<int64_t>(plan_.gemm.mr);
    for (int64_t c = 0; c < p_.in_c; ++c) padding_[c] = 0.0f;
    for (int64_t i = 0; i < CeilDiv(count_, mr) * mr; ++i) {
      rows_[i] = inputs_ + (i < count_ ? i : count_ - 1) * p_.in_c;
    }
    ParallelFor(parallel, static_cast<size_t>(count_),
                [&](size_t i, int) { TransformInput(static_cast<int64_t>(i)); });
    ParallelFor(parallel, static_cast<size_t>(plan_.points * plan_.panels), [&](size_t i, int) {
      Multiply(static_cast<int64_t>(i) / plan_.panels, static_cast<int64_t>(i) % plan_.panels);
    });
    ParallelFor(parallel, static_cast<size_t>(count_),
                [&](size_t i, int) { TransformProducts(static_cast<int64_t>(i)); });
  }

 private:
  // The pixel of the output at the corner of a tile.
  struct Corner {
    int64_t image, y, x;
  };
  Corner CornerOf(int64_t tile) const {
    return {tile / plan_.tiles_w / plan_.tiles_h, tile / plan_.tiles_w % plan_.tiles_h * plan_.m,
            tile % plan_.tiles_w * plan_.m};
  }

  void TransformInput(int64_t i) {
    const Corner corner = CornerOf(first_ + i);
    const auto* x = static_cast<const float*>(tensors_.x);
    const float* pixels[kMaxWinogradPoints];
    for (int k = 0; k < plan_.points; ++k) {
      const int64_t py = corner.y - p_.pad_top + k / plan_.size, px = corner.x - p_.pad_left + k % plan_.size;
      const bool inside = py >= 0 && py < p_.in_h && px >= 0 && px < p_.in_w;
      pixels[k] = inside ? x + ((corner.image * p_.in_h + py) * p_.in_w + px) * p_.in_c : padding_;
    }
    layer_.transforms.input(
        {plan_.m, pixels, static_cast<size_t>(p_.in_c), inputs_ + i * p_.in_c, memory_.input_stride});
  }

  void Multiply(int64_t point, int64_t panel) {
    const auto mr = static_cast<int64_t>(plan_.gemm.mr), nr = static_cast<int64_t>(plan_.gemm.nr);
    const int64_t columns = p_.out_c - panel * nr;
    GemmF32Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.taps = 1;
    tile.channels = static_cast<size_t>(p_.in_c);
    tile.a_offset = static_cast<size_t>(point) * memory_.input_stride;
    tile.b = static_cast<const float*>(tensors_.packed) +
             static_cast<size_t>(point * plan_.panels + panel) * plan_.panel_elements;
    tile.c_stride = static_cast<size_t>(p_.out_c);
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    // While this panel is multiplied by one tile of rows after another, the next one comes in.
    const bool last_panel = point * plan_.panels + panel + 1 == plan_.points * plan_.panels;
    tile.next = last_panel ? nullptr : tile.b + plan_.panel_elements;
    tile.next_step = last_panel ? 0 : static_cast<size_t>(CeilDiv(nr, CeilDiv(count_, mr)));
    for (int64_t row = 0; row < count_; row += mr) {
      tile.m = static_cast<size_t>(count_ - row < mr ? count_ - row : mr);
      tile.a = rows_ + row;
      tile.c = products_ + static_cast<size_t>(point) * memory_.product_stride + row * p_.out_c + panel * nr;
      plan_.gemm.run(tile);
      tile.next += tile.next_step * tile.channels;
    }
  }

  void TransformProducts(int64_t i) {
    const Corner corner = CornerOf(first_ + i);
    const auto* residual = static_cast<const float*>(tensors_.residual);
    float* pixels[kMaxWinogradOutput * kMaxWinogradOutput];
    const float* starts[kMaxWinogradOutput * kMaxWinogradOutput];
    for (int k = 0; k < plan_.m * plan_.m; ++k) {
      const int64_t py = corner.y + k / plan_.m, px = corner.x + k % plan_.m;
      const bool inside = py < p_.out_h && px < p_.out_w;
      const int64_t at = (corner.image * p_.out_h + py) * p_.out_w + px;
      pixels[k] = inside ? static_cast<float*>(tensors_.y) + at * PixelStride(p_, tensors_) : nullptr;
      starts[k] = inside && residual != nullptr ? residual + at * p_.out_c : nullptr;
    }
    const auto channels = static_cast<size_t>(p_.out_c);
    const Activation& activation = p_.types.activation;
    layer_.transforms.output({plan_.m, products_ + i * p_.out_c, memory_.product_stride, channels,
                              tensors_.bias, residual == nullptr ? nullptr : starts, pixels, activation.lo(),
                              activation.hi()});
    for (int k = 0; k < plan_.m * plan_.m && !activation.is_clamp(); ++k) {
      if (pixels[k] != nullptr) layer_.activate(pixels[k], 1, channels, channels);
    }
  }

  const Conv2DParams& p_;
  const ConvTensors& tensors_;
  const Tiles& plan_;
  const BlockMemory& memory_;
  const LayerRun& layer_;
  const int64_t first_, count_;  // tiles
  float* padding_;               // a pixel of zeros
  const float** rows_;           // of the transformed inputs at point 0
  float* inputs_;                // [points][block][in_c]
  float* products_;              // [points][block][out_c]
};

void RunLayer(const LayerRun& layer, const Parallel& parallel) {
  auto* scratch = static_cast<uint8_t*>(layer.tensors.scratch);
  const auto run = [&](int64_t block, int worker, const Parallel& inside) {
    uint8_t* memory = scratch + layer.memory.bytes() * static_cast<size_t>(worker);
    BlockRunner(layer, block, memory).Run(inside);
  };
  if (layer.blocks.by_worker) {
    ParallelFor(parallel, static_cast<size_t>(layer.blocks.columns),
                [&](size_t block, int worker) { run(static_cast<int64_t>(block), worker, Sequential()); });
    return;
  }
  for (int64_t block = 0; block < layer.blocks.columns; ++block) run(block, 0, parallel);
}

// The row of F(M, 3).
template <int M>
struct Row {
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    static constexpr const char* kNames[] = {
#define MICRORT_GEMM_F32(name, set, mr, nr, lanes)          \
  MICRORT_VARIANT(set, M == 2   ? "winograd_2x2_f32/" #name \
                       : M == 4 ? "winograd_4x4_f32/" #name \
                                : "winograd_6x6_f32/" #name)
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
    };
    return kNames[WinogradGemmIndex(p, target)];
  }
  MICRORT_COLD static bool Applicable(const Conv2DParams& p) {
    return IsWinogradLayer(p) && (M < 6 || p.in_c <= kMaxWinograd6Channels);
  }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::Cost(p, target, M);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return MakePlan(p, target, M);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return ScratchBytesOf(p, target, plan, M);
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return static_cast<uint64_t>(TilesFor(p, target, M).packed_bytes);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    PackWinogradWeights(p, weights, M, TilesFor(p, target, M).gemm.nr, static_cast<float*>(packed));
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    RunLayer(LayerRun(p, target, plan, tensors, M), parallel);
  }
  static constexpr Conv2DAlgorithm kAlgorithm = {Name,        Applicable, Cost, Plan,  ScratchBytes,
                                                 PackedBytes, Pack,       Run,  false, true};
};

}  // namespace

const Conv2DAlgorithm kWinograd2 = Row<2>::kAlgorithm;
const Conv2DAlgorithm kWinograd4 = Row<4>::kAlgorithm;
const Conv2DAlgorithm kWinograd6 = Row<6>::kAlgorithm;

}  // namespace micrort
