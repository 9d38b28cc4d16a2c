// Operators on quantized tensors: what they mean is the operator on floats between Dequantize and Quantize.
// Passes make integer operators of that again.

#include <algorithm>
#include <initializer_list>

#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// The opset of ONNX's own operators that these stand for.
constexpr int kFloatOpset = 13;

// Zero points between these inputs may be left out.
Status Require(NodeContext& c, std::initializer_list<size_t> inputs) {
  for (const size_t i : inputs) {
    if (!c.has_input(i)) return Invalid("input {} is required, but absent", i);
  }
  return Status();
}

// Input `at` with its scale and zero point after it.
Result<ir::ValueId> Read(NodeContext& c, size_t at, int64_t axis) {
  return Dequantized(c, c.input(at), {c.input(at + 1), c.input(at + 2), axis});
}

// Output 0 becomes quantized by inputs `at` and `at` + 1.
Status Write(NodeContext& c, ir::ValueId y, ir::ValueId scale, ir::ValueId zero_point, DType otherwise) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const DType to = zero_point == ir::kNoValue ? otherwise : c.value(zero_point).dtype;
  return c.Return(Quantized(c, y, {scale, zero_point}, to, false));
}

// Lets ONNX's operator compute output 0 from `inputs`.
Status Run(NodeContext& c, const char* op, std::vector<ir::ValueId> inputs, int opset = kFloatOpset) {
  c.Delegate(std::move(inputs), opset);
  return FindImporter("", op)->import(c);
}

// int32 sums of products of two quantized tensors, as floats. Scales are one, or one a column, to which sums
// of fewer columns broadcast.
Result<ir::ValueId> ReadBias(NodeContext& c, size_t at, ir::ValueId x_scale, ir::ValueId w_scale) {
  const ir::ValueId scale = c.build.Mul(c.build.Reshape(x_scale, {}), w_scale);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::Value &sums = c.x(at), &scales = c.value(scale);
  const int64_t columns = sums.rank() == 0 ? 1 : sums.shape.back();
  if (scales.rank() == 1 && scales.shape[0] != 1 && scales.shape[0] != columns) {
    if (columns != 1) return Invalid("{} columns of C, {} scales", columns, scales.shape[0]);
    return c.build.Checked(c.build.Mul(c.build.Cast(c.input(at), DType::kFloat32), scale));
  }
  return Dequantized(c, c.input(at), {scale, ir::kNoValue, std::max(sums.rank() - 1, 0)});
}

Status ImportQLinearConv(NodeContext& c) {
  const ir::ValueId y_scale = c.input(6), y_zero_point = c.input(7);
  const DType type = c.x().dtype;
  std::vector<ir::ValueId> inputs(2);
  MICRORT_ASSIGN_OR_RETURN(inputs[0], Read(c, 0, 1));
  MICRORT_ASSIGN_OR_RETURN(inputs[1], Read(c, 3, 0));
  if (c.has_input(8)) {
    inputs.push_back(ir::kNoValue);
    MICRORT_ASSIGN_OR_RETURN(inputs[2], ReadBias(c, 8, c.input(1), c.input(4)));
  }
  MICRORT_RETURN_IF_ERROR(Run(c, "Conv", std::move(inputs)));
  return Write(c, c.outputs()[0], y_scale, y_zero_point, type);
}

// Vectors of scales are along the rows of a and the columns of b.
Status ImportQLinearMatMul(NodeContext& c) {
  const ir::ValueId y_scale = c.input(6), y_zero_point = c.input(7);
  const DType type = c.x().dtype;
  std::vector<ir::ValueId> inputs(2);
  MICRORT_ASSIGN_OR_RETURN(inputs[0], Read(c, 0, -2));
  MICRORT_ASSIGN_OR_RETURN(inputs[1], Read(c, 3, -1));
  MICRORT_RETURN_IF_ERROR(Run(c, "MatMul", std::move(inputs)));
  return Write(c, c.outputs()[0], y_scale, y_zero_point, type);
}

// Without a scale for the result, that is float32.
Status ImportQGemm(NodeContext& c) {
  const ir::ValueId y_scale = c.input(7), y_zero_point = c.input(8);
  const DType type = c.x().dtype;
  const float alpha = c.Float("alpha", 1.0f);
  std::vector<ir::ValueId> inputs(2);
  MICRORT_ASSIGN_OR_RETURN(inputs[0], Read(c, 0, 1));
  MICRORT_ASSIGN_OR_RETURN(inputs[1], Read(c, 3, c.Int("transB", 0) != 0 ? 0 : 1));
  if (c.has_input(6)) {
    inputs.push_back(ir::kNoValue);
    ir::ValueId x_scale = c.build.Mul(c.input(1), c.build.Scalar(alpha));
    MICRORT_ASSIGN_OR_RETURN(inputs[2], ReadBias(c, 6, x_scale, c.input(4)));
  }
  MICRORT_RETURN_IF_ERROR(Run(c, "Gemm", std::move(inputs)));
  return y_scale == ir::kNoValue ? Status() : Write(c, c.outputs()[0], y_scale, y_zero_point, type);
}

template <schema::BinaryKind kKind>
Status ImportQLinearBinary(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(Require(c, {3, 4, 6}));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId a, Read(c, 0, 1));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId b, Read(c, 3, 1));
  return Write(c, c.build.Binary(kKind, a, b), c.input(6), c.input(7), c.x().dtype);
}

// Scale and zero point of the result come first, then each input with its own.
Status ImportQLinearConcat(NodeContext& c) {
  const ir::ValueId y_scale = c.input(0), y_zero_point = c.input(1);
  if ((c.input_count() - 2) % 3 == 1)
    return Invalid("expected 2 inputs and 3 for each part, found {}", c.input_count());
  const DType type = c.x(2).dtype;
  std::vector<ir::ValueId> inputs;
  for (size_t i = 2; i < c.input_count(); i += 3) {
    MICRORT_RETURN_IF_ERROR(Require(c, {i, i + 1}));
    inputs.push_back(ir::kNoValue);
    MICRORT_ASSIGN_OR_RETURN(inputs.back(), Read(c, i, 1));
  }
  MICRORT_RETURN_IF_ERROR(Run(c, "Concat", std::move(inputs)));
  return Write(c, c.outputs()[0], y_scale, y_zero_point, type);
}

// y = op(x), with x, its scale and zero point, and those of the result.
Status ImportUnary(NodeContext& c, const char* op, int opset = kFloatOpset) {
  MICRORT_RETURN_IF_ERROR(Require(c, {3}));
  const ir::ValueId y_scale = c.input(3), y_zero_point = c.input(4);
  const DType type = c.x().dtype;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId x, Read(c, 0, 1));
  MICRORT_RETURN_IF_ERROR(Run(c, op, {x}, opset));
  return Write(c, c.outputs()[0], y_scale, y_zero_point, type);
}

// Pooling of [N,C,...], or of [N,...,C] where channels_last says so.
Status ImportPool(NodeContext& c, const char* op) {
  MICRORT_RETURN_IF_ERROR(Require(c, {3}));
  const ir::ValueId y_scale = c.input(3), y_zero_point = c.input(4);
  const DType type = c.x().dtype;
  const int rank = c.x().rank();
  const bool channels_last = c.Int("channels_last", 0) != 0 && rank > 2;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId x, Read(c, 0, 1));
  std::vector<int32_t> to_first = {0, rank - 1}, to_last = {0};
  for (int i = 1; i < rank - 1; ++i) to_first.push_back(i);
  for (int i = 2; i < rank; ++i) to_last.push_back(i);
  to_last.push_back(1);
  if (channels_last) x = c.build.Transpose(x, to_first);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(Run(c, op, {x}));
  const ir::ValueId y = channels_last ? c.build.Transpose(c.outputs()[0], to_last) : c.outputs()[0];
  return Write(c, y, y_scale, y_zero_point, type);
}

Status ImportQLinearAveragePool(NodeContext& c) { return ImportPool(c, "AveragePool"); }
Status ImportQLinearGlobalAveragePool(NodeContext& c) { return ImportPool(c, "GlobalAveragePool"); }
Status ImportQLinearSigmoid(NodeContext& c) { return ImportUnary(c, "Sigmoid"); }
Status ImportQLinearLeakyRelu(NodeContext& c) { return ImportUnary(c, "LeakyRelu"); }
// It names the opset whose Softmax it is: before 13, that is one of all dimensions from the axis on.
Status ImportQLinearSoftmax(NodeContext& c) {
  const int64_t opset = c.Int("opset", kFloatOpset);
  if (opset < 1) return Invalid("opset = {}", opset);
  return ImportUnary(c, "Softmax", static_cast<int>(std::min<int64_t>(opset, kFloatOpset)));
}

}  // namespace

const ImporterList QLinearImporters = {
    {"QLinearConv", 8, 9, ImportQLinearConv, Types(kBytes).Since(10)},
    {"QLinearMatMul", 8, 8, ImportQLinearMatMul, Types(kBytes).Since(10)},
    {"com.microsoft.QGemm", 6, 9, ImportQGemm, Types(kBytes)},
    {"com.microsoft.QLinearAdd", 2, 8, ImportQLinearBinary<schema::BinaryKind::Add>, Types(kBytes)},
    {"com.microsoft.QLinearAveragePool", 2, 5, ImportQLinearAveragePool, Types(kBytes)},
    {"com.microsoft.QLinearConcat", 4, -1, ImportQLinearConcat, Types(kBytes)},
    {"com.microsoft.QLinearGlobalAveragePool", 2, 5, ImportQLinearGlobalAveragePool, Types(kBytes)},
    {"com.microsoft.QLinearLeakyRelu", 2, 5, ImportQLinearLeakyRelu, Types(kBytes)},
    {"com.microsoft.QLinearMul", 2, 8, ImportQLinearBinary<schema::BinaryKind::Mul>, Types(kBytes)},
    {"com.microsoft.QLinearSigmoid", 2, 5, ImportQLinearSigmoid, Types(kBytes)},
    {"com.microsoft.QLinearSoftmax", 2, 5, ImportQLinearSoftmax, Types(kBytes)},
};

}  // namespace micrort::frontend::onnx
