// The analysis of signals: windows, Fourier transforms, and filters that are spaced evenly on the mel scale.
// Windows and filters are in double precision until they are done.

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr TypeSet kInt32Or64 = TypesOf(DType::kInt32, DType::kInt64);
constexpr double kPi = 3.14159265358979323846;

ir::ValueId Number(NodeContext& c, double v) { return c.build.Constant<double>({}, {v}); }

ir::ValueId Times(NodeContext& c, ir::ValueId x, double factor) { return c.build.Mul(x, Number(c, factor)); }

// a + b cos(2 pi i / n) + d cos(4 pi i / n), where n is the size, or one less
// if the window is symmetric.
Status ImportWindow(NodeContext& c, double a, double b, double d) {
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("output_datatype", DType::kFloat32));
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
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("output_datatype", DType::kFloat32));
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

// The axis is an attribute in opset 17 and an input later.
Status ImportDft(NodeContext& c) {
  schema::FourierOptionsT options;
  options.inverse = c.Int("inverse", 0) != 0;
  options.one_sided = c.Int("onesided", 0) != 0;
  MICRORT_ASSIGN_OR_RETURN(options.axis, ToInt32(c.opset() < 20 ? c.Int("axis", 1) : -2, "axis"));
  return c.Return(
      c.build.Add(std::move(options), {c.input(0), ir::kNoValue, c.input(1), ir::kNoValue, c.input(2)}));
}

// Inputs: signal [N,L] or [N,L,1 or 2], frame step, window, frame length.
Status ImportStft(NodeContext& c) {
  const int rank = c.x().rank();
  if (rank != 2 && rank != 3) return Invalid("signal of {} dimensions: expected [N,L,1 or 2]", rank);
  if (!c.has_input(2) && !c.has_input(3)) return Invalid("there is neither a window nor a frame length");
  const ir::ValueId x = rank == 3 ? c.input(0) : c.build.Reshape(c.input(0), {CopyDim(0), CopyDim(1), 1});
  const ir::ValueId length = c.has_input(3) ? c.input(3) : c.build.ShapeOf(c.input(2));
  schema::FourierOptionsT options;
  options.axis = 1;
  options.one_sided = c.Int("onesided", 1) != 0;
  return c.Return(c.build.Add(std::move(options), {x, c.input(2), length, c.input(1)}));
}

}  // namespace

const ImporterList WindowImporters = {
    {"BlackmanWindow", 1, 1, ImportBlackmanWindow, Types(kInt32Or64).Since(17)},
    {"HammingWindow", 1, 1, ImportHammingWindow, Types(kInt32Or64).Since(17)},
    {"HannWindow", 1, 1, ImportHannWindow, Types(kInt32Or64).Since(17)},
    {"MelWeightMatrix", 5, 5, ImportMelWeightMatrix, Types(TypesOf(DType::kInt32, DType::kInt64)).Since(17)},
    {"DFT", 1, 3, InFloat32<ImportDft>, Types(kFloats).Since(17)},
    {"STFT", 2, 4, InFloat32<ImportStft>, Types(kFloats).Since(17)},
};

}  // namespace micrort::frontend::onnx
