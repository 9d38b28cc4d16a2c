#include "converter/frontend/common/sizes.h"

#include <algorithm>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

Size Sizes::Of(ir::ValueId x, int axis) {
  Size size = build_.graph().value(x).dim(static_cast<size_t>(axis));
  if (!size.is_fixed()) size.computed = build_.SizesOf(x, axis, axis + 1);
  return size;
}

Size Sizes::With(schema::BinaryKind kind, const Size& size, int64_t by) {
  if (!size.is_fixed()) {
    Size result;
    result.computed = build_.Binary(kind, size.computed, build_.Integers({by}));
    return result;
  }
  if (kind == schema::BinaryKind::Mul) return SaturatedProduct(size.fixed, by);
  return kind == schema::BinaryKind::Div ? size.fixed / by : size.fixed + by;
}

ir::ValueId Sizes::Computed(const Size& size) {
  return size.is_fixed() ? build_.Integers({size.fixed}) : size.computed;
}

Result<ir::ValueId> Sizes::Reshape(ir::ValueId x, const std::vector<Size>& shape) {
  const auto open =
      std::count_if(shape.begin(), shape.end(), [](const Size& size) { return !size.is_fixed(); });
  if (open > 1) {
    std::vector<ir::ValueId> parts;
    for (const Size& size : shape) parts.push_back(Computed(size));
    return build_.Add(schema::ReshapeOptionsT(), {x, build_.Concat(parts, 0)});
  }
  std::vector<int32_t> dims;
  for (const Size& size : shape) {
    dims.push_back(ir::kInferDim);
    if (size.is_fixed()) MICRORT_RETURN_IF_ERROR(Take(ToInt32(size.fixed, "dimension"), &dims.back()));
  }
  return build_.Reshape(x, dims);
}

}  // namespace micrort::frontend
