#include "converter/ir/range_arithmetic.h"

#include <algorithm>
#include <cmath>

namespace micrort::ir {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// Rounded as floats are; of a function that is largest and smallest where its operands are.
template <typename F>
std::optional<NumberRange> AtEnds(const NumberRange& a, const NumberRange& b, F f) {
  std::optional<NumberRange> range;
  for (const double x : {a.least, a.most}) {
    for (const double y : {b.least, b.most}) {
      const double z = f(static_cast<float>(x), static_cast<float>(y));
      if (std::isnan(z)) return std::nullopt;
      range = range ? Hull(*range, {z, z}) : NumberRange{z, z};
    }
  }
  return range;
}

}  // namespace

NumberRange Hull(const NumberRange& a, const NumberRange& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

std::optional<NumberRange> BinaryRange(BinaryKind kind, const NumberRange& a, const NumberRange& b) {
  switch (kind) {
    case BinaryKind::Add:
      return AtEnds(a, b, [](float x, float y) { return x + y; });
    case BinaryKind::Sub:
      return AtEnds(a, b, [](float x, float y) { return x - y; });
    case BinaryKind::Mul:
      return AtEnds(a, b, [](float x, float y) { return x * y; });
    case BinaryKind::Max:
    case BinaryKind::Or:
      return AtEnds(a, b, [](float x, float y) { return std::max(x, y); });
    case BinaryKind::Min:
    case BinaryKind::And:
      return AtEnds(a, b, [](float x, float y) { return std::min(x, y); });
    case BinaryKind::Greater:
      return NumberRange{a.least > b.most ? 1.0 : 0.0, a.most > b.least ? 1.0 : 0.0};
    default:
      return std::nullopt;
  }
}

std::optional<NumberRange> UnaryRange(const schema::UnaryOptionsT& options, const NumberRange& x) {
  switch (options.kind) {
    case UnaryKind::Neg:
      return NumberRange{-x.most, -x.least};
    case UnaryKind::Not:
      return NumberRange{1 - x.most, 1 - x.least};
    case UnaryKind::Clip: {
      const auto clip = [&options](double v) {
        return std::min<double>(std::max<double>(v, options.a), options.b);
      };
      return NumberRange{clip(x.least), clip(x.most)};
    }
    default:
      return std::nullopt;
  }
}

}  // namespace micrort::ir
