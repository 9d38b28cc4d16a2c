#include "kernels/transposed_conv/sub_pixel.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/winograd/winograd.h"

namespace micrort {
namespace {

constexpr int64_t kMaxPartTaps = 64, kMaxParts = 1024;

// A part along one axis: outputs first, first + stride ... by taps of the kernel residue, residue + stride
// ..., of which the last one is the convolution's first.
struct PartAxis {
  int64_t residue, taps, pad, first, outputs;

  PartAxis(int64_t kernel, int64_t stride, int64_t transposed_pad, int64_t out, int64_t tap_residue)
      : residue(tap_residue), taps(CeilDiv(kernel - residue, stride)) {
    first = ((residue - transposed_pad) % stride + stride) % stride;
    outputs = first < out ? CeilDiv(out - first, stride) : 0;
    pad = taps - 1 - (first + transposed_pad - residue) / stride;
  }
};

class SubPixelPart {
 public:
  // 0 <= index < stride_h * stride_w
  SubPixelPart(const Conv2DParams& p, int64_t index);

  const Conv2DParams& conv() const { return conv_; }

  // The tap of the transposed convolution that each tap of the part is.
  void ListTaps(int64_t* taps) const {
    for (int64_t y = rows_.taps - 1; y >= 0; --y) {
      for (int64_t x = columns_.taps - 1; x >= 0; --x) {
        *taps++ = (rows_.residue + y * p_.stride_h) * p_.kernel_w + columns_.residue + x * p_.stride_w;
      }
    }
  }

  size_t pixel_bytes() const { return static_cast<size_t>(p_.out_c) * SizeOf(p_.types.y); }
  uint64_t output_bytes() const { return static_cast<uint64_t>(conv_.rows()) * pixel_bytes(); }

  // From the part's pixels side by side to their places in the output, and back.
  void Scatter(const void* pixels, void* y, const Parallel& parallel) const {
    Copy(true, pixels, y, parallel);
  }
  void Gather(const void* y, void* pixels, const Parallel& parallel) const {
    Copy(false, y, pixels, parallel);
  }

 private:
  void Copy(bool scatter, const void* from, void* to, const Parallel& parallel) const;

  const Conv2DParams& p_;
  const PartAxis rows_, columns_;
  Conv2DParams conv_;
};

// Not in the class, where it would be copied to each place of use.
SubPixelPart::SubPixelPart(const Conv2DParams& p, int64_t index)
    : p_(p),
      rows_(p.kernel_h, p.stride_h, p.pad_top, p.out_h, index / p.stride_w),
      columns_(p.kernel_w, p.stride_w, p.pad_left, p.out_w, index % p.stride_w),
      conv_(p) {
  conv_.transposed = false;
  conv_.kernel_h = rows_.taps, conv_.kernel_w = columns_.taps;
  conv_.pad_top = rows_.pad, conv_.pad_left = columns_.pad;
  conv_.out_h = rows_.outputs, conv_.out_w = columns_.outputs;
  conv_.stride_h = conv_.stride_w = 1;
}

// A row of the part's pixels in one tile.
void SubPixelPart::Copy(bool scatter, const void* from, void* to, const Parallel& parallel) const {
  const size_t bytes = pixel_bytes();
  ParallelFor(parallel, static_cast<size_t>(conv_.batch * conv_.out_h), [&](size_t tile, int) {
    const auto row = static_cast<int64_t>(tile);
    const int64_t y = row / conv_.out_h * p_.out_h + rows_.first + row % conv_.out_h * p_.stride_h;
    for (int64_t x = 0; x < conv_.out_w; ++x) {
      const size_t dense = static_cast<size_t>(row * conv_.out_w + x) * bytes;
      const size_t sparse = static_cast<size_t>(y * p_.out_w + columns_.first + x * p_.stride_w) * bytes;
      std::memcpy(static_cast<uint8_t*>(to) + (scatter ? sparse : dense),
                  static_cast<const uint8_t*>(from) + (scatter ? dense : sparse), bytes);
    }
  });
}

int64_t PartsOf(const Conv2DParams& p) { return p.stride_h * p.stride_w; }

// With one part the convolution writes the output itself.
uint64_t OutputBytes(const Conv2DParams& p) {
  uint64_t most = 0;
  for (int64_t i = 0; PartsOf(p) > 1 && i < PartsOf(p); ++i) {
    const uint64_t bytes = SubPixelPart(p, i).output_bytes();
    most = bytes > most ? bytes : most;
  }
  return AlignUp(most, kAlignment);
}

// What profiles call the decomposition with a micro-kernel.
struct NamedKernel {
  KernelId kernel;
  const char* name;
};

// The algorithm for the parts that it is applicable to, and that for the others.
struct Inner {
  const Conv2DAlgorithm &preferred, &other;
  const NamedKernel* names;

  const Conv2DAlgorithm& For(const SubPixelPart& part) const {
    return preferred.applicable(part.conv()) ? preferred : other;
  }
  // What the plan of the layer says of a part.
  ConvPlan PlanFor(const SubPixelPart& part, const ConvPlan& plan) const {
    ConvPlan of_part = plan;
    if (&For(part) != &preferred) of_part.blocks = plan.other_blocks;
    return of_part;
  }
  MICRORT_COLD uint64_t PackedBytes(const SubPixelPart& part, const ConvTarget& target) const {
    return AlignUp(For(part).packed_bytes(part.conv(), target), kAlignment);
  }
};

#define MICRORT_GEMM_F32(name, set, mr, nr, lanes) \
  MICRORT_VARIANT(set, {KernelId::gemm_f32_##name, MICRORT_PREFIX #name})
constexpr NamedKernel kGemmF32Names[] = {
#define MICRORT_PREFIX "phased_implicit_gemm_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
constexpr NamedKernel kWinograd2Names[] = {
#define MICRORT_PREFIX "phased_winograd_2x2_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
constexpr NamedKernel kWinograd4Names[] = {
#define MICRORT_PREFIX "phased_winograd_4x4_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
#undef MICRORT_GEMM_F32
constexpr NamedKernel kGemmS8Names[] = {
#define MICRORT_GEMM_S8(name, set, ...) \
  MICRORT_VARIANT(set, {KernelId::gemm_s8_##name, "phased_implicit_gemm_s8/" #name})
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
};

// A convolution that is no smaller than any of the parts that an algorithm computes; false: there is none.
MICRORT_COLD bool FindLargest(const Conv2DParams& p, const Inner& inner, const Conv2DAlgorithm& algorithm,
                              Conv2DParams* largest) {
  int64_t out_h = 0, out_w = 0, taps = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    if (&inner.For(part) != &algorithm) continue;
    const Conv2DParams& conv = part.conv();
    out_h = conv.out_h > out_h ? conv.out_h : out_h;
    out_w = conv.out_w > out_w ? conv.out_w : out_w;
    if (conv.taps() > taps) *largest = conv;
    taps = largest->taps();
  }
  largest->out_h = out_h, largest->out_w = out_w;
  return taps != 0;
}

// One plan for all parts of an algorithm.
MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  Conv2DParams largest = {};
  FindLargest(p, inner, inner.preferred, &largest);
  ConvPlan plan = inner.preferred.plan(largest, target);
  if (&inner.preferred != &inner.other && FindLargest(p, inner, inner.other, &largest)) {
    const ConvPlan other = inner.other.plan(largest, target);
    MICRORT_DCHECK(other.kernel == plan.kernel && other.activation == plan.activation);
    plan.other_blocks = other.blocks;
  }
  return plan;
}

MICRORT_COLD const char* NameOf(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  const KernelId kernel = MakePlan(p, target, inner).kernel;
  const NamedKernel* row = inner.names;  // one of them: they are made from the registry of the kernel
  while (row->kernel != kernel) ++row;
  return row->name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p, const Inner& inner) {
  const bool has_form = p.transposed && p.dilation_h == 1 && p.dilation_w == 1 && p.kernel_h >= p.stride_h &&
                        p.kernel_w >= p.stride_w;
  if (!has_form || PartsOf(p) > kMaxParts || SubPixelPart(p, 0).conv().taps() > kMaxPartTaps) return false;
  bool preferred = false;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    if (!inner.For(part).applicable(part.conv())) return false;
    preferred |= &inner.For(part) == &inner.preferred;
  }
  return preferred;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  double cost = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    cost += inner.For(part).cost(part.conv(), target);
    if (PartsOf(p) > 1) cost += TrafficCost(target, static_cast<double>(part.output_bytes()));
  }
  return cost;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                                     const Inner& inner) {
  uint64_t most = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    const uint64_t bytes = inner.For(part).scratch_bytes(part.conv(), target, inner.PlanFor(part, plan));
    most = bytes > most ? bytes : most;
  }
  return OutputBytes(p) + most;
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  uint64_t bytes = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) bytes += inner.PackedBytes(SubPixelPart(p, i), target);
  return bytes;
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, const Inner& inner,
          void* packed) {
  auto* out = static_cast<uint8_t*>(packed);
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    int64_t taps[kMaxPartTaps];
    part.ListTaps(taps);
    ConvWeights of_part = weights;
    of_part.taps = taps;
    inner.For(part).pack(part.conv(), target, of_part, out);
    out += inner.PackedBytes(part, target);
  }
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel, const Inner& inner) {
  const bool in_scratch = PartsOf(p) > 1;
  const auto* packed = static_cast<const uint8_t*>(tensors.packed);
  auto* scratch = static_cast<uint8_t*>(tensors.scratch);
  ConvTensors of_part = tensors;
  of_part.scratch = scratch + OutputBytes(p);
  if (in_scratch) of_part.y = scratch;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    of_part.packed = packed;
    packed += inner.PackedBytes(part, target);
    if (in_scratch && tensors.residual != nullptr) {
      part.Gather(tensors.residual, scratch, parallel);
      of_part.residual = scratch;
    }
    inner.For(part).run(part.conv(), target, inner.PlanFor(part, plan), of_part, parallel);
    if (in_scratch) part.Scatter(scratch, tensors.y, parallel);
  }
}

template <const Conv2DAlgorithm* kPreferred, const Conv2DAlgorithm* kOther, const NamedKernel* kNames>
struct Row {
  // An object of its own, so that a program holds the algorithms of those rows alone that it names.
  static constexpr Inner kBoth = {*kPreferred, *kOther, kNames};
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    return NameOf(p, target, kBoth);
  }
  MICRORT_COLD static bool Applicable(const Conv2DParams& p) { return micrort::Applicable(p, kBoth); }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::Cost(p, target, kBoth);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return MakePlan(p, target, kBoth);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return ScratchBytesOf(p, target, plan, kBoth);
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::PackedBytes(p, target, kBoth);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    micrort::Pack(p, target, weights, kBoth, packed);
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    micrort::Run(p, target, plan, tensors, parallel, kBoth);
  }
  static constexpr Conv2DAlgorithm kAlgorithm = {Name,         Applicable,  Cost, Plan,
                                                 ScratchBytes, PackedBytes, Pack, Run};
};

}  // namespace

const Conv2DAlgorithm kSubPixelGemmF32 = Row<&kImplicitGemmF32, &kImplicitGemmF32, kGemmF32Names>::kAlgorithm;
const Conv2DAlgorithm kSubPixelGemmS8 = Row<&kImplicitGemmS8, &kImplicitGemmS8, kGemmS8Names>::kAlgorithm;
const Conv2DAlgorithm kSubPixelWinograd2 = Row<&kWinograd2, &kImplicitGemmF32, kWinograd2Names>::kAlgorithm;
const Conv2DAlgorithm kSubPixelWinograd4 = Row<&kWinograd4, &kImplicitGemmF32, kWinograd4Names>::kAlgorithm;

}  // namespace micrort
