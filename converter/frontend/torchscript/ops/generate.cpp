// Tensors made of numbers.

#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// (end), (start, end), (start, end, step)
void ImportArange(OpContext& c) {
  size_t count = 0;
  while (count < 3 && c.Has(count)) ++count;
  const auto bound = [&](size_t i) { return c.arg(i); };
  const Value start = count > 1 ? bound(0) : Value::Int(0), end = bound(count > 1 ? 1 : 0);
  const Value step = count > 2 ? bound(2) : Value::Int(1);
  const DType own = PromotedType(c, {start, end, step});
  const DType dtype = c.Type(3, own == DType::kFloat64 ? DType::kFloat32 : own);
  const auto scalar = [&](const Value& v) {
    return v.is_scalar() && !v.is_computed() ? NumberAs(c, dtype, v) : c.CastTo(c.TensorOf(v), dtype);
  };
  c.Return(c.Onnx("Range", {scalar(start), scalar(end), scalar(step)}));
}

// (start, end, steps)
void ImportLinspace(OpContext& c) {
  const double start = c.Float(0, 0), end = c.Float(1, 0);
  const int64_t steps = c.Int(2, 100);
  if (steps < 0 || steps > ir::kMaxMade) return c.Fail(Invalid("{} steps", steps));
  std::vector<float> values;
  for (int64_t i = 0; i < steps; ++i) {
    const double at = steps == 1 ? 0 : static_cast<double>(i) / static_cast<double>(steps - 1);
    values.push_back(static_cast<float>(start + (end - start) * at));
  }
  c.Return(c.CastTo(c.build.Constant({steps}, values), c.Type(3, DType::kFloat32)));
}

// (size, ..., dtype)
void ImportZeros(OpContext& c) { c.Return(c.Filled(c.Type(1, DType::kFloat32), c.arg(0), 0)); }
void ImportOnes(OpContext& c) { c.Return(c.Filled(c.Type(1, DType::kFloat32), c.arg(0), 1)); }

DType TypeOfNumber(const Value& v) {
  return v.Is(Kind::kBool) ? DType::kBool : v.Is(Kind::kInt) ? DType::kInt64 : DType::kFloat32;
}

// (size, fill_value, dtype)
void ImportFull(OpContext& c) {
  const Value& fill = c.arg(1);
  if (fill.is_tensor() || fill.is_computed()) {
    const ir::ValueId value = c.TensorAt(1);
    return c.Return(
        c.Onnx("Expand", {c.CastTo(value, c.Type(2, fill.is_tensor() ? c.dtype(value) : TypeOfNumber(fill))),
                          c.IntegerTensor(c.arg(0))}));
  }
  const DType dtype = c.Type(2, TypeOfNumber(fill));
  if (!fill.is_scalar()) return c.Return(c.Filled(dtype, c.arg(0), c.Float(1, 0)));
  c.Return(c.Onnx("Expand", {NumberAs(c, dtype, fill), c.IntegerTensor(c.arg(0))}));
}

// As large as argument 0, of its type or the given one.
void FillLike(OpContext& c, size_t type, double v) {
  const ir::ValueId x = c.TensorAt(0);
  const ir::ValueId scalar = c.Scalar(c.Type(type, c.dtype(x)), v);
  if (!c.value(x).is_static()) return c.Return(c.Onnx("Expand", {scalar, c.build.ShapeOf(x)}));
  c.Return(c.Onnx("Expand", {scalar, c.Integers(c.value(x).shape)}));
}

// (self, dtype)
void ImportZerosLike(OpContext& c) { FillLike(c, 1, 0); }
void ImportOnesLike(OpContext& c) { FillLike(c, 1, 1); }

// As large as `shape` says, with the number in an argument, which a run may decide.
void FillWith(OpContext& c, size_t value, DType dtype, ir::ValueId shape) {
  c.Return(c.Onnx("Expand", {c.CastTo(c.TensorAt(value), dtype), shape}));
}
bool IsKnownNumber(const OpContext& c, size_t i) { return !c.arg(i).is_tensor() && !c.arg(i).is_computed(); }

// As FillLike, with the number in argument 1.
void FillLikeWith(OpContext& c, size_t type) {
  if (IsKnownNumber(c, 1)) return FillLike(c, type, c.Float(1, 0));
  const ir::ValueId x = c.TensorAt(0);
  FillWith(c, 1, c.Type(type, c.dtype(x)), c.build.ShapeOf(x));
}
// (self, fill_value, dtype)
void ImportFullLike(OpContext& c) { FillLikeWith(c, 2); }
// (self, value): in place, all elements
void ImportFill(OpContext& c) { FillLikeWith(c, 9); }
void ImportZero(OpContext& c) { FillLike(c, 9, 0); }

// (self, size, dtype)
void ImportNewZeros(OpContext& c) { c.Return(c.Filled(c.Type(2, c.dtype(c.TensorAt(0))), c.arg(1), 0)); }
void ImportNewOnes(OpContext& c) { c.Return(c.Filled(c.Type(2, c.dtype(c.TensorAt(0))), c.arg(1), 1)); }
// (self, size, fill_value, dtype)
void ImportNewFull(OpContext& c) {
  const DType dtype = c.Type(3, c.dtype(c.TensorAt(0)));
  if (!IsKnownNumber(c, 2)) return FillWith(c, 2, dtype, c.IntegerTensor(c.arg(1)));
  c.Return(c.Filled(dtype, c.arg(1), c.Float(2, 0)));
}

// (n, m, dtype)
void ImportEye(OpContext& c) {
  const int64_t n = c.Int(0, 1), m = c.Has(1) ? c.Int(1, 1) : n;
  constexpr int64_t kMaxSide = 1 << 12;
  if (n < 1 || m < 1 || n > kMaxSide || m > kMaxSide) return c.Fail(Unsupported("a matrix of {}x{}", n, m));
  std::vector<float> matrix(static_cast<size_t>(n * m), 0.0f);
  for (int64_t i = 0; i < n && i < m; ++i) matrix[static_cast<size_t>(i * m + i)] = 1;
  c.Return(c.CastTo(c.build.Constant({n, m}, matrix), c.Type(2, DType::kFloat32)));
}

// (data, dtype): a number or lists of them
void Flatten(OpContext& c, const Value& v, size_t depth, std::vector<int64_t>* shape,
             std::vector<Value>* out) {
  if (!v.is_sequence()) {
    out->push_back(v);
    return;
  }
  const auto size = static_cast<int64_t>(v.items->size());
  if (shape->size() == depth) shape->push_back(size);
  if ((*shape)[depth] != size) c.Fail(Invalid("lists of different lengths"));
  for (const Value& item : *v.items) Flatten(c, item, depth + 1, shape, out);
}

void ImportTensor(OpContext& c) {
  if (c.arg(0).is_tensor()) {
    const ir::ValueId x = c.TensorAt(0);
    return c.Return(c.CastTo(x, c.Type(1, c.dtype(x))));
  }
  std::vector<int64_t> shape;
  std::vector<Value> items;
  Flatten(c, c.arg(0), 0, &shape, &items);
  const DType dtype = c.Type(1, items.empty() ? DType::kFloat32 : PromotedType(c, items));
  if (items.empty() || (shape.empty() && !items[0].is_computed()))
    return c.Return(items.empty() ? c.Filled(dtype, Value::Ints(shape), 0) : NumberAs(c, dtype, items[0]));
  std::vector<ir::ValueId> parts;
  for (const Value& item : items) {
    const ir::ValueId id =
        item.is_computed() || item.is_tensor() ? c.CastTo(c.TensorOf(item), dtype) : NumberAs(c, dtype, item);
    parts.push_back(c.build.Reshape(id, {1}));
  }
  const ir::ValueId flat = parts.size() == 1 ? parts[0] : c.build.Concat(parts, 0);
  c.Return(c.build.Reshape(flat, std::vector<int32_t>(shape.begin(), shape.end())));
}

// (s, dtype)
void ImportScalarTensor(OpContext& c) { c.Return(c.CastTo(c.TensorAt(0), c.Type(1, DType::kFloat32))); }

constexpr char kSize[] = "size dtype layout device pin_memory memory_format";
constexpr char kLike[] = "self dtype layout device pin_memory memory_format";
constexpr char kNew[] = "self size dtype layout device pin_memory";

}  // namespace

const ImporterList GenerateOps = {
    {"_shape_as_tensor", "self", [](OpContext& c) { c.Return(c.build.ShapeOf(c.TensorAt(0))); }},
    {"arange", "a b c dtype layout device pin_memory", ImportArange},
    {"as_tensor", "data dtype device", ImportTensor},
    {"empty", kSize, ImportZeros},
    {"empty_like", kLike, ImportZerosLike},
    {"eye", "n m dtype layout device pin_memory", ImportEye},
    {"fill", "self value", ImportFill},
    {"full", "size fill_value dtype layout device pin_memory", ImportFull},
    {"full_like", "self fill_value dtype layout device pin_memory memory_format", ImportFullLike},
    {"linspace", "start end steps dtype layout device pin_memory", ImportLinspace},
    {"new_empty", kNew, ImportNewZeros},
    {"new_full", "self size fill_value dtype layout device pin_memory", ImportNewFull},
    {"new_ones", kNew, ImportNewOnes},
    {"new_zeros", kNew, ImportNewZeros},
    {"ones", kSize, ImportOnes},
    {"ones_like", kLike, ImportOnesLike},
    {"scalar_tensor", "s dtype layout device pin_memory", ImportScalarTensor},
    {"tensor", "data dtype device requires_grad", ImportTensor},
    {"zero", "self", ImportZero},
    {"zeros", kSize, ImportZeros},
    {"zeros_like", kLike, ImportZerosLike},
};

}  // namespace micrort::frontend::torchscript
