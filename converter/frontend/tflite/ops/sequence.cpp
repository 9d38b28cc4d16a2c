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

Status RecurrentActivationOf(fb::ActivationFunctionType fused,
                             std::unique_ptr<schema::RecurrentActivationT>* out) {
  constexpr float kNoUpperLimit = std::numeric_limits<float>::infinity();
  switch (fused) {
    case fb::ActivationFunctionType::Tanh:
      *out = RecurrentActivation(schema::UnaryKind::Tanh);
      return Status();
    case fb::ActivationFunctionType::Relu:
      *out = RecurrentActivation(schema::UnaryKind::Clip, 0, kNoUpperLimit);
      return Status();
    case fb::ActivationFunctionType::Relu6:
      *out = RecurrentActivation(schema::UnaryKind::Clip, 0, 6);
      return Status();
    case fb::ActivationFunctionType::None:
      *out = RecurrentActivation(schema::UnaryKind::Identity);
      return Status();
    default:
      return Unsupported("the activation {} of a recurrent layer", fb::EnumNameActivationFunctionType(fused));
  }
}

}  // namespace micrort::frontend::tflite
