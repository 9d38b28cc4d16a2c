#pragma once
// Sub-pixel decomposition over any algorithm for its parts: what the rows of sub_pixel.h have in common.

#include "kernels/base/cold.h"
#include "kernels/conv/conv2d_algorithm.h"

namespace micrort::sub_pixel {

// What profiles call the decomposition with a micro-kernel.
struct NamedKernel {
  KernelId kernel;
  const char* name;
};

// The algorithm for the parts that it is applicable to, and that for the others. `names`: of the registry of
// their kernel.
struct Inner {
  const Conv2DAlgorithm &preferred, &other;
  const NamedKernel* names;
};

// Those of Conv2DAlgorithm.
const char* NameOf(const Conv2DParams& p, const ConvTarget& target, const Inner& inner);
bool Applicable(const Conv2DParams& p, const Inner& inner);
double Cost(const Conv2DParams& p, const ConvTarget& target, const Inner& inner);
ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target, const Inner& inner);
uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                        const Inner& inner);
uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target, const Inner& inner);
void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, const Inner& inner,
          void* packed);
void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel, const Inner& inner);

template <const Conv2DAlgorithm* kPreferred, const Conv2DAlgorithm* kOther, const NamedKernel* kNames>
struct Row {
  // An object of its own, so that a program holds the algorithms of those rows alone that it names.
  static constexpr Inner kBoth = {*kPreferred, *kOther, kNames};
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    return NameOf(p, target, kBoth);
  }
  MICRORT_COLD static bool Applicable(const Conv2DParams& p) { return sub_pixel::Applicable(p, kBoth); }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return sub_pixel::Cost(p, target, kBoth);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return MakePlan(p, target, kBoth);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return ScratchBytesOf(p, target, plan, kBoth);
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return sub_pixel::PackedBytes(p, target, kBoth);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    sub_pixel::Pack(p, target, weights, kBoth, packed);
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    sub_pixel::Run(p, target, plan, tensors, parallel, kBoth);
  }
  static constexpr Conv2DAlgorithm kAlgorithm = {Name,         Applicable,  Cost, Plan,
                                                 ScratchBytes, PackedBytes, Pack, Run};
};

}  // namespace micrort::sub_pixel
