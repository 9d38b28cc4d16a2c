#include "kernels/copy/map_bytes.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

namespace {

// Several bytes are read before any is written, because a byte that is written may be any of those to be
// read. `src` may be `dst`.
void MapRow(const int8_t* table, size_t n, const int8_t* src, int8_t* dst) {
  constexpr size_t kStep = 4;
  size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    const int8_t a = table[src[i]], b = table[src[i + 1]], c = table[src[i + 2]], d = table[src[i + 3]];
    dst[i] = a, dst[i + 1] = b, dst[i + 2] = c, dst[i + 3] = d;
  }
  for (; i < n; ++i) dst[i] = table[src[i]];
}

}  // namespace

ByteMap RequantizationMap(float in_scale, int32_t in_zero_point, float out_scale, int32_t out_zero_point) {
  const float factor = static_cast<float>(static_cast<double>(in_scale) / static_cast<double>(out_scale));
  const float low = -128.0f - static_cast<float>(out_zero_point);
  const float high = 127.0f - static_cast<float>(out_zero_point);
  ByteMap result;
  for (int q = -128; q < 128; ++q) {
    // Zero stays zero even where the factor has overflowed to infinity.
    const float centered = static_cast<float>(q - in_zero_point);
    const float value = q == in_zero_point ? 0.0f : centered * factor;
    const float rounded = std::nearbyint(std::clamp(value, low, high));
    result.map[q + 128] = static_cast<int8_t>(static_cast<int32_t>(rounded) + out_zero_point);
  }
  return result;
}

void MapBytes(const ByteMap& map, size_t rows, size_t cols, const int8_t* src, size_t src_stride, int8_t* dst,
              size_t dst_stride, const Parallel& parallel) {
  if (rows == 0 || cols == 0) return;
  const int8_t* table = map.map + 128;
  const size_t rows_per_tile = std::clamp<size_t>(kTaskMappedBytes / cols, 1, rows);
  ParallelFor(parallel, CeilDiv(rows, rows_per_tile), [=](size_t tile, int) {
    const size_t end = std::min(rows, (tile + 1) * rows_per_tile);
    for (size_t r = tile * rows_per_tile; r < end; ++r) {
      MapRow(table, cols, src + r * src_stride, dst + r * dst_stride);
    }
  });
}

}  // namespace micrort
