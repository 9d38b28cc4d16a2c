#include "converter/frontend/tensorflow/ops/fused.h"

#include <limits>

namespace micrort::frontend::tensorflow {

Status Activate(OpContext& c, const std::string& op, ir::ValueId* y) {
  using schema::UnaryKind;
  if (op == "Relu") {
    *y = c.build.Unary(UnaryKind::Clip, *y, 0, std::numeric_limits<float>::infinity());
  } else if (op == "Relu6") {
    *y = c.build.Unary(UnaryKind::Clip, *y, 0, 6);
  } else if (op == "Elu") {
    *y = c.build.Unary(UnaryKind::Elu, *y, 1);
  } else if (op == "LeakyRelu") {
    *y = c.build.Unary(UnaryKind::LeakyRelu, *y, c.Float("leakyrelu_alpha", 0.2f));
  } else if (op == "Tanh") {
    *y = c.build.Tanh(*y);
  } else if (op == "Sigmoid") {
    *y = c.build.Sigmoid(*y);
  } else if (op == "GeluExact") {
    *y = c.build.Unary(UnaryKind::Gelu, *y);
  } else if (op == "GeluApproximate") {
    *y = c.build.Unary(UnaryKind::GeluTanh, *y);
  } else {
    return MICRORT_ERROR(kUnsupported, "fused_ops has '%.40s'", op.c_str());
  }
  return Status();
}

}  // namespace micrort::frontend::tensorflow
