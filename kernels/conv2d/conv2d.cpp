#include "kernels/conv2d/conv2d.h"

#include "kernels/base/part.h"
#include "kernels/base/target.h"
#include "kernels/conv2d/algorithm_ids.h"
#include "kernels/dwconv/depthwise_f16.h"
#include "kernels/dwconv/depthwise_f32.h"
#include "kernels/dwconv/depthwise_s16.h"
#include "kernels/dwconv/depthwise_s8.h"
#include "kernels/grouped_conv/grouped_conv_f32.h"
#include "kernels/grouped_conv/grouped_gemm_s8.h"
#include "kernels/half_conv/half_conv_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_f16.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_s16.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/int4_gemm/int4_gemm.h"
#include "kernels/layer_s16/direct_s16.h"
#include "kernels/strassen/strassen.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "kernels/winograd/half_winograd.h"
#include "kernels/winograd/int8_winograd.h"
#include "kernels/winograd/winograd.h"

namespace micrort {

#define MICRORT_CONV2D(algorithm, ...) MICRORT_PART(algorithm);
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D

namespace {

// What a build leaves out is not named, and so not linked.
#define MICRORT_LINKED_kAny(algorithm) &algorithm
#if defined(MICRORT_NO_FLOAT_LAYERS)
#define MICRORT_LINKED_kFloats(algorithm) nullptr
#else
#define MICRORT_LINKED_kFloats(algorithm) &algorithm
#endif
#if defined(MICRORT_FOR_MICROCONTROLLERS)
#define MICRORT_LINKED_kLarge(algorithm) nullptr
#define MICRORT_LINKED_kLargeFloats(algorithm) nullptr
#else
#define MICRORT_LINKED_kLarge(algorithm) &algorithm
#define MICRORT_LINKED_kLargeFloats(algorithm) MICRORT_LINKED_kFloats(algorithm)
#endif
// Half arithmetic is of some instruction sets only.
#if MICRORT_KERNELS_fp16
#define MICRORT_LINKED_kHalves(algorithm) MICRORT_LINKED_kFloats(algorithm)
#else
#define MICRORT_LINKED_kHalves(algorithm) nullptr
#endif

#if MICRORT_KERNELS_avx2
#define MICRORT_LINKED_kX86Floats(algorithm) MICRORT_LINKED_kFloats(algorithm)
#else
#define MICRORT_LINKED_kX86Floats(algorithm) nullptr
#endif

// In the order of their ids, from 1 on; null for those that the build or the program leaves out.
const Conv2DAlgorithm* const kAlgorithms[] = {
#define MICRORT_CONV2D(algorithm, number, builds, ...) MICRORT_LINKED_##builds(algorithm),
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
};
constexpr size_t kAlgorithmCount = sizeof(kAlgorithms) / sizeof(kAlgorithms[0]);
static_assert(kAlgorithmCount == static_cast<size_t>(Conv2DAlgorithmId::kLast), "");
static_assert(kAlgorithmCount <= kMaxConv2DAlgorithms, "");

// Which builds link an algorithm.
struct Builds {
  bool with_floats;  // no others
  // It saves time by larger weights and scratch, which microcontrollers have no memory for: no candidate
  // there, so that the converter plans as the device does.
  bool large;
};
constexpr Builds kAny = {false, false}, kFloats = {true, false}, kHalves = kFloats, kX86Floats = kFloats,
                 kLarge = {false, true}, kLargeFloats = {true, true};

bool IsLarge(Conv2DAlgorithmId id) {
  switch (id) {
#define MICRORT_CONV2D(algorithm, number, builds, ...) \
  case Conv2DAlgorithmId::algorithm:                   \
    return builds.large;
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
    default:
      return false;
  }
}

// The hash of Fowler, Noll and Vo.
class Fnv1a {
 public:
  void Add(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace

Conv2DAlgorithmId IdOf(const Conv2DAlgorithm& algorithm) {
  for (size_t i = 0; i < kAlgorithmCount; ++i) {
    if (kAlgorithms[i] == &algorithm) return static_cast<Conv2DAlgorithmId>(i + 1);
  }
  return Conv2DAlgorithmId::kUndecided;
}

const Conv2DAlgorithm* FindAlgorithm(Conv2DAlgorithmId id) {
  const auto at = static_cast<size_t>(id);
  return at == 0 || at > kAlgorithmCount ? nullptr : kAlgorithms[at - 1];
}

bool ComputesFloats(Conv2DAlgorithmId id) {
  switch (id) {
    case Conv2DAlgorithmId::kUndecided:
      return false;
#define MICRORT_CONV2D(algorithm, number, builds, ...) \
  case Conv2DAlgorithmId::algorithm:                   \
    return builds.with_floats;
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
    default:
      return true;
  }
}

bool CanRun(const Conv2DAlgorithm& algorithm, const Conv2DParams& p, const ConvTarget& target) {
  return (algorithm.features & target.features) == algorithm.features && algorithm.applicable(p);
}

Conv2DCandidates Conv2DCandidatesFor(const Conv2DParams& p, const ConvTarget& target) {
  Conv2DCandidates candidates = {};
  const bool is_small = (target.features & kCpuMicrocontroller) != 0;
  for (size_t i = 0; i < kAlgorithmCount; ++i) {
    const Conv2DAlgorithm* const row = kAlgorithms[i];
    const bool is_too_large = is_small && IsLarge(static_cast<Conv2DAlgorithmId>(i + 1));
    if (row == nullptr || is_too_large || !CanRun(*row, p, target)) continue;
    const double cost = row->cost(p, target);
    size_t at = candidates.count++;
    for (; at > 0 && cost < candidates.rows[at - 1].cost; --at) candidates.rows[at] = candidates.rows[at - 1];
    candidates.rows[at] = {row, cost};
  }
  return candidates;
}

const Conv2DAlgorithm* ChooseConv2D(const Conv2DParams& p, const ConvTarget& target) {
  return Conv2DCandidatesFor(p, target).rows[0].algorithm;
}

uint64_t Conv2DLayerKey(const Conv2DParams& p) {
  const LayerTypes& t = p.types;
  const int64_t fields[] = {p.batch,
                            p.in_h,
                            p.in_w,
                            p.in_c,
                            p.out_h,
                            p.out_w,
                            p.out_c,
                            p.kernel_h,
                            p.kernel_w,
                            p.stride_h,
                            p.stride_w,
                            p.dilation_h,
                            p.dilation_w,
                            p.pad_top,
                            p.pad_left,
                            p.groups,
                            p.transposed,
                            static_cast<int64_t>(t.x),
                            static_cast<int64_t>(t.weights),
                            static_cast<int64_t>(t.y),
                            t.dynamic,
                            t.asymmetric,
                            static_cast<int64_t>(t.activation.kind)};
  Fnv1a hash;
  for (const int64_t field : fields) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash.Add(static_cast<uint8_t>(static_cast<uint64_t>(field) >> shift));
    }
  }
  if (t.half) hash.Add(1);
  if (t.symmetric) hash.Add(2);
  if (t.narrow_sums) hash.Add(3);
  if (t.grouped) hash.Add(t.half_scales ? 5 : 4);
  if (!t.grouped && t.half_scales) hash.Add(6);
  return hash.value() | 1;
}

}  // namespace micrort
