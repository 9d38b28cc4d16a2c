#include "kernels/int4_gemm/pack_s4.h"

#include <cstring>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"

namespace micrort {
namespace {

// A weight as 0 to 15.
uint8_t WeightAt(const MatrixB& b, size_t column, size_t k) {
  const size_t at = column * static_cast<size_t>(b.column_stride) + k;
  const uint8_t byte = static_cast<const uint8_t*>(b.data)[at / 2];
  return static_cast<uint8_t>((at % 2 == 0 ? byte & 15 : byte >> 4) ^ kInt4Center);
}

void PackScale(const Int4Panel& panel, float scale, size_t j, uint8_t* out) {
  const uint16_t half = FloatToHalf(scale);
  if (panel.half_scales) {
    std::memcpy(out + j * sizeof half, &half, sizeof half);
  } else {
    std::memcpy(out + j * sizeof scale, &scale, sizeof scale);
  }
}

void PackZeroPoint(const Int4Panel& panel, int32_t zero_point, size_t j, uint8_t* out) {
  const bool is_upper = j >= panel.nr / 2;
  uint8_t& byte = out[is_upper ? j - panel.nr / 2 : j];
  byte = static_cast<uint8_t>(byte | zero_point << (is_upper ? 4 : 0));
}

// Column j of a panel, column `column` of the matrix: a group from row `first` on. `turned`: all bits.
void PackGroup(const MatrixB& b, const Int4Panel& panel, size_t depth, size_t column, size_t first, size_t j,
               bool turned, uint8_t* weights) {
  const bool by_rows = panel.halves == Int4Halves::kRows;
  const size_t width = by_rows ? panel.nr : panel.nr / 2, run = panel.halves == Int4Halves::kEights ? 8 : 4;
  for (size_t k = first; k < first + panel.group && k < depth; ++k) {
    const size_t at = (k - first) / run;
    const int weight = WeightAt(b, column, k) ^ (turned ? 15 : 0);
    const bool is_upper = by_rows ? at % 2 != 0 : j >= width;
    uint8_t& byte = weights[((by_rows ? at / 2 : at) * width + j % width) * run + (k - first) % run];
    byte = static_cast<uint8_t>(byte | (by_rows || !is_upper ? weight : weight ^ kInt4Center)
                                           << (is_upper ? 4 : 0));
  }
}

}  // namespace

void PackS4Panel(const MatrixB& b, const Int4Panel& panel, size_t depth, size_t first, size_t columns,
                 uint8_t* out) {
  const size_t exist = columns - first < panel.nr ? columns - first : panel.nr;
  for (size_t k = 0; k < depth; k += panel.group, out += panel.group_bytes()) {
    std::memset(out, 0, panel.group_bytes());
    for (size_t j = 0; j < exist; ++j) {
      const size_t column = first + j;
      const int64_t at = static_cast<int64_t>(column) * b.scale_stride +
                         (b.group == 0 ? 0 : static_cast<int64_t>(k / panel.group));
      const int zero_point = b.grid.zero_point(at);
      const bool turned = !panel.zero_points && zero_point == kTurnedInt4;
      PackScale(panel, turned ? -b.grid.scale(at) : b.grid.scale(at), j, out);
      if (panel.zero_points)
        PackZeroPoint(panel, kInt4Center + zero_point, j, out + panel.nr * panel.scale_bytes());
      PackGroup(b, panel, depth, column, k, j, turned, out + panel.weights_at());
    }
  }
}

}  // namespace micrort
