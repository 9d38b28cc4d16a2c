#pragma once
// Shapes that follow from other shapes.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

using ir::CopyDim;
using ir::kInferDim;

// x with the shape of `like`, which has as many elements.
ir::ValueId ReshapeLike(NodeContext& c, ir::ValueId x, ir::ValueId like);

// x as a matrix: the product of the dimensions before `axis`, that of the others.
ir::ValueId FlattenAt(NodeContext& c, ir::ValueId x, int axis);

// The product of dimensions [begin, end) of a value.
struct DimRange {
  ir::ValueId of;
  int begin;
  int end;
};
inline DimRange OneDim(ir::ValueId of, int dim) { return {of, dim, dim + 1}; }

// x with these dimensions, any of which may be dynamic.
ir::ValueId ReshapeTo(NodeContext& c, ir::ValueId x, const std::vector<DimRange>& dims);

// Element i of a vector, as a scalar.
ir::ValueId ScalarAt(NodeContext& c, ir::ValueId vector, int64_t i);

// 0, 1 ... count - 1, of the type of `count`, a scalar, int32 or int64.
ir::ValueId Arange(NodeContext& c, ir::ValueId count);

// Part i of x, cut along the axis into parts of these sizes (a vector of int64).
ir::ValueId PartBySizes(NodeContext& c, ir::ValueId x, ir::ValueId sizes, int axis, size_t i);

}  // namespace micrort::frontend::onnx
