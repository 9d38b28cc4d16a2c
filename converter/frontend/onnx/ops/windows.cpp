// Windows for the analysis of signals, in double precision until they are done.

#include "converter/frontend/onnx/ops/arange.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend::onnx {

namespace {

constexpr TypeSet kInt32Or64 = TypesOf(DType::kInt32, DType::kInt64);
constexpr double kPi = 3.14159265358979323846;

ir::ValueId Number(NodeContext& c, double v) { return c.build.Constant<double>({}, {v}); }

ir::ValueId Times(NodeContext& c, ir::ValueId x, double factor) { return c.build.Mul(x, Number(c, factor)); }

Status ReadOutputType(NodeContext& c, DType* dtype) {
  const int64_t code = c.Int("output_datatype", 1);
  *dtype = DTypeOfOnnx(code);
  return *dtype != DType::kUnknown ? Status() : Unsupported("output_datatype {}", OnnxTypeName(code));
}

// a + b cos(2 pi i / n) + d cos(4 pi i / n), where n is the size, or one less
// if the window is symmetric.
Status ImportWindow(NodeContext& c, double a, double b, double d) {
  DType dtype = DType::kUnknown;
  MICRORT_RETURN_IF_ERROR(ReadOutputType(c, &dtype));
  if (c.x().rank() > 1 || !c.x().is_static() || c.x().elements() != 1)
    return Invalid("the size is not one number");
  const ir::ValueId size = c.build.Reshape(c.input(0), {});
  const ir::ValueId i = c.build.Cast(Arange(c, size), DType::kFloat64);
  ir::ValueId n = c.build.Cast(size, DType::kFloat64);
  if (c.Int("periodic", 1) == 0) n = c.build.Sub(n, Number(c, 1));
  const ir::ValueId angle = c.build.Div(Times(c, i, 2 * kPi), n);
  ir::ValueId y = Times(c, c.build.Cos(angle), b);
  if (d != 0) {
    const ir::ValueId twice = c.build.Cos(Times(c, angle, 2));
    y = c.build.Add(y, Times(c, twice, d));
  }
  return c.Return(c.build.Cast(c.build.Add(y, Number(c, a)), dtype));
}

Status ImportBlackmanWindow(NodeContext& c) { return ImportWindow(c, 0.42, -0.5, 0.08); }
Status ImportHannWindow(NodeContext& c) { return ImportWindow(c, 0.5, -0.5, 0); }
Status ImportHammingWindow(NodeContext& c) { return ImportWindow(c, 25.0 / 46, -21.0 / 46, 0); }

}  // namespace

const ImporterList WindowImporters = {
    {"BlackmanWindow", 1, 1, ImportBlackmanWindow, Types(kInt32Or64).Since(17)},
    {"HammingWindow", 1, 1, ImportHammingWindow, Types(kInt32Or64).Since(17)},
    {"HannWindow", 1, 1, ImportHannWindow, Types(kInt32Or64).Since(17)},
};

}  // namespace micrort::frontend::onnx
