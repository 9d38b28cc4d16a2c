// RFFT2D, and what reads its complex numbers: REAL, IMAG, COMPLEX_ABS. A complex tensor is one of floats with
// one more dimension, of two.

#include "converter/lower/complex.h"

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// Over the last two dimensions, cut or padded with zeros to the lengths of input 1.
Status ImportRfft2D(OpContext& c) {
  const int rank = c.x().rank();
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> lengths, c.ConstantIntegers(1));
  if (rank < 2 || lengths.size() != 2)
    return Invalid("{} lengths and {} dimensions: expected two of both", lengths.size(), rank);
  const auto length = [&](size_t i) { return c.build.Integer(lengths[i]); };
  schema::FourierOptionsT rows, columns;
  rows.axis = rank - 1;
  rows.one_sided = true;
  columns.axis = rank - 2;
  const ir::ValueId x =
      c.build.Add(std::move(rows), {c.build.InsertDim(c.input(0), rank), ir::kNoValue, length(1)});
  return c.Return(c.build.Add(std::move(columns), {x, ir::kNoValue, length(0)}));
}

template <int kPart>
Status ImportPart(OpContext& c) {
  const int last = c.x().rank() - 1;
  return c.Return(c.build.PickAt(c.input(0), last, kPart));
}

Status ImportComplexAbs(OpContext& c) { return c.Return(lower::Magnitude(c.build, c.input(0))); }

constexpr OpSupport kComplexSupport = OpSupport().Without("complex128");

}  // namespace

bool TakesComplexNumbers(const std::string& op) {
  return op == "REAL" || op == "IMAG" || op == "COMPLEX_ABS";
}

const ImporterList ComplexImporters = {
    {"COMPLEX_ABS", 1, 1, ImportComplexAbs, kComplexSupport},
    {"IMAG", 1, 1, ImportPart<1>, kComplexSupport},
    {"REAL", 1, 1, ImportPart<0>, kComplexSupport},
    {"RFFT2D", 2, 2, ImportRfft2D, Types(kFloat32).Without("lengths that are not constant")},
};

}  // namespace micrort::frontend::tflite
