#include "kernels/gemm/packed_b.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

// Bytes of `depth` rows in runs.
uint64_t Int4Bytes(uint64_t depth, size_t nr, bool half_scales) {
  const auto rest = static_cast<size_t>(depth % kInt4Run);
  return depth / kInt4Run * Int4RunBytes(kInt4Run, nr, half_scales) +
         (rest == 0 ? 0 : Int4RunBytes(rest, nr, half_scales));
}

// Elements of neighbouring columns side by side; zeros where `exist` columns are not nr. Returns the end.
template <typename T>
T* Interleave(const T* columns, int64_t column_stride, int64_t depth_stride, size_t depth, size_t exist,
              size_t nr, T* out) {
  for (size_t k = 0; k < depth; ++k, columns += depth_stride, out += nr) {
    for (size_t j = 0; j < exist; ++j) out[j] = columns[static_cast<int64_t>(j) * column_stride];
    for (size_t j = exist; j < nr; ++j) out[j] = 0;
  }
  return out;
}

// Each packs the panel whose first column is `first`, of which `exist` exist.
void PackHalfPanel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, void* out) {
  const auto* columns = static_cast<const uint16_t*>(b.data) + first * b.column_stride;
  Interleave(columns, b.column_stride, b.depth_stride, depth, exist, nr, static_cast<uint16_t*>(out));
}

void PackInt8Panel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, void* out) {
  const auto* columns = static_cast<const int8_t*>(b.data) + first * b.column_stride;
  float* const end = Interleave(b.scales + first * b.scale_stride, b.scale_stride, 0, 1, exist, nr,
                                static_cast<float*>(out));
  Interleave(columns, b.column_stride, b.depth_stride, depth, exist, nr, reinterpret_cast<int8_t*>(end));
}

void StoreScale(float scale, size_t j, bool half, uint8_t* scales) {
  if (half) {
    reinterpret_cast<uint16_t*>(scales)[j] = FloatToHalf(scale);
  } else {
    reinterpret_cast<float*>(scales)[j] = scale;
  }
}

// Writes the scales of a run whose bytes are packed, and turns columns whose zero point is kTurnedInt4.
void AppendScales(const MatrixB& b, int64_t group, int64_t first, size_t exist, size_t nr, size_t pairs,
                  bool half_scales, uint8_t* run) {
  uint8_t* const bytes = run + Int4RunBytes(0, nr, half_scales);
  for (size_t j = 0; j < nr; ++j) {
    const int64_t at = (first + static_cast<int64_t>(j)) * b.scale_stride + group;
    const bool is_turned = j < exist && b.grid.zero_point(at) == kTurnedInt4;
    const float scale = j < exist ? b.grid.scale(at) : 0.0f;
    StoreScale(is_turned ? -scale : scale, j, half_scales, run);
    for (size_t k = 0; is_turned && k < pairs; ++k) bytes[k * nr + j] ^= 0xff;
  }
}

// Two elements of a column are one byte in the matrix as in the panel.
void PackInt4Panel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, bool half_scales,
                   void* out) {
  const int64_t stride = b.column_stride / 2;
  const auto* columns = static_cast<const uint8_t*>(b.data) + first * stride;
  auto* run = static_cast<uint8_t*>(out);
  for (size_t k = 0; k < depth; k += kInt4Run) {
    const size_t rows = depth - k < kInt4Run ? depth - k : kInt4Run;
    const int64_t group = b.group == 0 ? 0 : static_cast<int64_t>(k) / b.group;
    uint8_t* const end =
        Interleave(columns + k / 2, stride, 1, rows / 2, exist, nr, run + Int4RunBytes(0, nr, half_scales));
    AppendScales(b, group, first, exist, nr, rows / 2, half_scales, run);
    run = end;
  }
}

}  // namespace

bool PackedB::HoldsNarrow(DType type, int64_t group) {
  const bool whole_runs = group % static_cast<int64_t>(kInt4Run) == 0;
  return type == DType::kFloat16 || type == DType::kInt8 || (type == DType::kInt4 && whole_runs);
}

PackedB::PackedB(DType held, size_t depth, size_t nr, KernelId dequantize, KernelId convert, bool half_scales)
    : held_(held),
      half_scales_(half_scales),
      depth_(depth),
      nr_(nr),
      dequantize_(VariantOf(DequantizeWeightsKernels(), dequantize)),
      convert_(VariantOf(ConvertF32Kernels(), convert)) {}

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
    const auto column = static_cast<int64_t>(first);
    if (held_ == DType::kInt4) {
      PackInt4Panel(b, depth_, column, exist, nr_, half_scales_, panel);
    } else {
      (held_ == DType::kFloat16 ? PackHalfPanel : PackInt8Panel)(b, depth_, column, exist, nr_, panel);
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
      convert_.from_half(static_cast<const uint16_t*>(panel) + first * nr_, scratch, rows * nr_);
      return scratch;
    case DType::kInt8:
      dequantize_.s8(reinterpret_cast<const int8_t*>(bytes) + (sizeof(float) + first) * nr_,
                     static_cast<const float*>(panel), rows, nr_, scratch);
      return scratch;
    case DType::kInt4: {
      const size_t skipped = first % kInt4Run;
      dequantize_.s4(bytes + Int4Bytes(first - skipped, nr_, half_scales_), AlignUp(skipped + rows, 2), nr_,
                     half_scales_, scratch);
      return scratch + skipped * nr_;
    }
    default:
      return static_cast<const float*>(panel) + first * nr_;
  }
}

}  // namespace micrort
