// Between floats and integers.

#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/tensor_types.h"

namespace micrort::frontend::onnx {

namespace {

// Inputs 1 and 2 and the attributes that say how they are meant.
LinearParams ReadParams(NodeContext& c) {
  return {c.input(1), c.input(2), c.Int("axis", 1), c.Int("block_size", 0)};
}

// The type that the attribute names, `otherwise` without it.
Status ReadOutputType(NodeContext& c, DType otherwise, DType* out) {
  const int64_t named = c.Int("output_dtype", 0);
  *out = named == 0 ? otherwise : DTypeOfOnnx(named);
  return *out != DType::kUnknown ? Status() : Unsupported("output_dtype {}", OnnxTypeName(named));
}

Status ImportQuantizeLinear(NodeContext& c) {
  c.Ignore({"saturate", "precision"});
  const LinearParams params = ReadParams(c);
  const bool has_zero_point = c.has_input(2);
  DType to = DType::kUnknown;
  MICRORT_RETURN_IF_ERROR(ReadOutputType(c, has_zero_point ? c.x(2).dtype : DType::kUInt8, &to));
  if (to != DType::kInt8 && to != DType::kUInt8 && to != DType::kInt16 && to != DType::kUInt16)
    return Unsupported("quantizing to {}", Name(to));
  return c.Return(Quantized(c, c.input(0), params, to, has_zero_point && c.x(2).is_four_bit));
}

Status ImportDequantizeLinear(NodeContext& c) {
  const LinearParams params = ReadParams(c);
  DType to = DType::kUnknown;
  MICRORT_RETURN_IF_ERROR(ReadOutputType(c, c.x(1).dtype, &to));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, Dequantized(c, c.input(0), params));
  return c.Return(c.build.As(y, to));
}

Status ImportDynamicQuantizeLinear(NodeContext& c) {
  DynamicallyQuantized quantized;
  MICRORT_RETURN_IF_ERROR(QuantizeDynamically(c, c.input(0), &quantized));
  c.SetOutput(1, quantized.scale);
  c.SetOutput(2, quantized.zero_point);
  return c.Return(quantized.y);
}

constexpr TypeSet kQuantizable = TypesOf(DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kInt32);
constexpr TypeSet kQuantized = kBytes | TypesOf(DType::kInt16, DType::kUInt16, DType::kInt32);

}  // namespace

const ImporterList QuantizeImporters = {
    {"DequantizeLinear", 2, 3, ImportDequantizeLinear,
     Types(kQuantized).Since(10).Without("float8; int4 and uint4 that are not constant")},
    {"DynamicQuantizeLinear", 1, 1, ImportDynamicQuantizeLinear, Types(kFloat32).Since(11)},
    {"QuantizeLinear", 2, 3, ImportQuantizeLinear, Types(kQuantizable).Since(10).Without("float8")},
    {"com.microsoft.DequantizeLinear", 2, 3, ImportDequantizeLinear, Types(kQuantized)},
    {"com.microsoft.QuantizeLinear", 2, 3, ImportQuantizeLinear, Types(kQuantizable)},
};

}  // namespace micrort::frontend::onnx
