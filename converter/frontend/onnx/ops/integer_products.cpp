// Sums of products of integers: as float operators on integers less their zero points, whose results are
// integers again. Passes make integer operators of that, which are exact however large the sums.

#include <algorithm>

#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/registry.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend::onnx {

namespace {

constexpr int kOpset = 13;  // of the operators on floats

bool IsVector(const ir::Value& v) { return v.rank() == 1 && v.shape[0] != 1; }

// False if there are more than ir::kMaxMade.
bool CountElements(const std::vector<int64_t>& shape, int64_t* count) {
  *count = 1;
  return std::all_of(shape.begin(), shape.end(), [count](int64_t dim) {
    return CheckedMul(*count, dim, count) && *count <= ir::kMaxMade;
  });
}

Result<ir::ValueId> Ones(NodeContext& c, std::vector<int64_t> shape) {
  int64_t count = 0;
  if (!CountElements(shape, &count))
    return Unsupported("more than {} elements with a zero point that is not one constant number",
                       ir::kMaxMade);
  return c.build.Checked(
      c.build.Constant<float>(std::move(shape), std::vector<float>(static_cast<size_t>(count), 1.0f)));
}

// Integers less their zero point as floats of the same value. `axis`: of a vector of zero points.
Result<ir::ValueId> Offset(NodeContext& c, ir::ValueId x, ir::ValueId zero_point, int64_t axis) {
  ir::ValueId scale = c.build.Scalar(1.0f);
  if (zero_point != ir::kNoValue) {
    const ir::Value& v = c.value(zero_point);
    if (!v.is_static()) return Unsupported("zero points of a number that is not fixed");
    MICRORT_ASSIGN_OR_RETURN(scale, Ones(c, v.shape));
  }
  return Dequantized(c, x, {scale, zero_point, axis});
}

// Lets ONNX's operator on floats compute, and makes integers of the result.
Result<ir::ValueId> Sums(NodeContext& c, const char* op, ir::ValueId a, ir::ValueId b) {
  c.Delegate({a, b}, kOpset);
  MICRORT_RETURN_IF_ERROR(FindImporter("", op)->import(c));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return c.build.Checked(c.build.Cast(c.outputs()[0], DType::kInt32));
}

// a's sums less its zero point, which only a run knows or which differs between rows, times the sums that
// ones in a's place would give.
Result<ir::ValueId> LessZeroPoint(NodeContext& c, const char* op, ir::ValueId sums, ir::ValueId zero_point,
                                  ir::ValueId ones, ir::ValueId b) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId of_ones, Sums(c, op, ones, b));
  ir::ValueId factor = c.build.Cast(zero_point, DType::kInt32);
  if (IsVector(c.value(zero_point))) factor = c.build.Reshape(factor, {-1, 1});
  if (c.value(zero_point).rank() == 1 && !IsVector(c.value(zero_point))) factor = c.build.Reshape(factor, {});
  return c.build.Checked(c.build.Sub(sums, c.build.Mul(of_ones, factor)));
}

bool IsKnownScalar(const NodeContext& c, ir::ValueId zero_point) {
  return zero_point == ir::kNoValue ||
         (c.value(zero_point).is_constant() && c.value(zero_point).elements() == 1);
}

struct IntegerMatrices {
  ir::ValueId a, b;
  ir::ValueId a_zero_point, b_zero_point;  // kNoValue: 0
};

Result<ir::ValueId> MatrixSums(NodeContext& c, const IntegerMatrices& m) {
  const bool known = IsKnownScalar(c, m.a_zero_point);
  const int64_t depth = c.value(m.b).dim(static_cast<size_t>(std::max(0, c.value(m.b).rank() - 2)));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId a, Offset(c, m.a, known ? m.a_zero_point : ir::kNoValue, 0));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId b, Offset(c, m.b, m.b_zero_point, -1));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId sums, Sums(c, "MatMul", a, b));
  if (known) return sums;
  if (depth == ir::kDynamic) return Unsupported("a depth that is not fixed");
  const bool is_row = c.value(m.a).rank() == 1;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId ones,
                           Ones(c, is_row ? std::vector<int64_t>{depth} : std::vector<int64_t>{1, depth}));
  return LessZeroPoint(c, "MatMul", sums, m.a_zero_point, ones, b);
}

Status ImportMatMulInteger(NodeContext& c) {
  return c.Return(MatrixSums(c, {c.input(0), c.input(1), c.input(2), c.input(3)}));
}

// Ones that are 0 in the padding, as x less its zero point is. Computed for images too large for a constant.
Result<ir::ValueId> OnesLike(NodeContext& c, ir::ValueId x) {
  const ir::Value& v = c.value(x);
  std::vector<int64_t> shape = v.shape;
  if (!shape.empty()) shape[0] = 1;
  int64_t count = 0;
  if (v.is_static() && CountElements(shape, &count)) return Ones(c, std::move(shape));
  const ir::ValueId zeros = c.build.Mul(c.build.Cast(x, DType::kFloat32), c.build.Scalar(0.0f));
  return c.build.Checked(c.build.Add(zeros, c.build.Scalar(1.0f)));
}

Status ImportConvInteger(NodeContext& c) {
  const ir::ValueId integers = c.input(0), zero_point = c.input(2), w_zero_point = c.input(3);
  const bool known = IsKnownScalar(c, zero_point);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId x, Offset(c, integers, known ? zero_point : ir::kNoValue, 0));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId w, Offset(c, c.input(1), w_zero_point, 0));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, Sums(c, "Conv", x, w));
  if (known) return c.Return(y);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId ones, OnesLike(c, integers));
  return c.Return(LessZeroPoint(c, "Conv", y, zero_point, ones, w));
}

// The sums as floats, times both scales, plus the bias.
Status ReturnScaled(NodeContext& c, ir::ValueId sums, ir::ValueId a_scale, ir::ValueId b_scale,
                    ir::ValueId bias) {
  const auto scalar = [&](ir::ValueId scale) {
    return c.value(scale).rank() == 1 && c.value(scale).dim(0) == 1 ? c.build.Reshape(scale, {}) : scale;
  };
  const ir::ValueId scale = c.build.Mul(scalar(a_scale), scalar(b_scale));
  ir::ValueId y = c.build.Mul(c.build.Cast(sums, DType::kFloat32), scale);
  if (bias != ir::kNoValue) y = c.build.Add(y, bias);
  return c.Return(y);
}

Status ImportMatMulIntegerToFloat(NodeContext& c) {
  const ir::ValueId a_scale = c.input(2), b_scale = c.input(3), bias = c.input(6);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId sums,
                           MatrixSums(c, {c.input(0), c.input(1), c.input(4), c.input(5)}));
  return ReturnScaled(c, sums, a_scale, b_scale, bias);
}

Status ImportDynamicQuantizeMatMul(NodeContext& c) {
  const ir::ValueId b = c.input(1), b_scale = c.input(2), b_zero_point = c.input(3), bias = c.input(4);
  DynamicallyQuantized a;
  MICRORT_RETURN_IF_ERROR(QuantizeDynamically(c, c.input(0), &a));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId sums, MatrixSums(c, {a.y, b, a.zero_point, b_zero_point}));
  return ReturnScaled(c, sums, a.scale, b_scale, bias);
}

}  // namespace

const ImporterList IntegerProductImporters = {
    {"ConvInteger", 2, 4, ImportConvInteger, Types(kBytes).Since(10)},
    {"MatMulInteger", 2, 4, ImportMatMulInteger, Types(kBytes).Since(10)},
    {"com.microsoft.DynamicQuantizeMatMul", 3, 5, ImportDynamicQuantizeMatMul, Types(kFloat32)},
    {"com.microsoft.MatMulIntegerToFloat", 4, 7, ImportMatMulIntegerToFloat, Types(kBytes)},
};

}  // namespace micrort::frontend::onnx
