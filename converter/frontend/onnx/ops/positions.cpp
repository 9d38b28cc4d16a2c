#include "converter/frontend/onnx/ops/positions.h"

#include "converter/frontend/common/positions.h"

namespace micrort::frontend::onnx {

ir::ValueId PositionsAlong(NodeContext& c, ir::ValueId x, int axis) {
  return frontend::PositionsAlong(c.build, x, axis);
}

}  // namespace micrort::frontend::onnx
