// Arithmetic on two or more tensors.

#include "converter/frontend/onnx/ops/broadcast.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

Status CheckVariadic(const NodeContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
  }
  return Status();
}

template <BinaryKind kind>
Status ImportChain(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVariadic(c));
  return c.Return(Chain(c, kind));
}

Status ImportMean(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVariadic(c));
  const ir::ValueId sum = Chain(c, BinaryKind::Add);
  if (c.input_count() == 1) return c.Return(sum);
  const ir::ValueId n = c.Scalar(c.x().dtype, static_cast<float>(c.input_count()));
  return c.Return(c.build.Div(sum, n));
}

// From opset 12 the exponent may have a type of its own; the result has the base's.
Status ImportPow(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId exponent, AlignSecondInput(c));
  if (c.x(0).dtype == c.x(1).dtype) return c.Return(c.build.Pow(c.input(0), exponent));
  if (IsFloat(c.x(1).dtype) && !IsFloat(c.x(0).dtype)) {
    const ir::ValueId base = c.build.Cast(c.input(0), c.x(1).dtype);
    return c.Return(c.build.Cast(c.build.Pow(base, exponent), c.x(0).dtype));
  }
  exponent = c.build.Cast(exponent, c.x(0).dtype);
  return c.Return(c.build.Pow(c.input(0), exponent));
}

Status ImportMod(NodeContext& c) {
  const bool fmod = c.Int("fmod", 0) != 0;
  return c.Return(c.build.Binary(fmod ? BinaryKind::Fmod : BinaryKind::Mod, c.input(0), c.input(1)));
}

}  // namespace

const ImporterList ArithmeticImporters = {
    {"Add", 2, 2, ImportBinary<BinaryKind::Add>}, {"Div", 2, 2, ImportBinary<BinaryKind::Div>},
    {"Max", 1, -1, ImportChain<BinaryKind::Max>}, {"Mean", 1, -1, ImportMean},
    {"Min", 1, -1, ImportChain<BinaryKind::Min>}, {"Mod", 2, 2, ImportMod},
    {"Mul", 2, 2, ImportBinary<BinaryKind::Mul>}, {"Pow", 2, 2, ImportPow},
    {"Sub", 2, 2, ImportBinary<BinaryKind::Sub>}, {"Sum", 1, -1, ImportChain<BinaryKind::Add>},
};

}  // namespace micrort::frontend::onnx
