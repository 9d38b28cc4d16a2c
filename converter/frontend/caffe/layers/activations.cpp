// Functions of single elements.

#include <cmath>
#include <limits>

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using schema::UnaryKind;

template <UnaryKind kind>
Status ImportUnaryLayer(LayerContext& c) {
  return c.Return(c.build.Unary(kind, c.bottom()));
}

Status ImportReLU(LayerContext& c) {
  const float slope = c.layer.relu_param().negative_slope();
  if (slope != 0) return c.Return(c.build.Unary(UnaryKind::LeakyRelu, c.bottom(), slope));
  return c.Return(c.build.Unary(UnaryKind::Clip, c.bottom(), 0, std::numeric_limits<float>::infinity()));
}

Status ImportReLU6(LayerContext& c) { return c.Return(c.build.Unary(UnaryKind::Clip, c.bottom(), 0, 6)); }

Status ImportClip(LayerContext& c) {
  const auto& p = c.layer.clip_param();
  if (!p.has_min() || !p.has_max()) return Invalid("clip_param needs min and max");
  return c.Return(c.build.Unary(UnaryKind::Clip, c.bottom(), p.min(), p.max()));
}

// The slopes are one a channel, or one for all.
Status ImportPReLU(LayerContext& c) {
  if (c.rank() < 2) return Invalid("expected a bottom with channels");
  const bool shared = c.layer.prelu_param().channel_shared();
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  std::vector<int64_t> shape(static_cast<size_t>(c.rank() - 1), 1);
  if (!shared) shape[0] = c.dim(1);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId slopes, c.Weights(0, shape));
  return c.Return(c.build.PRelu(c.bottom(), slopes));
}

Status ImportELU(LayerContext& c) {
  return c.Return(c.build.Unary(UnaryKind::Elu, c.bottom(), c.layer.elu_param().alpha()));
}

// x * sigmoid(beta * x)
Status ImportSwish(LayerContext& c) {
  const float beta = c.layer.swish_param().beta();
  if (beta == 1) return c.Return(c.build.Unary(UnaryKind::Silu, c.bottom()));
  const ir::ValueId scaled = c.build.Mul(c.bottom(), c.build.Scalar(beta));
  return c.Return(c.build.Mul(c.bottom(), c.build.Sigmoid(scaled)));
}

// scale * x + shift
ir::ValueId Linear(LayerContext& c, float scale, float shift) {
  ir::ValueId y = c.bottom();
  if (scale != 1) y = c.build.Mul(y, c.build.Scalar(scale));
  return shift == 0 ? y : c.build.Add(y, c.build.Scalar(shift));
}

Status ImportPower(LayerContext& c) {
  const auto& p = c.layer.power_param();
  const ir::ValueId base = Linear(c, p.scale(), p.shift());
  if (p.power() == 1) return c.Return(base);
  if (p.power() == 2) return c.Return(c.build.Mul(base, base));
  return c.Return(c.build.Pow(base, c.build.Scalar(p.power())));
}

// The logarithm of a base, where -1 means e.
Result<float> LogOfBase(float base) {
  if (base != -1 && !(base > 0)) return Invalid("base {}: expected -1, for e, or a number above 0", base);
  return base == -1 ? 1 : std::log(base);
}

// base ^ (shift + scale * x)
Status ImportExp(LayerContext& c) {
  const auto& p = c.layer.exp_param();
  MICRORT_ASSIGN_OR_RETURN(const float log, LogOfBase(p.base()));
  return c.Return(c.build.Exp(Linear(c, log * p.scale(), log * p.shift())));
}

Status ImportLog(LayerContext& c) {
  const auto& p = c.layer.log_param();
  MICRORT_ASSIGN_OR_RETURN(const float log, LogOfBase(p.base()));
  if (log == 0) return Invalid("a logarithm of base 1");
  const ir::ValueId y = c.build.Log(Linear(c, p.scale(), p.shift()));
  return c.Return(log == 1 ? y : c.build.Mul(y, c.build.Scalar(1 / log)));
}

Status ImportThreshold(LayerContext& c) {
  const ir::ValueId threshold = c.build.Scalar(c.layer.threshold_param().threshold());
  const ir::ValueId above = c.build.Greater(c.bottom(), threshold);
  return c.Return(c.build.Cast(above, DType::kFloat32));
}

}  // namespace

const ImporterList ActivationLayers = {
    {"AbsVal", 1, 1, ImportUnaryLayer<UnaryKind::Abs>},
    {"BNLL", 1, 1, ImportUnaryLayer<UnaryKind::Softplus>},
    {"Clip", 1, 1, ImportClip},
    {"ELU", 1, 1, ImportELU},
    {"Exp", 1, 1, ImportExp},
    {"HardSwish", 1, 1, ImportUnaryLayer<UnaryKind::HardSwish>},
    {"Log", 1, 1, ImportLog},
    {"Mish", 1, 1, ImportUnaryLayer<UnaryKind::Mish>},
    {"PReLU", 1, 1, ImportPReLU},
    {"Power", 1, 1, ImportPower},
    {"ReLU", 1, 1, ImportReLU},
    {"ReLU6", 1, 1, ImportReLU6},
    {"Sigmoid", 1, 1, ImportUnaryLayer<UnaryKind::Sigmoid>},
    {"Swish", 1, 1, ImportSwish},
    {"TanH", 1, 1, ImportUnaryLayer<UnaryKind::Tanh>},
    {"Threshold", 1, 1, ImportThreshold},
};

}  // namespace micrort::frontend::caffe
