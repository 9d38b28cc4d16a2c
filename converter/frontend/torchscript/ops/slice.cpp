// Parts of tensors.

#include <algorithm>
#include <limits>
#include <numeric>

#include "converter/frontend/torchscript/ops/open_range.h"
#include "converter/frontend/torchscript/ops/picked_view.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();
constexpr int64_t kMaxIndex = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxParts = 1 << 16;  // of a list

// The whole with [start, end) of the axis, by Python's rules, replaced.
ir::ValueId Replace(ir::Builder& build, ir::ValueId base, ir::ValueId part, int axis, int64_t start,
                    int64_t end) {
  const int64_t dim = build.graph().value(base).dim(static_cast<size_t>(axis));
  const int64_t size = dim == ir::kDynamic ? kToTheEnd : dim;
  std::vector<ir::ValueId> parts;
  if (start != 0) parts.push_back(build.Slice(base, axis, 0, start));
  parts.push_back(part);
  if (end < size) parts.push_back(build.Slice(base, axis, end, kToTheEnd));
  return parts.size() == 1 ? part : build.Concat(parts, axis);
}

// Parts of an axis lie in order only if no dimension before it has more than one element.
Value PartAlong(OpContext& c, int axis, Value view) {
  for (int i = 0; i < axis && view.tensor != nullptr; ++i)
    view.tensor->is_spread |= c.dim(c.TensorAt(0), i) != 1;
  return view;
}

// [start, end) along an axis as a view that may be written to.
Value RangeView(OpContext& c, ir::ValueId id, int axis, int64_t start, int64_t end) {
  const auto read = [=](ir::Builder& build, ir::ValueId base) { return build.Slice(base, axis, start, end); };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    return Replace(build, base, part, axis, start, end);
  };
  return PartAlong(c, axis, c.View(id, read, write));
}

void ReturnRange(OpContext& c, ir::ValueId x, int axis, int64_t start, int64_t end) {
  c.ReturnValue(RangeView(c, c.build.Slice(x, axis, start, end), axis, start, end));
}

// Every step-th element of [start, end) along an axis of fixed size, too.
void ReturnSteps(OpContext& c, ir::ValueId x, int axis, int64_t start, int64_t end, int64_t step) {
  const int64_t size = c.FixedDim(x, axis);
  if (size > ir::kMaxMade) return c.Fail(Unsupported("steps of {} in {} elements", step, size));
  std::vector<int64_t> positions, sources;
  for (int64_t i = 0; i < size; ++i) sources.push_back(i);
  for (int64_t i = start; i < end; i += std::min(step, size)) {
    sources[static_cast<size_t>(i)] = size + static_cast<int64_t>(positions.size());
    positions.push_back(i);
  }
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return build.SliceSteps(base, axis, start, end, step);
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    return build.Gather(build.Concat({base, part}, axis), build.Integers(sources), axis);
  };
  c.ReturnView(read(c.build, x), read, write);
  MarkSpread(c);
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
    if (size == ir::kDynamic && step == 1) return ReturnRange(c, x, axis, start, end);
    if (size != ir::kDynamic && step >= 1) {
      const auto bounded = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + size : v, 0, size); };
      const int64_t first = bounded(start), behind = std::max(bounded(end), first);
      return step == 1 ? ReturnRange(c, x, axis, first, behind)
                       : ReturnSteps(c, x, axis, first, behind, step);
    }
  }
  const auto bound = [&](size_t i, int64_t otherwise) {
    return c.IntegerTensor(c.Has(i) ? c.arg(i) : Value::Int(otherwise));
  };
  const ir::ValueId first = bound(2, 0), behind = bound(3, kToTheEnd);
  if (step < 1) return c.Fail(Invalid("steps of {}", step));
  ReturnOpenRange(c, x, axis, first, behind, step);
}

// A start below 0 counts from the end.
void NarrowOpen(OpContext& c, ir::ValueId x, int axis) {
  const ir::ValueId given = c.IntegerTensor(c.arg(2)), zero = c.Integers({0});
  const ir::ValueId size = c.build.SizesOf(x, axis, axis + 1);
  const ir::ValueId start = c.build.Select({c.build.Less(given, zero), c.build.Add(given, size), given});
  const ir::ValueId end = c.build.Add(start, c.IntegerTensor(c.arg(3)));
  ReturnOpenRange(c, x, axis, start, end);
}

// (self, dim, start, length)
void ImportNarrow(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const int64_t size = c.dim(x, axis);
  if (!c.arg(2).is_known_int() || !c.arg(3).is_known_int()) return NarrowOpen(c, x, axis);
  int64_t start = c.Int(2, 0);
  const int64_t length = c.Int(3, 0);
  if (size == ir::kDynamic) {
    const bool is_from_front = start >= 0 && length >= 0 && start <= kMaxIndex && length <= kMaxIndex;
    return is_from_front ? ReturnRange(c, x, axis, start, start + length) : NarrowOpen(c, x, axis);
  }
  if (start < 0) start += size;
  if (start < 0 || length < 0 || start > size || length > size - start)
    return c.Fail(Invalid("{} elements from {} on of {}", length, start, size));
  ReturnRange(c, x, axis, start, start + length);
}

// Element `index` of an axis, which is gone then.
Value ElementView(OpContext& c, ir::ValueId x, int axis, int64_t index) {
  const int64_t behind = index == -1 ? kToTheEnd : index + 1;
  const ir::ValueId y = c.Onnx("Gather", {x, c.build.Integer(index)}, {{"axis", int64_t{axis}}});
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return build.DropDim(build.Slice(base, axis, index, behind), axis);
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    return Replace(build, base, build.InsertDim(part, axis), axis, index, behind);
  };
  return PartAlong(c, axis, c.View(y, read, write));
}

constexpr int64_t kMaxChosenFrom = 1 << 16;

// Element `index` of an axis, which a run chooses.
void ReturnChosen(OpContext& c, ir::ValueId x, int axis, ir::ValueId index) {
  const int rank = c.rank(x);
  const int64_t size = c.dim(x, axis);
  const ir::ValueId y = c.build.Gather(x, index, axis);
  if (size > kMaxChosenFrom) return c.ReturnView(y, nullptr, nullptr);
  const auto index_here = c.Later(index);
  const auto read = [=](ir::Builder& build, ir::ValueId base) {
    return build.Gather(base, index_here(), axis);
  };
  const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
    const ir::ValueId positions = build.Along(PositionsOf(build, base, axis), 0, rank - axis);
    const ir::ValueId given = index_here();
    const ir::ValueId is_from_end = build.Less(given, build.Integer(0));
    const ir::ValueId count = build.Reshape(SizeOfAxis(build, base, axis), {});
    const ir::ValueId wrapped = build.Add(given, count);
    const ir::ValueId at = build.Select({is_from_end, wrapped, given});
    const ir::ValueId is_it = build.Equal(positions, at);
    return build.Select({is_it, build.InsertDim(part, axis), base});
  };
  c.ReturnValue(PartAlong(c, axis, c.View(y, read, write)));
}

// (self, dim, index)
void ImportSelect(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), axis = c.Axis(1, rank, 0);
  const int64_t size = c.dim(x, axis);
  if (!c.arg(2).is_known_int()) {
    const ir::ValueId index = c.build.Reshape(c.CastTo(c.TensorAt(2), DType::kInt64), {});
    return ReturnChosen(c, x, axis, index);
  }
  const int64_t given = c.Int(2, 0);
  // Each sequence has a first step.
  const std::shared_ptr<Tensor>& sequences = c.arg(0).tensor->sequences;
  if (sequences != nullptr && given == 0)
    return c.Return(c.build.Reshape(c.TensorOf(Value::OfTensor(sequences)), {}));
  const int64_t index = given < 0 && size != ir::kDynamic ? given + size : given;
  const bool is_beyond =
      size != ir::kDynamic ? index < 0 || index >= size : index > kMaxIndex || index < -kMaxIndex;
  if (is_beyond) return c.Fail(Invalid("element {} of {}", given, size));
  c.ReturnValue(ElementView(c, x, axis, index));
}

// Parts of these sizes, which add up to the dimension.
void ReturnParts(OpContext& c, ir::ValueId x, int axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() == 1) return c.ReturnValue(Value::Sequence(Kind::kList, {c.arg(0)}));
  const std::vector<ir::ValueId> ids =
      c.OnnxMany("Split", {x, c.Integers(sizes)}, {{"axis", int64_t{axis}}}, sizes.size());
  if (!c.status().ok()) return;
  std::vector<Value> parts;
  int64_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    parts.push_back(RangeView(c, ids[i], axis, at, at + sizes[i]));
    at += sizes[i];
  }
  c.ReturnValue(Value::Sequence(Kind::kList, std::move(parts)));
}

// Parts of `size`, the last one perhaps smaller.
void ReturnPartsOf(OpContext& c, ir::ValueId x, int axis, int64_t size) {
  const int64_t total = c.FixedDim(x, axis);
  if (size < 1 || total / size > kMaxParts) return c.Fail(Invalid("parts of {} elements", size));
  std::vector<int64_t> sizes;
  for (int64_t left = total; left > 0; left -= size) sizes.push_back(std::min(left, size));
  ReturnParts(c, x, axis, sizes);
}

// (self, split_size or sizes, dim)
void ImportSplit(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  if (c.arg(1).is_sequence() && !CallArguments::IsKnown(c.arg(1))) {
    std::vector<Value> parts;
    const std::vector<ir::ValueId> ids = c.OnnxMany("Split", {x, c.IntegerTensor(c.arg(1))},
                                                    {{"axis", int64_t{axis}}}, c.arg(1).items->size());
    for (const ir::ValueId id : ids) parts.push_back(c.View(id, nullptr, nullptr));
    c.ReturnValue(Value::Sequence(Kind::kList, std::move(parts)));
  } else if (c.arg(1).is_sequence()) {
    ReturnParts(c, x, axis, c.Ints(1));
  } else {
    ReturnPartsOf(c, x, axis, c.Int(1, 1));
  }
}

// (self, chunks, dim)
void ImportChunk(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  const int64_t total = std::max<int64_t>(c.FixedDim(x, axis), 1);
  const int64_t chunks = std::clamp<int64_t>(c.Int(1, 1), 1, total);
  ReturnPartsOf(c, x, axis, (total + chunks - 1) / chunks);
}

// By sections or indices in argument 1: sizes that differ by at most 1.
void SplitAlong(OpContext& c, ir::ValueId x, int axis) {
  const int64_t total = c.FixedDim(x, axis);
  std::vector<int64_t> sizes;
  if (c.arg(1).is_sequence()) {
    int64_t at = 0;
    for (const int64_t index : c.Ints(1)) {
      if (index < 0 || index > total)
        return c.Fail(Unsupported("a part up to element {} of {}", index, total));
      sizes.push_back(index - at);
      at = index;
    }
    sizes.push_back(total - at);
  } else {
    const int64_t sections = std::clamp<int64_t>(c.Int(1, 1), 1, std::max<int64_t>(total, 1));
    if (sections > kMaxParts) return c.Fail(Unsupported("{} parts", sections));
    for (int64_t i = 0; i < sections; ++i) sizes.push_back(total / sections + (i < total % sections ? 1 : 0));
  }
  ReturnParts(c, x, axis, sizes);
}

// (self, sections or indices, dim)
void ImportTensorSplit(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  SplitAlong(c, x, c.Axis(2, c.rank(x), 0));
}

// (self, sections or indices); a vector has one axis
template <int axis>
void ImportSplitAlong(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  SplitAlong(c, x, c.rank(x) == 1 ? 0 : axis);
}

// (self, dim)
void ImportUnbind(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(1, c.rank(x), 0);
  const int64_t size = c.FixedDim(x, axis);
  if (size > kMaxParts) return c.Fail(Unsupported("{} parts", size));
  std::vector<Value> parts;
  for (int64_t i = 0; i < size; ++i) parts.push_back(ElementView(c, x, axis, i));
  c.ReturnValue(Value::Sequence(Kind::kList, std::move(parts)));
}

constexpr int64_t kMaxWritten = 1 << 20;  // elements, all positions of which become a constant

}  // namespace

void ReturnPicked(OpContext& c, ir::ValueId x, const std::function<ir::ValueId(ir::ValueId)>& pick) {
  const ir::Value whole = c.value(x);
  const ir::ValueId y = pick(x);
  c.ReturnView(y, nullptr, nullptr);
  const bool can_write = c.status().ok() && whole.is_static() && whole.elements() <= kMaxWritten;
  if (can_write) {
    std::vector<int64_t> all(static_cast<size_t>(whole.elements()));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int64_t> shape = whole.shape;
    const auto positions = c.Later(pick(c.build.Constant(shape, all)));
    const auto read = [=](ir::Builder& build, ir::ValueId base) {
      return build.Gather(build.Reshape(base, {ir::kInferDim}), positions(), 0);
    };
    const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
      const ir::ValueId flat = build.Reshape(base, {ir::kInferDim});
      const ir::ValueId changed = build.Add(
          schema::ScatterElementsOptionsT(),
          {flat, build.Reshape(positions(), {ir::kInferDim}), build.Reshape(part, {ir::kInferDim})});
      return build.Reshape(changed, std::vector<int32_t>(shape.begin(), shape.end()));
    };
    c.ReturnView(y, read, write);
  }
  MarkReordered(c);
}

const ImporterList SliceOps = {
    {"chunk", "self chunks dim", ImportChunk},
    {"dsplit", "self indices_or_sections", ImportSplitAlong<2>},
    {"hsplit", "self indices_or_sections", ImportSplitAlong<1>},
    {"narrow", "self dim start length", ImportNarrow},
    {"select", "self dim index", ImportSelect},
    {"slice", "self dim start end step", ImportSliceOp},
    {"split", "self split_size dim", ImportSplit},
    {"split_with_sizes", "self split_sizes dim", ImportSplit},
    {"tensor_split", "self indices_or_sections dim", ImportTensorSplit},
    {"unbind", "self dim", ImportUnbind},
    {"unsafe_chunk", "self chunks dim", ImportChunk},
    {"unsafe_split", "self split_size dim", ImportSplit},
    {"vsplit", "self indices_or_sections", ImportSplitAlong<0>},
};

}  // namespace micrort::frontend::torchscript
