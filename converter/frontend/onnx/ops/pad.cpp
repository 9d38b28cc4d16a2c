// Padding, and cropping on both sides.

#include <algorithm>

#include "converter/frontend/onnx/registry.h"
#include "converter/lower/arrays.h"

namespace micrort::frontend::onnx {

namespace {

Status ReadMode(NodeContext& c, schema::PadMode* out) {
  const std::string mode = c.String("mode", "constant");
  if (mode == "constant") {
    *out = schema::PadMode::Constant;
  } else if (mode == "reflect") {
    *out = schema::PadMode::Reflect;
  } else if (mode == "edge") {
    *out = schema::PadMode::Edge;
  } else if (mode == "wrap") {
    *out = schema::PadMode::Wrap;
  } else {
    return Invalid("mode '{}'", mode);
  }
  return Status();
}

// Input 3, in the order of the pads.
Result<std::vector<int32_t>> ReadPaddedAxes(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> list, c.ConstantIntegers(3));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, NormalizeAxes(list, c.x().rank()));
  MICRORT_RETURN_IF_ERROR(CheckDistinct(axes));
  return axes;
}

// From opset 18, input 3 may name the axes that `pads` is about; the result is about all of them.
Status SpreadOverAxes(NodeContext& c, std::vector<int64_t>* pads) {
  const auto rank = static_cast<size_t>(c.x().rank());
  std::vector<int32_t> axes = ir::AxesFrom(0, c.x().rank());
  if (c.has_input(3)) MICRORT_RETURN_IF_ERROR(Take(ReadPaddedAxes(c), &axes));
  if (pads->size() != 2 * axes.size())
    return Invalid("expected {} pads, found {}", 2 * axes.size(), pads->size());
  std::vector<int64_t> all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    all[static_cast<size_t>(axes[i])] = (*pads)[i];
    all[rank + static_cast<size_t>(axes[i])] = (*pads)[axes.size() + i];
  }
  *pads = std::move(all);
  return Status();
}

// The same for pads that the graph computes.
Status SpreadComputed(NodeContext& c, ir::ValueId* pads) {
  if (!c.has_input(3)) return Status();
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, ReadPaddedAxes(c));
  const auto rank = static_cast<size_t>(c.x().rank());
  const auto count = static_cast<int64_t>(axes.size());
  // Axes that are not named get the 0 behind the pads.
  std::vector<int64_t> from(2 * rank, 2 * count);
  for (size_t i = 0; i < axes.size(); ++i) {
    from[static_cast<size_t>(axes[i])] = static_cast<int64_t>(i);
    from[rank + static_cast<size_t>(axes[i])] = count + static_cast<int64_t>(i);
  }
  *pads = c.build.Gather(c.build.Concat({*pads, c.build.Integers({0})}, 0), c.build.Integers(from), 0);
  return Status();
}

// The same for axes that the graph computes, too: zeros, with pads scattered to where their axes say.
ir::ValueId ScatterOverAxes(NodeContext& c, ir::ValueId pads) {
  const int64_t rank = c.x().rank();
  using schema::BinaryKind;
  const ir::ValueId axes = c.build.As(c.input(3), DType::kInt64);
  const ir::ValueId begins = c.build.Mod(c.build.Add(axes, c.build.Integer(rank)), c.build.Integer(rank));
  const ir::ValueId ends = c.build.Add(begins, c.build.Integer(rank));
  const std::vector<int64_t> zeros(static_cast<size_t>(2 * rank), 0);
  return c.build.Add(schema::ScatterElementsOptionsT(),
                     {c.build.Integers(zeros), c.build.Concat({begins, ends}, 0), pads});
}

// Pads and fill value are attributes up to opset 10, inputs later.
Status ImportPad(NodeContext& c) {
  lower::Padding padding;
  MICRORT_RETURN_IF_ERROR(ReadMode(c, &padding.mode));
  padding.value = c.Float("value", 0.0f);
  padding.pads = c.Ints(c.opset() < 2 ? "paddings" : "pads");
  padding.fill = c.input(2);
  const bool has_computed_axes = c.has_input(3) && !c.x(3).is_constant();
  if (c.has_input(1) && (has_computed_axes || !ir::IntegersOf(c.x(1), &padding.pads))) {
    padding.computed = has_computed_axes ? ScatterOverAxes(c, c.input(1)) : c.input(1);
    if (!has_computed_axes) MICRORT_RETURN_IF_ERROR(SpreadComputed(c, &padding.computed));
  } else {
    MICRORT_RETURN_IF_ERROR(SpreadOverAxes(c, &padding.pads));
  }
  return c.Return(lower::AddPad(c.build, c.input(0), std::move(padding)));
}

Status ReadAxes(NodeContext& c, std::vector<int>* axes) {
  const int rank = c.x().rank();
  std::vector<int64_t> listed = c.Ints("axes");
  for (int i = 0; listed.empty() && i < rank; ++i) axes->push_back(i);
  if (!listed.empty()) MICRORT_RETURN_IF_ERROR(Take(NormalizeAxes(listed, rank), axes));
  if (c.x(1).rank() == 1 && c.x(1).shape[0] == static_cast<int64_t>(axes->size())) return Status();
  return Invalid("shape: expected {} entries", axes->size());
}

// Entries of `list`, one for each of `axes`, at their places among `rank` dimensions; 0 for the others.
void AppendInOrder(NodeContext& c, const std::vector<int>& axes, int rank, ir::ValueId list,
                   std::vector<ir::ValueId>* parts) {
  for (int dim = 0; dim < rank; ++dim) {
    const auto at = std::find(axes.begin(), axes.end(), dim) - axes.begin();
    const bool found = at < static_cast<std::ptrdiff_t>(axes.size());
    parts->push_back(found ? c.build.Slice(list, 0, at, at + 1) : c.build.Integers({0}));
  }
}

Status ImportCenterCropPad(NodeContext& c) {
  std::vector<int> axes;
  MICRORT_RETURN_IF_ERROR(ReadAxes(c, &axes));
  const int rank = c.x().rank();
  const std::vector<int64_t> indices(axes.begin(), axes.end());
  const ir::ValueId dims = c.build.Gather(c.build.ShapeOf(c.input(0)), c.build.Integers(indices), 0);
  const ir::ValueId wanted = c.build.Cast(c.input(1), DType::kInt64);
  // Negative where cropped; half of it is rounded towards zero.
  const ir::ValueId both = c.build.Sub(wanted, dims);
  const ir::ValueId begin = c.build.Div(both, c.build.Integers({2}));
  const ir::ValueId end = c.build.Sub(both, begin);
  std::vector<ir::ValueId> parts;
  AppendInOrder(c, axes, rank, begin, &parts);
  AppendInOrder(c, axes, rank, end, &parts);
  const ir::ValueId pads = c.build.Concat(parts, 0);
  schema::PadOptionsT options;
  if (ir::IntegersOf(c.value(pads), &options.pads))
    return c.Return(c.build.Add(std::move(options), {c.input(0)}));
  return c.Return(c.build.Add(std::move(options), {c.input(0), pads}));
}

}  // namespace

const ImporterList PadImporters = {
    {"Pad", 1, 4, ImportPad, Types(kAllTypes)},
    {"CenterCropPad", 2, 2, ImportCenterCropPad, Types(kAllTypes).Since(18)},
};

}  // namespace micrort::frontend::onnx
