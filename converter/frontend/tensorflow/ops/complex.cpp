// Fourier transforms, and what makes and reads complex numbers. A complex tensor is one of floats with one
// more dimension, of two.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;

ir::ValueId WithLastDim(OpContext& c, ir::ValueId x) {
  std::vector<int32_t> shape;
  for (int i = 0; i < c.value(x).rank(); ++i) shape.push_back(CopyDim(i));
  shape.push_back(1);
  return c.build.Reshape(x, shape);
}

ir::ValueId WithoutLastDim(OpContext& c, ir::ValueId x) {
  std::vector<int32_t> shape;
  for (int i = 0; i + 1 < c.value(x).rank(); ++i) shape.push_back(CopyDim(i));
  return c.build.Reshape(x, shape);
}

ir::ValueId PartOf(OpContext& c, ir::ValueId x, int64_t part) {
  return WithoutLastDim(c, c.build.Slice(x, c.value(x).rank() - 1, part, part + 1));
}

// Over the last dimension of complex numbers.
template <bool inverse>
Status ImportFft(OpContext& c) {
  schema::FourierOptionsT options;
  if (c.rank() < 2) return MICRORT_ERROR(kInvalidModel, "of a scalar");
  options.axis = c.rank() - 2;
  options.inverse = inverse;
  return c.Return(c.build.Add(options, {c.input()}));
}

Status ReadLengths(const OpContext& c, size_t count, std::vector<int64_t>* out) {
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, out));
  if (out->size() == count) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected %zu lengths, found %zu", count, out->size());
}

// inputs: real numbers, the lengths to which they are cut or padded.
template <int dims>
Status ImportRealFft(OpContext& c) {
  std::vector<int64_t> lengths;
  MICRORT_RETURN_IF_ERROR(ReadLengths(c, dims, &lengths));
  if (c.rank() < dims) return MICRORT_ERROR(kInvalidModel, "of %d dimensions", c.rank());
  if (c.x().dtype != DType::kFloat32) return MICRORT_ERROR(kUnsupported, "of type %s", Name(c.x().dtype));
  const int rank = c.rank();
  ir::ValueId y = WithLastDim(c, c.input(0));
  for (int i = 0; i < dims; ++i) {
    schema::FourierOptionsT options;
    options.axis = rank - 1 - i;
    options.one_sided = i == 0;
    const int64_t length = lengths[static_cast<size_t>(dims - 1 - i)];
    y = c.build.Add(options, {y, ir::kNoValue, c.build.Constant<int64_t>({}, {length})});
  }
  return c.Return(y);
}

// inputs: the first half of a spectrum, the length of the signal.
Status ImportInverseRealFft(OpContext& c) {
  std::vector<int64_t> lengths;
  MICRORT_RETURN_IF_ERROR(ReadLengths(c, 1, &lengths));
  if (c.rank() < 2) return MICRORT_ERROR(kInvalidModel, "of a scalar");
  schema::FourierOptionsT options;
  options.axis = c.rank() - 2;
  options.one_sided = options.inverse = true;
  const ir::ValueId length = c.build.Constant<int64_t>({}, {lengths[0]});
  return c.Return(WithoutLastDim(c, c.build.Add(options, {c.input(0), ir::kNoValue, length})));
}

template <int part>
Status ImportPart(OpContext& c) {
  return c.Return(PartOf(c, c.input(), part));
}

Status ImportComplexAbs(OpContext& c) {
  return c.Return(c.build.Reduce(schema::ReduceKind::L2, c.input(), {c.rank() - 1}, false));
}

Status ImportComplex(OpContext& c) {
  const ir::ValueId real = c.build.Binary(BinaryKind::Add, c.input(0),
                                          c.build.Binary(BinaryKind::Mul, c.input(1), c.build.Scalar(0)));
  const ir::ValueId imaginary = c.build.Binary(
      BinaryKind::Add, c.input(1), c.build.Binary(BinaryKind::Mul, c.input(0), c.build.Scalar(0)));
  return c.Return(c.build.Concat({WithLastDim(c, real), WithLastDim(c, imaginary)}, c.value(real).rank()));
}

Status ImportConjugate(OpContext& c) {
  const std::vector<float> signs = {1, -1};
  return c.Return(c.build.Binary(BinaryKind::Mul, c.input(), c.build.Constant({2}, signs)));
}

}  // namespace

bool TakesComplexNumbers(const std::string& op) {
  for (const char* known : {"ComplexAbs", "Conj", "FFT", "IFFT", "IRFFT", "Identity", "Imag", "Real"}) {
    if (op == known) return true;
  }
  return false;
}

bool GivesComplexNumbers(const std::string& op) {
  for (const char* known : {"Complex", "Conj", "FFT", "IFFT", "RFFT", "RFFT2D"}) {
    if (op == known) return true;
  }
  return false;
}

Span<const OpImporter> ComplexOps() {
  static constexpr char kLengths[] = "lengths that are not constant";
  static constexpr OpImporter kImporters[] = {
      {"Complex", 2, 2, ImportComplex},
      {"ComplexAbs", 1, 1, ImportComplexAbs},
      {"Conj", 1, 1, ImportConjugate},
      {"FFT", 1, 1, ImportFft<false>},
      {"IFFT", 1, 1, ImportFft<true>},
      {"IRFFT", 2, 2, ImportInverseRealFft, kLengths},
      {"Imag", 1, 1, ImportPart<1>},
      {"RFFT", 2, 2, ImportRealFft<1>, kLengths},
      {"RFFT2D", 2, 2, ImportRealFft<2>, kLengths},
      {"Real", 1, 1, ImportPart<0>},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
