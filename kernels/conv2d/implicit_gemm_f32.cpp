#include "kernels/conv2d/implicit_gemm_f32.h"

#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/conv2d/common.h"
#include "kernels/conv2d/row_pointers.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/pack_b.h"

namespace micrort {
namespace {

// Depth of one block of the sum: a panel of B this deep and 16 wide is 32 KiB, about a first-level cache.
constexpr int64_t kDepthBlock = 512;

// Few channels: the taps of a filter's row are read as one tap of more channels. Copying pixels at the edge
// of the image must not cost much.
bool ReadsRuns(const Conv2DParams& p) {
  constexpr int64_t kMaxRunChannels = 8, kMaxRun = 64;
  return p.groups == 1 && !p.transposed && p.dilation_w == 1 && p.kernel_w > 1 && p.in_c <= kMaxRunChannels &&
         p.kernel_w * p.in_c <= kMaxRun;
}

// How the depth is read.
struct Depth {
  int64_t taps, channels;

  explicit Depth(const Conv2DParams& p)
      : taps(ReadsRuns(p) ? p.kernel_h : p.taps()),
        channels(ReadsRuns(p) ? p.kernel_w * p.in_c : p.group_channels()) {}
};

size_t KernelIndex(const Conv2DParams& p, const ConvTarget& target) {
  return SelectGemmF32(target.features, static_cast<size_t>(p.group_columns()));
}
const GemmF32Kernel& Kernel(const Conv2DParams& p, const ConvTarget& target) {
  return GemmF32Kernels()[KernelIndex(p, target)];
}

const char* AlgorithmName(const Conv2DParams& p, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_GEMM_F32(name, features, mr, nr, lanes) "implicit_gemm_f32/" #name,
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
  };
  return kNames[KernelIndex(p, target)];
}

bool Applicable(const Conv2DParams& p) { return p.types.is_float(); }

double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), p.depth(), kernel.mr,
                   kernel.nr, kernel.lanes);
}

GemmGrid Grid(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  const int64_t depth = p.depth() < kDepthBlock ? p.depth() : kDepthBlock;
  return MakeGemmGrid(p.groups, p.rows(), CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)),
                      static_cast<int64_t>(kernel.mr), depth * static_cast<int64_t>(sizeof(float)),
                      target.workers, kernel.lanes > kCostLanes ? kWideGemmBlock : kGemmBlock);
}

PointerScratch<float> Scratch(const Conv2DParams& p, const GemmGrid& grid) {
  return {p, Depth(p).channels, grid};
}

// Of pixels at the edge of the image, for each worker.
size_t CopyElements(const Conv2DParams& p, const GemmGrid& grid) {
  return ReadsRuns(p) ? AlignUp(static_cast<size_t>(grid.row_block * p.depth()), kAlignment) : 0;
}

uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target) {
  const GemmGrid grid = Grid(p, target);
  return Scratch(p, grid).bytes(target.workers) +
         CopyElements(p, grid) * sizeof(float) * static_cast<uint64_t>(target.workers);
}

uint64_t PackedElementsOfGroup(const Conv2DParams& p, const ConvTarget& target) {
  return PackedBF32Elements(static_cast<uint64_t>(p.depth()), static_cast<uint64_t>(p.group_columns()),
                            Kernel(p, target).nr);
}

uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return PackedElementsOfGroup(p, target) * static_cast<uint64_t>(p.groups) * sizeof(float);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  auto* out = static_cast<float*>(packed);
  for (int64_t g = 0; g < p.groups; ++g) {
    const MatrixB b = ColumnsFrom(p, weights, g * p.group_columns());
    PackBF32(b, static_cast<size_t>(p.depth()), static_cast<size_t>(p.group_columns()), Kernel(p, target).nr,
             out);
    out += PackedElementsOfGroup(p, target);
  }
}

// A part of the sum over taps and channels: several taps, or some channels of one.
struct DepthBlock {
  int64_t first_tap, taps;
  int64_t first_channel, channels;
  bool first, last;
};

// Calls f for the blocks that cover the depth in order.
template <typename F>
void ForEachDepthBlock(int64_t taps, int64_t channels, F f) {
  const int64_t blocks = CeilDiv(taps * channels, kDepthBlock);
  if (channels < kDepthBlock || blocks == 1) {
    const int64_t step = CeilDiv(taps, blocks);
    for (int64_t t = 0; t < taps; t += step) {
      const int64_t n = taps - t < step ? taps - t : step;
      f(DepthBlock{t, n, 0, channels, t == 0, t + n == taps});
    }
    return;
  }
  const int64_t step = CeilDiv(channels, CeilDiv(channels, kDepthBlock));
  for (int64_t t = 0; t < taps; ++t) {
    for (int64_t c = 0; c < channels; c += step) {
      const int64_t n = channels - c < step ? channels - c : step;
      f(DepthBlock{t, 1, c, n, t == 0 && c == 0, t == taps - 1 && c + n == channels});
    }
  }
}

// One task of the grid: all tiles of its block.
class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
             const GemmTask& task)
      : p_(p),
        depth_(p),
        features_(target.features),
        kernel_(Kernel(p, target)),
        tensors_(tensors),
        task_(task) {
    panels_ = static_cast<const float*>(tensors.packed) +
              static_cast<size_t>(task.group) * PackedElementsOfGroup(p, target);
  }

  void Run(const float* padding, const float** pointers, float* copies) {
    const auto* x = static_cast<const float*>(tensors_.x);
    if (ReadsRuns(p_)) {
      GatherRunPointers(p_, x, padding, task_.first_row, task_.rows, kernel_.mr, pointers, copies);
    } else {
      GatherRowPointers(p_, x, padding, task_.group, task_.first_row, task_.rows, kernel_.mr, pointers);
    }
    pointers_ = pointers;
    ForEachDepthBlock(depth_.taps, depth_.channels, [this](const DepthBlock& block) {
      for (int64_t panel = 0; panel < task_.panels; ++panel) RunPanel(block, task_.first_panel + panel);
    });
    Activate();
  }

 private:
  void RunPanel(const DepthBlock& block, int64_t panel) {
    const auto nr = static_cast<int64_t>(kernel_.nr), mr = static_cast<int64_t>(kernel_.mr);
    const int64_t column = panel * nr;
    const int64_t columns = p_.group_columns() - column;
    GemmF32Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.taps = static_cast<size_t>(block.taps);
    tile.channels = static_cast<size_t>(block.channels);
    tile.a_offset = static_cast<size_t>(block.first_channel);
    tile.b = panels_ + (panel * p_.depth() + block.first_tap * depth_.channels + block.first_channel) * nr;
    tile.c_stride = tile.start_stride = static_cast<size_t>(p_.out_c);
    tile.lo = block.last ? p_.types.activation.lo() : -std::numeric_limits<float>::infinity();
    tile.hi = block.last ? p_.types.activation.hi() : std::numeric_limits<float>::infinity();
    const auto* residual = static_cast<const float*>(tensors_.residual);
    const int64_t y_column = task_.group * p_.group_columns() + column;
    if (block.last && tensors_.bias != nullptr) tile.bias = tensors_.bias + y_column;
    // While this panel is multiplied by one tile of rows after another, the next one comes in.
    const bool last_panel = panel + 1 == task_.first_panel + task_.panels;
    const size_t depth = tile.taps * tile.channels;
    tile.next = last_panel ? nullptr : tile.b + p_.depth() * nr;
    tile.next_step = last_panel ? 0 : static_cast<size_t>(CeilDiv(nr, CeilDiv(task_.rows, mr)));
    for (int64_t row = 0; row < task_.rows; row += mr) {
      const int64_t offset = (task_.first_row + row) * p_.out_c + y_column;
      tile.m = static_cast<size_t>(task_.rows - row < mr ? task_.rows - row : mr);
      tile.a = pointers_ + row * depth_.taps + block.first_tap * mr;
      tile.c = static_cast<float*>(tensors_.y) + offset;
      tile.start = block.first ? residual == nullptr ? nullptr : residual + offset : tile.c;
      kernel_.run(tile);
      tile.next += tile.next_step * depth;
    }
  }

  // Over long rows: tiles are so narrow that every call would wait for its last operations.
  void Activate() const {
    const auto nr = static_cast<int64_t>(kernel_.nr);
    const int64_t first = task_.first_panel * nr, left = p_.group_columns() - first;
    const int64_t columns = left < task_.panels * nr ? left : task_.panels * nr;
    float* y = static_cast<float*>(tensors_.y) + task_.first_row * p_.out_c +
               task_.group * p_.group_columns() + first;
    ActivateF32(p_.types.activation, features_, y, static_cast<size_t>(task_.rows),
                static_cast<size_t>(columns), static_cast<size_t>(p_.out_c));
  }

  const Conv2DParams& p_;
  const Depth depth_;
  const CpuFeatures features_;
  const GemmF32Kernel& kernel_;
  const ConvTensors& tensors_;
  const GemmTask& task_;
  const float* const* pointers_ = nullptr;
  const float* panels_;
};

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
         const Parallel& parallel) {
  const GemmGrid grid = Grid(p, target);
  const PointerScratch<float> scratch = Scratch(p, grid);
  auto* first_copy =
      reinterpret_cast<float*>(static_cast<uint8_t*>(tensors.scratch) + scratch.bytes(target.workers));
  ParallelFor(parallel, static_cast<size_t>(grid.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(grid, index);
    const float* padding = scratch.FillPadding(tensors.scratch, worker, 0.0f);
    float* copies = first_copy + CopyElements(p, grid) * static_cast<size_t>(worker);
    TaskRunner(p, target, tensors, task).Run(padding, scratch.pointers(tensors.scratch, worker), copies);
  });
}

}  // namespace

const Conv2DAlgorithm kImplicitGemmF32 = {AlgorithmName, Applicable, Cost, ScratchBytes,
                                          PackedBytes,   Pack,       Run};

}  // namespace micrort
