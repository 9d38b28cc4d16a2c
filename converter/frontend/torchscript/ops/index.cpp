// Elements by their positions.

#include <algorithm>
#include <limits>

#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/ops/scattered.h"
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

// (self, dim, index, src, reduce)
template <bool adds>
void ImportScatter(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const ir::ValueId index = c.IndicesAt(2);
  ir::ValueId source = c.CastTo(c.TensorAt(3), c.dtype(x));
  if (c.rank(source) == 0) source = c.Onnx("Expand", {source, c.build.ShapeOf(index)});
  source = PartFor(c, index, source);
  std::vector<Attribute> attributes = {{"axis", int64_t{c.Axis(1, c.rank(x), 0)}}};
  const std::string how = c.String(4, adds ? "add" : "none");
  if (how != "none" && how != "add" && how != "multiply") return c.Fail(Invalid("reduce '{}'", how));
  attributes.push_back({"reduction", how == "multiply" ? std::string("mul") : how});
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
    c.Fail(Invalid("indices that are no list"));
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
  if (result.axes.empty() || axis > c.rank(x))
    c.Fail(Invalid("{} indices for {} dimensions", axis, c.rank(x)));
  if (result.is_mask && (result.axes.size() != 1 || result.axes[0] != 0))
    c.Fail(Unsupported("a mask beside other indices"));
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

bool AreAdjacent(const std::vector<int>& axes) {
  return axes.back() - axes.front() == static_cast<int>(axes.size()) - 1;
}

// What adjacent indices give stands where they stood: how to transpose what begins with it. Empty: not.
std::vector<int32_t> PlacesOfResult(OpContext& c, const Indexing& indexing, ir::ValueId tuples, int rank) {
  const int first = indexing.axes[0], dims = c.rank(tuples) - 1;
  std::vector<int32_t> places;
  if (first == 0 || !AreAdjacent(indexing.axes)) return places;
  for (int i = 0; i < first; ++i) places.push_back(dims + i);
  for (int i = 0; i < dims; ++i) places.push_back(i);
  for (int i = dims + first; i < rank; ++i) places.push_back(i);
  return places;
}

// A mask over the first dimensions for all of them.
ir::ValueId WithTrailingDims(OpContext& c, ir::ValueId mask, int rank) {
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i) shape.push_back(i < c.rank(mask) ? ir::CopyDim(i) : 1);
  return c.CastTo(c.build.Reshape(mask, shape), DType::kBool);
}

// One value for each element that the mask chooses: those that are given, or one slice for all.
ir::ValueId ForEachChosen(OpContext& c, ir::ValueId values, ir::ValueId x, ir::ValueId mask) {
  const int rank = c.rank(x);
  int slice = 0;  // dimensions that the mask has not
  while (slice < rank && c.dim(mask, rank - 1 - slice) == 1 && c.dim(x, rank - 1 - slice) != 1) ++slice;
  const bool are_given = c.rank(values) > slice && c.dim(values, 0) != 1;
  return are_given ? values : c.Onnx("Expand", {values, c.build.ShapeOf(x)});
}

// (self, indices)
void ImportIndex(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Indexing indexing = ReadIndices(c, x);
  if (!c.status().ok()) return;
  if (indexing.is_mask)
    return c.Return(c.Onnx("GatherND", {x, c.Onnx("Transpose", {c.Onnx("NonZero", {indexing.indices[0]})})}));
  if (indexing.axes.size() == 1) {
    return c.Return(c.Onnx("Gather", {x, c.CastTo(indexing.indices[0], DType::kInt64)},
                           {{"axis", int64_t{indexing.axes[0]}}}));
  }
  const std::vector<int32_t> order = ir::AxesFirst(c.rank(x), indexing.axes);
  const bool in_order = std::is_sorted(order.begin(), order.end());
  const ir::ValueId tuples = Tuples(c, indexing.indices);
  const ir::ValueId y = c.Onnx("GatherND", {in_order ? x : c.build.Transpose(x, order), tuples});
  const std::vector<int32_t> places = PlacesOfResult(c, indexing, tuples, c.rank(y));
  c.Return(places.empty() ? y : c.build.Transpose(y, places));
}

// (self, indices, values, accumulate)
void ImportIndexPut(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Indexing indexing = ReadIndices(c, x);
  if (!c.status().ok()) return;
  ir::ValueId values = c.CastTo(c.TensorAt(2), c.dtype(x));
  if (indexing.is_mask) {
    const ir::ValueId mask = WithTrailingDims(c, indexing.indices[0], c.rank(x));
    if (c.rank(values) != 0) return c.Return(InRowWhere(c, x, mask, ForEachChosen(c, values, x, mask)));
    return c.Return(c.build.Select({mask, values, x}));
  }
  const std::vector<int32_t> order = ir::AxesFirst(c.rank(x), indexing.axes);
  const bool in_order = std::is_sorted(order.begin(), order.end());
  const ir::ValueId tuples = Tuples(c, indexing.indices), data = in_order ? x : c.build.Transpose(x, order);
  const ir::ValueId replaced = c.Onnx("GatherND", {data, tuples});
  if (!c.status().ok()) return;
  const std::vector<int32_t> places = PlacesOfResult(c, indexing, tuples, c.rank(replaced));
  // As large as what they replace.
  if (places.empty()) {
    values = c.Onnx("Expand", {values, c.build.ShapeOf(replaced)});
  } else {
    values = c.Onnx("Expand", {values, c.build.ShapeOf(c.build.Transpose(replaced, places))});
    values = c.build.Transpose(values, ir::InverseOf(places));
  }
  std::vector<Attribute> attributes;
  if (c.Bool(3, false)) attributes.push_back({"reduction", std::string("add")});
  const ir::ValueId y = c.Onnx("ScatterND", {data, tuples, values}, attributes);
  c.Return(in_order ? y : c.build.Transpose(y, ir::InverseOf(order)));
}

// (self, index): of all elements in a row
void ImportTake(OpContext& c) {
  c.Return(c.build.Gather(c.build.Reshape(c.TensorAt(0), {ir::kInferDim}),
                          c.CastTo(c.IndicesAt(1), DType::kInt64), 0));
}

// (self, indices, dim): the other dimensions broadcast
void ImportTakeAlong(OpContext& c) {
  ir::ValueId x = c.TensorAt(0), index = c.IndicesAt(1);
  if (!c.Has(2)) {
    x = c.build.Reshape(x, {ir::kInferDim});
    index = c.build.Reshape(index, {ir::kInferDim});
  }
  const int rank = c.rank(x), axis = c.Axis(2, rank, 0);
  if (c.rank(index) != rank) return c.Fail(Invalid("indices of another rank"));
  const auto with_size_1 = [&](ir::ValueId id) {
    const ir::ValueId shape = c.build.ShapeOf(id);
    return c.Onnx("ScatterElements", {shape, c.Integers({axis}), c.Integers({1})});
  };
  const ir::ValueId wide = c.Onnx("Expand", {x, with_size_1(index)});
  const ir::ValueId wide_index = c.Onnx("Expand", {index, with_size_1(x)});
  c.Return(c.Onnx("GatherElements", {wide, wide_index}, {{"axis", int64_t{axis}}}));
}

// (self, num_classes)
void ImportOneHot(OpContext& c) {
  const int64_t classes = c.Int(1, -1);
  if (classes < 1) return c.Fail(Unsupported("a number of classes that is not given"));
  c.Return(c.Onnx("OneHot", {c.IndicesAt(0), c.build.Integer(classes), c.Integers({0, 1})}));
}

// (self, mask)
void ImportMaskedSelect(OpContext& c) {
  const ir::ValueId given = c.TensorAt(0), mask = c.Onnx("Expand", {c.TensorAt(1), c.build.ShapeOf(given)});
  const ir::ValueId x = c.Onnx("Expand", {given, c.build.ShapeOf(mask)});
  c.Return(c.Onnx("GatherND", {x, c.Onnx("Transpose", {c.Onnx("NonZero", {mask})})}));
}

// By int64[1], which the size of the dimension is added to or taken from as often as it takes.
ir::ValueId RollOpen(OpContext& c, ir::ValueId x, int axis, ir::ValueId shift) {
  const ir::ValueId size = c.build.SizesOf(x, axis, axis + 1), along = c.Integers({axis});
  const ir::ValueId first = c.build.Mod(c.build.Sub(size, shift), size);
  return c.build.Concat(
      {c.Onnx("Slice", {x, first, size, along}), c.Onnx("Slice", {x, c.Integers({0}), first, along})}, axis);
}

// (self, shifts, dims)
void ImportRoll(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const ir::ValueId given = x;
  const bool is_known = CallArguments::IsKnown(c.arg(1));
  const ir::ValueId computed = is_known ? ir::kNoValue : c.IntegerTensor(c.arg(1));
  const std::vector<int64_t> shifts =
      is_known ? c.Ints(1) : std::vector<int64_t>(static_cast<size_t>(c.dim(computed, 0)), 0);
  std::vector<int64_t> dims = c.Ints(2);
  const bool is_flat = dims.empty() && shifts.size() == 1;  // all elements in a row
  if (is_flat) {
    x = c.build.Reshape(x, {ir::kInferDim});
    dims = {0};
  }
  if (dims.size() != shifts.size())
    return c.Fail(Invalid("{} shifts for {} dimensions", shifts.size(), dims.size()));
  for (size_t i = 0; i < dims.size(); ++i) {
    const int axis = c.AxisOf(dims[i], c.rank(x));
    const int64_t size = c.dim(x, axis);
    if (!is_known || size == ir::kDynamic) {
      const auto at = static_cast<int64_t>(i);
      x = RollOpen(c, x, axis, is_known ? c.Integers({shifts[i]}) : c.build.Slice(computed, 0, at, at + 1));
      continue;
    }
    const int64_t shift = size == 0 ? 0 : (shifts[i] % size + size) % size;
    if (shift == 0) continue;
    x = c.build.Concat({c.build.Slice(x, axis, size - shift, size), c.build.Slice(x, axis, 0, size - shift)},
                       axis);
  }
  c.Return(is_flat ? c.ReshapeTo(x, c.build.ShapeOf(given)) : x);
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

const ImporterList IndexOps = {
    {"embedding", "weight indices padding_idx scale_grad_by_freq sparse", ImportEmbedding},
    {"flip", "self dims", ImportFlip},
    {"gather", "self dim index sparse_grad", ImportGather},
    {"index", "self indices", ImportIndex, "masks beside other indices"},
    {"index_put", "self indices values accumulate", ImportIndexPut},
    {"index_select", "self dim index", ImportIndexSelect},
    {"masked_select", "self mask", ImportMaskedSelect},
    {"one_hot", "self num_classes", ImportOneHot},
    {"roll", "self shifts dims", ImportRoll},
    {"scatter", "self dim index src reduce", ImportScatter<false>},
    {"scatter_add", "self dim index src", ImportScatter<true>},
    {"take", "self index", ImportTake},
    {"take_along_dim", "self indices dim", ImportTakeAlong},
};

}  // namespace micrort::frontend::torchscript
