// The largest elements, and where elements are.

#include <limits>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Along the last dimension; equal ones in their order.
Status ImportTopK(OpContext& c) {
  if (c.rank() < 1) return Invalid("of a scalar");
  ir::ValueId k = c.input_count() > 1 ? c.AsInt64(c.input(1)) : c.build.Integers({c.Int("k", 0)});
  if (c.input_count() > 1 && c.rank(1) == 0) k = c.build.Reshape(k, {1});
  const std::vector<ir::ValueId> outputs = c.build.TopK(c.input(0), k, c.rank() - 1);
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("index_type", DType::kInt32));
  return c.Return({outputs[0], type == DType::kInt64 ? outputs[1] : c.build.Cast(outputs[1], type)});
}

// inputs: x, n: the n-th element in ascending order, from 0, along the last dimension.
Status ImportNthElement(OpContext& c) {
  if (c.rank() < 1) return Invalid("of a scalar");
  const ir::ValueId n = c.build.Reshape(c.AsInt64(c.input(1)), {1});
  const ir::ValueId count = c.build.Add(n, c.build.Integers({1}));
  const ir::ValueId first = c.build.TopK(c.input(0), count, c.rank() - 1, c.Bool("reverse", false))[0];
  const ir::ValueId last = c.build.Slice(first, c.rank() - 1, -1, std::numeric_limits<int64_t>::max());
  return c.Return(c.build.DropDim(last, c.rank() - 1));
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

const ImporterList SelectionOps = {
    {"NthElement", 2, 2, ImportNthElement}, {"TopK", 1, 1, ImportTopK},
    {"TopKV2", 2, 2, ImportTopK},           {"InvertPermutation", 1, 1, ImportInvertPermutation},
    {"Where", 1, 1, ImportNonZeros},
};

}  // namespace micrort::frontend::tensorflow
