#include "converter/emit/int4_grid.h"

#include <algorithm>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"

namespace micrort::emit {
namespace {

bool IsInt4(int32_t x) { return x >= -kMaxInt4 - 1 && x <= kMaxInt4; }

std::vector<uint8_t> Packed(const std::vector<int32_t>& integers) {
  std::vector<uint8_t> bytes((integers.size() + 1) / 2);
  for (size_t i = 0; i < integers.size(); ++i)
    bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] | (integers[i] & 15) << (i % 2 * 4));
  return bytes;
}

}  // namespace

bool MakeNarrow(schema::QuantizationT* int4) {
  const bool has_halves =
      !int4->scales.empty() && std::all_of(int4->scales.begin(), int4->scales.end(), IsHalf);
  if (has_halves) {
    std::transform(int4->scales.begin(), int4->scales.end(), std::back_inserter(int4->half_scales),
                   FloatToHalf);
    int4->scales.clear();
  }
  const std::vector<int32_t>& zero_points = int4->zero_points;
  const bool has_int4 = !zero_points.empty() && std::all_of(zero_points.begin(), zero_points.end(), IsInt4);
  if (has_int4) {
    int4->int4_zero_points = Packed(zero_points);
    int4->zero_points.clear();
  }
  return has_halves || has_int4;
}

}  // namespace micrort::emit
