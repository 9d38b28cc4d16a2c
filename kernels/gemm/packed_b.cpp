#include "kernels/gemm/packed_b.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/int4.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

// Bytes of `depth` rows in runs.
uint64_t Int4Bytes(uint64_t depth, size_t nr) {
  return depth / kInt4Run * Int4RunBytes(kInt4Run, nr) +
         (depth % kInt4Run == 0 ? 0 : Int4RunBytes(static_cast<size_t>(depth % kInt4Run), nr));
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

float* AppendScales(const float* scales, int64_t stride, size_t exist, size_t nr, void* out) {
  return Interleave(scales, stride, 0, 1, exist, nr, static_cast<float*>(out));
}

// Each packs the panel whose first column is `first`, of which `exist` exist.
void PackHalfPanel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, void* out) {
  const auto* columns = static_cast<const uint16_t*>(b.data) + first * b.column_stride;
  Interleave(columns, b.column_stride, b.depth_stride, depth, exist, nr, static_cast<uint16_t*>(out));
}

void PackInt8Panel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, void* out) {
  const auto* columns = static_cast<const int8_t*>(b.data) + first * b.column_stride;
  float* const end = AppendScales(b.scales + first * b.scale_stride, b.scale_stride, exist, nr, out);
  Interleave(columns, b.column_stride, b.depth_stride, depth, exist, nr, reinterpret_cast<int8_t*>(end));
}

// Of a run whose columns have zero points from `zero_points` on, `stride` apart.
void TurnColumns(const int32_t* zero_points, int64_t stride, size_t exist, size_t nr, size_t pairs,
                 float* scales) {
  auto* const bytes = reinterpret_cast<uint8_t*>(scales + nr);
  for (size_t j = 0; j < exist; ++j) {
    if (zero_points[static_cast<int64_t>(j) * stride] != kTurnedInt4) continue;
    scales[j] = -scales[j];
    for (size_t k = 0; k < pairs; ++k) bytes[k * nr + j] ^= 0xff;
  }
}

// Two elements of a column are one byte in the matrix as in the panel.
void PackInt4Panel(const MatrixB& b, size_t depth, int64_t first, size_t exist, size_t nr, void* out) {
  const int64_t stride = b.column_stride / 2;
  const auto* columns = static_cast<const uint8_t*>(b.data) + first * stride;
  const float* scales = b.scales + first * b.scale_stride;
  for (size_t k = 0; k < depth; k += kInt4Run) {
    const size_t rows = depth - k < kInt4Run ? depth - k : kInt4Run;
    const size_t group = b.group == 0 ? 0 : k / static_cast<size_t>(b.group);
    auto* const run = static_cast<float*>(out);
    float* const end = AppendScales(scales + group, b.scale_stride, exist, nr, run);
    out = Interleave(columns + k / 2, stride, 1, rows / 2, exist, nr, reinterpret_cast<uint8_t*>(end));
    if (b.zero_points == nullptr) continue;
    TurnColumns(b.zero_points + first * b.scale_stride + static_cast<int64_t>(group), b.scale_stride, exist,
                nr, rows / 2, run);
  }
}

}  // namespace

bool PackedB::HoldsNarrow(DType type, int64_t group) {
  const bool whole_runs = group % static_cast<int64_t>(kInt4Run) == 0;
  return type == DType::kFloat16 || type == DType::kInt8 || (type == DType::kInt4 && whole_runs);
}

PackedB::PackedB(DType held, size_t depth, size_t nr, KernelId dequantize, KernelId convert)
    : held_(held),
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
      return Int4Bytes(depth, nr_);
    default:
      return depth * nr_ * sizeof(float);
  }
}

void PackedB::Pack(const MatrixB& b, size_t columns, void* out) const {
  if (held_ == DType::kFloat32) return PackBF32(b, depth_, columns, nr_, static_cast<float*>(out));
  const auto pack_panel = held_ == DType::kFloat16 ? PackHalfPanel
                          : held_ == DType::kInt8  ? PackInt8Panel
                                                   : PackInt4Panel;
  auto* panel = static_cast<uint8_t*>(out);
  for (size_t first = 0; first < columns; first += nr_, panel += panel_bytes()) {
    pack_panel(b, depth_, static_cast<int64_t>(first), columns - first < nr_ ? columns - first : nr_, nr_,
               panel);
  }
}

size_t PackedB::scratch_elements(size_t rows) const {
  if (held_ == DType::kFloat32) return 0;
  // Of int4 the run that holds the first row is dequantized from its beginning, and pairs of rows.
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
      dequantize_.s4(bytes + Int4Bytes(first - skipped, nr_), AlignUp(skipped + rows, 2), nr_, scratch);
      return scratch + skipped * nr_;
    }
    default:
      return static_cast<const float*>(panel) + first * nr_;
  }
}

}  // namespace micrort
