// Operators that choose elements, or make a row of them.

#include <algorithm>

#include "converter/ir/size/size_function.h"

namespace micrort::ir::size {

Status SizesOfGather(SizeCall& call) {
  if (!call.has(0) || !call.has(1)) return Status();
  const int rank = call.rank(0);
  const int64_t axis = AxisOf(call.options<schema::GatherOptionsT>().axis, rank);
  if (!IsAxis(axis, rank)) return Status();
  const std::vector<Expr>& data = call.in(0).shape;
  std::vector<Expr> shape(data.begin(), data.begin() + axis);
  shape.insert(shape.end(), call.in(1).shape.begin(), call.in(1).shape.end());
  shape.insert(shape.end(), data.begin() + axis + 1, data.end());
  if (!shape.empty()) shape.back() = shape.back() * Expr(call.elements_in_byte(0));
  call.out().SetShape(std::move(shape));
  const Numbers* indices = call.values(1);
  const std::optional<int64_t> size = call.dim(0, static_cast<int>(axis)).constant();
  call.out().is_float = call.in(0).is_float;
  if (rank != 1 || indices == nullptr || !size || call.values(0) == nullptr) return Status();
  Numbers values;
  for (const Number& index : *indices) {
    const std::optional<int64_t> at = index.integer().constant();
    const int64_t place = at ? AxisOf(*at, static_cast<int>(*size)) : -1;
    values.push_back(place >= 0 && place < *size ? (*call.values(0))[static_cast<size_t>(place)] : Number());
  }
  call.out().values = std::move(values);
  return Status();
}

Status SizesOfGatherND(SizeCall& call) {
  if (!call.has(0) || !call.has(1) || call.rank(1) == 0) return Status();
  const std::optional<int64_t> length = call.dim(1, -1).constant();
  const int64_t batch = call.options<schema::GatherNDOptionsT>().batch_dims;
  if (!length || *length < 0 || batch < 0 || batch + *length > call.rank(0) || batch > call.rank(1))
    return Status();
  const std::vector<Expr>&data = call.in(0).shape, &indices = call.in(1).shape;
  std::vector<Expr> shape(indices.begin(), indices.end() - 1);
  for (size_t d = 0; d < static_cast<size_t>(batch) && d < shape.size(); ++d) {
    MICRORT_RETURN_IF_ERROR(call.RequireEqual(shape[d], data[d], "batch dimensions", &shape[d]));
  }
  shape.insert(shape.end(), data.begin() + batch + *length, data.end());
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfTopK(SizeCall& call) {
  if (!call.has(0)) return Status();
  std::vector<Expr> shape = call.in(0).shape;
  const int64_t axis = AxisOf(call.options<schema::TopKOptionsT>().axis, call.rank(0));
  if (!IsAxis(axis, call.rank(0))) return Status();
  const Numbers* k = call.values(1);
  shape[static_cast<size_t>(axis)] = k != nullptr && k->size() == 1 ? (*k)[0].integer() : Expr::Unknown();
  const Expr& largest = shape[static_cast<size_t>(axis)];
  call.NeedAtMost(largest, call.dim(0, static_cast<int>(axis)));
  call.NeedAtMost(0, largest);
  for (size_t i = 0; i < call.output_count(); ++i) call.out(i).SetShape(shape);
  return Status();
}

Status SizesOfRange(SizeCall& call) {
  const auto scalar = [&](size_t i) {
    const Numbers* numbers = call.values(i);
    return numbers != nullptr && numbers->size() == 1 ? (*numbers)[0] : Number();
  };
  const Number start = scalar(0), limit = scalar(1), delta = scalar(2);
  const std::optional<int64_t> step = delta.integer().constant();
  const Expr from = start.integer(), to = limit.integer();
  Expr count = Expr::Unknown();
  if (step && *step > 0) count = Max(CeilDiv(to - from, *step), 0);
  if (step && *step < 0 && *step > INT32_MIN) count = Max(CeilDiv(from - to, -*step), 0);
  call.out().SetShape({count});
  const std::optional<int64_t> known = count.constant();
  call.out().is_float = call.has(0) && call.in(0).is_float;
  if (!known || *known > kMaxValues) return Status();
  Numbers values;
  for (int64_t i = 0; i < *known; ++i) values.emplace_back(from + Expr(i) * Expr(*step));
  call.out().values = std::move(values);
  return Status();
}

Status SizesOfNonZero(SizeCall& call) {
  if (call.has(0)) call.out().SetShape({Expr(call.rank(0)), Expr::Unknown()});
  return Status();
}

Status SizesOfRandom(SizeCall& call) {
  const Numbers* target = call.values(0);
  if (target == nullptr) return Status();
  std::vector<Expr> shape;
  for (const Number& n : *target)
    shape.push_back(n.integer().range().least < 0 ? Expr::Unknown() : n.integer());
  call.out().SetShape(std::move(shape));
  return Status();
}

// As far as the source model says; see CustomOutput in the schema.
Status SizesOfCustom(SizeCall& call) {
  const auto o = call.options<schema::CustomOptionsT>();
  for (size_t i = 0; i < o.outputs.size() && i < call.output_count(); ++i) {
    if (o.outputs[i]->dtype == schema::DType::Unknown) continue;
    std::vector<Expr> shape;
    for (const int32_t dim : o.outputs[i]->shape) {
      constexpr int kMostDims = 8;
      const int source = -2 - dim, input = source / kMostDims;
      const bool is_copy = dim <= -2 && call.has(static_cast<size_t>(input));
      if (dim >= 0) shape.emplace_back(dim);
      if (dim < 0)
        shape.push_back(is_copy ? call.dim(static_cast<size_t>(input), source % kMostDims) : Expr::Unknown());
    }
    call.out(i).SetShape(std::move(shape));
  }
  return Status();
}

}  // namespace micrort::ir::size
