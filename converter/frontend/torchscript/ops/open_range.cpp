#include "converter/frontend/torchscript/ops/open_range.h"

#include <numeric>

namespace micrort::frontend::torchscript {

namespace {

constexpr int64_t kMaxWrittenAxis = 1 << 16;  // all positions of which become a constant

// A bound below 0 counts from the end, and none is outside of the axis.
ir::ValueId Bounded(ir::Builder& build, ir::ValueId bound, ir::ValueId size) {
  const ir::ValueId zero = build.Integers({0});
  const ir::ValueId from_end = build.Less(bound, zero);
  const ir::ValueId wrapped = build.Add(bound, size);
  const ir::ValueId counted = build.Select({from_end, wrapped, bound});
  return build.Min(build.Max(counted, zero), size);
}

// The whole with every step-th element of [start, end) replaced: each position takes its element from the
// whole, or from the part behind it.
ir::ValueId Replaced(ir::Builder& build, ir::ValueId base, ir::ValueId part, int axis, ir::ValueId start,
                     ir::ValueId end, int64_t step) {
  const ir::ValueId size = SizeOfAxis(build, base, axis), positions = PositionsOf(build, base, axis);
  const ir::ValueId first = Bounded(build, start, size);
  ir::ValueId is_inside =
      build.And(build.GreaterOrEqual(positions, first), build.Less(positions, Bounded(build, end, size)));
  ir::ValueId at = build.Sub(positions, first);
  if (step != 1) {
    const ir::ValueId steps = build.Integers({step});
    const ir::ValueId is_hit = build.Equal(build.Mod(at, steps), build.Integers({0}));
    is_inside = build.And(is_inside, is_hit);
    at = build.Div(at, steps);
  }
  const ir::ValueId in_part = build.Add(at, size);
  const ir::ValueId sources = build.Select({is_inside, in_part, positions});
  return build.Gather(build.Concat({base, part}, axis), sources, axis);
}

}  // namespace

ir::ValueId SizeOfAxis(ir::Builder& build, ir::ValueId base, int axis) {
  const int64_t size = build.graph().value(base).dim(static_cast<size_t>(axis));
  return size != ir::kDynamic ? build.Integers({size}) : build.SizesOf(base, axis, axis + 1);
}

ir::ValueId PositionsOf(ir::Builder& build, ir::ValueId base, int axis) {
  const int64_t size = build.graph().value(base).dim(static_cast<size_t>(axis));
  if (size == ir::kDynamic) {
    const auto scalar = [&](int64_t v) { return build.Integer(v); };
    const ir::ValueId count = build.Reshape(SizeOfAxis(build, base, axis), {});
    return build.Range({scalar(0), count, scalar(1)});
  }
  std::vector<int64_t> all(static_cast<size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return build.Integers(all);
}

void ReturnOpenRange(OpContext& c, ir::ValueId x, int axis, ir::ValueId start, ir::ValueId end,
                     int64_t step) {
  const int64_t size = c.dim(x, axis);
  const auto slice = [=](ir::Builder& build, ir::ValueId whole, ir::ValueId from, ir::ValueId to) {
    std::vector<ir::ValueId> inputs = {whole, from, to, build.Integers({axis})};
    if (step != 1) inputs.push_back(build.Integers({step}));
    return build.Add(schema::SliceOptionsT(), inputs);
  };
  const ir::ValueId part = slice(c.build, x, start, end);
  const auto start_here = c.Later(start), end_here = c.Later(end);
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return slice(build, base, start_here(), end_here());
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId changed) {
    return Replaced(build, base, changed, axis, start_here(), end_here(), step);
  };
  if (size > kMaxWrittenAxis) {
    c.ReturnView(part, nullptr, nullptr);
  } else {
    c.ReturnView(part, read, write);
  }
  if (step != 1) MarkSpread(c);
}

}  // namespace micrort::frontend::torchscript
