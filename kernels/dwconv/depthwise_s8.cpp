#include "kernels/dwconv/depthwise_s8.h"

#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/base/target.h"
#include "kernels/conv/cost.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/depthwise_partition.h"
#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/filter_rows.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/layer_s8/epilogue_s8.h"
#include "kernels/layer_s8/input_s8.h"

namespace micrort {
namespace {

// Channels whose sums are kept before they become outputs.
constexpr size_t kChannelBlock = kSmallStack ? 32 : 128;
// Output pixels of a micro-kernel's tile, at most.
constexpr size_t kMaxRows = kSmallStack ? 4 : kMaxDwConvS8Rows;
// Pixels of a tile of outputs: the columns that lie under them, of one block of channels, stay in the
// first-level cache.
constexpr int64_t kLongestRun = 28;

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DwConvS8Kernels(), target.features); }
const DwConvS8Kernel& Kernel(const ConvTarget& target) { return DwConvS8Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_DWCONV_S8(name, set, ...) MICRORT_VARIANT(set, {"depthwise_s8/" #name, isa::set})
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s8() && HasInputS8(p.types) && HasEpilogueS8(p.types) &&
         !(p.types.asymmetric && p.types.dynamic) && p.is_depthwise() && p.depth() <= kMaxGemmS8Depth &&
         FilterRows<int8_t>::Fits(p, kDepthwiseWidth);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p); }

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  PlanInputS8(p, target.features, &plan);
  PlanEpilogueS8(p, target.features, &plan);
  plan.blocks = BlocksOf(MakeDepthwisePartition(p, target.workers));
  return plan;
}

// Kernels may reach as far as a whole tile does.
FilterRows<int8_t> Rows(const Conv2DParams& p, const ConvPlan& plan) {
  const auto mr = static_cast<int64_t>(VariantOf(DwConvS8Kernels(), plan.kernel).mr);
  return {p, plan.blocks.columns + mr - 1};
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return InputS8ScratchBytes(p) + static_cast<uint64_t>(Rows(p, plan).bytes(PointerBytes(target.features))) *
                                      static_cast<uint64_t>(target.workers);
}

size_t ChannelBytes(const Conv2DParams& p, size_t kr) {
  return DwConvS8ChannelBytes(kr, static_cast<size_t>(p.kernel_h), static_cast<size_t>(p.kernel_w));
}

size_t WeightBytes(const Conv2DParams& p, size_t kr) {
  return AlignUp(static_cast<size_t>(p.out_c), kDwConvS8Lanes) * ChannelBytes(p, kr);
}

// The bytes of the weights, and where they are asymmetric, of a filter of their zero points, whose sums are
// subtracted.
size_t FilterBytes(const Conv2DParams& p, size_t kr) { return WeightBytes(p, kr) << p.types.asymmetric; }

// The filters are behind the channel table.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return ChannelTable::Bytes(p) + FilterBytes(p, Kernel(target).kr);
}

// Where the micro-kernels read the weight of a tap of a channel.
size_t PackedIndex(const Conv2DParams& p, size_t kr, size_t channel, size_t tap) {
  const auto width = static_cast<size_t>(p.kernel_w);
  const size_t ky = tap / width, kx = tap % width;
  return channel / kDwConvS8Lanes * kDwConvS8Lanes * ChannelBytes(p, kr) +
         ((ky / kr * width + kx) * kDwConvS8Lanes + channel % kDwConvS8Lanes) * kr + ky % kr;
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  ChannelTable table(p, packed);
  const size_t kr = Kernel(target).kr;
  const auto* data = static_cast<const int8_t*>(weights.data);
  int8_t* out = static_cast<int8_t*>(packed) + ChannelTable::Bytes(p);
  const size_t zero_points = p.types.asymmetric ? WeightBytes(p, kr) : 0;
  std::memset(out, 0, FilterBytes(p, kr));
  for (int64_t o = 0; o < p.out_c; ++o) {
    int32_t zero_point = 0;
    if (p.types.asymmetric && weights.zero_points != nullptr)
      zero_point = weights.zero_points[o * weights.scale_stride];
    table.sums[o] = 0;
    for (int64_t tap = 0; tap < p.taps(); ++tap) {
      const int8_t w = data[o * weights.column_stride + tap * weights.depth_stride];
      int8_t* const at = out + PackedIndex(p, kr, static_cast<size_t>(o), static_cast<size_t>(tap));
      at[zero_points] = static_cast<int8_t>(zero_point);
      *at = w;
      table.sums[o] += w - zero_point;
    }
  }
  table.Fill(p, weights, 0);
}

// Scale and zero point of one item, once for each row of a tile; null where all items share them.
class RowQuantization {
 public:
  RowQuantization(const InputS8& input, int64_t item) : dynamic_(input.item_scales != nullptr) {
    for (size_t i = 0; i < kMaxRows && dynamic_; ++i) {
      scales_[i] = input.item_scales[item];
      zero_points_[i] = input.item_zero_points[item];
    }
  }
  const float* scales() const { return dynamic_ ? scales_ : nullptr; }
  const int32_t* zero_points() const { return dynamic_ ? zero_points_ : nullptr; }

 private:
  bool dynamic_;
  float scales_[kMaxRows];
  int32_t zero_points_[kMaxRows];
};

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const DwConvS8Kernel& kernel, const InputS8& input, const int8_t* weights,
             const EpilogueS8& epilogue, const DepthwiseTask& task)
      : p_(p), kernel_(kernel), input_(input), weights_(weights), epilogue_(epilogue), task_(task) {
    tile_.kernel_h = static_cast<size_t>(p.kernel_h);
    tile_.kernel_w = static_cast<size_t>(p.kernel_w);
    tile_.acc_stride = kChannelBlock;
  }

  // The padding may differ from item to item of the batch.
  void Run(FilterRows<int8_t>* rows, void* memory) {
    tile_.step = rows->column_step();
    tile_.adjacent = rows->adjacent();
    int64_t item = -1;
    for (int64_t row = task_.first_row; row < task_.first_row + task_.rows; ++row) {
      if (row / p_.out_h != item) {
        item = row / p_.out_h;
        const int32_t zero_point =
            input_.item_zero_points == nullptr ? p_.types.x_zero_point : input_.item_zero_points[item];
        rows->Reset(memory, task_.first_column, static_cast<int8_t>(zero_point));
      }
      rows->MoveTo(input_.x, item, row % p_.out_h);
      RunRow(row, RowQuantization(input_, item), rows);
    }
  }

 private:
  // Output pixels of a tile. Outputs of parts of a block of channels may come as sums. Where memory is small,
  // kernels do not slide.
  int64_t RunLength() const {
    if (!kSmallStack && epilogue_.InMicroKernel() && p_.out_c % static_cast<int64_t>(kDwConvS8Lanes) == 0) {
      return CeilDiv(task_.columns, CeilDiv(task_.columns, kLongestRun));
    }
    return static_cast<int64_t>(kernel_.mr);
  }

  void RunRow(int64_t row, const RowQuantization& quantization, FilterRows<int8_t>* rows) {
    const int64_t run = RunLength();
    for (int64_t i = 0; i < task_.columns; i += run) {
      const int64_t pixel = row * p_.out_w + task_.first_column + i;
      const int64_t m = task_.columns - i < run ? task_.columns - i : run;
      tile_.m = static_cast<size_t>(m);
      tile_.columns = rows->Taps(i);
      tile_.even = !kSmallStack && rows->Even(i, m);
      RunTile(pixel, quantization);
    }
  }

  void RunTile(int64_t pixel, const RowQuantization& quantization) {
    alignas(kSmallStack ? 8 : 64) int32_t acc[kMaxRows * kChannelBlock];
    tile_.acc = acc;
    const auto channels = static_cast<size_t>(p_.out_c);
    const size_t block = kChannelBlock >> p_.types.asymmetric;
    for (size_t c = 0; c < channels; c += block) {
      tile_.channels = channels - c < block ? channels - c : block;
      tile_.x_offset = c;
      tile_.w = weights_ + c * ChannelBytes(p_, kernel_.kr);
      GemmS8Output output;
      bool written = false;
      if (epilogue_.InMicroKernel()) {
        output = epilogue_.Output(pixel, static_cast<int64_t>(c));
        tile_.output = &output;
        tile_.written = &written;
      }
      kernel_.run(tile_);
      if (written) continue;
      if (p_.types.asymmetric) SubtractZeroPoints();
      epilogue_.Finish(acc, kChannelBlock, tile_.m, tile_.channels, pixel, static_cast<int64_t>(c),
                       quantization.scales(), quantization.zero_points());
    }
  }

  // Subtracts zero points of the weights, times the elements under the filter; these sums are beside the
  // tile's own. Other layers need no stack for it.
  [[gnu::noinline]] void SubtractZeroPoints() const {
    DwConvS8Tile tile = tile_;
    tile.w += WeightBytes(p_, kernel_.kr);
    tile.acc += kChannelBlock / 2;
    kernel_.run(tile);
    for (size_t i = 0; i < tile.m * kChannelBlock; i += kChannelBlock) {
      for (size_t c = 0; c < tile.channels; ++c) {
        const auto sum = static_cast<uint32_t>(tile_.acc[i + c]);
        tile_.acc[i + c] = static_cast<int32_t>(sum - static_cast<uint32_t>(tile.acc[i + c]));
      }
    }
  }

  const Conv2DParams& p_;
  const DwConvS8Kernel& kernel_;
  const InputS8& input_;
  const int8_t* weights_;
  const EpilogueS8& epilogue_;
  const DepthwiseTask& task_;
  DwConvS8Tile tile_ = {};
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const DepthwisePartition partition = PartitionOf(plan.blocks, p);
  const DwConvS8Kernel& kernel = VariantOf(DwConvS8Kernels(), plan.kernel);
  const InputS8 input = MakeInputS8(p, plan, tensors.x, tensors.scratch, parallel);
  const EpilogueS8 epilogue(p, plan, tensors, kernel.result);
  const auto* weights = static_cast<const int8_t*>(tensors.packed) + ChannelTable::Bytes(p);
  auto* memory = static_cast<uint8_t*>(tensors.scratch) + InputS8ScratchBytes(p);
  ParallelFor(parallel, static_cast<size_t>(partition.tasks), [&](size_t index, int worker) {
    const DepthwiseTask task = TaskOf(partition, index);
    FilterRows<int8_t> rows = Rows(p, plan);
    TaskRunner(p, kernel, input, weights, epilogue, task)
        .Run(&rows, memory + rows.bytes() * static_cast<size_t>(worker));
  });
}

}  // namespace

const Conv2DAlgorithm kDepthwiseS8 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                      PackedBytes,   Pack,       Run,  true};

}  // namespace micrort
