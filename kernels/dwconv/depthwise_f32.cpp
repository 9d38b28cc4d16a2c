#include "kernels/dwconv/depthwise_f32.h"

#include "kernels/base/rows.h"
#include "kernels/conv2d/common.h"
#include "kernels/conv2d/row_pointers.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/dwconv/lanes.h"
#include "kernels/elementwise/activate_f32.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectRow(DwConvF32Kernels(), target.features); }
const DwConvF32Kernel& Kernel(const ConvTarget& target) { return DwConvF32Kernels()[KernelIndex(target)]; }

const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_DWCONV_F32(name, features, mr) "depthwise_f32/" #name,
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
  };
  return kNames[KernelIndex(target)];
}

bool Applicable(const Conv2DParams& p) { return p.types.is_float() && p.is_depthwise(); }

double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p); }

GemmGrid Grid(const Conv2DParams& p, const ConvTarget& target) {
  const int64_t pixel_bytes = p.taps() * p.in_c * static_cast<int64_t>(sizeof(float));
  return MakeGemmGrid(1, p.rows(), 1, static_cast<int64_t>(Kernel(target).mr), pixel_bytes, target.workers);
}

PointerScratch<float> Scratch(const Conv2DParams& p, const GemmGrid& grid) { return {p, p.in_c, grid}; }

uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target) {
  return Scratch(p, Grid(p, target)).bytes(target.workers);
}

// Panels of eight columns, as GEMM's.
uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget&) {
  return PackedBF32Elements(static_cast<uint64_t>(p.taps()), static_cast<uint64_t>(p.out_c), kDwConvLanes) *
         sizeof(float);
}

void Pack(const Conv2DParams& p, const ConvTarget&, const ConvWeights& weights, void* packed) {
  PackBF32(ColumnsFrom(p, weights, 0), static_cast<size_t>(p.taps()), static_cast<size_t>(p.out_c),
           kDwConvLanes, static_cast<float*>(packed));
}

void RunTask(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
             const GemmTask& task, const float* padding, const float** pointers) {
  const DwConvF32Kernel& kernel = Kernel(target);
  const auto mr = static_cast<int64_t>(kernel.mr);
  const auto* residual = static_cast<const float*>(tensors.residual);
  GatherRowPointers(p, static_cast<const float*>(tensors.x), padding, 0, task.first_row, task.rows, kernel.mr,
                    pointers);
  DwConvF32Tile tile = {};
  tile.taps = static_cast<size_t>(p.taps());
  tile.channels = tile.y_stride = static_cast<size_t>(p.out_c);
  tile.w = static_cast<const float*>(tensors.packed);
  tile.bias = tensors.bias;
  tile.lo = p.types.activation.lo();
  tile.hi = p.types.activation.hi();
  for (int64_t row = 0; row < task.rows; row += mr) {
    const int64_t offset = (task.first_row + row) * p.out_c;
    tile.m = static_cast<size_t>(task.rows - row < mr ? task.rows - row : mr);
    tile.x = pointers + row * p.taps();
    tile.y = static_cast<float*>(tensors.y) + offset;
    tile.start = residual == nullptr ? nullptr : residual + offset;
    kernel.run(tile);
    ActivateF32(p.types.activation, target.features, tile.y, tile.m, tile.channels, tile.y_stride);
  }
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
         const Parallel& parallel) {
  const GemmGrid grid = Grid(p, target);
  const PointerScratch<float> scratch = Scratch(p, grid);
  ParallelFor(parallel, static_cast<size_t>(grid.tasks), [&](size_t index, int worker) {
    const float* padding = scratch.FillPadding(tensors.scratch, worker, 0.0f);
    RunTask(p, target, tensors, TaskOf(grid, index), padding, scratch.pointers(tensors.scratch, worker));
  });
}

}  // namespace

const Conv2DAlgorithm kDepthwiseF32 = {AlgorithmName, Applicable, Cost, ScratchBytes, PackedBytes, Pack, Run};

}  // namespace micrort
