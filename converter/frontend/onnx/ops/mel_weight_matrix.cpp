// MelWeightMatrix: triangular filters that are spaced evenly on the mel scale,
// as a matrix from the frequencies of a spectrum to them.

#include "converter/frontend/onnx/ops/arange.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

// In double precision, as frequencies are rounded down to bins.
class MelBuilder {
 public:
  explicit MelBuilder(NodeContext& c) : c_(c) {}

  // 2595 log10(1 + f / 700)
  ir::ValueId MelOf(ir::ValueId frequency) {
    const ir::ValueId ratio = Add(Div(Double(frequency), Number(700)), Number(1));
    return Mul(c_.build.Log(ratio), Number(kMelFactor));
  }

  // The bins that `count` points spaced evenly from `low` mel by `step` fall
  // into.
  ir::ValueId BinsOf(ir::ValueId count, ir::ValueId low, ir::ValueId step, ir::ValueId bins_a_hertz) {
    const ir::ValueId mel = Add(Mul(Double(Arange(c_, count)), step), low);
    const ir::ValueId power = c_.build.Exp(Div(mel, Number(kMelFactor)));
    const ir::ValueId hertz = Mul(Sub(power, Number(1)), Number(700));
    return c_.build.Floor(Mul(hertz, bins_a_hertz));
  }

  // For bins [S,1] and the corners of filters [1,M]: rising from left to
  // centre, falling to right.
  ir::ValueId Triangles(ir::ValueId bin, ir::ValueId left, ir::ValueId centre, ir::ValueId right) {
    const ir::ValueId one = Number(1);
    // Where left and centre meet, the centre alone is 1.
    const ir::ValueId width = c_.build.Max(Sub(centre, left), one);
    const ir::ValueId rise = Sub(one, Div(Sub(centre, bin), width));
    const ir::ValueId fall = Div(Sub(right, bin), c_.build.Max(Sub(right, centre), one));
    const ir::ValueId rises =
        And(Compare(BinaryKind::GreaterOrEqual, bin, left), Compare(BinaryKind::LessOrEqual, bin, centre));
    const ir::ValueId falls =
        And(Compare(BinaryKind::GreaterOrEqual, bin, centre), Compare(BinaryKind::Less, bin, right));
    const ir::ValueId rising = Select(rises, rise, Number(0));
    return Select(falls, fall, rising);
  }

  ir::ValueId Double(ir::ValueId x) {
    return c_.value(x).dtype == DType::kFloat64 ? x : c_.build.Cast(x, DType::kFloat64);
  }
  ir::ValueId Number(double v) { return c_.build.Constant<double>({}, {v}); }
  ir::ValueId Add(ir::ValueId a, ir::ValueId b) { return c_.build.Add(a, b); }
  ir::ValueId Sub(ir::ValueId a, ir::ValueId b) { return c_.build.Sub(a, b); }
  ir::ValueId Mul(ir::ValueId a, ir::ValueId b) { return c_.build.Mul(a, b); }
  ir::ValueId Div(ir::ValueId a, ir::ValueId b) { return c_.build.Div(a, b); }

 private:
  static constexpr double kMelFactor = 2595 / 2.302585092994045684;  // of natural logarithms

  ir::ValueId Compare(BinaryKind kind, ir::ValueId a, ir::ValueId b) { return c_.build.Binary(kind, a, b); }
  ir::ValueId And(ir::ValueId a, ir::ValueId b) { return c_.build.And(a, b); }
  ir::ValueId Select(ir::ValueId condition, ir::ValueId a, ir::ValueId b) {
    return c_.build.Select({condition, a, b});
  }

  NodeContext& c_;
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
  const ir::ValueId corners = m.Add(filters, c.build.Constant<int64_t>({}, {2}));
  const ir::ValueId step = m.Div(m.Sub(m.MelOf(scalars[4]), low), m.Double(corners));
  const ir::ValueId bins_a_hertz = m.Div(m.Add(m.Double(length), m.Number(1)), m.Double(scalars[2]));
  const ir::ValueId points = m.BinsOf(corners, low, step, bins_a_hertz);

  const ir::ValueId half = m.Div(length, c.build.Constant<int64_t>({}, {2}));
  const ir::ValueId spectrum = Arange(c, m.Add(half, c.build.Constant<int64_t>({}, {1})));
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
