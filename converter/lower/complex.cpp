#include "converter/lower/complex.h"

#include <limits>

namespace micrort::lower {

// The longer leg times the root of 1 and the squared ratio of both, which is 0 to 1. The ratio of two
// infinities, or of two zeros, is made a number.
ir::ValueId Hypotenuse(ir::Builder& build, ir::ValueId a, ir::ValueId b) {
  if (!build.status().ok()) return a;
  const DType dtype = build.graph().value(a).dtype;
  const auto in_float = [&](ir::ValueId x) { return build.Cast(x, DType::kFloat32); };
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64)
    return build.Cast(Hypotenuse(build, in_float(a), in_float(b)), dtype);
  const bool is_double = dtype == DType::kFloat64;
  const auto number = [&](double v) {
    return is_double ? build.Constant<double>({}, {v}) : build.Scalar(static_cast<float>(v));
  };
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  const double largest = is_double ? Double::max() : static_cast<double>(Float::max());
  const double smallest = is_double ? Double::min() : static_cast<double>(Float::min());
  const ir::ValueId p = build.Abs(a), q = build.Abs(b);
  const ir::ValueId longer = build.Max(p, q), shorter = build.Min(p, q);
  const ir::ValueId ratio =
      build.Div(build.Min(shorter, number(largest)), build.Max(longer, number(smallest)));
  const ir::ValueId square = build.Mul(ratio, ratio);
  const ir::ValueId root = build.Sqrt(build.Add(square, number(1)));
  return build.Mul(longer, root);
}

ir::ValueId Magnitude(ir::Builder& build, ir::ValueId x) {
  if (!build.status().ok()) return x;
  const int last = build.graph().value(x).rank() - 1;
  return Hypotenuse(build, build.PickAt(x, last, 0), build.PickAt(x, last, 1));
}

}  // namespace micrort::lower
