// Scales and zero points of int16 that TensorFlow Lite's kernels refuse.

#include <gmock/gmock.h>

#include "tests/converter/tflite_int16.h"

namespace micrort::testing::tflite_int16_scales {
namespace {

using namespace tflite_int16;  // NOLINT: what these tests have in common with others

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> WarningsOf(const std::string& op, const Quantized& x_q, const Quantized& y_q) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}, Type::Int16, x_q), y = b.Tensor("y", {1, 4}, Type::Int16, y_q);
  b.Op(op, {x}, {y});
  b.Output(y);
  const ImportedTflite imported = ImportTflite(b.Bytes());
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  return imported.diagnostics.warnings;
}

TEST(TfliteInt16Scales, ValidOnesGiveNoWarning) {
  EXPECT_THAT(WarningsOf("LOGISTIC", Scale(0.0003f), Scale(kTable)), IsEmpty());
  EXPECT_THAT(WarningsOf("ABS", Scale(0.01f), Scale(0.02f)), IsEmpty());
}

TEST(TfliteInt16Scales, ZeroPointsAreNamed) {
  EXPECT_THAT(WarningsOf("ABS", Scale(0.01f, 3), Scale(0.02f)),
              ElementsAre(AllOf(HasSubstr("node 'y' (ABS"), HasSubstr("int16 'x'"),
                                HasSubstr("no zero point but 0, found 3"))));
  EXPECT_THAT(WarningsOf("ABS", Scale(0.01f), Scale(0.02f, -7)),
              ElementsAre(AllOf(HasSubstr("int16 'y'"), HasSubstr("found -7"))));
}

TEST(TfliteInt16Scales, ConversionsTakeZeroPoints) {
  EXPECT_THAT(WarningsOf("QUANTIZE", Scale(0.5f, -1), Scale(1.0f, 127)), IsEmpty());
}

TEST(TfliteInt16Scales, TablesHaveOne) {
  for (const char* op : {"LOGISTIC", "TANH"}) {
    EXPECT_THAT(
        WarningsOf(op, Scale(0.0003f), Scale(0.001f)),
        ElementsAre(AllOf(HasSubstr(op), HasSubstr("no scale but 1/32768"), HasSubstr("found 0.001"))));
  }
}

}  // namespace
}  // namespace micrort::testing::tflite_int16_scales
