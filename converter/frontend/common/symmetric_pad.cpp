#include "converter/frontend/common/symmetric_pad.h"

#include <limits>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

namespace {

// Reversed slices before and behind.
ir::ValueId MirrorFixed(ir::Builder& build, ir::ValueId x, int axis, int64_t before, int64_t after) {
  constexpr int64_t kWhole = std::numeric_limits<int64_t>::min();
  const auto reversed = [&](int64_t start, int64_t end) { return build.SliceSteps(x, axis, start, end, -1); };
  std::vector<ir::ValueId> parts;
  if (before > 0) parts.push_back(reversed(before - 1, kWhole));
  parts.push_back(x);
  if (after > 0) parts.push_back(reversed(-1, -1 - after));
  return build.Concat(parts, axis);
}

// By positions, which go to and fro with a period of twice the size. before, after: int64[1].
ir::ValueId MirrorOpen(ir::Builder& build, ir::ValueId x, int axis, ir::ValueId before, ir::ValueId after) {
  const auto scalar = [&](int64_t v) { return build.Integer(v); };
  const ir::ValueId size = build.Reshape(build.SizesOf(x, axis, axis + 1), {});
  const ir::ValueId first = build.Sub(scalar(0), build.Reshape(before, {}));
  const ir::ValueId behind = build.Add(size, build.Reshape(after, {}));
  const ir::ValueId places = build.Range({first, behind, scalar(1)});
  const ir::ValueId period = build.Mul(size, scalar(2));
  const ir::ValueId forth = build.Mod(places, period);
  const ir::ValueId back = build.Sub(build.Sub(period, scalar(1)), forth);
  return build.Gather(x, build.Min(forth, back), axis);
}

}  // namespace

Result<ir::ValueId> PadSymmetrically(ir::Builder& build, ir::ValueId x, const std::vector<int64_t>& pads) {
  const int rank = build.graph().value(x).rank();
  if (pads.size() != static_cast<size_t>(2 * rank))
    return Invalid("expected {} pads, found {}", 2 * rank, pads.size());
  ir::ValueId y = x;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t before = pads[static_cast<size_t>(2 * axis)],
                  after = pads[static_cast<size_t>(2 * axis + 1)];
    const int64_t size = build.graph().value(x).dim(static_cast<size_t>(axis));
    if (before == 0 && after == 0) continue;
    const bool is_open = size == ir::kDynamic;
    if (before < 0 || after < 0 || (!is_open && (before > size || after > size)))
      return Invalid("padding {} and {} of {} in dimension {}", before, after, size, axis);
    y = is_open ? MirrorOpen(build, y, axis, build.Integers({before}), build.Integers({after}))
                : MirrorFixed(build, y, axis, before, after);
  }
  return build.Checked(y);
}

Result<ir::ValueId> PadSymmetrically(ir::Builder& build, ir::ValueId x, ir::ValueId pads) {
  ir::ValueId y = x;
  for (int axis = 0; axis < build.graph().value(x).rank(); ++axis) {
    const ir::ValueId pair = build.Slice(pads, 0, axis, axis + 1);
    y = MirrorOpen(build, y, axis, build.Slice(pair, 1, 0, 1), build.Slice(pair, 1, 1, 2));
  }
  return build.Checked(y);
}

}  // namespace micrort::frontend
