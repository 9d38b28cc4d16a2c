// MelWeightMatrix: triangular filters that are spaced evenly on the mel scale,
// as a matrix from the frequencies of a spectrum to them.

#include "converter/frontend/onnx/ops/arange.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend::onnx {

namespace {

// In double precision, as frequencies are rounded down to bins.
class MelBuilder {
 public:
  explicit MelBuilder(NodeContext& c) : c_(c), b_(c.build) {}

  // 2595 log10(1 + f / 700)
  ir::ValueId MelOf(ir::ValueId frequency) {
    const ir::ValueId ratio = b_.Add(b_.Div(Double(frequency), Number(700)), Number(1));
    return b_.Mul(b_.Log(ratio), Number(kMelFactor));
  }

  // The bins that `count` points spaced evenly from `low` mel by `step` fall
  // into.
  ir::ValueId BinsOf(ir::ValueId count, ir::ValueId low, ir::ValueId step, ir::ValueId bins_a_hertz) {
    const ir::ValueId mel = b_.Add(b_.Mul(Double(Arange(c_, count)), step), low);
    const ir::ValueId power = b_.Exp(b_.Div(mel, Number(kMelFactor)));
    const ir::ValueId hertz = b_.Mul(b_.Sub(power, Number(1)), Number(700));
    return b_.Floor(b_.Mul(hertz, bins_a_hertz));
  }

  // For bins [S,1] and the corners of filters [1,M]: rising from left to
  // centre, falling to right.
  ir::ValueId Triangles(ir::ValueId bin, ir::ValueId left, ir::ValueId centre, ir::ValueId right) {
    const ir::ValueId one = Number(1);
    // Where left and centre meet, the centre alone is 1.
    const ir::ValueId width = b_.Max(b_.Sub(centre, left), one);
    const ir::ValueId rise = b_.Sub(one, b_.Div(b_.Sub(centre, bin), width));
    const ir::ValueId fall = b_.Div(b_.Sub(right, bin), b_.Max(b_.Sub(right, centre), one));
    const ir::ValueId rises = b_.And(b_.GreaterOrEqual(bin, left), b_.LessOrEqual(bin, centre));
    const ir::ValueId falls = b_.And(b_.GreaterOrEqual(bin, centre), b_.Less(bin, right));
    const ir::ValueId rising = b_.If(rises, rise, Number(0));
    return b_.If(falls, fall, rising);
  }

  ir::ValueId Double(ir::ValueId x) { return b_.As(x, DType::kFloat64); }
  ir::ValueId Number(double v) { return b_.Constant<double>({}, {v}); }

 private:
  static constexpr double kMelFactor = 2595 / 2.302585092994045684;  // of natural logarithms

  NodeContext& c_;
  ir::Builder& b_;
};

// Inputs, all scalars: number of filters, length of the transform, sample rate,
// lowest and highest frequency.
Status ImportMelWeightMatrix(NodeContext& c) {
  const int64_t code = c.Int("output_datatype", 1);
  const DType dtype = DTypeOfOnnx(code);
  if (dtype == DType::kUnknown) return Unsupported("output_datatype {}", OnnxTypeName(code));
  ir::ValueId scalars[5];
  for (size_t i = 0; i < 5; ++i) {
    if (!c.x(i).is_static() || c.x(i).elements() != 1) return Invalid("input {} is not one number", i);
    scalars[i] = c.build.Reshape(c.input(i), {});
  }
  MelBuilder m(c);
  const ir::ValueId filters = c.build.Cast(scalars[0], DType::kInt64);
  const ir::ValueId length = c.build.Cast(scalars[1], DType::kInt64);
  const ir::ValueId low = m.MelOf(scalars[3]);
  const ir::ValueId corners = c.build.Add(filters, c.build.Integer(2));
  const ir::ValueId step = c.build.Div(c.build.Sub(m.MelOf(scalars[4]), low), m.Double(corners));
  const ir::ValueId bins_a_hertz =
      c.build.Div(c.build.Add(m.Double(length), m.Number(1)), m.Double(scalars[2]));
  const ir::ValueId points = m.BinsOf(corners, low, step, bins_a_hertz);

  const ir::ValueId half = c.build.Div(length, c.build.Integer(2));
  const ir::ValueId spectrum = Arange(c, c.build.Add(half, c.build.Integer(1)));
  const ir::ValueId bins = c.build.Reshape(m.Double(spectrum), {kInferDim, 1});
  const ir::ValueId y = m.Triangles(bins, c.build.Slice(points, 0, 0, -2), c.build.Slice(points, 0, 1, -1),
                                    c.build.Slice(points, 0, 2, INT64_MAX));
  return c.Return(c.build.Cast(y, dtype));
}

}  // namespace

const ImporterList MelWeightMatrixImporters = {
    {"MelWeightMatrix", 5, 5, ImportMelWeightMatrix, Types(TypesOf(DType::kInt32, DType::kInt64)).Since(17)},
};

}  // namespace micrort::frontend::onnx
