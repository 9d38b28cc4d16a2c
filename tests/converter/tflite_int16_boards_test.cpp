// Boards whose library is built without int16 (MICRORT_INT16=OFF, as that of their presets) do not run such
// models.

#include <gmock/gmock.h>

#include "converter/convert.h"
#include "converter/report/summary.h"
#include "kernels/base/cpu_features.h"
#include "tests/converter/tflite_int16.h"

namespace micrort::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace tflite_int16;

ConvertResult ForBoard(const TfliteBuilder& b) {
  const std::string bytes = b.Bytes();
  ConvertOptions options;
  options.target.name = "cortex-m4";
  EXPECT_TRUE(ParseTarget("cortex-m4", &options.target.features));
  ConvertResult result;
  const Status status = ConvertBytes(
      "test.tflite", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, options, &result);
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

TEST(TfliteInt16, PresetsOfBoardsRefuseWhatComputesWithIt) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}), y = b.Tensor("y", {4}, Type::Int16, Scale(0.5f)),
            sum = b.Tensor("sum", {1}, Type::Int16, Scale(0.5f));
  b.Op("QUANTIZE", {x}, {y});
  fb::ReducerOptionsT options;
  options.keep_dims = true;
  b.Op("SUM", {y, b.Integers("axes", {0})}, {sum}, options);
  b.Output(sum);
  const report::Summary summary = ForBoard(b).summary;
  ASSERT_EQ(summary.left_out.size(), 2u);
  EXPECT_EQ(summary.left_out[0].op, "Quantize");
  EXPECT_EQ(summary.left_out[1].op, "Reduce");
  EXPECT_EQ(summary.left_out[1].computes_in, "int16");
  EXPECT_THAT(report::RefusalText(summary), AllOf(HasSubstr("Quantize "), HasSubstr("(int16)"),
                                                  HasSubstr("MICRORT_INT16=ON"), Not(HasSubstr("FLOAT"))));
  EXPECT_THAT(report::SummaryText(summary), HasSubstr("of a build with MICRORT_INT16=ON"));
}

TEST(TfliteInt16, PresetsOfBoardsMoveIt) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}, Type::Int16, Scale(0.5f)),
            y = b.Tensor("y", {2, 2}, Type::Int16, Scale(0.5f));
  b.Op("RESHAPE", {x, b.Integers("shape", {2, 2})}, {y});
  b.Output(y);
  EXPECT_EQ(report::RefusalText(ForBoard(b).summary), "");
}

}  // namespace
}  // namespace micrort::testing
