// Shapes: asking for them and changing them.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

// The shape as the type that the node asks for, int32 unless it says otherwise.
Status ShapeAs(OpContext& c, ir::ValueId x, ir::ValueId* out) {
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("out_type", DType::kInt32));
  *out = c.build.ShapeOf(x);
  if (type != DType::kInt64) *out = c.build.Cast(*out, type);
  return Status();
}

Status ImportShapes(OpContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    ir::ValueId shape = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(ShapeAs(c, c.input(i), &shape));
    c.SetOutput(i, shape);
  }
  return c.build.status();
}

Status ImportSize(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("out_type", DType::kInt32));
  const ir::ValueId size = c.build.Reduce(ReduceKind::Prod, c.build.ShapeOf(c.input()), {0}, false);
  return c.Return(c.build.As(size, type));
}

Status ImportRank(OpContext& c) { return c.Return(c.build.Constant<int32_t>({}, {c.rank()})); }

Status ImportReshape(OpContext& c) {
  schema::ReshapeOptionsT options;
  options.allow_zero = true;
  std::vector<int64_t> dims;
  if (!ir::IntegersOf(c.x(1), &dims))
    return c.Return(c.build.Add(options, {c.input(0), c.AsInt64(c.input(1))}));
  for (const int64_t d : dims) {
    if (d < -1) return Invalid("dimension {}", d);
    options.shape.emplace_back();
    MICRORT_ASSIGN_OR_RETURN(options.shape.back(), ToInt32(d, "dimension"));
  }
  return c.Return(c.build.Add(options, {c.input(0)}));
}

Status ImportExpandDims(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(1, c.rank() + 1));
  return c.Return(c.build.InsertDim(c.input(0), index));
}

Status ImportSqueeze(OpContext& c) {
  std::vector<int64_t> list = c.Ints("squeeze_dims");
  if (list.empty()) list = c.Ints("axis");
  if (list.empty()) {
    if (!c.x().is_static()) return Unsupported("which dimensions are 1 is not fixed");
    for (int i = 0; i < c.rank(); ++i) {
      if (c.x().shape[static_cast<size_t>(i)] == 1) list.push_back(i);
    }
  }
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, c.Axes(list, c.rank()));
  for (const int32_t axis : axes) {
    const int64_t d = c.x().shape[static_cast<size_t>(axis)];
    if (d == 1 || d == ir::kDynamic) continue;
    return Invalid("dimension {} is {}, not 1", axis, d);
  }
  return c.Return(c.build.DropDims(c.input(0), axes));
}

Status ImportTranspose(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> list, c.ConstantIntegers(1));
  std::vector<int32_t> permutation;
  std::vector<bool> taken(static_cast<size_t>(c.rank()), false);
  for (const int64_t axis : list) {
    MICRORT_ASSIGN_OR_RETURN(const int index, c.Axis(axis, c.rank()));
    if (taken[static_cast<size_t>(index)]) return Invalid("dimension {} twice", index);
    taken[static_cast<size_t>(index)] = true;
    permutation.push_back(index);
  }
  if (permutation.size() != taken.size())
    return Invalid("{} of {} dimensions", permutation.size(), taken.size());
  return c.Return(c.build.Transpose(c.input(0), permutation));
}

Status ImportBroadcastTo(OpContext& c) {
  return c.Return(c.build.Expand({c.input(0), c.AsInt64(c.input(1))}));
}

}  // namespace

const ImporterList ShapeOps = {
    {"BroadcastTo", 2, 2, ImportBroadcastTo},
    {"ConjugateTranspose", 2, 2, ImportTranspose, "a permutation that is not constant"},
    {"ExpandDims", 2, 2, ImportExpandDims, "an axis that is not constant"},
    {"Rank", 1, 1, ImportRank},
    {"Reshape", 2, 2, ImportReshape},
    {"Shape", 1, 1, ImportShapes},
    {"ShapeN", 1, -1, ImportShapes},
    {"Size", 1, 1, ImportSize},
    {"Squeeze", 1, 1, ImportSqueeze},
    {"Transpose", 2, 2, ImportTranspose, "a permutation that is not constant"},
    {"VariableShape", 1, 1, ImportShapes},
};

}  // namespace micrort::frontend::tensorflow
