// Operators on every element of one tensor, and those that hand it on.

#include <limits>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tensorflow/ops/fused.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::UnaryKind;

Status ImportIdentity(OpContext& c) { return c.Return(c.input()); }

// Integers are round.
Status ImportRound(OpContext& c) {
  return IsFloat(c.x().dtype) ? ImportUnary<UnaryKind::Round>(c) : ImportIdentity(c);
}

Status ImportIdentities(OpContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) c.SetOutput(i, c.input(i));
  return Status();
}

Status ImportRelu(OpContext& c) {
  return c.Return(c.build.Unary(UnaryKind::Clip, c.input(), 0, std::numeric_limits<float>::infinity()));
}
Status ImportSelu(OpContext& c) {
  // Alpha and scale are those of the paper (Klambauer et al., 2017).
  return c.Return(c.build.Unary(UnaryKind::Selu, c.input(), 1.67326324235f, 1.05070098736f));
}
Status ImportLeakyRelu(OpContext& c) {
  return c.Return(c.build.Unary(UnaryKind::LeakyRelu, c.input(), c.Float("alpha", 0.2f)));
}

Status ImportErfc(OpContext& c) { return c.Return(Erfc(c.build, c.input())); }
Status ImportLog1p(OpContext& c) { return c.Return(Log1p(c.build, c.input())); }
Status ImportExpm1(OpContext& c) { return c.Return(Expm1(c.build, c.input())); }
Status ImportIsFinite(OpContext& c) {
  const ir::ValueId bad = c.build.Or(c.build.IsNaN(c.input()), c.build.IsInf(c.input()));
  return c.Return(c.build.Not(bad));
}

Status ImportCast(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType to, c.Type("DstT", DType::kUnknown));
  if (to == DType::kUnknown) return Invalid("attribute DstT is missing");
  return c.Return(c.build.As(c.input(), to));
}

// Between types of one size.
Status ImportBitcast(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType to, c.Type("type", DType::kUnknown));
  const DType from = c.x().dtype;
  if (to == DType::kUnknown) return Invalid("attribute type is missing");
  if (from == to) return c.Return(c.input());
  if (SizeOf(from) != SizeOf(to) || to == DType::kBool)
    return Unsupported("the bits of {} as {}", Name(from), Name(to));
  return c.Return(c.build.BitCast(c.input(), to));
}

}  // namespace

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

const ImporterList UnaryOps = {
    {"Abs", 1, 1, ImportUnary<UnaryKind::Abs>},
    {"Acos", 1, 1, ImportUnary<UnaryKind::Acos>},
    {"Acosh", 1, 1, ImportUnary<UnaryKind::Acosh>},
    {"Asin", 1, 1, ImportUnary<UnaryKind::Asin>},
    {"Asinh", 1, 1, ImportUnary<UnaryKind::Asinh>},
    {"Atan", 1, 1, ImportUnary<UnaryKind::Atan>},
    {"Atanh", 1, 1, ImportUnary<UnaryKind::Atanh>},
    {"Bitcast", 1, 1, ImportBitcast, "types of other sizes"},
    {"Cast", 1, 1, ImportCast},
    {"Ceil", 1, 1, ImportUnary<UnaryKind::Ceil>},
    {"CheckNumerics", 1, 1, ImportIdentity},
    {"CheckNumericsV2", 1, 1, ImportIdentity},
    {"Cos", 1, 1, ImportUnary<UnaryKind::Cos>},
    {"Cosh", 1, 1, ImportUnary<UnaryKind::Cosh>},
    {"Elu", 1, 1, ImportUnary<UnaryKind::Elu, 1>},
    {"EnsureShape", 1, 1, ImportIdentity},
    {"Erf", 1, 1, ImportUnary<UnaryKind::Erf>},
    {"Erfc", 1, 1, ImportErfc},
    {"Exp", 1, 1, ImportUnary<UnaryKind::Exp>},
    {"Expm1", 1, 1, ImportExpm1},
    {"Floor", 1, 1, ImportUnary<UnaryKind::Floor>},
    {"Identity", 1, 1, ImportIdentity},
    {"GuaranteeConst", 1, 1, ImportIdentity},
    {"IdentityN", 0, -1, ImportIdentities},
    {"Inv", 1, 1, ImportUnary<UnaryKind::Reciprocal>},
    {"Invert", 1, 1, ImportUnary<UnaryKind::BitwiseNot>},
    {"IsFinite", 1, 1, ImportIsFinite},
    {"IsInf", 1, 1, ImportUnary<UnaryKind::IsInf>},
    {"IsNan", 1, 1, ImportUnary<UnaryKind::IsNaN>},
    {"LeakyRelu", 1, 1, ImportLeakyRelu},
    {"Log", 1, 1, ImportUnary<UnaryKind::Log>},
    {"Log1p", 1, 1, ImportLog1p},
    {"LogicalNot", 1, 1, ImportUnary<UnaryKind::Not>},
    {"Neg", 1, 1, ImportUnary<UnaryKind::Neg>},
    {"PlaceholderWithDefault", 1, 1, ImportIdentity},
    {"PreventGradient", 1, 1, ImportIdentity},
    {"Reciprocal", 1, 1, ImportUnary<UnaryKind::Reciprocal>},
    {"Relu", 1, 1, ImportRelu},
    {"Relu6", 1, 1, ImportUnary<UnaryKind::Clip, 0, 6>},
    {"Rint", 1, 1, ImportUnary<UnaryKind::Round>},
    {"Round", 1, 1, ImportRound},
    {"Rsqrt", 1, 1, ImportRsqrt},
    {"Selu", 1, 1, ImportSelu},
    {"Sigmoid", 1, 1, ImportUnary<UnaryKind::Sigmoid>},
    {"Sign", 1, 1, ImportUnary<UnaryKind::Sign>},
    {"Sin", 1, 1, ImportUnary<UnaryKind::Sin>},
    {"Sinh", 1, 1, ImportUnary<UnaryKind::Sinh>},
    {"Snapshot", 1, 1, ImportIdentity},
    {"Softplus", 1, 1, ImportUnary<UnaryKind::Softplus>},
    {"Softsign", 1, 1, ImportUnary<UnaryKind::Softsign>},
    {"Sqrt", 1, 1, ImportUnary<UnaryKind::Sqrt>},
    {"Square", 1, 1, ImportSquare},
    {"StopGradient", 1, 1, ImportIdentity},
    {"Tan", 1, 1, ImportUnary<UnaryKind::Tan>},
    {"Tanh", 1, 1, ImportUnary<UnaryKind::Tanh>},
};

}  // namespace micrort::frontend::tensorflow
