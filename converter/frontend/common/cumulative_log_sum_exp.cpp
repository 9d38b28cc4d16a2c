#include "converter/frontend/common/cumulative_log_sum_exp.h"

#include <cmath>
#include <limits>

namespace micrort::frontend {

namespace {

using schema::BinaryKind;
using schema::UnaryKind;

ir::ValueId NumberLike(ir::Builder& b, ir::ValueId x, float v) {
  const DType dtype = b.graph().value(x).dtype;
  return dtype == DType::kFloat32 ? b.Scalar(v) : b.Cast(b.Scalar(v), dtype);
}

// log(exp(x) + exp(y)) relative to the larger one; of equal infinities the difference is no number.
ir::ValueId LogAddExp(ir::Builder& b, ir::ValueId x, ir::ValueId y) {
  const ir::ValueId distance = b.Unary(UnaryKind::Abs, b.Binary(BinaryKind::Sub, x, y));
  const ir::ValueId more = b.Unary(UnaryKind::Softplus, b.Unary(UnaryKind::Neg, distance));
  const ir::ValueId twice = NumberLike(b, x, static_cast<float>(std::log(2.0)));
  const ir::ValueId added = b.Add(schema::SelectOptionsT(), {b.Binary(BinaryKind::Equal, x, y), twice, more});
  return b.Binary(BinaryKind::Add, b.Binary(BinaryKind::Max, x, y), added);
}

}  // namespace

ir::ValueId Delayed(ir::Builder& b, ir::ValueId x, int axis, int64_t count, float fill) {
  const auto rank = static_cast<size_t>(b.graph().value(x).rank()), at = static_cast<size_t>(axis);
  schema::PadOptionsT pad;
  pad.pads.assign(2 * rank, 0);
  pad.pads[at] = count, pad.pads[rank + at] = -count;
  return b.Add(std::move(pad), {x, ir::kNoValue, NumberLike(b, x, fill)});
}

// Each element joins the one before it, then sums of two join, of four and so on. A sum that is taken
// relative to the largest of all would lose what is much smaller.
ir::ValueId CumulativeLogSumExp(ir::Builder& b, ir::ValueId x, int axis) {
  const int64_t size = b.graph().value(x).dim(static_cast<size_t>(axis));
  for (int64_t count = 1; count < size; count *= 2)
    x = LogAddExp(b, x, Delayed(b, x, axis, count, -std::numeric_limits<float>::infinity()));
  return x;
}

}  // namespace micrort::frontend
