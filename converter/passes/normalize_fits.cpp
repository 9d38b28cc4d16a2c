#include "converter/passes/normalize_fits.h"

#include "kernels/normalize/normalize_plan.h"

namespace micrort::passes {
namespace {

// Dimensions that are not fixed as a number above 1: what fits then, fits 1 too.
bool ToShape(const ir::Value& value, Shape* shape) {
  constexpr int64_t kAny = 2;
  if (!value.has_shape || value.rank() > kMaxRank) return false;
  for (const int64_t dim : value.shape) shape->dims[shape->rank++] = dim == ir::kDynamic ? kAny : dim;
  return true;
}

}  // namespace

bool NormalizeFits(const ir::Value& x, const std::vector<int32_t>& axes, const ir::Value* scale,
                   const ir::Value* bias) {
  Shape x_shape, scale_shape, bias_shape;
  if (!ToShape(x, &x_shape)) return false;
  if (scale != nullptr && !ToShape(*scale, &scale_shape)) return false;
  if (bias != nullptr && !ToShape(*bias, &bias_shape)) return false;
  bool is_normalized[kMaxRank] = {};
  for (const int32_t axis : axes) is_normalized[axis] = true;
  NormalizePlan plan;
  return PlanNormalize(x_shape, is_normalized, scale == nullptr ? nullptr : &scale_shape,
                       bias == nullptr ? nullptr : &bias_shape, &plan);
}

}  // namespace micrort::passes
