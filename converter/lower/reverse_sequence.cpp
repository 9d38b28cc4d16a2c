#include "converter/lower/reverse_sequence.h"

#include <algorithm>

#include "converter/ir/dims.h"
#include "converter/lower/positions.h"

namespace micrort::lower {

namespace {

using ir::CopyDim;

// [batch, time, 1]: where the element at each place comes from.
ir::ValueId ReversedPositions(ir::Builder& b, ir::ValueId lengths, ir::ValueId positions) {
  const ir::ValueId end = b.Reshape(b.Cast(lengths, DType::kInt64), {CopyDim(0), 1});
  const ir::ValueId last = b.Sub(end, b.Integers({1}));
  const ir::ValueId mirrored = b.Sub(last, positions);
  const ir::ValueId inside = b.Less(positions, end);
  const ir::ValueId from = b.Select({inside, mirrored, positions});
  return b.Reshape(from, {CopyDim(0), CopyDim(1), 1});
}

}  // namespace

ir::ValueId ReverseSequence(ir::Builder& build, ir::ValueId x, ir::ValueId lengths, int time, int batch) {
  const std::vector<int32_t> order = ir::AxesFirst(build.graph().value(x).rank(), {batch, time});
  const bool is_in_order = std::is_sorted(order.begin(), order.end());
  if (!is_in_order) x = build.Transpose(x, order);
  const ir::ValueId from = ReversedPositions(build, lengths, PositionsAlong(build, x, 1));
  const ir::ValueId y = build.GatherND({x, from}, 1);
  return is_in_order ? y : build.Transpose(y, ir::InverseOf(order));
}

}  // namespace micrort::lower
