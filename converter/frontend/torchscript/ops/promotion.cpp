#include "converter/frontend/torchscript/ops/promotion.h"

#include <algorithm>

#include "converter/frontend/torchscript/numbers.h"

namespace micrort::frontend::torchscript {

namespace {

int CategoryOf(DType dtype) { return IsFloatType(dtype) ? 2 : dtype == DType::kBool ? 0 : 1; }

// How much a type can hold, in its category.
int WidthOf(DType dtype) {
  switch (dtype) {
    case DType::kUInt8:
      return 0;
    case DType::kInt8:
      return 1;
    case DType::kInt16:
      return 2;
    case DType::kInt32:
      return 3;
    case DType::kInt64:
      return 4;
    case DType::kFloat16:
      return 5;
    case DType::kBFloat16:
      return 5;
    case DType::kFloat32:
      return 6;
    case DType::kFloat64:
      return 7;
    default:
      return -1;
  }
}

DType Wider(DType a, DType b) {
  if (a == DType::kUnknown) return b;
  if (b == DType::kUnknown || a == b) return a;
  if (CategoryOf(a) != CategoryOf(b)) return CategoryOf(a) > CategoryOf(b) ? a : b;
  const bool mixes_signs = std::min(WidthOf(a), WidthOf(b)) == 0 && std::max(WidthOf(a), WidthOf(b)) == 1;
  if (mixes_signs) return DType::kInt16;
  if (WidthOf(a) == WidthOf(b)) return DType::kFloat32;  // the two kinds of halves
  return WidthOf(a) > WidthOf(b) ? a : b;
}

}  // namespace

bool IsFloatType(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16 ||
         dtype == DType::kFloat64;
}

bool IsIntegerType(DType dtype) { return !IsFloatType(dtype) && dtype != DType::kBool; }

DType PromotedType(OpContext& c, const std::vector<Value>& values) {
  DType with_dims = DType::kUnknown, scalars = DType::kUnknown, numbers = DType::kUnknown;
  for (const Value& v : values) {
    if (v.is_tensor()) {
      const ir::ValueId id = c.TensorOf(v);
      DType* into = c.rank(id) > 0 ? &with_dims : &scalars;
      *into = Wider(*into, c.dtype(id));
    } else {
      numbers = Wider(numbers, v.Is(Kind::kFloat)  ? DType::kFloat32
                               : v.Is(Kind::kBool) ? DType::kBool
                                                   : DType::kInt64);
    }
  }
  DType result = with_dims;
  for (const DType lower : {scalars, numbers}) {
    if (lower == DType::kUnknown) continue;
    if (result == DType::kUnknown || CategoryOf(lower) > CategoryOf(result)) result = lower;
  }
  return result;
}

std::vector<ir::ValueId> Promoted(OpContext& c, const std::vector<Value>& values) {
  const DType dtype = PromotedType(c, values);
  std::vector<ir::ValueId> ids;
  for (const Value& v : values) {
    const bool is_number = v.is_scalar() && !v.is_computed();
    ids.push_back(is_number ? NumberAs(c, dtype, v) : c.CastTo(c.TensorOf(v), dtype));
  }
  return ids;
}

std::vector<ir::ValueId> PromotedWithNumber(OpContext& c) {
  const Value& other = c.arg(1);
  const bool is_constant =
      other.is_tensor() && other.tensor != nullptr && other.tensor->name.compare(0, 10, "CONSTANTS.") == 0;
  if (!is_constant || c.rank(c.TensorAt(1)) > 0) return Promoted(c, {c.arg(0), other});
  const DType dtype = c.dtype(c.TensorAt(1));
  const Value number = IsFloatType(dtype)      ? Value::Float(0)
                       : dtype == DType::kBool ? Value::Bool(false)
                                               : Value::Int(0);
  const DType promoted = PromotedType(c, {c.arg(0), number});
  return {c.CastTo(c.TensorAt(0), promoted), c.CastTo(c.TensorAt(1), promoted)};
}

}  // namespace micrort::frontend::torchscript
