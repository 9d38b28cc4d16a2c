#include "converter/frontend/torchscript/whole_numbers.h"

namespace micrort::frontend::torchscript {

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
