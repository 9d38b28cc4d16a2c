// Elements and blocks read or written where indices say.

#include <algorithm>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportGatherElements(NodeContext& c) {
  schema::GatherElementsOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

Status ImportGatherND(NodeContext& c) {
  schema::GatherNDOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.batch_dims, ToInt32(c.Int("batch_dims", 0), "batch_dims"));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

// "add" is Add, and so on.
Result<schema::ScatterReduction> ReadReduction(NodeContext& c) {
  const std::string name = c.String("reduction", "none");
  for (const schema::ScatterReduction kind : schema::EnumValuesScatterReduction()) {
    std::string known = schema::EnumNameScatterReduction(kind);
    known[0] = static_cast<char>(known[0] - 'A' + 'a');
    if (known != name) continue;
    return kind;
  }
  return Invalid("reduction '{}': expected none, add, mul, max or min", name);
}

Status ImportScatterElements(NodeContext& c) {
  schema::ScatterElementsOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  MICRORT_ASSIGN_OR_RETURN(options.reduction, ReadReduction(c));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

Status ImportScatterND(NodeContext& c) {
  schema::ScatterNDOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.reduction, ReadReduction(c));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

// The order that brings dimension `axis` behind the batch; it is its own inverse.
std::vector<int32_t> SwapWithFirst(int rank, int axis) {
  std::vector<int32_t> order(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i) order[static_cast<size_t>(i)] = i;
  std::swap(order[1], order[static_cast<size_t>(axis)]);
  return order;
}

ir::ValueId SizeAlong(NodeContext& c, ir::ValueId x, int axis) { return c.build.SizesOf(x, axis, axis + 1); }

// [B,C]: where each position of the cache comes from in the cache [C] with the update [U] behind it.
ir::ValueId Sources(NodeContext& c, int axis, bool circular) {
  const ir::ValueId size = SizeAlong(c, c.input(0), axis);
  const ir::ValueId here = PositionsOf(c, c.input(0), axis, 1, 2);
  ir::ValueId in_update = here;
  if (c.has_input(2)) {
    const ir::ValueId first = c.build.Reshape(c.input(2), {kInferDim, 1});
    in_update = c.build.Sub(here, first);
  }
  if (circular) in_update = c.build.Mod(in_update, size);
  const ir::ValueId begun = c.build.GreaterOrEqual(in_update, c.build.Integers({0}));
  const ir::ValueId not_over = c.build.Less(in_update, SizeAlong(c, c.input(1), axis));
  return c.build.Select({c.build.And(begun, not_over), c.build.Add(in_update, size), here});
}

// Whether the cache is one that --kv-cache makes a state, to which the update is appended: so is where it is
// written, run after run.
bool IsAppended(const NodeContext& c, bool circular) {
  const std::vector<ir::ValueId>& inputs = c.build.graph().inputs;
  const bool is_float = c.x().dtype == DType::kFloat32 || c.x().dtype == DType::kFloat16;
  return c.keeps_caches && !circular && c.has_input(2) && is_float &&
         std::find(inputs.begin(), inputs.end(), c.input(0)) != inputs.end();
}

// The rows so far with the new ones behind them, of any number.
ir::ValueId Appended(NodeContext& c, int axis) {
  const DType type = c.x().dtype;
  if (type == DType::kFloat32) return c.build.Concat({c.input(0), c.input(1)}, axis);
  const ir::ValueId rows[] = {c.build.Cast(c.input(0), DType::kFloat32),
                              c.build.Cast(c.input(1), DType::kFloat32)};
  return c.build.Cast(c.build.Concat({rows[0], rows[1]}, axis), type);
}

Status ImportTensorScatter(NodeContext& c) {
  const std::string mode = c.String("mode", "linear");
  if (mode != "linear" && mode != "circular") return Invalid("mode '{}'", mode);
  const int rank = c.x().rank();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", -2), rank));
  if (axis == 0) return Invalid("the axis is that of the batch");
  if (IsAppended(c, mode == "circular")) return c.Return(Appended(c, axis));
  const ir::ValueId both = c.build.Concat({c.input(0), c.input(1)}, axis);
  ir::ValueId sources = Sources(c, axis, mode == "circular");
  MICRORT_RETURN_IF_ERROR(c.build.status());
  if (!c.has_input(2)) return c.Return(c.build.Gather(both, c.build.Reshape(sources, {kInferDim}), axis));

  const ir::ValueId moved = axis == 1 ? both : c.build.Transpose(both, SwapWithFirst(rank, axis));
  sources = c.build.Reshape(sources, {CopyDim(0), CopyDim(1), 1});
  const ir::ValueId y = c.build.GatherND({moved, sources}, 1);
  return c.Return(axis == 1 ? y : c.build.Transpose(y, SwapWithFirst(rank, axis)));
}

}  // namespace

const ImporterList GatherScatterImporters = {
    {"GatherElements", 2, 2, ImportGatherElements, Types(kAllTypes).Since(11)},
    {"GatherND", 2, 2, ImportGatherND, Types(kAllTypes).Since(11)},
    // The older name of ScatterElements.
    {"Scatter", 3, 3, ImportScatterElements, Types(kAllTypes).Since(9)},
    {"ScatterElements", 3, 3, ImportScatterElements, Types(kAllTypes).Since(11)},
    {"ScatterND", 3, 3, ImportScatterND, Types(kAllTypes).Since(11)},
    {"TensorScatter", 2, 3, ImportTensorScatter, Types(kAllTypes).Since(24)},
};

}  // namespace micrort::frontend::onnx
