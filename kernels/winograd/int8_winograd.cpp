#include "kernels/winograd/int8_winograd.h"

#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/layer_s8/epilogue_s8.h"
#include "kernels/layer_s8/input_s8.h"
#include "kernels/winograd/int8_winograd_weights.h"
#include "kernels/winograd/winograd_s8.h"

namespace micrort {
namespace {

constexpr int64_t kTaps = 3, kOutputs = 2;
constexpr size_t kPoints = kWinogradS8Points;

// Transformed inputs of a block stay in the second-level cache while all weights pass by, and so do the
// products of a block with one panel. Together they take no more memory than the layer's own data.
int64_t BlockBytes(const Conv2DParams& p, const ConvTarget& target) {
  const int64_t bytes = p.in_h * p.in_w * p.in_c + p.out_h * p.out_w * p.out_c + p.depth() * p.out_c;
  const int64_t most = MachineModelOf(target.features).s8_block_bytes;
  return bytes < most ? bytes : most;
}

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(WinogradS8Kernels(), target.features); }
const WinogradS8Kernel& Kernel(const ConvTarget& target) { return WinogradS8Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_WINOGRAD_S8(name, set, mr, nr, kr) MICRORT_VARIANT(set, {"winograd_2x2_s8/" #name, isa::set})
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s8() && p.types.weights == DType::kInt8 && HasInputS8(p.types) &&
         HasEpilogueS8(p.types) && !p.types.asymmetric && !p.transposed && p.groups == 1 &&
         p.kernel_h == kTaps && p.kernel_w == kTaps && p.stride_h == 1 && p.stride_w == 1 &&
         p.dilation_h == 1 && p.dilation_w == 1 && p.in_c <= kMaxWinogradS8Channels;
}

size_t PaddedDepth(const Conv2DParams& p) { return AlignUp(static_cast<size_t>(p.in_c), kWinogradS8Depth); }

ConvBlocks Blocks(const Conv2DParams& p, const ConvTarget& target) {
  const WinogradS8Kernel& kernel = Kernel(target);
  const int64_t tiles = CeilDiv(p.out_h, kOutputs) * CeilDiv(p.out_w, kOutputs);
  const auto mr = static_cast<int64_t>(kernel.mr);
  const auto tile_bytes =
      static_cast<int64_t>(kPoints * (PaddedDepth(p) * sizeof(int16_t) + kernel.nr * sizeof(int32_t)));
  const int64_t fitting = BlockBytes(p, target) / tile_bytes;
  const int64_t limit = MachineModelOf(target.features).s8_block_tiles;
  const int64_t most = fitting < limit ? fitting : limit;
  const int64_t wanted = most < tiles ? most : tiles;
  ConvBlocks result;
  result.room = BlockSize(wanted == 0 ? mr : CeilDiv(wanted, mr) * mr);
  // Cut evenly: a small last block would stream the weights for little.
  const int64_t count = CeilDiv<int64_t>(tiles, result.room);
  result.rows = BlockSize(count == 0 ? mr : CeilDiv(CeilDiv(tiles, count), mr) * mr);
  return result;
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  PlanInputS8(p, target.features, &plan);
  PlanEpilogueS8(p, target.features, &plan);
  plan.blocks = Blocks(p, target);
  return plan;
}

// Sizes of one layer. The output of each image is cut into tiles of 2x2 pixels, and these into blocks that
// are worked on one after the other: transform inputs; for each panel of columns multiply, transform
// products.
struct Sizes {
  const WinogradS8Kernel& kernel;
  size_t depth;  // channels, padded
  int64_t tiles_h, tiles_w, tiles;
  int64_t block;  // tiles that a block may have
  int64_t step;   // tiles of each of this layer
  int64_t panels;
  size_t panel_elements;  // weights of one panel at one point
  size_t point_stride;    // elements of transformed inputs from point to point
  size_t padding_bytes, input_bytes, product_bytes, sum_bytes, row_bytes;

  Sizes(const Conv2DParams& p, const WinogradS8Kernel& of_layer, const ConvBlocks& blocks)
      : kernel(of_layer), block(blocks.room), step(blocks.rows) {
    depth = PaddedDepth(p);
    tiles_h = CeilDiv(p.out_h, kOutputs);
    tiles_w = CeilDiv(p.out_w, kOutputs);
    tiles = tiles_h * tiles_w;
    panels = CeilDiv(p.out_c, static_cast<int64_t>(kernel.nr));
    panel_elements = depth * kernel.nr;
    const auto rows = static_cast<size_t>(block);
    point_stride = PointStride(rows * depth);
    padding_bytes = AlignUp(static_cast<size_t>(p.in_c), kAlignment);
    input_bytes = kPoints * point_stride * sizeof(int16_t);
    product_bytes = kPoints * rows * kernel.nr * sizeof(int32_t);
    sum_bytes = 2 * kOutputs * rows * kernel.nr * sizeof(int32_t);
    // Scale and zero point of each pixel of dynamic layers.
    row_bytes = p.types.dynamic ? kOutputs * rows * (sizeof(float) + sizeof(int32_t)) : 0;
  }

  // Whole cache lines, but no multiple of large powers of two, which would put all points into one set of the
  // cache.
  static size_t PointStride(size_t elements) {
    constexpr size_t kLine = kAlignment / sizeof(int16_t);
    return AlignUp(elements, kLine) | kLine;
  }

  size_t shared_bytes() const { return padding_bytes + input_bytes; }
  size_t worker_bytes() const { return AlignUp(product_bytes + sum_bytes + row_bytes, kAlignment); }
};

// How much faster than with int16 sums of bytes are, where instructions multiply and add two, four or eight
// of them.
double DotProductGain(const ConvTarget& target) {
  if (target.features & kCpuAvx512Vnni) return 4.0;
  const Span<const GemmS8Kernel> rows = GemmS8Kernels();
  const GemmS8Kernel& kernel = rows[SelectVariant(rows, target.features)];
  if (kernel.left == GemmS8Left::kInt8Pairs) return 1.5;
  return kernel.kr == 8 ? 4.0 : kernel.kr == 4 ? 2.5 : 1.0;
}

Sizes SizesFor(const Conv2DParams& p, const ConvTarget& target) {
  return {p, Kernel(target), Blocks(p, target)};
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes plan = SizesFor(p, target);
  // What a tile costs beside its products: as much as so many steps of depth.
  constexpr int64_t kTileDepth = 8;
  const int64_t tiles = p.batch * plan.tiles;
  const double products = TiledCost(kPoints, tiles, p.out_c, static_cast<int64_t>(plan.depth) + kTileDepth,
                                    plan.kernel.mr, plan.kernel.nr, kCostLanes) *
                          DotProductGain(target);
  const double blocks = static_cast<double>(p.batch * CeilDiv(plan.tiles, plan.block));
  const double weights =
      static_cast<double>(kPoints * plan.panel_elements) * static_cast<double>(plan.panels);
  const double streaming = TrafficCost(target, blocks * weights * sizeof(int16_t));
  // Additions and memory accesses for every element of the transformed planes.
  constexpr double kInput = 2, kOutput = 3;
  const double transforms = static_cast<double>(kPoints) * static_cast<double>(tiles) *
                            (kInput * static_cast<double>(p.in_c) + kOutput * static_cast<double>(p.out_c));
  return (products > streaming ? products : streaming) + transforms;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  const Sizes sizes(p, VariantOf(WinogradS8Kernels(), plan.kernel), plan.blocks);
  return InputS8ScratchBytes(p) + sizes.shared_bytes() +
         static_cast<uint64_t>(sizes.worker_bytes()) * static_cast<uint64_t>(target.workers);
}

// Behind the channel table, int16 [panels][16][depth / kr][nr][kr].
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes plan = SizesFor(p, target);
  return ChannelTable::Bytes(p) +
         static_cast<uint64_t>(plan.panels) * kPoints * plan.panel_elements * sizeof(int16_t);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const Sizes plan = SizesFor(p, target);
  ChannelTable table(p, packed);
  auto* panels = reinterpret_cast<int16_t*>(static_cast<uint8_t*>(packed) + ChannelTable::Bytes(p));
  PackInt8WinogradWeights(p, weights, plan.kernel, plan.depth, panels, table.sums);
  table.Fill(p, weights, 0);
}

class Runner {
 public:
  Runner(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors, const InputS8& input)
      : p_(p),
        plan_(p, VariantOf(WinogradS8Kernels(), plan.kernel), plan.blocks),
        input_(input),
        epilogue_(p, plan, tensors, GemmS8Result::kSums) {
    const auto* packed = static_cast<const uint8_t*>(tensors.packed) + ChannelTable::Bytes(p);
    panels_ = reinterpret_cast<const int16_t*>(packed);
    auto* scratch = static_cast<uint8_t*>(tensors.scratch) + InputS8ScratchBytes(p);
    padding_ = reinterpret_cast<int8_t*>(scratch);
    inputs_ = reinterpret_cast<int16_t*>(scratch + plan_.padding_bytes);
    workers_ = scratch + plan_.shared_bytes();
  }

  void Run(const Parallel& parallel) {
    // Channels beyond the last stay zero.
    if (plan_.depth != static_cast<size_t>(p_.in_c)) std::memset(inputs_, 0, plan_.input_bytes);
    for (image_ = 0; image_ < p_.batch; ++image_) {
      std::memset(padding_, static_cast<int8_t>(ZeroPoint()), static_cast<size_t>(p_.in_c));
      for (first_ = 0; first_ < plan_.tiles; first_ += plan_.step) {
        count_ = plan_.tiles - first_ < plan_.step ? plan_.tiles - first_ : plan_.step;
        RunBlock(parallel);
      }
    }
  }

 private:
  // The parts of a worker's memory.
  struct Memory {
    int32_t* products;      // [16][block][nr]
    int32_t *top, *bottom;  // [2 * block][nr]
    float* scales;          // [2 * block], of dynamic layers
    int32_t* zero_points;
  };

  int32_t ZeroPoint() const {
    return input_.item_zero_points == nullptr ? p_.types.x_zero_point : input_.item_zero_points[image_];
  }

  Memory MemoryOf(int worker) const {
    uint8_t* bytes = workers_ + plan_.worker_bytes() * static_cast<size_t>(worker);
    const size_t rows = static_cast<size_t>(kOutputs * plan_.block);
    Memory m = {};
    m.products = reinterpret_cast<int32_t*>(bytes);
    m.top = reinterpret_cast<int32_t*>(bytes + plan_.product_bytes);
    m.bottom = m.top + rows * plan_.kernel.nr;
    if (p_.types.dynamic) {
      m.scales = reinterpret_cast<float*>(bytes + plan_.product_bytes + plan_.sum_bytes);
      m.zero_points = reinterpret_cast<int32_t*>(m.scales + rows);
    }
    return m;
  }

  void RunBlock(const Parallel& parallel) {
    ParallelFor(parallel, static_cast<size_t>(count_),
                [&](size_t i, int) { TransformInput(static_cast<int64_t>(i)); });
    ParallelFor(parallel, static_cast<size_t>(plan_.panels),
                [&](size_t panel, int worker) { RunPanel(panel, MemoryOf(worker)); });
  }

  void TransformInput(int64_t i) {
    const int64_t y = (first_ + i) / plan_.tiles_w * kOutputs - p_.pad_top;
    const int64_t x = (first_ + i) % plan_.tiles_w * kOutputs - p_.pad_left;
    const int8_t* pixels[kPoints];
    for (int64_t k = 0; k < static_cast<int64_t>(kPoints); ++k) {
      const int64_t py = y + k / kWinogradS8Size, px = x + k % kWinogradS8Size;
      const bool inside = py >= 0 && py < p_.in_h && px >= 0 && px < p_.in_w;
      pixels[k] = inside ? input_.x + ((image_ * p_.in_h + py) * p_.in_w + px) * p_.in_c : padding_;
    }
    int16_t* v = inputs_ + static_cast<size_t>(i) * plan_.depth;
    plan_.kernel.input({pixels, static_cast<size_t>(p_.in_c), v, plan_.point_stride});
  }

  void RunPanel(size_t panel, const Memory& memory) const {
    const int16_t* b = panels_ + panel * kPoints * plan_.panel_elements;
    const size_t nr = plan_.kernel.nr, point_products = static_cast<size_t>(plan_.block) * nr;
    for (size_t point = 0; point < kPoints; ++point, b += plan_.panel_elements) {
      plan_.kernel.multiply({static_cast<size_t>(count_), Columns(panel), plan_.depth,
                             inputs_ + point * plan_.point_stride, b,
                             memory.products + point * point_products});
    }
    if (p_.types.dynamic) {
      for (int64_t i = 0; i < kOutputs * plan_.block; ++i) {
        memory.scales[i] = input_.item_scales[image_];
        memory.zero_points[i] = input_.item_zero_points[image_];
      }
    }
    // Tiles side by side give two rows of output pixels.
    for (int64_t i = 0; i < count_;) {
      const int64_t in_row = plan_.tiles_w - (first_ + i) % plan_.tiles_w;
      const int64_t tiles = count_ - i < in_row ? count_ - i : in_row;
      plan_.kernel.output({memory.products + static_cast<size_t>(i) * nr, point_products,
                           static_cast<size_t>(tiles), memory.top, memory.bottom});
      Finish(i, tiles, panel, memory);
      i += tiles;
    }
  }

  // Columns that exist.
  size_t Columns(size_t panel) const {
    const size_t left = static_cast<size_t>(p_.out_c) - panel * plan_.kernel.nr;
    return left < plan_.kernel.nr ? left : plan_.kernel.nr;
  }

  void Finish(int64_t i, int64_t tiles, size_t panel, const Memory& memory) const {
    const int64_t y = (first_ + i) / plan_.tiles_w * kOutputs, x = (first_ + i) % plan_.tiles_w * kOutputs;
    const int64_t right = p_.out_w - x, m = right < kOutputs * tiles ? right : kOutputs * tiles;
    const auto column = static_cast<int64_t>(panel * plan_.kernel.nr);
    const int32_t* const sums[kOutputs] = {memory.top, memory.bottom};
    for (int64_t k = 0; k < kOutputs && y + k < p_.out_h; ++k) {
      epilogue_.Finish(sums[k], plan_.kernel.nr, static_cast<size_t>(m), Columns(panel),
                       (image_ * p_.out_h + y + k) * p_.out_w + x, column, memory.scales, memory.zero_points);
    }
  }

  const Conv2DParams& p_;
  const Sizes plan_;
  const InputS8& input_;
  const EpilogueS8 epilogue_;
  const int16_t* panels_;
  int8_t* padding_;  // a pixel
  int16_t* inputs_;  // [16][block][depth]
  uint8_t* workers_;
  int64_t image_ = 0, first_ = 0, count_ = 0;  // the block
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const InputS8 input = MakeInputS8(p, plan, tensors.x, tensors.scratch, parallel);
  Runner(p, plan, tensors, input).Run(parallel);
}

}  // namespace

const Conv2DAlgorithm kWinogradS8 = {AlgorithmName,  Applicable,  Cost, MakePlan,
                                     ScratchBytesOf, PackedBytes, Pack, Run};

}  // namespace micrort
