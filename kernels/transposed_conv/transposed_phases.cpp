#include "kernels/transposed_conv/transposed_phases.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/rows.h"
#include "kernels/conv/cost.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/winograd/winograd.h"

namespace micrort {
namespace {

constexpr int64_t kMaxPhaseTaps = 64, kMaxPhases = 1024;

// A phase along one axis: outputs first, first + stride ... by taps of the kernel residue, residue + stride
// ..., of which the last one is the convolution's first.
struct PhaseAxis {
  int64_t residue, taps, pad, first, outputs;

  PhaseAxis(int64_t kernel, int64_t stride, int64_t transposed_pad, int64_t out, int64_t tap_residue)
      : residue(tap_residue), taps(CeilDiv(kernel - residue, stride)) {
    first = ((residue - transposed_pad) % stride + stride) % stride;
    outputs = first < out ? CeilDiv(out - first, stride) : 0;
    pad = taps - 1 - (first + transposed_pad - residue) / stride;
  }
};

class Phase {
 public:
  // 0 <= index < stride_h * stride_w
  Phase(const Conv2DParams& p, int64_t index);

  const Conv2DParams& conv() const { return conv_; }

  // The tap of the transposed convolution that each tap of the phase is.
  void ListTaps(int64_t* taps) const {
    for (int64_t y = rows_.taps - 1; y >= 0; --y) {
      for (int64_t x = columns_.taps - 1; x >= 0; --x) {
        *taps++ = (rows_.residue + y * p_.stride_h) * p_.kernel_w + columns_.residue + x * p_.stride_w;
      }
    }
  }

  size_t pixel_bytes() const { return static_cast<size_t>(p_.out_c) * SizeOf(p_.types.y); }
  uint64_t output_bytes() const { return static_cast<uint64_t>(conv_.rows()) * pixel_bytes(); }

  // From the phase's pixels side by side to their places in the output, and back.
  void Scatter(const void* pixels, void* y, const Parallel& parallel) const {
    Copy(true, pixels, y, parallel);
  }
  void Gather(const void* y, void* pixels, const Parallel& parallel) const {
    Copy(false, y, pixels, parallel);
  }

 private:
  void Copy(bool scatter, const void* from, void* to, const Parallel& parallel) const;

  const Conv2DParams& p_;
  const PhaseAxis rows_, columns_;
  Conv2DParams conv_;
};

// Not in the class, where it would be copied to each place of use.
Phase::Phase(const Conv2DParams& p, int64_t index)
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

// A row of the phase's pixels in one tile.
void Phase::Copy(bool scatter, const void* from, void* to, const Parallel& parallel) const {
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

int64_t PhasesOf(const Conv2DParams& p) { return p.stride_h * p.stride_w; }

// With one phase the convolution writes the output itself.
uint64_t OutputBytes(const Conv2DParams& p) {
  uint64_t most = 0;
  for (int64_t i = 0; PhasesOf(p) > 1 && i < PhasesOf(p); ++i) {
    const uint64_t bytes = Phase(p, i).output_bytes();
    most = bytes > most ? bytes : most;
  }
  return AlignUp(most, kAlignment);
}

// The algorithm for the phases that it is applicable to, and that for the others.
struct Inner {
  const Conv2DAlgorithm &preferred, &other;

  const Conv2DAlgorithm& For(const Phase& phase) const {
    return preferred.applicable(phase.conv()) ? preferred : other;
  }
  uint64_t PackedBytes(const Phase& phase, const ConvTarget& target) const {
    return AlignUp(For(phase).packed_bytes(phase.conv(), target), kAlignment);
  }
};

const char* NameOf(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  static constexpr char kPrefix[] = "phased_";
  static constexpr char kNames[][48] = {
#define MICRORT_GEMM_F32(name, set, mr, nr, lanes)                                          \
  MICRORT_VARIANT(set, "phased_implicit_gemm_f32/" #name, "phased_winograd_2x2_f32/" #name, \
                  "phased_winograd_4x4_f32/" #name)
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
#define MICRORT_GEMM_S8(name, set, mr, nr, kr, left) MICRORT_VARIANT(set, "phased_implicit_gemm_s8/" #name)
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
  };
  const char* unprefixed = inner.preferred.name(Phase(p, 0).conv(), target);
  int row = 0;  // there is one: these are the files that the names without the prefix are made from
  while (std::strcmp(kNames[row] + sizeof kPrefix - 1, unprefixed) != 0) ++row;
  return kNames[row];
}

bool Applicable(const Conv2DParams& p, const Inner& inner) {
  const bool has_form = p.transposed && p.dilation_h == 1 && p.dilation_w == 1 && p.kernel_h >= p.stride_h &&
                        p.kernel_w >= p.stride_w;
  if (!has_form || PhasesOf(p) > kMaxPhases || Phase(p, 0).conv().taps() > kMaxPhaseTaps) return false;
  bool preferred = false;
  for (int64_t i = 0; i < PhasesOf(p); ++i) {
    const Phase phase(p, i);
    if (!inner.For(phase).applicable(phase.conv())) return false;
    preferred |= &inner.For(phase) == &inner.preferred;
  }
  return preferred;
}

double Cost(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  double cost = 0;
  for (int64_t i = 0; i < PhasesOf(p); ++i) {
    const Phase phase(p, i);
    cost += inner.For(phase).cost(phase.conv(), target);
    if (PhasesOf(p) > 1) cost += TrafficCost(target, static_cast<double>(phase.output_bytes()));
  }
  return cost;
}

uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  uint64_t most = 0;
  for (int64_t i = 0; i < PhasesOf(p); ++i) {
    const Phase phase(p, i);
    const uint64_t bytes = inner.For(phase).scratch_bytes(phase.conv(), target);
    most = bytes > most ? bytes : most;
  }
  return OutputBytes(p) + most;
}

uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target, const Inner& inner) {
  uint64_t bytes = 0;
  for (int64_t i = 0; i < PhasesOf(p); ++i) bytes += inner.PackedBytes(Phase(p, i), target);
  return bytes;
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, const Inner& inner,
          void* packed) {
  auto* out = static_cast<uint8_t*>(packed);
  for (int64_t i = 0; i < PhasesOf(p); ++i) {
    const Phase phase(p, i);
    int64_t taps[kMaxPhaseTaps];
    phase.ListTaps(taps);
    ConvWeights of_phase = weights;
    of_phase.taps = taps;
    inner.For(phase).pack(phase.conv(), target, of_phase, out);
    out += inner.PackedBytes(phase, target);
  }
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
         const Parallel& parallel, const Inner& inner) {
  const bool in_scratch = PhasesOf(p) > 1;
  const auto* packed = static_cast<const uint8_t*>(tensors.packed);
  auto* scratch = static_cast<uint8_t*>(tensors.scratch);
  ConvTensors of_phase = tensors;
  of_phase.scratch = scratch + OutputBytes(p);
  if (in_scratch) of_phase.y = scratch;
  for (int64_t i = 0; i < PhasesOf(p); ++i) {
    const Phase phase(p, i);
    of_phase.packed = packed;
    packed += inner.PackedBytes(phase, target);
    if (in_scratch && tensors.residual != nullptr) {
      phase.Gather(tensors.residual, scratch, parallel);
      of_phase.residual = scratch;
    }
    inner.For(phase).run(phase.conv(), target, of_phase, parallel);
    if (in_scratch) phase.Scatter(scratch, tensors.y, parallel);
  }
}

template <const Conv2DAlgorithm* kPreferred, const Conv2DAlgorithm* kOther>
struct Row {
  // An object of its own, so that a program holds the algorithms of those rows alone that it names.
  static constexpr Inner kBoth = {*kPreferred, *kOther};
  static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    return NameOf(p, target, kBoth);
  }
  static bool Applicable(const Conv2DParams& p) { return micrort::Applicable(p, kBoth); }
  static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::Cost(p, target, kBoth);
  }
  static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::ScratchBytes(p, target, kBoth);
  }
  static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return micrort::PackedBytes(p, target, kBoth);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    micrort::Pack(p, target, weights, kBoth, packed);
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvTensors& tensors,
                  const Parallel& parallel) {
    micrort::Run(p, target, tensors, parallel, kBoth);
  }
  static constexpr Conv2DAlgorithm kAlgorithm = {Name,        Applicable, Cost, ScratchBytes,
                                                 PackedBytes, Pack,       Run};
};

}  // namespace

const Conv2DAlgorithm kPhasedGemmF32 = Row<&kImplicitGemmF32, &kImplicitGemmF32>::kAlgorithm;
const Conv2DAlgorithm kPhasedGemmS8 = Row<&kImplicitGemmS8, &kImplicitGemmS8>::kAlgorithm;
const Conv2DAlgorithm kPhasedWinograd2 = Row<&kWinograd2, &kImplicitGemmF32>::kAlgorithm;
const Conv2DAlgorithm kPhasedWinograd4 = Row<&kWinograd4, &kImplicitGemmF32>::kAlgorithm;

}  // namespace micrort
