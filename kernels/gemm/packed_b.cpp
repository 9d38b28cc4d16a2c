#include "kernels/gemm/packed_b.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"
#include "kernels/gemm/pack_narrow.h"

namespace micrort {

// Of narrow weights, and of those of 4 bits.
MICRORT_PART(ConvertF32Kernels);
MICRORT_PART(DequantizeWeightsKernels);
MICRORT_PART(PackNarrowPanel);
MICRORT_PART(DequantizeWeightsS4Of);
MICRORT_PART(PackInt4Panel);

namespace {

// Bytes of `depth` rows in runs.
uint64_t Int4Bytes(uint64_t depth, size_t nr, bool half_scales) {
  const auto rest = static_cast<size_t>(depth % kInt4Run);
  return depth / kInt4Run * Int4RunBytes(kInt4Run, nr, half_scales) +
         (rest == 0 ? 0 : Int4RunBytes(rest, nr, half_scales));
}

}  // namespace

bool PackedB::HoldsNarrow(DType type, int64_t group) {
  const bool whole_runs = group % static_cast<int64_t>(kInt4Run) == 0;
  return type == DType::kFloat16 || type == DType::kInt8 ||
         (type == DType::kInt4 && whole_runs && MICRORT_HAS_PART(DequantizeWeightsS4Of));
}

PackedB::PackedB(DType held, size_t depth, size_t nr, KernelId dequantize, KernelId convert, bool half_scales)
    : held_(held), half_scales_(half_scales), depth_(depth), nr_(nr) {
  if (held == DType::kFloat16) from_half_ = VariantOf(ConvertF32Kernels(), convert).from_half;
  if (held == DType::kInt8) s8_ = VariantOf(DequantizeWeightsKernels(), dequantize).s8;
  if (held == DType::kInt4) s4_ = DequantizeWeightsS4Of(dequantize);
}

uint64_t PackedB::panel_bytes() const {
  const uint64_t depth = depth_;
  switch (held_) {
    case DType::kFloat16:
      return depth * nr_ * sizeof(uint16_t);
    case DType::kInt8:
      return (sizeof(float) + depth) * nr_;
    case DType::kInt4:
      return Int4Bytes(depth, nr_, half_scales_);
    default:
      return depth * nr_ * sizeof(float);
  }
}

void PackedB::Pack(const MatrixB& b, size_t columns, void* out) const {
  if (held_ == DType::kFloat32) return PackBF32(b, depth_, columns, nr_, static_cast<float*>(out));
  auto* panel = static_cast<uint8_t*>(out);
  for (size_t first = 0; first < columns; first += nr_, panel += panel_bytes()) {
    const size_t exist = columns - first < nr_ ? columns - first : nr_;
    const PanelOfB of = {b, depth_, static_cast<int64_t>(first), exist, nr_};
    if (held_ == DType::kInt4) {
      PackInt4Panel(of, half_scales_, panel);
    } else {
      PackNarrowPanel(of, panel);
    }
  }
}

size_t PackedB::scratch_elements(size_t rows) const {
  if (held_ == DType::kFloat32) return 0;
  // For int4, the run that holds the first row is dequantized from its beginning, and pairs of rows.
  const size_t more = held_ == DType::kInt4 ? kInt4Run : 0;
  return (rows + more) * nr_;
}

const float* PackedB::Block(const void* panel, size_t first, size_t rows, float* scratch) const {
  const auto* bytes = static_cast<const uint8_t*>(panel);
  switch (held_) {
    case DType::kFloat16:
      from_half_(static_cast<const uint16_t*>(panel) + first * nr_, scratch, rows * nr_);
      return scratch;
    case DType::kInt8:
      s8_(reinterpret_cast<const int8_t*>(bytes) + (sizeof(float) + first) * nr_,
          static_cast<const float*>(panel), rows, nr_, scratch);
      return scratch;
    case DType::kInt4: {
      const size_t skipped = first % kInt4Run;
      s4_(bytes + Int4Bytes(first - skipped, nr_, half_scales_), AlignUp(skipped + rows, 2), nr_,
          half_scales_, scratch);
      return scratch + skipped * nr_;
    }
    default:
      return static_cast<const float*>(panel) + first * nr_;
  }
}

}  // namespace micrort
