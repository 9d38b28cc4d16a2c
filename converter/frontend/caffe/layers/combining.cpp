// Layers that combine values of one shape, element by element.

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using schema::BinaryKind;
using Eltwise = ::caffe::EltwiseParameter;

BinaryKind KindOf(Eltwise::EltwiseOp op) {
  if (op == Eltwise::PROD) return BinaryKind::Mul;
  return op == Eltwise::MAX ? BinaryKind::Max : BinaryKind::Add;
}

// sum + coeff * x, where the sum may be absent.
ir::ValueId AddScaled(LayerContext& c, ir::ValueId sum, ir::ValueId x, float coeff) {
  if (sum != ir::kNoValue && coeff == -1) return c.build.Sub(sum, x);
  const ir::ValueId scaled = coeff == 1 ? x : c.build.Mul(x, c.build.Scalar(coeff));
  return sum == ir::kNoValue ? scaled : c.build.Add(sum, scaled);
}

Status ImportEltwise(LayerContext& c) {
  const Eltwise& p = c.layer.eltwise_param();
  const bool has_coeffs = p.coeff_size() > 0;
  if (has_coeffs && (p.operation() != Eltwise::SUM || p.coeff_size() != static_cast<int>(c.bottom_count())))
    return Invalid("{} coefficients for {} bottoms; only sums have coefficients, one a bottom",
                   p.coeff_size(), c.bottom_count());
  for (size_t i = 1; i < c.bottom_count(); ++i) {
    if (c.x(i).shape != c.x(0).shape) return Invalid("the bottoms differ in shape");
  }
  ir::ValueId y = ir::kNoValue;
  for (size_t i = 0; i < c.bottom_count(); ++i) {
    const float coeff = has_coeffs ? p.coeff(static_cast<int>(i)) : 1;
    const bool sums = p.operation() == Eltwise::SUM || i == 0;
    y = sums ? AddScaled(c, y, c.bottom(i), coeff) : c.build.Binary(KindOf(p.operation()), y, c.bottom(i));
  }
  return c.Return(y);
}

// A factor for every channel, then an image to add.
Status ImportAxpy(LayerContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(2, 4));
  if (c.rank() < 2) return Invalid("expected a first bottom with channels");
  const ir::ValueId a = c.build.Reshape(c.bottom(), {CopyDim(0), CopyDim(1), 1, 1});
  return c.Return(c.build.Add(c.build.Mul(c.bottom(1), a), c.bottom(2)));
}

}  // namespace

const ImporterList CombiningLayers = {
    {"Axpy", 3, 3, ImportAxpy},
    {"Eltwise", 2, -1, ImportEltwise},
};

}  // namespace micrort::frontend::caffe
