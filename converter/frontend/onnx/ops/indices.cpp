// Operators whose indices are data.

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr int kMaxOneHotDepth = 1 << 20;

Status ImportGather(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  return c.Return(c.build.Gather(c.input(0), c.input(1), axis));
}

// The scalar depth, of any type, as int64. A constant one must be reasonable.
Result<ir::ValueId> ReadDepth(NodeContext& c) {
  const ir::ValueId scalar = c.build.Reshape(c.input(1), {});
  const ir::ValueId depth = c.build.As(scalar, DType::kInt64);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::Value& value = c.value(depth);
  if (!value.is_constant() || (*value.as<int64_t>() >= 0 && *value.as<int64_t>() <= kMaxOneHotDepth))
    return depth;
  return Unsupported("depth must be one number from 0 to {}", kMaxOneHotDepth);
}

// 0, 1 ... depth - 1 along `axis` of `rank` dimensions.
ir::ValueId Classes(NodeContext& c, ir::ValueId depth, int axis, int rank) {
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  return c.build.Along(c.build.Range({zero, depth, one}), axis, rank);
}

// values = [off, on]; on where the index along the new axis is that of the input. Negative indices count from
// the end.
Status ImportOneHot(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId depth, ReadDepth(c));
  const int rank = c.x().rank() + 1;
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", -1), rank));
  std::vector<int32_t> shape;
  for (int i = 0, from = 0; i < rank; ++i) shape.push_back(i == axis ? 1 : CopyDim(from++));
  const ir::ValueId integers = c.build.As(c.input(0), DType::kInt64);
  const ir::ValueId indices = c.build.Reshape(integers, shape);
  const ir::ValueId iota = Classes(c, depth, axis, rank);
  const ir::ValueId from_start = c.build.Equal(indices, iota);
  const ir::ValueId from_end = c.build.Equal(c.build.Add(indices, depth), iota);
  const ir::ValueId hit = c.build.Or(from_start, from_end);
  const ir::ValueId off = c.build.Slice(c.input(2), 0, 0, 1);
  const ir::ValueId on = c.build.Slice(c.input(2), 0, 1, 2);
  return c.Return(c.build.Select({hit, on, off}));
}

}  // namespace

const ImporterList IndexImporters = {
    {"Gather", 2, 2, ImportGather, Types(kAllTypes)},
    {"OneHot", 3, 3, ImportOneHot, "a depth that is not known before the model runs"},
};

}  // namespace micrort::frontend::onnx
