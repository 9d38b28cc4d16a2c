// Spectra. A complex tensor is one of floats with a last dimension of 2, which only few operators read.

#include <algorithm>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// A window of n_fft elements: shorter ones stand in its middle.
ir::ValueId WindowOf(OpContext& c, size_t i, int64_t n_fft, int64_t length) {
  const ir::ValueId window =
      c.Has(i) ? c.TensorAt(i)
               : c.build.Constant({length}, std::vector<float>(static_cast<size_t>(length), 1.0f));
  const int64_t before = (n_fft - length) / 2;
  if (length == n_fft) return window;
  return c.Onnx("Pad", {window, c.Integers({before, n_fft - length - before})});
}

// The signal with both ends continued, so that frames are centred.
ir::ValueId Centred(OpContext& c, ir::ValueId x, int64_t n_fft, const std::string& mode) {
  const int64_t half = n_fft / 2;
  return c.Onnx("Pad", {x, c.Integers({0, half, 0, half})},
                {{"mode", std::string(mode == "constant"    ? "constant"
                                      : mode == "replicate" ? "edge"
                                                            : "reflect")}});
}

// (self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex), and the later form
// with center and pad_mode before normalized
void ImportStftOp(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const int64_t n_fft = c.Int(1, 0), length = c.Int(3, n_fft), hop = c.Int(2, n_fft / 4);
  if (n_fft < 1 || length < 1 || length > n_fft || hop < 1) {
    return c.Fail(MICRORT_ERROR(kInvalidModel, "n_fft %lld, win_length %lld", static_cast<long long>(n_fft),
                                static_cast<long long>(length)));
  }
  const bool is_alone = c.rank(x) == 1;
  if (is_alone) x = c.Onnx("Unsqueeze", {x, c.Integers({0})});
  const bool has_center = c.arg(6).Is(Kind::kString);
  const size_t next = has_center ? 7 : 5;
  if (has_center && c.Bool(5, true)) x = Centred(c, x, n_fft, c.String(6, "reflect"));
  if (c.Bool(next, false)) return c.Fail(MICRORT_ERROR(kUnsupported, "normalized = True"));
  ir::ValueId y = c.Onnx("STFT",
                         {x, c.build.Constant<int64_t>({}, {hop}), WindowOf(c, 4, n_fft, length),
                          c.build.Constant<int64_t>({}, {n_fft})},
                         {{"onesided", int64_t{c.Bool(next + 1, true)}}});
  y = c.build.Transpose(y, {0, 2, 1, 3});
  if (is_alone) y = c.Onnx("Squeeze", {y, c.Integers({0})});
  c.Return(y);
  if (c.Bool(next + 2, false)) c.result().tensor->is_complex = true;
}

ir::ValueId PartOf(OpContext& c, int64_t part) {
  const ir::ValueId x = c.ComplexAt(0);
  return c.Onnx("Gather", {x, c.build.Constant<int64_t>({}, {part})}, {{"axis", int64_t{-1}}});
}

void ImportViewAsReal(OpContext& c) { c.Return(c.ComplexAt(0)); }
void ImportReal(OpContext& c) { c.Return(PartOf(c, 0)); }
void ImportImaginary(OpContext& c) { c.Return(PartOf(c, 1)); }

void ImportViewAsComplex(OpContext& c) {
  c.Return(c.TensorAt(0));
  c.result().tensor->is_complex = true;
}

// The magnitude, of complex numbers too.
void ImportAbs(OpContext& c) {
  if (!c.arg(0).is_tensor() || !c.arg(0).tensor->is_complex) return c.Return(c.Onnx("Abs", {c.TensorAt(0)}));
  const ir::ValueId x = c.ComplexAt(0);
  c.Return(c.build.Reduce(schema::ReduceKind::L2, x, {c.rank(x) - 1}, false));
}

}  // namespace

Span<const OpImporter> SpectralOps() {
  static constexpr OpImporter kOps[] = {
      {"abs", "self", ImportAbs},
      {"imag", "self", ImportImaginary},
      {"real", "self", ImportReal},
      {"stft", "self n_fft hop_length win_length window a b normalized onesided return_complex", ImportStftOp,
       "normalized spectra"},
      {"view_as_complex", "self", ImportViewAsComplex},
      {"view_as_real", "self", ImportViewAsReal},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
