#include "converter/frontend/tflite/ops/dims.h"

#include <algorithm>

namespace micrort::frontend::tflite {

ir::ValueId InsertDim(OpContext& c, ir::ValueId x, int axis) {
  std::vector<int32_t> shape;
  for (int i = 0; i <= c.value(x).rank(); ++i) {
    if (i == axis) shape.push_back(1);
    if (i < c.value(x).rank()) shape.push_back(ir::CopyDim(i));
  }
  return c.build.Reshape(x, shape);
}

ir::ValueId DropDim(OpContext& c, ir::ValueId x, int axis) { return DropDims(c, x, {axis}); }

ir::ValueId DropDims(OpContext& c, ir::ValueId x, const std::vector<int32_t>& axes) {
  std::vector<int32_t> shape;
  for (int i = 0; i < c.value(x).rank(); ++i) {
    if (!std::binary_search(axes.begin(), axes.end(), i)) shape.push_back(ir::CopyDim(i));
  }
  return c.build.Reshape(x, shape);
}

ir::ValueId DimOf(OpContext& c, ir::ValueId x, int axis) {
  schema::ShapeOptionsT options;
  options.start = axis;
  options.end = axis + 1;
  return c.build.Add(std::move(options), {x});
}

}  // namespace micrort::frontend::tflite
