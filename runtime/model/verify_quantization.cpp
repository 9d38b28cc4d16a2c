#include <cmath>
#include <limits>

#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

struct Range {
  int32_t min;
  int32_t max;
};

template <typename T>
constexpr Range RangeOf() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

bool ZeroPointRange(DType dtype, Range* range) {
  switch (dtype) {
    case DType::kInt8:
      *range = RangeOf<int8_t>();
      return true;
    case DType::kUInt8:
      *range = RangeOf<uint8_t>();
      return true;
    case DType::kInt16:
      *range = RangeOf<int16_t>();
      return true;
    case DType::kUInt16:
      *range = RangeOf<uint16_t>();
      return true;
    case DType::kInt32:
      *range = RangeOf<int32_t>();
      return true;
    default:
      return false;
  }
}

Status VerifyCounts(const schema::Tensor& tensor, const schema::Quantization& q) {
  const Span<const int32_t> dims = Ints(tensor.shape());
  if (q.axis() < -1 || q.axis() >= static_cast<int>(dims.size())) {
    return MICRORT_ERROR(kInvalidModel, "expected an axis in [-1, %zu), found %d", dims.size(), q.axis());
  }
  const int32_t expected = q.axis() < 0 ? 1 : dims[static_cast<size_t>(q.axis())];
  if (expected < 0) return MICRORT_ERROR(kInvalidModel, "axis %d is a dynamic dimension", q.axis());
  if (Count(q.scales()) != static_cast<uint32_t>(expected)) {
    return MICRORT_ERROR(kInvalidModel, "expected %d scales, found %u", expected, Count(q.scales()));
  }
  const uint32_t zero_points = Count(q.zero_points());
  if (zero_points != 0 && zero_points != static_cast<uint32_t>(expected)) {
    return MICRORT_ERROR(kInvalidModel, "expected no or %d zero points, found %u", expected, zero_points);
  }
  return Status();
}

}  // namespace

Status VerifyQuantization(VerifyContext& context, const schema::Tensor& tensor) {
  const schema::Quantization* q = tensor.quantization();
  if (q == nullptr) return Status();
  Range range{};
  if (!ZeroPointRange(TypeOf(tensor), &range)) {
    return MICRORT_ERROR(kInvalidModel, "expected an integer type, found %s", Name(TypeOf(tensor)));
  }
  MICRORT_RETURN_IF_ERROR(VerifyCounts(tensor, *q));
  MICRORT_RETURN_IF_ERROR(context.Spend(uint64_t{Count(q->scales())} + Count(q->zero_points())));
  for (uint32_t i = 0; i < Count(q->scales()); ++i) {
    const float scale = q->scales()->Get(i);
    if (!std::isfinite(scale) || scale <= 0) {
      return MICRORT_ERROR(kInvalidModel, "scale %u: expected a finite number above 0, found %g", i,
                           static_cast<double>(scale));
    }
  }
  for (uint32_t i = 0; i < Count(q->zero_points()); ++i) {
    const int32_t zero_point = q->zero_points()->Get(i);
    if (zero_point < range.min || zero_point > range.max) {
      return MICRORT_ERROR(kInvalidModel, "zero point %u: expected %d to %d, found %d", i, range.min,
                           range.max, zero_point);
    }
  }
  return Status();
}

}  // namespace micrort
