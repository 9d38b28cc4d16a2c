// Fourier transforms, and what makes and reads complex numbers. A complex tensor is one of floats with one
// more dimension, of two.

#include "converter/lower/complex.h"

#include <set>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

ir::ValueId WithLastDim(OpContext& c, ir::ValueId x) { return c.build.InsertDim(x, c.value(x).rank()); }

ir::ValueId WithoutLastDim(OpContext& c, ir::ValueId x) { return c.build.DropDim(x, c.value(x).rank() - 1); }

ir::ValueId PartOf(OpContext& c, ir::ValueId x, int64_t part) {
  return WithoutLastDim(c, c.build.Slice(x, c.value(x).rank() - 1, part, part + 1));
}

// Transforms so many dimensions of complex numbers, the last ones but that of their parts.
ir::ValueId Transform(OpContext& c, ir::ValueId x, int first, int count, bool inverse) {
  for (int i = 0; i < count; ++i) {
    schema::FourierOptionsT options;
    options.axis = first + i;
    options.inverse = inverse;
    x = c.build.Add(options, {x});
  }
  return x;
}

template <int dims, bool inverse>
Status ImportFft(OpContext& c) {
  if (c.rank() < dims + 1) return Invalid("of {} dimensions", c.rank() - 1);
  return c.Return(Transform(c, c.input(), c.rank() - 1 - dims, dims, inverse));
}

Result<std::vector<int64_t>> ReadLengths(const OpContext& c, size_t count) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> lengths, c.ConstantIntegers(1));
  if (lengths.size() != count) return Invalid("expected {} lengths, found {}", count, lengths.size());
  return lengths;
}

// inputs: real numbers, the lengths to which they are cut or padded.
template <int dims>
Status ImportRealFft(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> lengths, ReadLengths(c, dims));
  if (c.rank() < dims) return Invalid("of {} dimensions", c.rank());
  if (c.x().dtype != DType::kFloat32) return Unsupported("of type {}", Name(c.x().dtype));
  const int rank = c.rank();
  ir::ValueId y = WithLastDim(c, c.input(0));
  for (int i = 0; i < dims; ++i) {
    schema::FourierOptionsT options;
    options.axis = rank - 1 - i;
    options.one_sided = i == 0;
    const int64_t length = lengths[static_cast<size_t>(dims - 1 - i)];
    y = c.build.Add(options, {y, ir::kNoValue, c.build.Integer(length)});
  }
  return c.Return(y);
}

// inputs: a spectrum, whose last dimension is its first half, and the lengths of the signal, to which the
// other dimensions are cut or padded.
template <int dims>
Status ImportInverseRealFft(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> lengths, ReadLengths(c, dims));
  if (c.rank() < dims + 1) return Invalid("of {} dimensions", c.rank() - 1);
  ir::ValueId x = c.input(0);
  for (int i = 0; i < dims; ++i) {
    schema::FourierOptionsT options;
    options.axis = c.rank() - 1 - dims + i;
    options.inverse = true;
    options.one_sided = i == dims - 1;
    const ir::ValueId length = c.build.Integer(lengths[static_cast<size_t>(i)]);
    x = c.build.Add(options, {x, ir::kNoValue, length});
  }
  return c.Return(WithoutLastDim(c, x));
}

template <int part>
Status ImportPart(OpContext& c) {
  return c.Return(PartOf(c, c.input(), part));
}

Status ImportComplexAbs(OpContext& c) { return c.Return(lower::Magnitude(c.build, c.input())); }

// The angle of each number.
Status ImportAngle(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> results,
                           c.Torch("atan2", {PartOf(c, c.input(), 1), PartOf(c, c.input(), 0)}, {}));
  return c.Return(results[0]);
}

// A choice that is always the same spreads both parts over each other and changes no number.
Status ImportComplex(OpContext& c) {
  const auto spread = [&](bool first) {
    const ir::ValueId choice = c.build.Cast(c.build.Constant<int32_t>({}, {first ? 1 : 0}), DType::kBool);
    return c.build.Select({choice, c.input(0), c.input(1)});
  };
  const ir::ValueId real = spread(true), imaginary = spread(false);
  return c.Return(c.build.Concat({WithLastDim(c, real), WithLastDim(c, imaginary)}, c.value(real).rank()));
}

Status ImportConjugate(OpContext& c) {
  const std::vector<float> signs = {1, -1};
  return c.Return(c.build.Mul(c.input(), c.build.Constant({2}, signs)));
}

constexpr char kLengths[] = "lengths that are not constant";

}  // namespace

bool TakesComplexNumbers(const std::string& op) {
  static const std::set<std::string> kOps = {"Angle",   "ComplexAbs", "Conj",     "FFT",    "FFT2D",
                                             "FFT3D",   "IFFT",       "IFFT2D",   "IFFT3D", "IRFFT",
                                             "IRFFT2D", "IRFFT3D",    "Identity", "Imag",   "Real"};
  return kOps.count(op) != 0;
}

bool GivesComplexNumbers(const std::string& op) {
  static const std::set<std::string> kOps = {"Complex", "Conj",   "FFT",  "FFT2D",  "FFT3D", "IFFT",
                                             "IFFT2D",  "IFFT3D", "RFFT", "RFFT2D", "RFFT3D"};
  return kOps.count(op) != 0;
}

const ImporterList ComplexOps = {
    {"Angle", 1, 1, ImportAngle},
    {"Complex", 2, 2, ImportComplex},
    {"ComplexAbs", 1, 1, ImportComplexAbs},
    {"Conj", 1, 1, ImportConjugate},
    {"FFT", 1, 1, ImportFft<1, false>},
    {"FFT2D", 1, 1, ImportFft<2, false>},
    {"FFT3D", 1, 1, ImportFft<3, false>},
    {"IFFT", 1, 1, ImportFft<1, true>},
    {"IFFT2D", 1, 1, ImportFft<2, true>},
    {"IFFT3D", 1, 1, ImportFft<3, true>},
    {"IRFFT", 2, 2, ImportInverseRealFft<1>, kLengths},
    {"IRFFT2D", 2, 2, ImportInverseRealFft<2>, kLengths},
    {"IRFFT3D", 2, 2, ImportInverseRealFft<3>, kLengths},
    {"Imag", 1, 1, ImportPart<1>},
    {"RFFT", 2, 2, ImportRealFft<1>, kLengths},
    {"RFFT2D", 2, 2, ImportRealFft<2>, kLengths},
    {"RFFT3D", 2, 2, ImportRealFft<3>, kLengths},
    {"Real", 1, 1, ImportPart<0>},
};

}  // namespace micrort::frontend::tensorflow
