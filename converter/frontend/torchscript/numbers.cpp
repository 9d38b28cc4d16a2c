#include "converter/frontend/torchscript/numbers.h"

#include <limits>

#include "converter/frontend/common/text.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

namespace {

Result<Value> ConvertString(const std::string& text) {
  const double inf = std::numeric_limits<double>::infinity();
  const bool is_nan = text == "nan";
  if (!is_nan && text != "inf" && text != "-inf")
    return Unsupported("the string '{}' as a number", Shown(text));
  return Value::Float(is_nan ? std::numeric_limits<double>::quiet_NaN() : text[0] == '-' ? -inf : inf);
}

// Where the tensor is one known number.
std::optional<Value> KnownNumber(const ir::Value& tensor) {
  std::vector<int64_t> integers;
  std::vector<float> floats;
  const bool is_one = tensor.is_constant() && tensor.elements() == 1;
  if (is_one && tensor.dtype == DType::kFloat64) return Value::Float(*tensor.as<double>());
  if (is_one && tensor.dtype == DType::kBool) return Value::Int((*tensor.data)[0]);
  if (ir::AnyIntegersOf(tensor, &integers) && integers.size() == 1) return Value::Int(integers[0]);
  if (ir::FloatsOf(tensor, &floats) && floats.size() == 1) return Value::Float(floats[0]);
  return std::nullopt;
}

DType TypeFor(Kind kind, DType otherwise) {
  return kind == Kind::kBool ? DType::kBool : kind == Kind::kInt ? DType::kInt64 : otherwise;
}

}  // namespace

Result<Value> Numbers::Convert(Kind kind, const Value& value) {
  if (value.Is(Kind::kUnreachable)) return value;
  if (value.Is(Kind::kString) && kind == Kind::kFloat) return ConvertString(value.text);
  if (value.tensor != nullptr) return ConvertTensor(kind, value);
  if (!value.is_scalar()) return Unsupported("{} as a number", KindName(value.kind));
  if (kind == Kind::kFloat) return Value::Float(value.AsDouble());
  if (kind == Kind::kBool) return Value::Bool(value.AsDouble() != 0);
  const bool fits = value.number > -9.2e18 && value.number < 9.2e18;
  if (value.Is(Kind::kFloat) && !fits) return Invalid("a number does not fit 64 bits");
  return Value::Int(value.Is(Kind::kFloat) ? static_cast<int64_t>(value.number) : value.integer);
}

Result<Value> Numbers::ConvertTensor(Kind kind, const Value& value) {
  TensorTable& table = state_.table;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, table.Read(*value.tensor));
  const ir::Value& tensor = table.value(id);
  if (const std::optional<Value> known = KnownNumber(tensor)) return Convert(kind, *known);
  if (tensor.is_static() && tensor.elements() != 1)
    return Invalid("a tensor of {} elements as a number", tensor.elements());
  Value converted = value;
  converted.kind = kind;
  const DType wanted = TypeFor(kind, tensor.dtype);
  if (tensor.dtype == wanted) return converted;
  ir::Builder builder = table.assembler().BuilderFor({state_.NodeName("convert"), "aten::to", 0}, "convert");
  converted.tensor = table.Make(builder.Cast(id, wanted));
  return builder.Checked(converted);
}

Result<Value> Numbers::ElementOf(const Value& tensor) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, state_.table.Read(*tensor.tensor));
  const DType dtype = state_.table.value(id).dtype;
  const Kind kind = dtype == DType::kBool ? Kind::kBool : IsFloat(dtype) ? Kind::kFloat : Kind::kInt;
  return Convert(kind, tensor);
}

Result<std::optional<bool>> Numbers::Truth(const Value& value) {
  if (value.is_tensor() || value.is_computed()) {
    MICRORT_ASSIGN_OR_RETURN(const Value converted, Convert(Kind::kBool, value));
    return converted.is_computed() ? std::nullopt : std::optional<bool>(converted.integer != 0);
  }
  if (!value.is_scalar()) return Invalid("a condition is {}", KindName(value.kind));
  return std::optional<bool>(value.AsDouble() != 0);
}

bool IsWhole(DType dtype) {
  return dtype == DType::kUInt8 || dtype == DType::kInt8 || dtype == DType::kInt16 ||
         dtype == DType::kInt32 || dtype == DType::kInt64;
}

ir::ValueId WholeScalar(ir::Builder& builder, DType dtype, int64_t v) {
  switch (dtype) {
    case DType::kUInt8:
      return builder.Constant<uint8_t>({}, {static_cast<uint8_t>(v)});
    case DType::kInt8:
      return builder.Constant<int8_t>({}, {static_cast<int8_t>(v)});
    case DType::kInt16:
      return builder.Constant<int16_t>({}, {static_cast<int16_t>(v)});
    case DType::kInt32:
      return builder.Constant<int32_t>({}, {static_cast<int32_t>(v)});
    default:
      return builder.Integer(v);
  }
}

ir::ValueId NumberAs(OpContext& c, DType dtype, const Value& number) {
  const bool is_exact = IsWhole(dtype) && number.Is(Kind::kInt);
  return is_exact ? WholeScalar(c.build, dtype, number.integer) : c.Scalar(dtype, number.AsDouble());
}

}  // namespace micrort::frontend::torchscript
