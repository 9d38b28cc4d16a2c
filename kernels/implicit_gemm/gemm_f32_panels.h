#pragma once
// What the two algorithms of kernels/implicit_gemm/implicit_gemm_f32.h have in common: one has panels of
// floats, the other narrow ones, which many programs do without.

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/half_row_f32.h"
#include "kernels/gemm/work_partition.h"

namespace micrort {

// What panels hold: floats, or the weights as the file has them.
enum class Panels { kFloat, kNarrow };

size_t GemmF32KernelIndex(const Conv2DParams& p, const ConvTarget& target);
// Of one row by halves, which stay halves; null: it is no such layer.
HalfRowF32Fn HalfRowF32For(const Conv2DParams& p, const GemmF32Kernel& kernel);
GemmPartition GemmF32PartitionOf(const Conv2DParams& p, const ConvTarget& target, Panels panels);

// Without what narrow weights take to become floats.
double GemmF32Cost(const Conv2DParams& p, const ConvTarget& target, Panels panels);
ConvPlan PlanGemmF32(const Conv2DParams& p, const ConvTarget& target, Panels panels);
uint64_t GemmF32ScratchBytes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                             Panels panels);
uint64_t GemmF32PackedBytes(const Conv2DParams& p, const ConvTarget& target, Panels panels);
void PackGemmF32(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, Panels panels,
                 void* packed);
void RunGemmF32(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                const ConvTensors& tensors, const Parallel& parallel, Panels panels);

template <Panels kPanels>
struct PanelsGemmF32 {
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F32(name, set, ...) \
  MICRORT_VARIANT(                       \
      set, {kPanels == Panels::kFloat ? "implicit_gemm_f32/" #name : "unpacking_gemm_f32/" #name, isa::set})
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
    };
    static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
    return kNames[GemmF32KernelIndex(p, target)].name;
  }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return GemmF32Cost(p, target, kPanels);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return PlanGemmF32(p, target, kPanels);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return GemmF32ScratchBytes(p, target, plan, kPanels);
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return GemmF32PackedBytes(p, target, kPanels);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    PackGemmF32(p, target, weights, kPanels, packed);
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    RunGemmF32(p, target, plan, tensors, parallel, kPanels);
  }

  // A stripe would make floats of all narrow weights once more.
  static constexpr Conv2DAlgorithm Algorithm(bool (*applicable)(const Conv2DParams&),
                                             double (*cost)(const Conv2DParams&, const ConvTarget&) = Cost) {
    return {Name, applicable, cost, Plan, ScratchBytes, PackedBytes, Pack, Run, kPanels == Panels::kFloat,
            true};
  }
};

}  // namespace micrort
