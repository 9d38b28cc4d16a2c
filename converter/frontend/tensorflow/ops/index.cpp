// Operators that tell where elements are.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Coordinates of the elements that hold, a row each.
Status ImportWhere(OpContext& c) {
  return c.Return(c.build.Transpose(c.build.Add(schema::NonZeroOptionsT(), {c.input()}), {1, 0}));
}

Status ImportInvertPermutation(OpContext& c) {
  std::vector<int64_t> list;
  if (!ir::IntegersOf(c.x(), &list)) {
    const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
    const ir::ValueId size = c.build.Reshape(c.build.ShapeOf(c.input()), {});
    const ir::ValueId positions = c.build.Range({zero, size, one});
    const ir::ValueId given = c.AsInt64(c.input());
    const ir::ValueId y = c.build.Add(schema::ScatterElementsOptionsT(), {given, given, positions});
    return c.Return(c.build.As(y, c.x().dtype));
  }
  std::vector<int64_t> inverse(list.size(), -1);
  for (size_t i = 0; i < list.size(); ++i) {
    const bool fits = list[i] >= 0 && list[i] < static_cast<int64_t>(list.size());
    if (!fits || inverse[static_cast<size_t>(list[i])] != -1) return Invalid("it is no permutation");
    inverse[static_cast<size_t>(list[i])] = static_cast<int64_t>(i);
  }
  const ir::ValueId y = c.build.Integers(inverse);
  return c.Return(c.build.As(y, c.x().dtype));
}

}  // namespace

const ImporterList IndexOps = {
    {"InvertPermutation", 1, 1, ImportInvertPermutation},
    {"Where", 1, 1, ImportWhere},
};

}  // namespace micrort::frontend::tensorflow
