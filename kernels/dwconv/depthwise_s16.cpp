#include "kernels/dwconv/depthwise_s16.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/target.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/depthwise_partition.h"
#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/filter_rows.h"
#include "kernels/gemm/gemm_s16.h"
#include "kernels/layer_s16/tile_epilogue_s16.h"

namespace micrort {
namespace {

// Channels whose sums are kept before they become outputs.
constexpr size_t kChannelBlock = 128;

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DwConvS16Kernels(), target.features); }
const DwConvS16Kernel& Kernel(const ConvTarget& target) { return DwConvS16Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_DWCONV_S16(name, set, ...) MICRORT_VARIANT(set, {"depthwise_s16/" #name, isa::set})
#include "kernels/dwconv/dwconv_s16.inc"
#undef MICRORT_DWCONV_S16
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s16() && p.types.weights == DType::kInt8 && p.types.y == DType::kInt16 &&
         p.types.activation.is_clamp() && p.is_depthwise() &&
         p.depth() <= static_cast<int64_t>(kMaxGemmS16Depth) && FilterRows<int16_t>::Fits(p, kDepthwiseWidth);
}

// Without vectors it is slower than the direct algorithm.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  return (Kernel(target).features == kCpuScalar ? 8.0 : 1.0) * DepthwiseCost(p);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  PlanTileEpilogueS16(target.features, &plan);
  plan.blocks = BlocksOf(MakeDepthwisePartition(p, target.workers));
  return plan;
}

// Kernels may reach as far as a whole tile does.
FilterRows<int16_t> Rows(const Conv2DParams& p, const ConvPlan& plan) {
  const auto mr = static_cast<int64_t>(VariantOf(DwConvS16Kernels(), plan.kernel).mr);
  return {p, plan.blocks.columns + mr - 1};
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return static_cast<uint64_t>(Rows(p, plan).bytes(PointerBytes(target.features))) *
         static_cast<uint64_t>(target.workers);
}

size_t ChannelBytes(const Conv2DParams& p) {
  return DwConvS8ChannelBytes(kDwConvS16Kr, static_cast<size_t>(p.kernel_h), static_cast<size_t>(p.kernel_w));
}

size_t WeightBytes(const Conv2DParams& p) {
  return AlignUp(static_cast<size_t>(p.out_c), kDwConvS8Lanes) * ChannelBytes(p);
}

// The weights are behind the channel table.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget&) {
  return TileTableS16::Bytes(p) + WeightBytes(p);
}

// Where the micro-kernels read the weight of a tap of a channel.
size_t PackedIndex(const Conv2DParams& p, size_t channel, size_t tap) {
  const auto width = static_cast<size_t>(p.kernel_w);
  const size_t ky = tap / width, kx = tap % width;
  return channel / kDwConvS8Lanes * kDwConvS8Lanes * ChannelBytes(p) +
         ((ky / kDwConvS16Kr * width + kx) * kDwConvS8Lanes + channel % kDwConvS8Lanes) * kDwConvS16Kr +
         ky % kDwConvS16Kr;
}

void Pack(const Conv2DParams& p, const ConvTarget&, const ConvWeights& weights, void* packed) {
  TileTableS16(p, packed).Fill(p, weights, 0);
  const auto* data = static_cast<const int8_t*>(weights.data);
  int8_t* out = static_cast<int8_t*>(packed) + TileTableS16::Bytes(p);
  std::memset(out, 0, WeightBytes(p));
  for (int64_t o = 0; o < p.out_c; ++o) {
    for (int64_t tap = 0; tap < p.taps(); ++tap) {
      out[PackedIndex(p, static_cast<size_t>(o), static_cast<size_t>(tap))] =
          data[o * weights.column_stride + tap * weights.depth_stride];
    }
  }
}

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const DwConvS16Kernel& kernel, const int8_t* weights,
             const TileEpilogueS16& epilogue, const DepthwiseTask& task)
      : p_(p), kernel_(kernel), weights_(weights), epilogue_(epilogue), task_(task) {
    tile_.kernel_h = static_cast<size_t>(p.kernel_h);
    tile_.kernel_w = static_cast<size_t>(p.kernel_w);
    tile_.acc_stride = kChannelBlock;
  }

  void Run(const int16_t* x, FilterRows<int16_t>* rows, void* memory) {
    tile_.step = rows->column_step();
    tile_.adjacent = rows->adjacent();
    rows->Reset(memory, task_.first_column, int16_t{0});
    for (int64_t row = task_.first_row; row < task_.first_row + task_.rows; ++row) {
      rows->MoveTo(x, row / p_.out_h, row % p_.out_h);
      RunRow(row, rows);
    }
  }

 private:
  void RunRow(int64_t row, FilterRows<int16_t>* rows) {
    const auto mr = static_cast<int64_t>(kernel_.mr);
    for (int64_t i = 0; i < task_.columns; i += mr) {
      tile_.m = static_cast<size_t>(std::min(mr, task_.columns - i));
      tile_.columns = rows->Taps(i);
      RunTile(row * p_.out_w + task_.first_column + i);
    }
  }

  void RunTile(int64_t pixel) {
    alignas(64) int32_t acc[kMaxDwConvS8Rows * kChannelBlock];
    tile_.acc = acc;
    const auto channels = static_cast<size_t>(p_.out_c);
    for (size_t c = 0; c < channels; c += kChannelBlock) {
      tile_.channels = std::min(kChannelBlock, channels - c);
      tile_.x_offset = c;
      tile_.w = weights_ + c * ChannelBytes(p_);
      kernel_.run(tile_);
      epilogue_.Finish({acc, kChannelBlock, 1, 0}, tile_.m, tile_.channels, pixel, static_cast<int64_t>(c));
    }
  }

  const Conv2DParams& p_;
  const DwConvS16Kernel& kernel_;
  const int8_t* weights_;
  const TileEpilogueS16& epilogue_;
  const DepthwiseTask& task_;
  DwConvS16Tile tile_ = {};
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const DepthwisePartition partition = PartitionOf(plan.blocks, p);
  const DwConvS16Kernel& kernel = VariantOf(DwConvS16Kernels(), plan.kernel);
  const TileEpilogueS16 epilogue(p, plan, tensors);
  const auto* weights = static_cast<const int8_t*>(tensors.packed) + TileTableS16::Bytes(p);
  ParallelFor(parallel, static_cast<size_t>(partition.tasks), [&](size_t index, int worker) {
    const DepthwiseTask task = TaskOf(partition, index);
    FilterRows<int16_t> rows = Rows(p, plan);
    TaskRunner(p, kernel, weights, epilogue, task)
        .Run(static_cast<const int16_t*>(tensors.x), &rows,
             static_cast<uint8_t*>(tensors.scratch) + rows.bytes() * static_cast<size_t>(worker));
  });
}

}  // namespace

const Conv2DAlgorithm kDepthwiseS16 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                       PackedBytes,   Pack,       Run,  true,     true};

}  // namespace micrort
