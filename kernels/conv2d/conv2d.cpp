#include "kernels/conv2d/conv2d.h"

#include "kernels/conv2d/implicit_gemm_f32.h"
#include "kernels/conv2d/implicit_gemm_s8.h"
#include "kernels/dwconv/depthwise_f32.h"
#include "kernels/dwconv/depthwise_s8.h"
#include "kernels/strassen/strassen.h"
#include "kernels/winograd/winograd.h"

namespace micrort {
namespace {

const Conv2DAlgorithm* const kAlgorithms[] = {
    &kImplicitGemmF32, &kImplicitGemmS8, &kDepthwiseF32, &kDepthwiseS8, &kWinograd2, &kWinograd4, &kStrassen};

}  // namespace

Span<const Conv2DAlgorithm* const> Conv2DAlgorithms() { return kAlgorithms; }

const Conv2DAlgorithm* ChooseConv2D(const Conv2DParams& p, const ConvTarget& target) {
  const Conv2DAlgorithm* best = nullptr;
  double best_cost = 0;
  for (const Conv2DAlgorithm* row : Conv2DAlgorithms()) {
    if (!row->applicable(p)) continue;
    const double cost = row->cost(p, target);
    if (best == nullptr || cost < best_cost) {
      best = row;
      best_cost = cost;
    }
  }
  return best;
}

uint64_t Conv2DPackedKey(const Conv2DAlgorithm& algorithm, const Conv2DParams& p, const ConvTarget& target) {
  // FNV-1a of the name, which holds algorithm and micro-kernel.
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char* c = algorithm.name(p, target); *c != '\0'; ++c) {
    hash = (hash ^ static_cast<uint8_t>(*c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace micrort
