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
Result<DType> ReadOutputType(NodeContext& c, DType otherwise) {
  const int64_t named = c.Int("output_dtype", 0);
  const DType type = named == 0 ? otherwise : DTypeOfOnnx(named);
  if (type == DType::kUnknown) return Unsupported("output_dtype {}", OnnxTypeName(named));
  return type;
}

Status ImportQuantizeLinear(NodeContext& c) {
  c.Ignore({"saturate", "precision"});
  const LinearParams params = ReadParams(c);
  const bool has_zero_point = c.has_input(2);
  MICRORT_ASSIGN_OR_RETURN(DType to, ReadOutputType(c, has_zero_point ? c.x(2).dtype : DType::kUInt8));
  if (to != DType::kInt8 && to != DType::kUInt8 && to != DType::kInt16 && to != DType::kUInt16)
    return Unsupported("quantizing to {}", Name(to));
  return c.Return(Quantized(c, c.input(0), params, to, has_zero_point && c.x(2).is_four_bit));
}

Status ImportDequantizeLinear(NodeContext& c) {
  const LinearParams params = ReadParams(c);
  MICRORT_ASSIGN_OR_RETURN(DType to, ReadOutputType(c, c.x(1).dtype));
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

using schema::ReduceKind;
using schema::UnaryKind;

}  // namespace

// 0 is in the range.
Status QuantizeDynamically(NodeContext& c, ir::ValueId x, DynamicallyQuantized* out) {
  const ir::ValueId zero = c.build.Scalar(0.0f);
  const std::vector<int32_t> axes = ir::AxesFrom(0, c.value(x).rank());
  const ir::ValueId max = c.build.Max(c.build.Reduce(ReduceKind::Max, x, axes, false), zero);
  const ir::ValueId min = c.build.Min(c.build.Reduce(ReduceKind::Min, x, axes, false), zero);
  const ir::ValueId range = c.build.Sub(max, min);
  // Where all of x is 0, any scale will do.
  const ir::ValueId is_empty = c.build.Equal(range, zero);
  const ir::ValueId step = c.build.Div(range, c.build.Scalar(255.0f));
  out->scale = c.build.Select({is_empty, c.build.Scalar(1.0f), step});
  const ir::ValueId below = c.build.Sub(zero, min);
  const ir::ValueId steps = c.build.Round(c.build.Div(below, out->scale));
  out->zero_point = c.build.Cast(c.build.Unary(UnaryKind::Clip, steps, 0.0f, 255.0f), DType::kUInt8);
  return Take(Quantized(c, x, {out->scale, out->zero_point}, DType::kUInt8, false), &out->y);
}

const ImporterList QuantizeImporters = {
    {"DequantizeLinear", 2, 3, ImportDequantizeLinear,
     Types(kQuantized).Since(10).Without("float8; int4 and uint4 that are not constant")},
    {"DynamicQuantizeLinear", 1, 1, ImportDynamicQuantizeLinear, Types(kFloat32).Since(11)},
    {"QuantizeLinear", 2, 3, ImportQuantizeLinear, Types(kQuantizable).Since(10).Without("float8")},
    {"com.microsoft.DequantizeLinear", 2, 3, ImportDequantizeLinear, Types(kQuantized)},
    {"com.microsoft.QuantizeLinear", 2, 3, ImportQuantizeLinear, Types(kQuantizable)},
};

}  // namespace micrort::frontend::onnx
