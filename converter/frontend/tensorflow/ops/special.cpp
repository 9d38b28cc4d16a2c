// Functions of mathematics and statistics, as operators that there are.

#include <cmath>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

constexpr float kPi = 3.14159265358979f;

// What of the expressions below is written often.
class Math {
 public:
  explicit Math(ir::Builder& b) : b_(b) {}
  ir::ValueId Num(double v) { return b_.Scalar(static_cast<float>(v)); }
  ir::ValueId Add(ir::ValueId a, ir::ValueId c) { return b_.Binary(BinaryKind::Add, a, c); }
  ir::ValueId Sub(ir::ValueId a, ir::ValueId c) { return b_.Binary(BinaryKind::Sub, a, c); }
  ir::ValueId Mul(ir::ValueId a, ir::ValueId c) { return b_.Binary(BinaryKind::Mul, a, c); }
  ir::ValueId Div(ir::ValueId a, ir::ValueId c) { return b_.Binary(BinaryKind::Div, a, c); }
  ir::ValueId Less(ir::ValueId a, ir::ValueId c) { return b_.Binary(BinaryKind::Less, a, c); }
  ir::ValueId Log(ir::ValueId a) { return b_.Unary(UnaryKind::Log, a); }
  ir::ValueId If(ir::ValueId p, ir::ValueId a, ir::ValueId c) {
    return b_.Add(schema::SelectOptionsT(), {p, a, c});
  }
  // Highest power first.
  ir::ValueId Polynomial(ir::ValueId x, std::initializer_list<double> coefficients) {
    ir::ValueId sum = ir::kNoValue;
    for (const double k : coefficients) sum = sum == ir::kNoValue ? Num(k) : Add(Mul(sum, x), Num(k));
    return sum;
  }

 private:
  ir::Builder& b_;
};

Status CheckFloat(const OpContext& c) {
  if (c.x().dtype == DType::kFloat32) return Status();
  return MICRORT_ERROR(kUnsupported, "of type %s", Name(c.x().dtype));
}

Status ImportAtan2(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  Math m(c.build);
  const ir::ValueId y = c.input(0), x = c.input(1), zero = m.Num(0);
  const ir::ValueId near = c.build.Unary(UnaryKind::Atan, m.Div(y, x));
  const ir::ValueId turn = m.If(m.Less(y, zero), m.Num(-kPi), m.Num(kPi));
  const ir::ValueId angle = m.If(m.Less(x, zero), m.Add(near, turn), near);
  const ir::ValueId is_origin = c.build.Binary(BinaryKind::And, c.build.Binary(BinaryKind::Equal, x, zero),
                                               c.build.Binary(BinaryKind::Equal, y, zero));
  return c.Return(m.If(is_origin, zero, angle));
}

// M. Giles, "Approximating the erfinv function" (2010): one polynomial near the middle, one for the ends.
ir::ValueId Erfinv(OpContext& c, ir::ValueId x) {
  Math m(c.build);
  const ir::ValueId w = c.build.Unary(UnaryKind::Neg, m.Log(m.Mul(m.Sub(m.Num(1), x), m.Add(m.Num(1), x))));
  const ir::ValueId middle = m.Polynomial(
      m.Sub(w, m.Num(2.5)), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                             -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  const ir::ValueId ends =
      m.Polynomial(m.Sub(c.build.Unary(UnaryKind::Sqrt, w), m.Num(3)),
                   {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                    -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  return m.Mul(m.If(m.Less(w, m.Num(5)), middle, ends), x);
}

Status ImportErfinv(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  return c.Return(Erfinv(c, c.input()));
}

// The quantile of the normal distribution.
Status ImportNdtri(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  Math m(c.build);
  return c.Return(m.Mul(Erfinv(c, m.Sub(m.Mul(c.input(), m.Num(2)), m.Num(1))), m.Num(std::sqrt(2.0))));
}

// Lanczos' approximation (g = 7, nine terms), mirrored for x < 1/2.
Status ImportLgamma(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  Math m(c.build);
  const ir::ValueId x = c.input(), is_low = m.Less(x, m.Num(0.5));
  const ir::ValueId z = m.If(is_low, c.build.Unary(UnaryKind::Neg, x), m.Sub(x, m.Num(1)));
  ir::ValueId sum = m.Num(0.99999999999980993);
  int i = 1;
  for (const double k :
       {676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
        -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7}) {
    sum = m.Add(sum, m.Div(m.Num(k), m.Add(z, m.Num(i++))));
  }
  const ir::ValueId t = m.Add(z, m.Num(7.5));
  const ir::ValueId power = m.Sub(m.Mul(m.Add(z, m.Num(0.5)), m.Log(t)), t);
  const ir::ValueId high = m.Add(m.Num(0.91893853320467274), m.Add(power, m.Log(sum)));
  const ir::ValueId sine = c.build.Unary(UnaryKind::Abs, c.build.Unary(UnaryKind::Sin, m.Mul(x, m.Num(kPi))));
  const ir::ValueId low = m.Sub(m.Sub(m.Num(std::log(double{kPi})), m.Log(sine)), high);
  return c.Return(m.If(is_low, low, high));
}

Status ImportClipByValue(OpContext& c) {
  const ir::ValueId low = c.build.Binary(BinaryKind::Max, c.input(0), c.input(1));
  return c.Return(c.build.Binary(BinaryKind::Min, low, c.input(2)));
}

Status ImportL2Loss(OpContext& c) {
  const ir::ValueId flat = c.build.Reshape(c.input(), {kInferDim});
  const ir::ValueId sum = c.build.Reduce(ReduceKind::SumSquare, flat, {0}, false);
  return c.Return(c.build.Binary(BinaryKind::Mul, sum, c.Scalar(c.x().dtype, 0.5)));
}

Status ImportXlog1py(OpContext& c) {
  Math m(c.build);
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  const ir::ValueId log = m.Log(m.Add(c.input(1), c.Scalar(c.x().dtype, 1)));
  return c.Return(m.If(c.build.Binary(BinaryKind::Equal, c.input(0), zero), zero, m.Mul(c.input(0), log)));
}

Status ImportApproximateEqual(OpContext& c) {
  Math m(c.build);
  const ir::ValueId distance = c.build.Unary(UnaryKind::Abs, m.Sub(c.input(0), c.input(1)));
  return c.Return(m.Less(distance, c.Scalar(c.x().dtype, double{c.Float("tolerance", 1e-5f)})));
}

// Of vectors of three elements, the last dimension.
Status ImportCross(OpContext& c) {
  if (c.rank() < 1 || c.x().shape.back() != 3) return MICRORT_ERROR(kInvalidModel, "expected three elements");
  Math m(c.build);
  const auto turned = [&](size_t input, const std::vector<int64_t>& order) {
    return c.build.Gather(c.input(input), c.build.Integers(order), c.rank(input) - 1);
  };
  return c.Return(m.Sub(m.Mul(turned(0, {1, 2, 0}), turned(1, {2, 0, 1})),
                        m.Mul(turned(0, {2, 0, 1}), turned(1, {1, 2, 0}))));
}

// The logarithm of the running sum of exponentials, taken relative to the largest element.
Status ImportCumulativeLogsumexp(OpContext& c) {
  int64_t axis = 0;
  int index = 0;
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  MICRORT_RETURN_IF_ERROR(c.ConstantInteger(1, &axis));
  MICRORT_RETURN_IF_ERROR(c.Axis(axis, c.rank(), &index));
  Math m(c.build);
  const ir::ValueId largest = c.build.Reduce(ReduceKind::Max, c.input(0), {index}, true);
  schema::CumulativeSumOptionsT options;
  options.exclusive = c.Bool("exclusive", false);
  options.reverse = c.Bool("reverse", false);
  const ir::ValueId sum =
      c.build.Add(options, {c.build.Unary(UnaryKind::Exp, m.Sub(c.input(0), largest)), c.input(1)});
  return c.Return(m.Add(m.Log(sum), largest));
}

}  // namespace

Span<const OpImporter> SpecialOps() {
  static constexpr OpImporter kImporters[] = {
      {"ApproximateEqual", 2, 2, ImportApproximateEqual},
      {"Atan2", 2, 2, ImportAtan2},
      {"ClipByValue", 3, 3, ImportClipByValue},
      {"Cross", 2, 2, ImportCross},
      {"CumulativeLogsumexp", 2, 2, ImportCumulativeLogsumexp},
      {"Erfinv", 1, 1, ImportErfinv},
      {"L2Loss", 1, 1, ImportL2Loss},
      {"Lgamma", 1, 1, ImportLgamma},
      {"Ndtri", 1, 1, ImportNdtri},
      {"Xlog1py", 2, 2, ImportXlog1py},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
