// Tensors put together.

#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

std::vector<ir::ValueId> InOneType(OpContext& c) {
  if (!c.arg(0).is_sequence() || c.arg(0).items->empty()) {
    c.Fail(Invalid("expected tensors, found {}", KindName(c.arg(0).kind)));
    return {c.build.Scalar(0)};
  }
  return Promoted(c, *c.arg(0).items);
}

ir::ValueId Join(OpContext& c, const std::vector<ir::ValueId>& parts, int axis) {
  return parts.size() == 1 ? parts[0] : c.Onnx("Concat", parts, {{"axis", int64_t{axis}}});
}

// (tensors, dim): empty vectors count for nothing
void ImportCat(OpContext& c) {
  std::vector<ir::ValueId> parts;
  for (const ir::ValueId id : InOneType(c)) {
    if (c.rank(id) != 1 || c.dim(id, 0) != 0) parts.push_back(id);
  }
  if (parts.empty()) return c.ReturnValue((*c.arg(0).items)[0]);
  c.Return(Join(c, parts, c.Axis(1, c.rank(parts[0]), 0)));
}

// (tensors, dim)
void ImportStack(OpContext& c) {
  std::vector<ir::ValueId> parts = InOneType(c);
  const int axis = c.Axis(1, c.rank(parts[0]) + 1, 0);
  for (ir::ValueId& id : parts) id = c.Onnx("Unsqueeze", {id, c.Integers({axis})});
  c.Return(Join(c, parts, axis));
}

void ImportHStack(OpContext& c) {
  const std::vector<ir::ValueId> parts = InOneType(c);
  c.Return(Join(c, parts, c.rank(parts[0]) > 1 ? 1 : 0));
}

void ImportVStack(OpContext& c) {
  std::vector<ir::ValueId> parts = InOneType(c);
  for (ir::ValueId& id : parts) {
    if (c.rank(id) < 2) id = c.build.Reshape(id, {1, ir::kInferDim});
  }
  c.Return(Join(c, parts, 0));
}

// (tensors, indexing)
void ImportMeshGrid(OpContext& c) {
  const std::vector<ir::ValueId> axes = c.Tensors(0);
  const bool by_columns = c.String(1, "ij") == "xy" && axes.size() > 1;
  if (axes.size() > kMaxRank) return c.Fail(Unsupported("a grid of {} dimensions", axes.size()));
  std::vector<int64_t> sizes;
  std::vector<size_t> place;  // the dimension of each
  for (size_t i = 0; i < axes.size(); ++i) {
    place.push_back(by_columns && i < 2 ? 1 - i : i);
    sizes.push_back(0);
  }
  for (size_t i = 0; i < axes.size(); ++i)
    sizes[place[i]] = c.rank(axes[i]) == 0 ? 1 : c.FixedDim(axes[i], 0);
  std::vector<Value> grids;
  for (size_t i = 0; i < axes.size(); ++i) {
    std::vector<int32_t> shape(axes.size(), 1);
    shape[place[i]] = ir::kInferDim;
    const ir::ValueId grid = c.Onnx("Expand", {c.build.Reshape(axes[i], shape), c.Integers(sizes)});
    // Several places are one element of the axis, so that none can be written.
    const auto read = [shape, sizes](ir::Builder& build, ir::ValueId axis) {
      return build.Expand({build.Reshape(axis, shape), build.Integers(sizes)});
    };
    grids.push_back(c.View((*c.arg(0).items)[i], grid, read, nullptr));
  }
  c.ReturnValue(Value::Sequence(Kind::kList, std::move(grids)));
}

void ImportBroadcastTensors(OpContext& c) {
  const std::vector<ir::ValueId> given = c.Tensors(0);
  std::vector<ir::ValueId> wide = given;
  for (size_t i = 1; i < wide.size(); ++i) wide[0] = c.Onnx("Expand", {wide[0], c.build.ShapeOf(given[i])});
  for (size_t i = 1; i < wide.size(); ++i) wide[i] = c.Onnx("Expand", {given[i], c.build.ShapeOf(wide[0])});
  // One that has the size already is itself; several places of the others are one element.
  std::vector<Value> views;
  for (size_t i = 0; i < wide.size(); ++i) {
    const ir::Value &before = c.value(given[i]), &after = c.value(wide[i]);
    const bool is_same = before.is_static() && before.shape == after.shape;
    views.push_back(is_same ? (*c.arg(0).items)[i] : Value::OfTensor(c.table().Make(wide[i])));
  }
  c.ReturnValue(Value::Sequence(Kind::kList, std::move(views)));
}

void ImportDStack(OpContext& c) {
  std::vector<ir::ValueId> parts = InOneType(c);
  for (ir::ValueId& id : parts) {
    if (c.rank(id) < 2) id = c.build.Reshape(id, {1, ir::kInferDim});
    if (c.rank(id) < 3) id = c.Onnx("Unsqueeze", {id, c.Integers({2})});
  }
  c.Return(Join(c, parts, 2));
}

void ImportColumnStack(OpContext& c) {
  std::vector<ir::ValueId> parts = InOneType(c);
  for (ir::ValueId& id : parts) {
    if (c.rank(id) < 2) id = c.build.Reshape(id, {ir::kInferDim, 1});
  }
  c.Return(Join(c, parts, 1));
}

// (tensors): matrices along a diagonal, 0 elsewhere
void ImportBlockDiag(OpContext& c) {
  std::vector<ir::ValueId> parts = InOneType(c);
  int64_t columns = 0, before = 0;
  for (ir::ValueId& id : parts) {
    if (c.rank(id) < 2) id = c.build.Reshape(id, {1, ir::kInferDim});
    columns += c.FixedDim(id, 1);
  }
  for (ir::ValueId& id : parts) {
    const int64_t own = c.FixedDim(id, 1);
    id = c.Onnx("Pad", {id, c.Integers({0, before, 0, columns - before - own}), c.Scalar(c.dtype(id), 0)});
    before += own;
  }
  c.Return(Join(c, parts, 0));
}

}  // namespace

const ImporterList JoinOps = {
    {"block_diag", "tensors", ImportBlockDiag}, {"broadcast_tensors", "tensors", ImportBroadcastTensors},
    {"cat", "tensors dim", ImportCat},          {"column_stack", "tensors", ImportColumnStack},
    {"concat", "tensors dim", ImportCat},       {"dstack", "tensors", ImportDStack},
    {"hstack", "tensors", ImportHStack},        {"meshgrid", "tensors indexing", ImportMeshGrid},
    {"stack", "tensors dim", ImportStack},      {"vstack", "tensors", ImportVStack},
};

}  // namespace micrort::frontend::torchscript
