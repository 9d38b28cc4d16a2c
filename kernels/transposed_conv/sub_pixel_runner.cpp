#include "kernels/transposed_conv/sub_pixel_runner.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/conv/cost.h"

namespace micrort::sub_pixel {
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

// The algorithm of a part.
const Conv2DAlgorithm& AlgorithmFor(const Inner& inner, const SubPixelPart& part) {
  return inner.preferred.applicable(part.conv()) ? inner.preferred : inner.other;
}
// What the plan of the layer says of a part.
ConvPlan PlanFor(const Inner& inner, const SubPixelPart& part, const ConvPlan& plan) {
  ConvPlan of_part = plan;
  if (&AlgorithmFor(inner, part) != &inner.preferred) of_part.blocks = plan.other_blocks;
  return of_part;
}
MICRORT_COLD uint64_t PackedBytesOf(const Inner& inner, const SubPixelPart& part, const ConvTarget& target) {
  return AlignUp(AlgorithmFor(inner, part).packed_bytes(part.conv(), target), kAlignment);
}

// A convolution that is no smaller than any of the parts that an algorithm computes; false: there is none.
MICRORT_COLD bool FindLargest(const Conv2DParams& p, const Inner& inner, const Conv2DAlgorithm& algorithm,
                              Conv2DParams* largest) {
  int64_t out_h = 0, out_w = 0, taps = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    if (&AlgorithmFor(inner, part) != &algorithm) continue;
    const Conv2DParams& conv = part.conv();
    out_h = conv.out_h > out_h ? conv.out_h : out_h;
    out_w = conv.out_w > out_w ? conv.out_w : out_w;
    if (conv.taps() > taps) *largest = conv;
    taps = largest->taps();
  }
  largest->out_h = out_h, largest->out_w = out_w;
  return taps != 0;
}

}  // namespace

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
    if (!AlgorithmFor(inner, part).applicable(part.conv())) return false;
    preferred |= &AlgorithmFor(inner, part) == &inner.preferred;
  }
  return preferred;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  double cost = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    cost += AlgorithmFor(inner, part).cost(part.conv(), target);
    if (PartsOf(p) > 1) cost += TrafficCost(target, static_cast<double>(part.output_bytes()));
  }
  return cost;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                                     const Inner& inner) {
  uint64_t most = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) {
    const SubPixelPart part(p, i);
    const uint64_t bytes =
        AlgorithmFor(inner, part).scratch_bytes(part.conv(), target, PlanFor(inner, part, plan));
    most = bytes > most ? bytes : most;
  }
  return OutputBytes(p) + most;
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  uint64_t bytes = 0;
  for (int64_t i = 0; i < PartsOf(p); ++i) bytes += PackedBytesOf(inner, SubPixelPart(p, i), target);
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
    AlgorithmFor(inner, part).pack(part.conv(), target, of_part, out);
    out += PackedBytesOf(inner, part, target);
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
    packed += PackedBytesOf(inner, part, target);
    if (in_scratch && tensors.residual != nullptr) {
      part.Gather(tensors.residual, scratch, parallel);
      of_part.residual = scratch;
    }
    AlgorithmFor(inner, part).run(part.conv(), target, PlanFor(inner, part, plan), of_part, parallel);
    if (in_scratch) part.Scatter(scratch, tensors.y, parallel);
  }
}

}  // namespace micrort::sub_pixel
