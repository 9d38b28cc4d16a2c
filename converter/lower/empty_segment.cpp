#include "converter/lower/empty_segment.h"

#include <limits>

#include "converter/ir/float_limits.h"
#include "kernels/base/dtype.h"

namespace micrort::lower {

namespace {

using schema::ScatterReduction;

// Its bits, of which a conversion keeps the last ones; inverted, those of the largest integer.
int64_t LowestInteger(DType dtype) {
  const bool is_signed =
      dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 || dtype == DType::kInt64;
  return is_signed ? std::numeric_limits<int64_t>::min() >> (64 - 8 * SizeOf(dtype)) : 0;
}

}  // namespace

ir::ValueId EmptySegment(ir::Builder& build, DType dtype, ScatterReduction reduction) {
  if (reduction == ScatterReduction::Add) return build.Cast(build.Scalar(0), dtype);
  if (reduction == ScatterReduction::Mul) return build.Cast(build.Scalar(1), dtype);
  const bool is_max = reduction == ScatterReduction::Max;
  if (dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kFloat64) {
    const double largest = ir::LargestFinite(dtype);
    return build.Cast(build.Constant<double>({}, {is_max ? -largest : largest}), dtype);
  }
  const int64_t lowest = LowestInteger(dtype);
  return build.Cast(build.Constant<int64_t>({}, {is_max ? lowest : ~lowest}), dtype);
}

}  // namespace micrort::lower
