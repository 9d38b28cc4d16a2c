#include "converter/frontend/tflite/ops/sequence.h"

#include <limits>

namespace micrort::frontend::tflite {

ir::ValueId TimeFirst(OpContext& c, ir::ValueId x, bool time_major) {
  return time_major ? x : c.build.Transpose(x, {1, 0, 2});
}

std::unique_ptr<schema::RecurrentActivationT> RecurrentActivation(schema::UnaryKind kind, float a, float b) {
  auto activation = std::make_unique<schema::RecurrentActivationT>();
  activation->kind = kind;
  activation->a = a;
  activation->b = b;
  return activation;
}

Result<std::unique_ptr<schema::RecurrentActivationT>> RecurrentActivationOf(
    fb::ActivationFunctionType fused) {
  constexpr float kNoUpperLimit = std::numeric_limits<float>::infinity();
  switch (fused) {
    case fb::ActivationFunctionType::Tanh:
      return RecurrentActivation(schema::UnaryKind::Tanh);
    case fb::ActivationFunctionType::Relu:
      return RecurrentActivation(schema::UnaryKind::Clip, 0, kNoUpperLimit);
    case fb::ActivationFunctionType::Relu6:
      return RecurrentActivation(schema::UnaryKind::Clip, 0, 6);
    case fb::ActivationFunctionType::None:
      return RecurrentActivation(schema::UnaryKind::Identity);
    default:
      return Unsupported("the activation {} of a recurrent layer", fb::EnumNameActivationFunctionType(fused));
  }
}

}  // namespace micrort::frontend::tflite
