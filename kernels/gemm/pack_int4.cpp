#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/interleave_columns.h"
#include "kernels/gemm/pack_narrow.h"

namespace micrort {
namespace {

void StoreScale(float scale, size_t j, bool half, uint8_t* scales) {
  if (half) {
    reinterpret_cast<uint16_t*>(scales)[j] = FloatToHalf(scale);
  } else {
    reinterpret_cast<float*>(scales)[j] = scale;
  }
}

// Writes the scales of a run whose bytes are packed, and turns columns whose zero point is kTurnedInt4.
void AppendScales(const PanelOfB& p, int64_t group, size_t pairs, bool half_scales, uint8_t* run) {
  uint8_t* const bytes = run + Int4RunBytes(0, p.nr, half_scales);
  for (size_t j = 0; j < p.nr; ++j) {
    const int64_t at = (p.first + static_cast<int64_t>(j)) * p.b.scale_stride + group;
    const bool is_turned = j < p.exist && p.b.grid.zero_point(at) == kTurnedInt4;
    const float scale = j < p.exist ? p.b.grid.scale(at) : 0.0f;
    StoreScale(is_turned ? -scale : scale, j, half_scales, run);
    for (size_t k = 0; is_turned && k < pairs; ++k) bytes[k * p.nr + j] ^= 0xff;
  }
}

}  // namespace

void PackInt4Panel(const PanelOfB& p, bool half_scales, void* out) {
  const int64_t stride = p.b.column_stride / 2;
  const auto* columns = static_cast<const uint8_t*>(p.b.data) + p.first * stride;
  auto* run = static_cast<uint8_t*>(out);
  for (size_t k = 0; k < p.depth; k += kInt4Run) {
    const size_t rows = p.depth - k < kInt4Run ? p.depth - k : kInt4Run;
    const int64_t group = p.b.group == 0 ? 0 : static_cast<int64_t>(k) / p.b.group;
    uint8_t* const end = InterleaveColumns(columns + k / 2, stride, 1, rows / 2, p.exist, p.nr,
                                           run + Int4RunBytes(0, p.nr, half_scales));
    AppendScales(p, group, rows / 2, half_scales, run);
    run = end;
  }
}

void PackInt4BF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  for (size_t first = 0; first < columns; first += nr, out += depth * nr) {
    for (size_t j = 0; j < nr; ++j) {
      if (first + j >= columns) {
        for (size_t k = 0; k < depth; ++k) out[k * nr + j] = 0.0f;
        continue;
      }
      const auto column = static_cast<int64_t>(first + j);
      const auto* data = static_cast<const uint8_t*>(b.data) + column * b.column_stride / 2;
      for (size_t k = 0; k < depth; ++k) {
        const int64_t row = b.row(k);
        const int64_t scale = column * b.scale_stride + (b.group == 0 ? 0 : row / b.group);
        out[k * nr + j] =
            static_cast<float>(ReadInt4(data, row) - b.grid.zero_point(scale)) * b.grid.scale(scale);
      }
    }
  }
}

}  // namespace micrort
