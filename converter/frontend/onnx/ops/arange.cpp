#include "converter/frontend/onnx/ops/arange.h"

namespace micrort::frontend::onnx {

ir::ValueId ScalarAt(NodeContext& c, ir::ValueId vector, int64_t i) {
  return c.build.Gather(vector, c.build.Integer(i), 0);
}

ir::ValueId Arange(NodeContext& c, ir::ValueId count) {
  const DType dtype = c.value(count).dtype;
  return c.build.Range({c.Scalar(dtype, 0), count, c.Scalar(dtype, 1)});
}

}  // namespace micrort::frontend::onnx
