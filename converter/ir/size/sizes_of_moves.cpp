// Operators that move elements: the sizes of their outputs, and, of few elements, where each comes from.

#include <algorithm>
#include <functional>

#include "converter/ir/build.h"
#include "converter/ir/size/size_function.h"

namespace micrort::ir::size {

namespace {

using Index = std::vector<int64_t>;

// Constant dimensions of few elements; empty where there are more, or some are open.
std::optional<Index> SmallShape(const SizedTensor& t) {
  const std::optional<int64_t> count = t.elements();
  if (!count || *count > kMaxValues) return std::nullopt;
  Index shape;
  for (const Expr& dim : t.shape) shape.push_back(*dim.constant());
  return shape;
}

int64_t FlatIndex(const Index& shape, const Index& at) {
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + at[d];
  return flat;
}

// Values of an output of constant shape, each taken from the element of the input that `source_of` names.
void MoveValues(const SizedTensor& in, const std::function<Index(const Index&)>& source_of,
                SizedTensor* out) {
  const std::optional<Index> from = SmallShape(in), to = SmallShape(*out);
  out->is_float = in.is_float;
  if (!in.values || !from || !to) return;
  Numbers values;
  Index at(to->size(), 0);
  const int64_t count = *out->elements();
  for (int64_t i = 0; i < count; ++i) {
    const auto flat = static_cast<size_t>(FlatIndex(*from, source_of(at)));
    values.push_back(flat < in.values->size() ? (*in.values)[flat] : Number());
    for (size_t d = to->size(); d-- > 0 && ++at[d] == (*to)[d];) at[d] = 0;
  }
  out->values = std::move(values);
}

void KeepValues(const SizedTensor& in, SizedTensor* out) {
  out->is_float = in.is_float;
  if (in.values && out->elements() == static_cast<int64_t>(in.values->size())) out->values = in.values;
}

// Integers that an operand or the options say; nothing where their number is not known.
std::optional<std::vector<Expr>> IntegersOf(const SizeCall& call, size_t input) {
  const Numbers* numbers = call.values(input);
  if (numbers == nullptr) return std::nullopt;
  std::vector<Expr> integers;
  for (const Number& n : *numbers) integers.push_back(n.integer());
  return integers;
}

template <typename T>
std::vector<Expr> ExprsOf(const std::vector<T>& list) {
  return std::vector<Expr>(list.begin(), list.end());
}

// As many unknown dimensions as an operand of one dimension has elements.
void SetRankFrom(SizeCall& call, size_t input) {
  if (!call.has(input)) return;
  const std::optional<int64_t> count = call.in(input).elements();
  constexpr int64_t kMostDims = 8;
  if (count && *count <= kMostDims) {
    call.out().SetShape(std::vector<Expr>(static_cast<size_t>(*count), Expr::Unknown()));
  }
}

Expr Product(const std::vector<Expr>& dims) {
  Expr product = 1;
  for (const Expr& dim : dims) product = product * dim;
  return product;
}

}  // namespace

Status SizesOfShape(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::ShapeOptionsT>();
  const int rank = call.rank(0);
  const auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const int64_t start = clamp(o.start), end = std::max(clamp(o.end), start);
  Numbers values;
  for (int64_t d = start; d < end; ++d) values.emplace_back(call.dim(0, static_cast<int>(d)));
  call.out().SetShape({Expr(end - start)});
  call.out().values = std::move(values);
  return Status();
}

Status SizesOfReshape(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::ReshapeOptionsT>();
  const bool in_options = !call.has(1);
  std::vector<Expr> target;
  if (in_options) {
    target = ExprsOf(o.shape);
  } else if (const auto integers = IntegersOf(call, 1)) {
    target = *integers;
  } else {
    SetRankFrom(call, 1);
    return Status();
  }
  int inferred = -1;
  bool is_stated = true;
  bool is_open = false;  // what is not known may be -1 or, for a copy, 0
  for (size_t i = 0; i < target.size(); ++i) {
    Expr& dim = target[i];
    const std::optional<int64_t> value = dim.constant();
    if (value == -1) {
      inferred = static_cast<int>(i);
      dim = 1;
    } else if (value == 0 && !in_options && !o.allow_zero) {
      dim = call.dim(0, static_cast<int>(i));
    } else if (value && *value <= -2 && in_options) {
      dim = call.dim(0, static_cast<int>(-2 - *value));
    } else if (!value && dim.range().least < 0) {
      dim = Expr::Unknown();
      is_open = true;
    }
  }
  const Expr elements = Product(call.in(0).shape), others = Product(target);
  if (inferred >= 0 && !is_open && !in_options) {
    for (size_t i = 0; i < target.size(); ++i) {
      // No source infers a dimension beside one of size 0; where that copies the input's, it may be this.
      const bool is_copied = target[i] == call.dim(0, static_cast<int>(i));
      if (is_copied) continue;
      // Where no rule says so, what becomes of a 0 is for the operator to say.
      bool is_positive = false;
      MICRORT_RETURN_IF_ERROR(call.RequirePositive(target[i], "a dimension beside -1", &is_positive));
      is_stated = is_stated && is_positive;
    }
  }
  // A computed 0 is no size of 0 where it copies.
  for (size_t i = 0; i < target.size() && !in_options && !o.allow_zero; ++i) {
    if (target[i] != call.dim(0, static_cast<int>(i))) call.NeedAtMost(1, target[i]);
  }
  if (inferred >= 0) {
    if (!is_open) call.NeedEqual(elements, FloorDiv(elements, others) * others);
    target[static_cast<size_t>(inferred)] =
        is_open || !is_stated ? Expr::Unknown() : FloorDiv(elements, others);
  } else if (!is_open) {
    MICRORT_RETURN_IF_ERROR(call.RequireEqual(elements, others, "the number of elements"));
  }
  for (Expr& dim : target) {
    if (!is_stated && !dim.constant()) dim = Expr::Unknown();
  }
  call.out().SetShape(std::move(target));
  KeepValues(call.in(0), &call.out());
  return Status();
}

Status SizesOfExpand(SizeCall& call) {
  if (!call.has(0)) return Status();
  std::vector<Expr> target;
  if (!call.has(1)) {
    for (const int32_t dim : call.options<schema::ExpandOptionsT>().shape) {
      target.push_back(dim <= -2 ? call.dim(0, -2 - dim) : Expr(dim));
    }
  } else if (const auto integers = IntegersOf(call, 1)) {
    target = *integers;
  } else {
    SetRankFrom(call, 1);
    if (call.out().has_rank && call.out().rank() < call.rank(0)) call.out() = SizedTensor();
    return Status();
  }
  std::vector<Expr> shape;
  MICRORT_RETURN_IF_ERROR(call.BroadcastTo(call.in(0).shape, target, &shape));
  call.out().SetShape(std::move(shape));
  const std::optional<Index> from = SmallShape(call.in(0));
  MoveValues(
      call.in(0),
      [&](const Index& at) {
        Index source(at.end() - static_cast<std::ptrdiff_t>(from->size()), at.end());
        for (size_t d = 0; d < source.size(); ++d) source[d] = (*from)[d] == 1 ? 0 : source[d];
        return source;
      },
      &call.out());
  return Status();
}

Status SizesOfTile(SizeCall& call) {
  if (!call.has(0)) return Status();
  std::vector<Expr> repeats(call.in(0).shape.size(), Expr::Unknown());
  if (!call.has(1)) {
    repeats = ExprsOf(call.options<schema::TileOptionsT>().repeats);
  } else if (const auto integers = IntegersOf(call, 1)) {
    repeats = *integers;
  }
  if (repeats.size() != call.in(0).shape.size()) return Status();
  std::vector<Expr> shape;
  for (size_t d = 0; d < repeats.size(); ++d) shape.push_back(call.in(0).shape[d] * repeats[d]);
  call.out().SetShape(std::move(shape));
  const std::optional<Index> from = SmallShape(call.in(0));
  MoveValues(
      call.in(0),
      [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) at[d] %= std::max<int64_t>((*from)[d], 1);
        return at;
      },
      &call.out());
  return Status();
}

Status SizesOfTranspose(SizeCall& call) {
  const std::vector<int32_t> permutation = call.options<schema::TransposeOptionsT>().permutation;
  if (!call.has(0) || permutation.size() != call.in(0).shape.size()) return Status();
  std::vector<Expr> shape;
  for (const int32_t from : permutation) shape.push_back(call.dim(0, from));
  call.out().SetShape(std::move(shape));
  MoveValues(
      call.in(0),
      [&](const Index& at) {
        Index source(at.size());
        for (size_t d = 0; d < at.size(); ++d) source[static_cast<size_t>(permutation[d])] = at[d];
        return source;
      },
      &call.out());
  return Status();
}

namespace {

// Appends the elements of a part; unknown ones where only their number is known, as of what a caller gives.
bool AppendElements(const SizeCall& call, size_t i, Numbers* values) {
  if (const Numbers* known = call.values(i)) {
    values->insert(values->end(), known->begin(), known->end());
    return true;
  }
  const std::optional<int64_t> count =
      call.in(i).is_constant_shape() ? call.in(i).elements() : std::optional<int64_t>();
  if (!count || *count > kMaxValues) return false;
  values->resize(values->size() + static_cast<size_t>(*count));
  return true;
}

}  // namespace

Status SizesOfConcat(SizeCall& call) {
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (!call.has(i)) return Status();
  }
  const int rank = call.rank(0);
  const auto axis = static_cast<size_t>(AxisOf(call.options<schema::ConcatOptionsT>().axis, rank));
  std::vector<Expr> shape = call.in(0).shape;
  if (!IsAxis(static_cast<int64_t>(axis), rank)) return Status();
  Numbers values;
  bool has_values = rank == 1, knows_some = false;
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (call.rank(i) != rank) return Status();
    for (size_t d = 0; d < shape.size() && i > 0; ++d) {
      const Expr& dim = call.in(i).shape[d];
      if (d == axis) {
        shape[d] = shape[d] + dim;
      } else {
        MICRORT_RETURN_IF_ERROR(call.RequireEqual(shape[d], dim, "joined tensors", &shape[d]));
      }
    }
    has_values = has_values && AppendElements(call, i, &values);
    knows_some = knows_some || call.values(i) != nullptr;
  }
  call.out().SetShape(std::move(shape));
  call.out().is_float = call.in(0).is_float;
  if (has_values && knows_some && static_cast<int64_t>(values.size()) <= kMaxValues)
    call.out().values = std::move(values);
  return Status();
}

namespace {

struct SliceLists {
  std::vector<Expr> starts, ends, axes, steps;
};

// False if not even the axes are known.
bool ReadSlices(const SizeCall& call, SliceLists* lists) {
  const auto o = call.options<schema::SliceOptionsT>();
  if (!call.has(1)) {
    *lists = {ExprsOf(o.starts), ExprsOf(o.ends), ExprsOf(o.axes), ExprsOf(o.steps)};
    return true;
  }
  const std::optional<int64_t> count = call.in(1).elements();
  if (!count) return false;
  const std::vector<Expr> unknown(static_cast<size_t>(*count), Expr::Unknown());
  lists->starts = IntegersOf(call, 1).value_or(unknown);
  lists->ends = call.has(2) ? IntegersOf(call, 2).value_or(unknown) : unknown;
  if (call.has(3)) lists->axes = IntegersOf(call, 3).value_or(unknown);
  if (call.has(4)) lists->steps = IntegersOf(call, 4).value_or(unknown);
  return lists->ends.size() == unknown.size();
}

// Where Python's rules put a start or an end of steps forward.
Expr PlaceOf(const Expr& at, const Expr& size) {
  const Range range = at.range();
  if (at.is_unknown() || (range.least < 0 && range.most >= 0)) {
    const Expr wrapped = Choose(IsNonNegative(at), at, at + size);
    return Min(Max(wrapped, 0), size);
  }
  if (range.most < 0) return Max(at + size, 0);
  return Min(at, size);
}

// Backwards: from size - 1 down to -1.
Expr PlaceBackwards(const Expr& at, const Expr& size) {
  const Range range = at.range();
  if (range.most < 0) return Max(at + size, -1);
  return range.least >= 0 ? Min(at, size - 1) : Expr::Unknown();
}

}  // namespace

Status SizesOfSlice(SizeCall& call) {
  if (!call.has(0)) return Status();
  const SizedTensor& x = call.in(0);
  SliceLists lists;
  if (!ReadSlices(call, &lists)) {
    call.out().SetShape(std::vector<Expr>(x.shape.size(), Expr::Unknown()));
    return Status();
  }
  std::vector<Expr> shape = x.shape;
  Index first(shape.size(), 0), step(shape.size(), 1);
  bool is_fixed = true;
  for (size_t i = 0; i < lists.starts.size(); ++i) {
    const Expr axis_expr = lists.axes.empty() ? Expr(static_cast<int64_t>(i)) : lists.axes[i];
    if (!axis_expr.constant()) {
      call.out().SetShape(std::vector<Expr>(x.shape.size(), Expr::Unknown()));
      return Status();
    }
    const int64_t axis = AxisOf(*axis_expr.constant(), x.rank());
    if (!IsAxis(axis, x.rank())) return Status();
    const auto d = static_cast<size_t>(axis);
    const int64_t by = lists.steps.empty() ? 1 : lists.steps[i].constant().value_or(0);
    const Expr &size = x.shape[d], &from = lists.starts[i], &to = lists.ends[i];
    if (by > 0) {
      const Expr begin = PlaceOf(from, size);
      shape[d] = CeilDiv(Max(PlaceOf(to, size) - begin, 0), by);
      is_fixed = is_fixed && begin.constant();
      first[d] = begin.constant().value_or(0);
    } else if (by < 0 && by > INT32_MIN) {
      const Expr begin = PlaceBackwards(from, size);
      shape[d] = CeilDiv(Max(begin - PlaceBackwards(to, size), 0), -by);
      is_fixed = is_fixed && begin.constant();
      first[d] = begin.constant().value_or(0);
    } else {
      shape[d] = Expr::Unknown();
      is_fixed = false;
    }
    step[d] = by;
  }
  call.out().SetShape(std::move(shape));
  call.out().is_float = x.is_float;
  if (!is_fixed) return Status();
  MoveValues(
      x,
      [&](Index at) {
        for (size_t d = 0; d < at.size(); ++d) at[d] = first[d] + at[d] * step[d];
        return at;
      },
      &call.out());
  return Status();
}

Status SizesOfPad(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::PadOptionsT>();
  const size_t rank = call.in(0).shape.size();
  std::vector<Expr> pads = ExprsOf(o.pads);
  if (call.has(1)) pads = IntegersOf(call, 1).value_or(std::vector<Expr>(2 * rank, Expr::Unknown()));
  if (pads.size() != 2 * rank) return Status();
  std::vector<Expr> shape;
  for (size_t d = 0; d < rank; ++d) {
    shape.push_back(call.in(0).shape[d] + pads[d] + pads[rank + d]);
    if (!pads[d].is(0) || !pads[rank + d].is(0)) call.NeedAtMost(0, shape[d]);
  }
  call.out().SetShape(std::move(shape));
  return Status();
}

}  // namespace micrort::ir::size
