// Operators that reorder, join and cut.

#include <limits>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/sizes.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportTranspose(NodeContext& c) {
  const int rank = c.x().rank();
  std::vector<int64_t> given = c.Ints("perm");
  if (given.empty()) {
    for (int i = rank - 1; i >= 0; --i) given.push_back(i);
  }
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> permutation, NormalizeAxes(given, rank));
  return c.Return(c.build.Transpose(c.input(0), permutation));
}

Status ImportConcat(NodeContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
  }
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 1), c.x().rank()));
  return c.Return(c.build.Concat(c.inputs(), axis));
}

// Parts whose sizes are a vector computed by the graph.
Status SplitBySizes(NodeContext& c, ir::ValueId sizes, int axis) {
  for (size_t i = 0; i < c.output_count(); ++i) {
    if (c.wants_output(i)) c.SetOutput(i, PartBySizes(c, c.input(0), sizes, axis, i));
  }
  return c.build.status();
}

// Equal parts, rounded up, of a dimension that is not fixed.
Status SplitEvenly(NodeContext& c, int axis) {
  const auto n = static_cast<int64_t>(c.output_count());
  const ir::ValueId size = c.build.SizesOf(c.input(0), axis, axis + 1);
  const ir::ValueId rounded = c.build.Add(size, c.build.Integers({n - 1}));
  const ir::ValueId part = c.build.Div(rounded, c.build.Integers({n}));
  const std::vector<int64_t> once(c.output_count(), 1);
  return SplitBySizes(c, c.build.Mul(part, c.build.Integers(once)), axis);
}

// Sizes of the parts: an attribute, input 1 from opset 13, or equal (the last may be smaller from opset 18).
Status ReadSplit(NodeContext& c, int64_t size, std::vector<int64_t>* parts) {
  *parts = c.Ints("split");
  if (c.has_input(1)) return Take(c.ConstantIntegers(1), parts);
  const auto declared = static_cast<int64_t>(c.output_count());
  if (!parts->empty()) return Status();
  const int64_t n = declared;
  const int64_t part = (size + n - 1) / n;
  for (int64_t begin = 0; begin < size && static_cast<int64_t>(parts->size()) < n; begin += part)
    parts->push_back(begin + part > size ? size - begin : part);
  parts->resize(static_cast<size_t>(n), 0);
  return Status();
}

Status ImportSplit(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  std::vector<int64_t> parts;
  const int64_t size = c.x().shape[static_cast<size_t>(axis)];
  const auto declared = static_cast<int64_t>(c.output_count());
  if (c.Int("num_outputs", declared) != declared)
    return Invalid("num_outputs is {}, the node has {}", c.Int("num_outputs", declared), declared);
  if (c.has_input(1) && !c.x(1).is_constant()) return SplitBySizes(c, c.input(1), axis);
  if (!c.has_input(1) && !c.Has("split") && size == ir::kDynamic) return SplitEvenly(c, axis);
  MICRORT_RETURN_IF_ERROR(ReadSplit(c, size, &parts));
  if (parts.size() != c.output_count())
    return Invalid("{} parts for {} outputs", parts.size(), c.output_count());
  int64_t begin = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < 0 || parts[i] > std::numeric_limits<int32_t>::max())
      return Invalid("a part of size {}", parts[i]);
    if (c.wants_output(i)) c.SetOutput(i, c.build.Slice(c.input(0), axis, begin, begin + parts[i]));
    begin += parts[i];
  }
  if (size != ir::kDynamic && begin != size) return Invalid("the parts have {} of {} elements", begin, size);
  return c.build.status();
}

// Opset 1: attributes.
Status ImportSliceV1(NodeContext& c) {
  schema::SliceOptionsT options;
  options.starts = c.Ints("starts");
  options.ends = c.Ints("ends");
  std::vector<int64_t> axes = c.Ints("axes");
  if (axes.empty()) {
    for (size_t i = 0; i < options.starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  }
  MICRORT_ASSIGN_OR_RETURN(options.axes, NormalizeAxes(axes, c.x().rank()));
  options.steps.assign(axes.size(), 1);
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

// Opset 10: inputs, which move into the options where they are constant.
Status ImportSlice(NodeContext& c) {
  if (c.opset() < 10) return ImportSliceV1(c);
  if (!c.has_input(1) || !c.has_input(2)) return Invalid("starts or ends are absent");
  schema::SliceOptionsT options;
  std::vector<int64_t> axes;
  const auto read = [&](size_t i, std::vector<int64_t>* to) {
    return !c.has_input(i) || ir::IntegersOf(c.x(i), to);
  };
  const bool constant =
      read(1, &options.starts) && read(2, &options.ends) && read(3, &axes) && read(4, &options.steps);
  if (!constant) return c.Return(c.build.Add(schema::SliceOptionsT(), c.inputs()));
  if (!c.has_input(3)) {
    for (size_t i = 0; i < options.starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  }
  if (!c.has_input(4)) options.steps.assign(axes.size(), 1);
  MICRORT_ASSIGN_OR_RETURN(options.axes, NormalizeAxes(axes, c.x().rank()));
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

struct Blocks {
  int32_t size = 1;
  int32_t channels = 0;
};

Result<Blocks> ReadBlocks(NodeContext& c) {
  Blocks out;
  if (c.x().rank() != 4 || c.x().shape[1] == ir::kDynamic)
    return Unsupported("expected an input of 4 dimensions with a fixed number of channels");
  MICRORT_ASSIGN_OR_RETURN(out.size, ToInt32(c.Int("blocksize", 0), "blocksize"));
  MICRORT_ASSIGN_OR_RETURN(out.channels, ToInt32(c.x().shape[1], "channels"));
  if (out.size < 1 || out.size > 4096) return Invalid("blocksize {}: expected 1 to 4096", out.size);
  return out;
}

// Reshapes to [N, channels, H * up, W * up], with N, H and W of the node's input.
Result<ir::ValueId> ReshapeImage(NodeContext& c, ir::ValueId y, int32_t channels, int32_t up) {
  const std::vector<int64_t>& dims = c.x().shape;
  std::vector<int32_t> shape = {CopyDim(0), channels};
  for (size_t i = 2; i < 4; ++i) {
    shape.push_back(kInferDim);
    if (dims[i] == ir::kDynamic) continue;
    MICRORT_ASSIGN_OR_RETURN(shape.back(), ToInt32(SaturatedProduct(dims[i], up), "dimension"));
  }
  if (dims[2] != ir::kDynamic || dims[3] != ir::kDynamic) {
    return c.build.Checked(c.build.Reshape(y, shape));
  }
  const ir::ValueId sizes = c.build.SizesOf(c.input(0), 2, 4);
  const ir::ValueId scaled = c.build.Mul(sizes, c.build.Integers({up}));
  const ir::ValueId target = c.build.Concat({c.build.Integers({0, channels}), scaled}, 0);
  return c.build.Checked(c.build.Add(schema::ReshapeOptionsT(), {y, target}));
}

Status ImportDepthToSpace(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Blocks b, ReadBlocks(c));
  if (b.channels % (b.size * b.size) != 0)
    return Invalid("{} channels cannot be cut into blocks of {}", b.channels, b.size);
  const int32_t channels = b.channels / (b.size * b.size);
  const bool column_major = c.String("mode", "DCR") == "CRD";
  ir::ValueId y = c.input(0);
  if (column_major) {
    y = c.build.Reshape(y, {CopyDim(0), channels, b.size, b.size, CopyDim(2), CopyDim(3)});
    y = c.build.Transpose(y, {0, 1, 4, 2, 5, 3});
  } else {
    y = c.build.Reshape(y, {CopyDim(0), b.size, b.size, channels, CopyDim(2), CopyDim(3)});
    y = c.build.Transpose(y, {0, 3, 4, 1, 5, 2});
  }
  MICRORT_ASSIGN_OR_RETURN(y, ReshapeImage(c, y, channels, b.size));
  return c.Return(y);
}

Status ImportSpaceToDepth(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Blocks b, ReadBlocks(c));
  Sizes sizes(c.build);
  const Size n = sizes.Of(c.input(0), 0), h = sizes.Of(c.input(0), 2), w = sizes.Of(c.input(0), 3);
  if ((h.is_fixed() && h.fixed % b.size != 0) || (w.is_fixed() && w.fixed % b.size != 0))
    return Invalid("the image cannot be cut into blocks of {}", b.size);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y, sizes.Reshape(c.input(0), {n, b.channels, sizes.Over(h, b.size),
                                                                     b.size, sizes.Over(w, b.size), b.size}));
  y = c.build.Transpose(y, {0, 3, 5, 1, 2, 4});
  MICRORT_ASSIGN_OR_RETURN(const int32_t channels,
                           ToInt32(int64_t{b.channels} * b.size * b.size, "channels"));
  return c.Return(c.build.Reshape(y, {CopyDim(0), channels, CopyDim(4), CopyDim(5)}));
}

}  // namespace

const ImporterList LayoutImporters = {
    {"Concat", 1, -1, ImportConcat},
    {"DepthToSpace", 1, 1, ImportDepthToSpace, Types(kAllTypes)},
    {"Slice", 1, 5, ImportSlice, Types(kAllTypes)},
    {"SpaceToDepth", 1, 1, ImportSpaceToDepth, Types(kAllTypes)},
    {"Split", 1, 2, ImportSplit},
    {"Transpose", 1, 1, ImportTranspose},
};

}  // namespace micrort::frontend::onnx
