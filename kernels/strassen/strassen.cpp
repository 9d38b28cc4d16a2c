#include "kernels/strassen/strassen.h"

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/conv/read_weight.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

// Quadrants of a matrix by [row half][column half]; how often a product takes or gives each of them.
struct Signs {
  int8_t of[2][2];
};

// (sum of signs * quadrants of A) * (the same of B), added to the quadrants of C.
struct Product {
  Signs a, b, c;
};

constexpr Product kProducts[] = {
    {{{{1, 0}, {0, 1}}}, {{{1, 0}, {0, 1}}}, {{{1, 0}, {0, 1}}}},
    {{{{0, 0}, {1, 1}}}, {{{1, 0}, {0, 0}}}, {{{0, 0}, {1, -1}}}},
    {{{{1, 0}, {0, 0}}}, {{{0, 1}, {0, -1}}}, {{{0, 1}, {0, 1}}}},
    {{{{0, 0}, {0, 1}}}, {{{-1, 0}, {1, 0}}}, {{{1, 0}, {1, 0}}}},
    {{{{1, 1}, {0, 0}}}, {{{0, 0}, {0, 1}}}, {{{-1, 1}, {0, 0}}}},
    {{{{-1, 0}, {1, 0}}}, {{{1, 1}, {0, 0}}}, {{{0, 0}, {0, 1}}}},
    {{{{0, 1}, {0, -1}}}, {{{0, 0}, {1, 1}}}, {{{1, 0}, {0, 0}}}},
};
constexpr int kProductCount = 7;
constexpr size_t kMaxTile = 512;  // limit of mr * nr

size_t KernelIndex(const Conv2DParams& p, const ConvTarget& target) {
  return SelectGemmF32(target.features, static_cast<size_t>(p.out_c / 2));
}
const GemmF32Kernel& Kernel(const Conv2DParams& p, const ConvTarget& target) {
  return GemmF32Kernels()[KernelIndex(p, target)];
}

MICRORT_COLD const char* AlgorithmName(const Conv2DParams& p, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F32(name, set, ...) MICRORT_VARIANT(set, {"strassen_f32/" #name, isa::set})
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
  };
#define MICRORT_GEMM_F32(name, set, mr, nr, ...) static_assert(mr * nr <= kMaxTile, #name);
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(p, target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_float() && p.is_pointwise() && p.groups == 1 && p.in_c % 2 == 0 && p.out_c % 2 == 0;
}

// Half sizes. The lower half of an odd number of rows misses one.
struct Halves {
  int64_t rows, depth, columns;
  int64_t panels, block_rows, blocks;

  Halves(const Conv2DParams& p, const GemmF32Kernel& kernel)
      : rows(CeilDiv<int64_t>(p.rows(), 2)), depth(p.in_c / 2), columns(p.out_c / 2) {
    constexpr int64_t kTilesPerBlock = 8;  // of a task
    panels = CeilDiv(columns, static_cast<int64_t>(kernel.nr));
    block_rows = kTilesPerBlock * static_cast<int64_t>(kernel.mr);
    blocks = CeilDiv(rows, block_rows);
  }
  size_t packed_elements(size_t nr) const { return static_cast<size_t>(panels * depth) * nr; }
};

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  return kProductCount * Halves(p, kernel).packed_elements(kernel.nr) * sizeof(float);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  const Halves half(p, kernel);
  const auto rows = static_cast<double>(half.rows);
  const double sums = rows * static_cast<double>(kProductCount * half.depth + 12 * half.columns);
  return TiledCost(kProductCount, half.rows, half.columns, half.depth, kernel) +
         MachineModelOf(target.features).element_combined * sums +
         WeightTrafficCost(p, target, static_cast<double>(PackedBytes(p, target)));
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(p, target).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan) {
  const Halves half(p, VariantOf(GemmF32Kernels(), plan.kernel));
  return AlignUp(static_cast<size_t>(half.rows * half.depth) * sizeof(float), kAlignment);
}

// One sum of quadrants of B, as panels.
void PackSum(const Conv2DParams& p, const ConvWeights& weights, const Halves& half, const Signs& signs,
             int64_t nr, float* out) {
  for (int64_t first = 0; first < half.columns; first += nr) {
    for (int64_t k = 0; k < half.depth; ++k, out += nr) {
      for (int64_t j = 0; j < nr; ++j) {
        float sum = 0;
        for (int q = 0; q < 4 && first + j < half.columns; ++q) {
          const int8_t sign = signs.of[q / 2][q % 2];
          if (sign == 0) continue;
          const float w = ReadWeight(p, weights, first + j + q % 2 * half.columns, k + q / 2 * half.depth);
          sum += sign > 0 ? w : -w;
        }
        out[j] = sum;
      }
    }
  }
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  const Halves half(p, kernel);
  auto* out = static_cast<float*>(packed);
  for (const Product& product : kProducts) {
    PackSum(p, weights, half, product.b, static_cast<int64_t>(kernel.nr), out);
    out += half.packed_elements(kernel.nr);
  }
}

// to[i] += sign * from[i]
void AddSigned(const float* from, int8_t sign, size_t n, float* to) {
  if (sign > 0) {
    for (size_t i = 0; i < n; ++i) to[i] += from[i];
  } else {
    for (size_t i = 0; i < n; ++i) to[i] -= from[i];
  }
}

class Runner {
 public:
  Runner(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors)
      : p_(p),
        kernel_(VariantOf(GemmF32Kernels(), plan.kernel)),
        activate_(p.types.activation, plan.activation, tensors.slopes),
        half_(p, kernel_),
        tensors_(tensors),
        y_(static_cast<float*>(tensors.y)),
        sum_(static_cast<float*>(tensors.scratch)) {}

  void Run(const Parallel& parallel) {
    const auto rows = static_cast<size_t>(p_.rows());
    ParallelFor(parallel, rows, [&](size_t row, int) { Start(row); });
    const auto* b = static_cast<const float*>(tensors_.packed);
    for (const Product& product : kProducts) {
      ParallelFor(parallel, static_cast<size_t>(half_.rows),
                  [&](size_t row, int) { SumRow(product.a, static_cast<int64_t>(row)); });
      ParallelFor(parallel, static_cast<size_t>(half_.blocks * half_.panels), [&](size_t i, int) {
        const auto task = static_cast<int64_t>(i);
        MultiplyBlock(product.c, b, task % half_.blocks, task / half_.blocks);
      });
      b += half_.packed_elements(kernel_.nr);
    }
    ParallelFor(parallel, rows, [&](size_t row, int) { Finish(row); });
  }

 private:
  // C starts as the residual or zero.
  void Start(size_t row) const {
    const auto n = static_cast<size_t>(p_.out_c);
    float* y = y_ + row * n;
    const auto* residual = static_cast<const float*>(tensors_.residual);
    for (size_t j = 0; j < n; ++j) y[j] = residual == nullptr ? 0.0f : residual[row * n + j];
  }

  // One row of a sum of quadrants of A, into scratch.
  void SumRow(const Signs& signs, int64_t row) const {
    const auto n = static_cast<size_t>(half_.depth);
    float* to = sum_ + static_cast<size_t>(row) * n;
    for (size_t k = 0; k < n; ++k) to[k] = 0.0f;
    for (int q = 0; q < 4; ++q) {
      const int64_t from = row + q / 2 * half_.rows;
      const int8_t sign = signs.of[q / 2][q % 2];
      if (sign == 0 || from >= p_.rows()) continue;
      AddSigned(static_cast<const float*>(tensors_.x) + from * p_.in_c + q % 2 * half_.depth, sign, n, to);
    }
  }

  void MultiplyBlock(const Signs& signs, const float* b, int64_t block, int64_t panel) const {
    const auto mr = static_cast<int64_t>(kernel_.mr), nr = static_cast<int64_t>(kernel_.nr);
    const int64_t end =
        (block + 1) * half_.block_rows < half_.rows ? (block + 1) * half_.block_rows : half_.rows;
    for (int64_t row = block * half_.block_rows; row < end; row += mr) {
      const int64_t m = end - row < mr ? end - row : mr;
      const int64_t columns = half_.columns - panel * nr;
      alignas(64) float product[kMaxTile];
      const float* rows[kMaxTile];
      for (int64_t i = 0; i < mr; ++i) rows[i] = sum_ + (row + (i < m ? i : m - 1)) * half_.depth;
      GemmF32Tile tile = {};
      tile.m = static_cast<size_t>(m);
      tile.n = static_cast<size_t>(columns < nr ? columns : nr);
      tile.taps = 1;
      tile.channels = static_cast<size_t>(half_.depth);
      tile.a = rows;
      tile.b = b + panel * half_.depth * nr;
      tile.c = product;
      tile.c_stride = kernel_.nr;
      tile.lo = -std::numeric_limits<float>::infinity();
      tile.hi = std::numeric_limits<float>::infinity();
      kernel_.run(tile);
      for (int q = 0; q < 4; ++q) {
        if (signs.of[q / 2][q % 2] != 0) AddTile(signs.of[q / 2][q % 2], q, tile, row, panel * nr);
      }
    }
  }

  void AddTile(int8_t sign, int quadrant, const GemmF32Tile& tile, int64_t row, int64_t column) const {
    const int64_t first = row + quadrant / 2 * half_.rows;
    for (int64_t i = 0; i < static_cast<int64_t>(tile.m) && first + i < p_.rows(); ++i) {
      float* to = y_ + (first + i) * p_.out_c + column + quadrant % 2 * half_.columns;
      AddSigned(tile.c + static_cast<size_t>(i) * tile.c_stride, sign, tile.n, to);
    }
  }

  void Finish(size_t row) const {
    const auto n = static_cast<size_t>(p_.out_c);
    float* y = y_ + row * n;
    const float lo = p_.types.activation.lo(), hi = p_.types.activation.hi();
    for (size_t j = 0; j < n; ++j) {
      float v = tensors_.bias == nullptr ? y[j] : y[j] + tensors_.bias[j];
      v = v > hi ? hi : v;
      y[j] = v < lo ? lo : v;
    }
    activate_(y, 1, n, n, 0);
  }

  const Conv2DParams& p_;
  const GemmF32Kernel& kernel_;
  const ActivateF32 activate_;
  const Halves half_;
  const ConvTensors& tensors_;
  float* y_;
  float* sum_;  // [half rows][half depth]
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  Runner(p, plan, tensors).Run(parallel);
}

}  // namespace

const Conv2DAlgorithm kStrassen = {AlgorithmName,  Applicable,  Cost, MakePlan,
                                   ScratchBytesOf, PackedBytes, Pack, Run};

}  // namespace micrort
