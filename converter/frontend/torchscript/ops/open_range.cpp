#include "converter/frontend/torchscript/ops/open_range.h"

#include <numeric>

namespace micrort::frontend::torchscript {

namespace {

constexpr int64_t kMaxWrittenAxis = 1 << 16;  // all positions of which become a constant

// A bound below 0 counts from the end, and none is outside of the axis.
ir::ValueId Bounded(ir::Builder& build, ir::ValueId bound, int64_t size) {
  const ir::ValueId zero = build.Integers({0}), all = build.Integers({size});
  const ir::ValueId from_end = build.Less(bound, zero);
  const ir::ValueId wrapped = build.Add(bound, all);
  const ir::ValueId counted = build.Select({from_end, wrapped, bound});
  return build.Min(build.Max(counted, zero), all);
}

// The whole with [start, end) replaced: each position takes its element from the whole, or from the part
// behind it.
ir::ValueId Replaced(ir::Builder& build, ir::ValueId base, ir::ValueId part, int axis, ir::ValueId start,
                     ir::ValueId end) {
  const int64_t size = build.graph().value(base).dim(static_cast<size_t>(axis));
  std::vector<int64_t> all(static_cast<size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  const ir::ValueId positions = build.Integers(all), first = Bounded(build, start, size);
  const ir::ValueId is_inside =
      build.And(build.GreaterOrEqual(positions, first), build.Less(positions, Bounded(build, end, size)));
  const ir::ValueId in_part = build.Add(build.Sub(positions, first), build.Integers({size}));
  const ir::ValueId sources = build.Select({is_inside, in_part, positions});
  return build.Gather(build.Concat({base, part}, axis), sources, axis);
}

}  // namespace

void ReturnOpenRange(OpContext& c, ir::ValueId x, int axis, ir::ValueId start, ir::ValueId end) {
  const int64_t size = c.dim(x, axis);
  const auto slice = [axis](ir::Builder& build, ir::ValueId whole, ir::ValueId from, ir::ValueId to) {
    return build.Add(schema::SliceOptionsT(), {whole, from, to, build.Integers({axis})});
  };
  const ir::ValueId part = slice(c.build, x, start, end);
  if (size == ir::kDynamic || size > kMaxWrittenAxis) return c.ReturnView(part, nullptr, nullptr);
  const auto start_here = c.Later(start), end_here = c.Later(end);
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return slice(build, base, start_here(), end_here());
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId changed) {
    return Replaced(build, base, changed, axis, start_here(), end_here());
  };
  c.ReturnView(part, read, write);
}

}  // namespace micrort::frontend::torchscript
