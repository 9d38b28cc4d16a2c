// DYNAMIC_UPDATE_SLICE.

#include "converter/frontend/tflite/ops/update_slice.h"

#include <algorithm>

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// Along one axis: which elements of the input get one of the update, and which that is.
struct Replaced {
  ir::ValueId inside, index;
};

Replaced ReplacedAlong(OpContext& c, ir::ValueId starts, int axis, int64_t size, int64_t update) {
  // The update is moved so that it lies within the input.
  ir::ValueId start = c.build.Slice(starts, 0, axis, axis + 1);
  start = c.build.Max(c.build.Min(start, c.build.Integer(size - update)), c.build.Integer(0));
  const ir::ValueId places = c.build.Range({c.build.Integer(0), c.build.Integer(size), c.build.Integer(1)});
  const ir::ValueId offset = c.build.Sub(places, start);
  const ir::ValueId inside = c.build.And(c.build.GreaterOrEqual(offset, c.build.Integer(0)),
                                         c.build.Less(offset, c.build.Integer(update)));
  const ir::ValueId index = c.build.Max(c.build.Min(offset, c.build.Integer(update - 1)), c.build.Integer(0));
  return {inside, index};
}

Status ImportDynamicUpdateSlice(OpContext& c) { return UpdateSlice(c, c.Int64(2)); }

}  // namespace

Status UpdateSlice(OpContext& c, ir::ValueId starts) {
  const std::vector<int64_t> shape = c.x(0).shape, update = c.x(1).shape;
  if (!c.x(0).is_static() || !c.x(1).is_static()) return Unsupported("a shape that is not fixed");
  if (shape.size() != update.size())
    return Invalid("an update of {} dimensions for {}", update.size(), shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (update[i] > shape[i]) return Invalid("an update of {} elements for {}", update[i], shape[i]);
  }
  if (std::count(update.begin(), update.end(), 0) != 0) return c.Return(c.input(0));
  ir::ValueId y = c.input(1), mask = ir::kNoValue;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (update[i] == shape[i]) continue;
    const auto axis = static_cast<int>(i);
    const Replaced replaced = ReplacedAlong(c, starts, axis, shape[i], update[i]);
    y = c.build.Gather(y, replaced.index, axis);
    const ir::ValueId inside = c.build.Along(replaced.inside, axis, c.x(0).rank());
    mask = mask == ir::kNoValue ? inside : c.build.And(mask, inside);
  }
  if (mask == ir::kNoValue) return c.Return(y);
  return c.Return(c.build.Select({mask, y, c.input(0)}));
}

const ImporterList UpdateSliceImporters = {
    {"DYNAMIC_UPDATE_SLICE", 3, 3, ImportDynamicUpdateSlice,
     Types(kAllTypes).Without("shapes that are not fixed")},
};

}  // namespace micrort::frontend::tflite
