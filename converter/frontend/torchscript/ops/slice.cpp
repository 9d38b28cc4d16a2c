// Parts of tensors.

#include <algorithm>
#include <limits>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();

// The whole with [start, end) of the axis replaced.
ir::ValueId Replace(ir::Builder& build, ir::ValueId base, ir::ValueId part, int axis, int64_t start,
                    int64_t end) {
  const int64_t size = build.graph().value(base).shape[static_cast<size_t>(axis)];
  std::vector<ir::ValueId> parts;
  if (start > 0) parts.push_back(build.Slice(base, axis, 0, start));
  parts.push_back(part);
  if (end < size) parts.push_back(build.Slice(base, axis, end, kToTheEnd));
  return parts.size() == 1 ? part : build.Concat(parts, axis);
}

// [start, end) along an axis of fixed size, as a view that may be written to.
void ReturnRange(OpContext& c, ir::ValueId x, int axis, int64_t start, int64_t end) {
  const auto read = [=](ir::Builder& build, ir::ValueId base) { return build.Slice(base, axis, start, end); };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    return Replace(build, base, part, axis, start, end);
  };
  c.ReturnView(read(c.build, x), read, write);
}

// (self, dim, start, end, step)
void ImportSliceOp(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const int64_t size = c.dim(x, axis), step = c.Int(4, 1);
  const auto is_known = [&](size_t i) { return !c.Has(i) || c.arg(i).is_known_int(); };
  if (is_known(2) && is_known(3)) {
    const int64_t start = c.Int(2, 0), end = c.Int(3, kToTheEnd);
    if (start == 0 && step == 1 && (end == kToTheEnd || (size != ir::kDynamic && end >= size))) {
      c.ReturnValue(c.arg(0));
      return;
    }
    if (size != ir::kDynamic && step == 1) {
      const auto bounded = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + size : v, 0, size); };
      ReturnRange(c, x, axis, bounded(start), std::max(bounded(end), bounded(start)));
      return;
    }
  }
  const auto bound = [&](size_t i, int64_t otherwise) {
    return c.IntegerTensor(c.Has(i) ? c.arg(i) : Value::Int(otherwise));
  };
  c.Return(c.Onnx("Slice", {x, bound(2, 0), bound(3, kToTheEnd), c.Integers({axis}), c.Integers({step})}));
}

// (self, dim, start, length)
void ImportNarrow(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const int64_t size = c.FixedDim(x, axis);
  int64_t start = c.Int(2, 0);
  if (start < 0) start += size;
  const int64_t length = c.Int(3, 0);
  if (start < 0 || length < 0 || start > size || length > size - start) {
    return c.Fail(MICRORT_ERROR(kInvalidModel, "%lld elements from %lld on of %lld",
                                static_cast<long long>(length), static_cast<long long>(start),
                                static_cast<long long>(size)));
  }
  ReturnRange(c, x, axis, start, start + length);
}

// The shape without one dimension, and with it, in ReshapeOptions' codes.
std::vector<int32_t> WithoutDim(int rank, int axis) {
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) shape.push_back(ir::CopyDim(i));
  }
  return shape;
}

std::vector<int32_t> WithDim(int rank, int axis) {
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i)
    shape.push_back(i < axis ? ir::CopyDim(i) : i == axis ? 1 : ir::CopyDim(i - 1));
  return shape;
}

// (self, dim, index)
void ImportSelect(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), axis = c.Axis(1, rank, 0);
  const int64_t size = c.dim(x, axis);
  if (!c.arg(2).is_known_int()) {
    c.Return(c.Onnx("Gather", {x, c.CastTo(c.TensorAt(2), DType::kInt64)}, {{"axis", int64_t{axis}}}));
    return;
  }
  const int64_t given = c.Int(2, 0);
  const int64_t index = given < 0 && size != ir::kDynamic ? given + size : given;
  if (size != ir::kDynamic && (index < 0 || index >= size)) {
    return c.Fail(MICRORT_ERROR(kInvalidModel, "element %lld of %lld", static_cast<long long>(given),
                                static_cast<long long>(size)));
  }
  const ir::ValueId y =
      c.Onnx("Gather", {x, c.build.Constant<int64_t>({}, {index})}, {{"axis", int64_t{axis}}});
  if (size == ir::kDynamic) {
    c.Return(y);
    return;
  }
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return build.Reshape(build.Slice(base, axis, index, index + 1), WithoutDim(rank, axis));
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    return Replace(build, base, build.Reshape(part, WithDim(rank, axis)), axis, index, index + 1);
  };
  c.ReturnView(y, read, write);
}

// Parts of these sizes, which add up to the dimension.
void ReturnParts(OpContext& c, ir::ValueId x, int axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() == 1) return c.ReturnList({x});
  c.ReturnList(c.OnnxMany("Split", {x, c.Integers(sizes)}, {{"axis", int64_t{axis}}}, sizes.size()));
}

// Parts of `size`, the last one perhaps smaller.
void ReturnPartsOf(OpContext& c, ir::ValueId x, int axis, int64_t size) {
  constexpr int64_t kMaxParts = 1 << 16;
  const int64_t total = c.FixedDim(x, axis);
  if (size < 1 || total / size > kMaxParts)
    return c.Fail(MICRORT_ERROR(kInvalidModel, "parts of %lld elements", static_cast<long long>(size)));
  std::vector<int64_t> sizes;
  for (int64_t left = total; left > 0; left -= size) sizes.push_back(std::min(left, size));
  ReturnParts(c, x, axis, sizes);
}

// (self, split_size or sizes, dim)
void ImportSplit(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  if (c.arg(1).is_sequence()) {
    ReturnParts(c, x, axis, c.Ints(1));
  } else {
    ReturnPartsOf(c, x, axis, c.Int(1, 1));
  }
}

// (self, chunks, dim)
void ImportChunk(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  const int64_t chunks = std::max<int64_t>(c.Int(1, 1), 1);
  ReturnPartsOf(c, x, axis, std::max<int64_t>((c.FixedDim(x, axis) + chunks - 1) / chunks, 1));
}

// (self, sections or indices, dim): sizes that differ by at most 1
void ImportTensorSplit(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  const int64_t total = c.FixedDim(x, axis);
  std::vector<int64_t> sizes;
  if (c.arg(1).is_sequence()) {
    int64_t at = 0;
    for (const int64_t index : c.Ints(1)) {
      sizes.push_back(index - at);
      at = index;
    }
    sizes.push_back(total - at);
  } else {
    const int64_t sections = std::clamp<int64_t>(c.Int(1, 1), 1, std::max<int64_t>(total, 1));
    for (int64_t i = 0; i < sections; ++i) sizes.push_back(total / sections + (i < total % sections ? 1 : 0));
  }
  ReturnParts(c, x, axis, sizes);
}

// (self, dim)
void ImportUnbind(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const int64_t size = c.FixedDim(x, axis);
  std::vector<ir::ValueId> parts;
  for (int64_t i = 0; i < size; ++i) {
    parts.push_back(c.Onnx("Gather", {x, c.build.Constant<int64_t>({}, {i})}, {{"axis", int64_t{axis}}}));
  }
  c.ReturnList(parts);
}

}  // namespace

Span<const OpImporter> SliceOps() {
  static constexpr OpImporter kOps[] = {
      {"chunk", "self chunks dim", ImportChunk},
      {"narrow", "self dim start length", ImportNarrow},
      {"select", "self dim index", ImportSelect},
      {"slice", "self dim start end step", ImportSliceOp},
      {"split", "self split_size dim", ImportSplit},
      {"split_with_sizes", "self split_sizes dim", ImportSplit},
      {"tensor_split", "self indices_or_sections dim", ImportTensorSplit},
      {"unbind", "self dim", ImportUnbind},
      {"unsafe_chunk", "self chunks dim", ImportChunk},
      {"unsafe_split", "self split_size dim", ImportSplit},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
