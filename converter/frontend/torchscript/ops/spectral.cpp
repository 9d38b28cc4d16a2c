// Spectra, and what complex tensors are: ones of floats with a last dimension of 2.

#include <cmath>

#include "converter/frontend/torchscript/complex_views.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/lower/complex.h"

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
  if (n_fft < 1 || n_fft > ir::kMaxMade || length < 1 || length > n_fft || hop < 1)
    return c.Fail(Invalid("n_fft {}, win_length {}, hop_length {}", n_fft, length, hop));
  const bool is_alone = c.rank(x) == 1;
  if (is_alone) x = c.Onnx("Unsqueeze", {x, c.Integers({0})});
  const bool has_center = c.arg(6).Is(Kind::kString);
  const size_t next = has_center ? 7 : 5;
  if (has_center && c.Bool(5, true)) x = Centred(c, x, n_fft, c.String(6, "reflect"));
  ir::ValueId y =
      c.Onnx("STFT", {x, c.build.Integer(hop), WindowOf(c, 4, n_fft, length), c.build.Integer(n_fft)},
             {{"onesided", int64_t{c.Bool(next + 1, true)}}});
  y = c.build.Transpose(y, {0, 2, 1, 3});
  if (c.Bool(next, false))
    y = c.build.Mul(y, c.Scalar(c.dtype(y), 1 / std::sqrt(static_cast<double>(n_fft))));
  if (is_alone) y = c.Onnx("Squeeze", {y, c.Integers({0})});
  c.Return(y);
  if (c.Bool(next + 2, false)) c.result().tensor->is_complex = true;
}

bool IsComplex(OpContext& c, size_t i) { return c.arg(i).is_tensor() && c.arg(i).tensor->is_complex; }

void ReturnComplex(OpContext& c, ir::ValueId id) {
  c.Return(id);
  c.result().tensor->is_complex = true;
}

void ImportViewAsReal(OpContext& c) { c.Return(c.ComplexAt(0)); }
void ImportViewAsComplex(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x);
  const int64_t parts = c.dim(x, rank - 1);
  if (rank == 0 || (parts != 2 && parts != ir::kDynamic))
    return c.Fail(Invalid("a last dimension of {}", parts));
  ReturnComplex(c, x);
}

// A part of a complex tensor, which may be changed in place. What is real is its own real part.
template <bool imaginary>
void ImportPart(OpContext& c) {
  if (!IsComplex(c, 0)) {
    if (!imaginary) return c.ReturnValue(c.arg(0));
    return c.Fail(Unsupported("the imaginary part of a tensor that is not complex"));
  }
  c.ReturnView(
      PartOf(c.build, c.ComplexAt(0), imaginary),
      [](ir::Builder& build, ir::ValueId base) { return PartOf(build, base, imaginary); },
      [](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
        const ir::ValueId other = PartOf(build, base, !imaginary);
        return imaginary ? JoinParts(build, other, part) : JoinParts(build, part, other);
      });
}

// (real, imag)
void ImportComplex(OpContext& c) {
  const std::vector<ir::ValueId> parts = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId shape_of_both =
      c.value(parts[0]).shape == c.value(parts[1]).shape ? ir::kNoValue : c.Onnx("Add", parts);
  const auto wide = [&](ir::ValueId part) {
    if (shape_of_both == ir::kNoValue) return part;
    return c.Onnx("Expand", {part, c.build.ShapeOf(shape_of_both)});
  };
  ReturnComplex(c, JoinParts(c.build, wide(parts[0]), wide(parts[1])));
}

void ImportConjugate(OpContext& c) {
  if (!IsComplex(c, 0)) return c.ReturnValue(c.arg(0));
  const ir::ValueId x = c.ComplexAt(0);
  ReturnComplex(c, c.build.Mul(x, c.CastTo(c.build.Constant<float>({2}, {1, -1}), c.dtype(x))));
}

// The magnitude, of complex numbers too.
void ImportAbs(OpContext& c) {
  if (!IsComplex(c, 0)) return c.Return(c.build.Abs(c.TensorAt(0)));
  c.Return(lower::Magnitude(c.build, c.ComplexAt(0)));
}

// Transforms along dimensions of what has real and imaginary parts, or 1, in its last dimension. They compute
// in float32; other floats keep their type.
class Transforms {
 public:
  Transforms(OpContext& c, ir::ValueId x)
      : c_(c),
        x_(c.CastTo(x, DType::kFloat32)),
        type_(IsFloatType(c.dtype(x)) ? c.dtype(x) : DType::kFloat32),
        rank_(c.rank(x) - 1) {}

  int Axis(int64_t dim) { return c_.AxisOf(dim, rank_); }
  ir::ValueId result() const { return c_.CastTo(x_, type_); }

  void Along(int64_t dim, bool inverse, bool one_sided, int64_t length) {
    schema::FourierOptionsT options;
    options.axis = Axis(dim);
    options.inverse = inverse;
    options.one_sided = one_sided;
    elements_ *= static_cast<double>(length);
    const bool is_longer = inverse && one_sided;
    std::vector<ir::ValueId> inputs = {x_};
    if (is_longer) inputs = {x_, ir::kNoValue, c_.build.Integer(length)};
    x_ = c_.build.Add(std::move(options), std::move(inputs));
  }

  // How torch scales: 0 not at all, 1 by the root of the number of elements, 2 by that; ours by it if
  // inverse.
  void Scale(int64_t kind, bool inverse) {
    const double wanted = kind == 0 ? 1 : kind == 1 ? 1 / std::sqrt(elements_) : 1 / elements_;
    const double factor = inverse ? wanted * elements_ : wanted;
    if (std::fabs(factor - 1) > 1e-12) x_ = c_.build.Mul(x_, c_.Scalar(DType::kFloat32, factor));
  }

 private:
  OpContext& c_;
  ir::ValueId x_;
  const DType type_;
  const int rank_;
  double elements_ = 1;
};

// (self, dim, normalization, onesided): of a real tensor
void ImportFftOfReal(OpContext& c) {
  const ir::ValueId real = c.TensorAt(0);
  const std::vector<int64_t> dims = c.Ints(1);
  if (dims.empty()) return c.Fail(Invalid("a transform along no dimension"));
  Transforms t(c, c.Onnx("Unsqueeze", {real, c.Integers({-1})}));
  t.Along(dims.back(), false, c.Bool(3, true), c.FixedDim(real, t.Axis(dims.back())));
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    t.Along(dims[i], false, false, c.FixedDim(real, t.Axis(dims[i])));
  t.Scale(c.Int(2, 0), false);
  ReturnComplex(c, t.result());
}

// (self, dim, normalization, forward)
void ImportFftOfComplex(OpContext& c) {
  const ir::ValueId x = c.ComplexAt(0);
  const bool inverse = !c.Bool(3, true);
  Transforms t(c, x);
  for (const int64_t dim : c.Ints(1)) t.Along(dim, inverse, false, c.FixedDim(x, t.Axis(dim)));
  t.Scale(c.Int(2, 0), inverse);
  ReturnComplex(c, t.result());
}

// (self, dim, normalization, last_dim_size): half of a spectrum of real numbers
void ImportFftToReal(OpContext& c) {
  const ir::ValueId x = c.ComplexAt(0);
  const std::vector<int64_t> dims = c.Ints(1);
  if (dims.empty()) return c.Fail(Invalid("a transform along no dimension"));
  Transforms t(c, x);
  for (size_t i = 0; i + 1 < dims.size(); ++i) t.Along(dims[i], true, false, c.FixedDim(x, t.Axis(dims[i])));
  t.Along(dims.back(), true, true, c.Int(3, 1));
  t.Scale(c.Int(2, 0), true);
  c.Return(c.Onnx("Squeeze", {t.result(), c.Integers({-1})}));
}

}  // namespace

const ImporterList SpectralOps = {
    {"_fft_c2c", "self dim normalization forward", ImportFftOfComplex},
    {"_fft_c2r", "self dim normalization last_dim_size", ImportFftToReal},
    {"_fft_r2c", "self dim normalization onesided", ImportFftOfReal},
    {"abs", "self", ImportAbs},
    {"complex", "real imag", ImportComplex},
    {"conj", "self", ImportConjugate},
    {"imag", "self", ImportPart<true>},
    {"real", "self", ImportPart<false>},
    {"stft", "self n_fft hop_length win_length window a b normalized onesided return_complex", ImportStftOp},
    {"view_as_complex", "self", ImportViewAsComplex},
    {"view_as_real", "self", ImportViewAsReal},
};

}  // namespace micrort::frontend::torchscript
