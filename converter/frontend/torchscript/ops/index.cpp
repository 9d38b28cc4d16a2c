// Elements by their positions.

#include <algorithm>
#include <limits>

#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// (weight, indices, padding_idx, scale_grad_by_freq, sparse)
void ImportEmbedding(OpContext& c) {
  c.Return(c.Onnx("Gather", {c.TensorAt(0), c.IndicesAt(1)}, {{"axis", int64_t{0}}}));
}

// (self, dim, index)
void ImportIndexSelect(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const ir::ValueId index = c.IndicesAt(2);
  c.Return(c.Onnx("Gather", {x, c.rank(index) == 0 ? c.build.Reshape(index, {1}) : index},
                  {{"axis", int64_t{c.Axis(1, c.rank(x), 0)}}}));
}

// (self, dim, index, sparse_grad)
void ImportGather(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  c.Return(c.Onnx("GatherElements", {x, c.IndicesAt(2)}, {{"axis", int64_t{c.Axis(1, c.rank(x), 0)}}}));
}

// (self, dim, index, src)
template <bool adds>
void ImportScatter(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const ir::ValueId index = c.IndicesAt(2);
  ir::ValueId source = c.CastTo(c.TensorAt(3), c.dtype(x));
  if (c.rank(source) == 0) source = c.Onnx("Expand", {source, c.build.ShapeOf(index)});
  std::vector<Attribute> attributes = {{"axis", int64_t{c.Axis(1, c.rank(x), 0)}}};
  if (adds) attributes.push_back({"reduction", std::string("add")});
  c.Return(c.Onnx("ScatterElements", {x, index, source}, attributes));
}

// Which dimensions of x have indices, and these.
struct Indexing {
  std::vector<int> axes;
  std::vector<ir::ValueId> indices;
  bool is_mask = false;
};

Indexing ReadIndices(OpContext& c, ir::ValueId x) {
  Indexing result;
  if (!c.arg(1).is_sequence()) {
    c.Fail(MICRORT_ERROR(kInvalidModel, "indices that are no list"));
    return result;
  }
  int axis = 0;
  for (const Value& v : *c.arg(1).items) {
    if (v.is_none()) {
      ++axis;
      continue;
    }
    ir::ValueId index = c.IndicesOf(v);
    const bool is_mask = c.dtype(index) == DType::kBool || c.dtype(index) == DType::kUInt8;
    if (is_mask && c.rank(index) == 1) {
      index = c.build.Reshape(c.Onnx("NonZero", {index}), {ir::kInferDim});
    } else if (is_mask) {
      result.is_mask = true;
    }
    result.axes.push_back(axis++);
    result.indices.push_back(index);
  }
  if (result.axes.empty() || axis > c.rank(x)) {
    c.Fail(MICRORT_ERROR(kInvalidModel, "%d indices for %d dimensions", axis, c.rank(x)));
  }
  if (result.is_mask && (result.axes.size() != 1 || result.axes[0] != 0)) {
    c.Fail(MICRORT_ERROR(kUnsupported, "a mask beside other indices"));
  }
  return result;
}

// Indices side by side: [..., number of them].
ir::ValueId Tuples(OpContext& c, const std::vector<ir::ValueId>& indices) {
  std::vector<ir::ValueId> parts;
  for (ir::ValueId id : indices) {
    id = c.CastTo(id, DType::kInt64);
    for (const ir::ValueId other : indices) {
      if (other != id && c.rank(other) > 0) id = c.Onnx("Expand", {id, c.build.ShapeOf(other)});
    }
    parts.push_back(c.Onnx("Unsqueeze", {id, c.Integers({-1})}));
  }
  return parts.size() == 1 ? parts[0] : c.Onnx("Concat", parts, {{"axis", int64_t{-1}}});
}

std::vector<int32_t> FirstThese(int rank, const std::vector<int>& axes) {
  std::vector<int32_t> order(axes.begin(), axes.end());
  for (int i = 0; i < rank; ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) order.push_back(i);
  }
  return order;
}

bool AreAdjacent(const std::vector<int>& axes) {
  return axes.back() - axes.front() == static_cast<int>(axes.size()) - 1;
}

// (self, indices)
void ImportIndex(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Indexing indexing = ReadIndices(c, x);
  if (!c.status().ok()) return;
  if (indexing.is_mask) {
    return c.Return(c.Onnx("GatherND", {x, c.Onnx("Transpose", {c.Onnx("NonZero", {indexing.indices[0]})})}));
  }
  if (indexing.axes.size() == 1) {
    return c.Return(c.Onnx("Gather", {x, c.CastTo(indexing.indices[0], DType::kInt64)},
                           {{"axis", int64_t{indexing.axes[0]}}}));
  }
  const int rank = c.rank(x), first = indexing.axes[0];
  const std::vector<int32_t> order = FirstThese(rank, indexing.axes);
  const bool in_order = std::is_sorted(order.begin(), order.end());
  const ir::ValueId tuples = Tuples(c, indexing.indices);
  ir::ValueId y = c.Onnx("GatherND", {in_order ? x : c.build.Transpose(x, order), tuples});
  const int dims = c.rank(tuples) - 1;
  if (first > 0 && AreAdjacent(indexing.axes)) {  // what indices give stands where they stood
    std::vector<int32_t> back;
    for (int i = 0; i < first; ++i) back.push_back(dims + i);
    for (int i = 0; i < dims; ++i) back.push_back(i);
    for (int i = dims + first; i < c.rank(y); ++i) back.push_back(i);
    y = c.build.Transpose(y, back);
  }
  c.Return(y);
}

// (self, indices, values, accumulate)
void ImportIndexPut(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Indexing indexing = ReadIndices(c, x);
  if (!c.status().ok()) return;
  ir::ValueId values = c.CastTo(c.TensorAt(2), c.dtype(x));
  if (indexing.is_mask) {
    if (c.rank(values) != 0) return c.Fail(MICRORT_ERROR(kUnsupported, "values where a mask says so"));
    return c.Return(c.Onnx("Where", {c.CastTo(indexing.indices[0], DType::kBool), values, x}));
  }
  const std::vector<int32_t> order = FirstThese(c.rank(x), indexing.axes);
  if (!std::is_sorted(order.begin(), order.end())) {
    return c.Fail(MICRORT_ERROR(kUnsupported, "values at positions along a later dimension"));
  }
  const ir::ValueId tuples = Tuples(c, indexing.indices);
  // As large as what they replace.
  values = c.Onnx("Expand", {values, c.build.ShapeOf(c.Onnx("GatherND", {x, tuples}))});
  std::vector<Attribute> attributes;
  if (c.Bool(3, false)) attributes.push_back({"reduction", std::string("add")});
  c.Return(c.Onnx("ScatterND", {x, tuples, values}, attributes));
}

// (self, mask)
void ImportMaskedSelect(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), mask = c.Onnx("Expand", {c.TensorAt(1), c.build.ShapeOf(x)});
  c.Return(c.Onnx("GatherND", {x, c.Onnx("Transpose", {c.Onnx("NonZero", {mask})})}));
}

// (self, shifts, dims)
void ImportRoll(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const std::vector<int64_t> shifts = c.Ints(1), dims = c.Ints(2);
  if (dims.size() != shifts.size())
    return c.Fail(MICRORT_ERROR(kUnsupported, "a roll of all elements in a row"));
  for (size_t i = 0; i < dims.size(); ++i) {
    const int axis = c.AxisOf(dims[i], c.rank(x));
    const int64_t size = c.FixedDim(x, axis);
    const int64_t shift = size == 0 ? 0 : (shifts[i] % size + size) % size;
    if (shift == 0) continue;
    x = c.build.Concat({c.build.Slice(x, axis, size - shift, size), c.build.Slice(x, axis, 0, size - shift)},
                       axis);
  }
  c.Return(x);
}

// (self, dims)
void ImportFlip(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  std::vector<int64_t> axes = c.Ints(1);
  const std::vector<int64_t> starts(axes.size(), -1), steps(axes.size(), -1);
  const std::vector<int64_t> ends(axes.size(), std::numeric_limits<int64_t>::min());
  for (int64_t& axis : axes) axis = c.AxisOf(axis, c.rank(x));
  c.Return(c.Onnx("Slice", {x, c.Integers(starts), c.Integers(ends), c.Integers(axes), c.Integers(steps)}));
}

}  // namespace

Span<const OpImporter> IndexOps() {
  static constexpr OpImporter kOps[] = {
      {"embedding", "weight indices padding_idx scale_grad_by_freq sparse", ImportEmbedding},
      {"flip", "self dims", ImportFlip},
      {"gather", "self dim index sparse_grad", ImportGather},
      {"index", "self indices", ImportIndex, "masks beside other indices"},
      {"index_put", "self indices values accumulate", ImportIndexPut, "positions along a later dimension"},
      {"index_select", "self dim index", ImportIndexSelect},
      {"masked_select", "self mask", ImportMaskedSelect},
      {"roll", "self shifts dims", ImportRoll},
      {"scatter", "self dim index src", ImportScatter<false>},
      {"scatter_add", "self dim index src", ImportScatter<true>},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
