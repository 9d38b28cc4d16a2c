#include "runtime/ops/read_int4_grid.h"

#include <cstring>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

#if !defined(MICRORT_NO_FLOAT_LAYERS)

namespace {

bool AreHalves(const float* scales, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!IsHalf(scales[i])) return false;
  }
  return true;
}

// Whether each of these int4 is 0 or kTurnedInt4: all its bits are equal.
bool TurnOnly(const uint8_t* zero_points, size_t count) {
  const size_t bytes = (count + 1) / 2;
  uint64_t different = 0;
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t x = 0;
    std::memcpy(&x, zero_points + i, bytes - i < sizeof x ? bytes - i : sizeof x);
    different |= (x ^ x >> 1) & 0x7777777777777777u;
    if (different != 0) return false;
  }
  return true;
}

Status CheckZeroPoint(const Tensor& weights, bool takes_zero_points, int zero_point) {
  if (zero_point == 0 || (takes_zero_points && zero_point >= -kMaxInt4 - 1 && zero_point <= kMaxInt4))
    return Status();
  return MICRORT_ERROR(kInvalidModel, "weights '%s': zero point %d must be %s", weights.name, zero_point,
                       takes_zero_points ? "an int4" : "0");
}

}  // namespace

Status ReadInt4Grid(const Tensor& weights, bool takes_zero_points, LayerTypes* types) {
  const Int4Grid& grid = weights.grid;
  const size_t count = weights.quantization.count;
  types->half_scales = grid.has_half_scales() || (types->grouped && AreHalves(grid.scales, count));
  if (takes_zero_points && grid.int4_zero_points != nullptr) {
    types->asymmetric = !TurnOnly(grid.int4_zero_points, count);
  } else if (grid.has_zero_points()) {
    for (size_t i = 0; i < count; ++i) {
      const int zero_point = grid.zero_point(static_cast<int64_t>(i));
      types->asymmetric |= zero_point != 0 && zero_point != kTurnedInt4;
      MICRORT_RETURN_IF_ERROR(CheckZeroPoint(weights, takes_zero_points, zero_point));
    }
  }
  // Loading has checked halves.
  return grid.has_half_scales() ? Status() : CheckScales(weights);
}

#endif

}  // namespace micrort
