#pragma once
// A tensor as shape inference knows it for all sizes at once.

#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/size/expr.h"

namespace micrort::ir::size {

// An element: numerator / denominator. Floats that shape computations go through are fractions of sizes,
// exact as long as these stay below 2^24.
struct Number {
  Expr numerator = Expr::Unknown();
  int64_t denominator = 1;  // > 0

  Number() = default;
  Number(Expr n, int64_t d = 1);  // NOLINT: an expression is a number
  bool is_unknown() const { return numerator.is_unknown(); }
  // Unknown if it need not be one.
  Expr integer() const;
  bool operator==(const Number& o) const { return denominator == o.denominator && numerator == o.numerator; }
};
using Numbers = std::vector<Number>;

struct SizedTensor {
  bool has_rank = false;
  std::vector<Expr> shape;  // unknown where nothing is known of a dimension
  // Elements in row-major order, where the shape is constant and there are few; some may be unknown. Booleans
  // are 0 and 1.
  std::optional<Numbers> values;
  bool is_float = false;

  int rank() const { return static_cast<int>(shape.size()); }
  void SetShape(std::vector<Expr> dims) {
    has_rank = true;
    shape = std::move(dims);
  }
  bool is_constant_shape() const;
  // The elements of a constant shape.
  std::optional<int64_t> elements() const;
};

// More are not followed.
constexpr int64_t kMaxValues = 64;

// Elements of a constant; nothing if there are too many, or they are of a type that no shape is computed in.
std::optional<Numbers> NumbersOf(DType dtype, const Bytes& data, int64_t count);

}  // namespace micrort::ir::size
