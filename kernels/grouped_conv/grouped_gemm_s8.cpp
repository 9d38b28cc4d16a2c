#include "kernels/grouped_conv/grouped_gemm_s8.h"

#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/layer_s8/epilogue_s8.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(GemmS8Kernels(), target.features); }
const GemmS8Kernel& Kernel(const ConvTarget& target) { return GemmS8Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_S8(name, set, ...) MICRORT_VARIANT(set, {"grouped_gemm_s8/" #name, isa::set})
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

// How many groups fill a panel: 1 where a group does by itself.
int64_t GroupsAtOnce(const Conv2DParams& p, const GemmS8Kernel& kernel) {
  int64_t groups = static_cast<int64_t>(kernel.nr) / p.group_columns();
  if (groups > p.groups) groups = p.groups;
  while (groups > 1 && (p.groups % groups != 0 || groups * p.depth() > kMaxGemmS8Depth)) --groups;
  return groups < 1 ? 1 : groups;
}

// The layer with fewer, larger groups, whose weights have zeros.
Conv2DParams Joined(const Conv2DParams& p, const GemmS8Kernel& kernel) {
  Conv2DParams joined = p;
  joined.groups = p.groups / GroupsAtOnce(p, kernel);
  return joined;
}

// What is multiplied with zero points of weights is the sum of a row, which must hold no other group's.
MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.groups > 1 && p.group_channels() > 1 && p.group_columns() > 0 && !p.types.asymmetric &&
         p.types.weights == DType::kInt8 && kImplicitGemmS8.applicable(p);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmS8Kernel& kernel = Kernel(target);
  // As many multiply-adds in fewer, larger tiles, whose rows are gathered by longer runs.
  const double of_products = GroupsAtOnce(p, kernel) > 1 ? 0.5 : 2.0;
  return of_products * kImplicitGemmS8.cost(Joined(p, kernel), target);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  return kImplicitGemmS8.plan(Joined(p, Kernel(target)), target);
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return kImplicitGemmS8.scratch_bytes(Joined(p, VariantOf(GemmS8Kernels(), plan.kernel)), target, plan);
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return kImplicitGemmS8.packed_bytes(Joined(p, Kernel(target)), target);
}

// A group's columns among the others' of its panel, which is zero: where PackBS8 puts the elements of a
// product.
void PackGroup(const Conv2DParams& p, const ConvWeights& weights, int64_t group, int64_t at_once,
               const GemmS8Kernel& kernel, int8_t* panel, int32_t* sums) {
  const auto channels = static_cast<size_t>(p.group_channels()),
             columns = static_cast<size_t>(p.group_columns());
  const auto place = static_cast<size_t>(group % at_once);
  const MatrixB b = ColumnsFrom(p, weights, group * p.group_columns());
  for (size_t j = 0; j < columns; ++j) {
    const int8_t* column = static_cast<const int8_t*>(b.data) + static_cast<int64_t>(j) * b.column_stride;
    int8_t* const to = panel + (place * columns + j) * kernel.kr;
    int32_t sum = 0;
    for (size_t k = 0; k < static_cast<size_t>(p.depth()); ++k) {
      const int8_t weight = column[b.row(k) * b.depth_stride];
      const size_t at =
          k / channels * channels * static_cast<size_t>(at_once) + place * channels + k % channels;
      to[at / kernel.kr * kernel.nr * kernel.kr + at % kernel.kr] = weight;
      sum += weight;
    }
    sums[static_cast<size_t>(group) * columns + j] = sum;
  }
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const GemmS8Kernel& kernel = Kernel(target);
  const int64_t at_once = GroupsAtOnce(p, kernel);
  if (at_once == 1) return kImplicitGemmS8.pack(p, target, weights, packed);
  ChannelTable table(p, packed);
  const size_t before = ChannelTable::Bytes(p);
  const auto bytes = static_cast<size_t>(PackedBytes(p, target)) - before;
  auto* const panels = static_cast<int8_t*>(packed) + before;
  std::memset(panels, 0, bytes);
  const auto depth = static_cast<size_t>(Joined(p, kernel).depth());
  const size_t panel_bytes = (depth + kernel.kr - 1) / kernel.kr * kernel.kr * kernel.nr;
  for (int64_t g = 0; g < p.groups; ++g) {
    PackGroup(p, weights, g, at_once, kernel, panels + static_cast<size_t>(g / at_once) * panel_bytes,
              table.sums);
  }
  if (kernel.left == GemmS8Left::kInt8Pairs)
    panels[bytes - 1] = std::memchr(panels, INT8_MIN, bytes - 1) != nullptr;
  table.Fill(p, weights, kernel.left == GemmS8Left::kOffset128 ? 128 : 0);
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  kImplicitGemmS8.run(Joined(p, VariantOf(GemmS8Kernels(), plan.kernel)), target, plan, tensors, parallel);
}

}  // namespace

const Conv2DAlgorithm kGroupedGemmS8 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                        PackedBytes,   Pack,       Run,  true};

}  // namespace micrort
