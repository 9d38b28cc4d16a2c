#include "kernels/dwconv/depthwise_s8.h"

#include "kernels/base/rows.h"
#include "kernels/conv2d/common.h"
#include "kernels/conv2d/row_pointers.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/lanes.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/layer_s8/epilogue_s8.h"
#include "kernels/layer_s8/input_s8.h"

namespace micrort {
namespace {

// Channels whose sums are kept before they become outputs.
constexpr size_t kChannelBlock = 128;

size_t KernelIndex(const ConvTarget& target) { return SelectRow(DwConvS8Kernels(), target.features); }
const DwConvS8Kernel& Kernel(const ConvTarget& target) { return DwConvS8Kernels()[KernelIndex(target)]; }

const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_DWCONV_S8(name, features, mr) "depthwise_s8/" #name,
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8
  };
  return kNames[KernelIndex(target)];
}

bool Applicable(const Conv2DParams& p) {
  return !p.types.is_float() && !p.types.asymmetric && p.is_depthwise() && p.depth() <= kMaxGemmS8Depth &&
         (p.types.y == DType::kFloat32 || p.types.activation.is_clamp());
}

double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p); }

// The items of a batch are independent products here, because their padding may differ.
GemmGrid Grid(const Conv2DParams& p, const ConvTarget& target) {
  return MakeGemmGrid(p.batch, p.out_h * p.out_w, 1, static_cast<int64_t>(Kernel(target).mr),
                      p.taps() * p.in_c, target.workers);
}

PointerScratch<int8_t> Scratch(const Conv2DParams& p, const GemmGrid& grid) { return {p, p.in_c, grid}; }

uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target) {
  return InputS8ScratchBytes(p) + Scratch(p, Grid(p, target)).bytes(target.workers);
}

// Behind the channel table, panels of eight columns, as GEMM's.
uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget&) {
  return ChannelTable::Bytes(p) +
         PackedBS8Elements(static_cast<uint64_t>(p.taps()), static_cast<uint64_t>(p.out_c), kDwConvLanes, 1);
}

void Pack(const Conv2DParams& p, const ConvTarget&, const ConvWeights& weights, void* packed) {
  ChannelTable table(p, packed);
  PackBS8(ColumnsFrom(p, weights, 0), static_cast<size_t>(p.taps()), static_cast<size_t>(p.out_c),
          kDwConvLanes, 1, static_cast<int8_t*>(packed) + ChannelTable::Bytes(p), table.sums);
  table.Fill(p, weights, 0);
}

// Scale and zero point of one item, once for each row of a tile; null where all items share them.
class RowQuantization {
 public:
  RowQuantization(const InputS8& input, int64_t item) : dynamic_(input.item_scales != nullptr) {
    for (size_t i = 0; i < kMaxDwConvS8Rows && dynamic_; ++i) {
      scales_[i] = input.item_scales[item];
      zero_points_[i] = input.item_zero_points[item];
    }
  }
  const float* scales() const { return dynamic_ ? scales_ : nullptr; }
  const int32_t* zero_points() const { return dynamic_ ? zero_points_ : nullptr; }

 private:
  bool dynamic_;
  float scales_[kMaxDwConvS8Rows];
  int32_t zero_points_[kMaxDwConvS8Rows];
};

void RunTask(const Conv2DParams& p, const DwConvS8Kernel& kernel, const InputS8& input, const int8_t* weights,
             const EpilogueS8& epilogue, const GemmTask& task, const int8_t* padding,
             const int8_t** pointers) {
  const int64_t first_row = task.group * p.out_h * p.out_w + task.first_row;
  const auto mr = static_cast<int64_t>(kernel.mr);
  const auto channels = static_cast<size_t>(p.out_c);
  GatherRowPointers(p, input.x, padding, 0, first_row, task.rows, kernel.mr, pointers);
  const RowQuantization rows(input, task.group);
  alignas(64) int32_t acc[kMaxDwConvS8Rows * kChannelBlock];
  DwConvS8Tile tile = {};
  tile.taps = static_cast<size_t>(p.taps());
  tile.acc = acc;
  tile.acc_stride = kChannelBlock;
  for (int64_t row = 0; row < task.rows; row += mr) {
    tile.m = static_cast<size_t>(task.rows - row < mr ? task.rows - row : mr);
    tile.x = pointers + row * p.taps();
    for (size_t c = 0; c < channels; c += kChannelBlock) {
      tile.channels = channels - c < kChannelBlock ? channels - c : kChannelBlock;
      tile.x_offset = c;
      tile.w = weights + c * tile.taps;
      kernel.run(tile);
      epilogue.Finish(acc, kChannelBlock, tile.m, tile.channels, first_row + row, static_cast<int64_t>(c),
                      rows.scales(), rows.zero_points());
    }
  }
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
         const Parallel& parallel) {
  const GemmGrid grid = Grid(p, target);
  const InputS8 input = MakeInputS8(p, target.features, tensors.x, tensors.scratch, parallel);
  const EpilogueS8 epilogue(p, target.features, tensors);
  const auto* weights = static_cast<const int8_t*>(tensors.packed) + ChannelTable::Bytes(p);
  void* blocks = static_cast<uint8_t*>(tensors.scratch) + InputS8ScratchBytes(p);
  const PointerScratch<int8_t> scratch = Scratch(p, grid);
  ParallelFor(parallel, static_cast<size_t>(grid.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(grid, index);
    const int32_t zero_point =
        input.item_zero_points == nullptr ? p.types.x_zero_point : input.item_zero_points[task.group];
    const int8_t* padding = scratch.FillPadding(blocks, worker, static_cast<int8_t>(zero_point));
    RunTask(p, Kernel(target), input, weights, epilogue, task, padding, scratch.pointers(blocks, worker));
  });
}

}  // namespace

const Conv2DAlgorithm kDepthwiseS8 = {AlgorithmName, Applicable, Cost, ScratchBytes, PackedBytes, Pack, Run};

}  // namespace micrort
