#include <cmath>
#include <limits>

#include "kernels/base/checked_math.h"
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
    case DType::kInt4:
      *range = {-8, 7};
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

// Scales of all slices together, if groups of elements have their own; the tensor's size has been checked.
Status ScalesOfGroups(const schema::Tensor& tensor, const schema::Quantization& q, int64_t slices,
                      int64_t* scales) {
  if (TypeOf(tensor) != DType::kInt4 || q.group() < 0 || slices <= 0) {
    return MICRORT_ERROR(kInvalidModel, "groups of %d: expected 0, or more for int4 with an axis, found %s",
                         q.group(), Name(TypeOf(tensor)));
  }
  const int64_t elements = ShapeOf(tensor).elements() / slices * 2;
  *scales = slices * CeilDiv(elements, int64_t{q.group()});
  return Status();
}

bool IsInt4(const schema::Tensor& tensor) { return kHasInt4Layers && TypeOf(tensor) == DType::kInt4; }

// Halves and int4 stand for all scales and zero points of an int4 tensor, which are read without their
// counts.
Status VerifyNarrowCounts(const schema::Tensor& tensor, const schema::Quantization& q, int64_t expected) {
  const uint32_t halves = Count(q.half_scales()), bytes = Count(q.int4_zero_points());
  if (q.half_scales() != nullptr && (!IsInt4(tensor) || halves != expected || Count(q.scales()) != 0)) {
    return MICRORT_ERROR(kInvalidModel, "%u scales are halves: expected none, or %lld of int4 and no others",
                         halves, static_cast<long long>(expected));
  }
  const int64_t pairs = CeilDiv(expected, int64_t{2});
  if (q.int4_zero_points() != nullptr && (!IsInt4(tensor) || bytes != pairs || Count(q.zero_points()) != 0)) {
    return MICRORT_ERROR(kInvalidModel,
                         "%u bytes of int4 zero points: expected none, or %lld of int4 and no others", bytes,
                         static_cast<long long>(pairs));
  }
  return Status();
}

Status VerifyCounts(const schema::Tensor& tensor, const schema::Quantization& q) {
  const Span<const int32_t> dims = Ints(tensor.shape());
  if (q.axis() < -1 || q.axis() >= static_cast<int>(dims.size())) {
    return MICRORT_ERROR(kInvalidModel, "expected an axis in [-1, %zu), found %d", dims.size(), q.axis());
  }
  int64_t expected = q.axis() < 0 ? 1 : dims[static_cast<size_t>(q.axis())];
  if (expected < 0) return MICRORT_ERROR(kInvalidModel, "axis %d is a dynamic dimension", q.axis());
  if (q.group() != 0)
    MICRORT_RETURN_IF_ERROR(ScalesOfGroups(tensor, q, q.axis() < 0 ? 0 : expected, &expected));
  MICRORT_RETURN_IF_ERROR(VerifyNarrowCounts(tensor, q, expected));
  if (q.half_scales() == nullptr && Count(q.scales()) != expected) {
    return MICRORT_ERROR(kInvalidModel, "expected %lld scales, found %u", static_cast<long long>(expected),
                         Count(q.scales()));
  }
  const uint32_t zero_points = Count(q.zero_points());
  if (zero_points != 0 && zero_points != expected) {
    return MICRORT_ERROR(kInvalidModel, "expected no or %lld zero points, found %u",
                         static_cast<long long>(expected), zero_points);
  }
  return Status();
}

Status VerifyHalves(const schema::Quantization& q) {
  constexpr uint16_t kInfinity = 0x7c00;
  for (uint32_t i = 0; i < Count(q.half_scales()); ++i) {
    const uint16_t half = q.half_scales()->Get(i);
    if (half > 0 && half < kInfinity) continue;
    return MICRORT_ERROR(kInvalidModel, "scale %u: expected a finite half above 0, found the bits %04x", i,
                         half);
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
  MICRORT_RETURN_IF_ERROR(context.Spend(uint64_t{Count(q->scales())} + Count(q->half_scales()) +
                                        Count(q->zero_points()) + Count(q->int4_zero_points())));
  if (IsInt4(tensor)) MICRORT_RETURN_IF_ERROR(VerifyHalves(*q));
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
