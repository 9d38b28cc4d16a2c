// Signal operators of TensorFlow Lite Micro.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr auto kShorts = fb::TensorType::Int16;

TEST(TfliteSignal, WindowsSaturate) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}, kShorts),
            w = b.Constant<int16_t>("w", {4}, kShorts, {4096, 2048, 32767, -3}),
            y = b.Tensor("y", {}, kShorts);
  b.Op("SignalWindow", {x, w}, {y}).custom_options = FlexInts({{"shift", 12}});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {100, -101, 30000, 1}}})["y"], Floats({100, -51, 32767, -1}));
}

TEST(TfliteSignal, ScalesToFifteenBits) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}, kShorts), y = b.Tensor("y", {}, kShorts),
            n = b.Tensor("n", {}, fb::TensorType::Int32);
  b.Op("SignalFftAutoScale", {x}, {y, n});
  b.Output(y).Output(n);
  auto outputs = RunTflite(b, {{"x", {5, -9, 0}}});
  EXPECT_EQ(outputs["n"], Floats({11}));
  EXPECT_EQ(outputs["y"], Floats({10240, -18432, 0}));
  EXPECT_EQ(RunTflite(b, {{"x", {-32768, 1, 2}}})["n"], Floats({0}));
  auto imported = ImportTflite(b.Bytes());
  EXPECT_EQ(imported.graph().value(imported.graph().outputs[1]).rank(), 0);
}

TEST(TfliteSignal, EnergyOfPartOfASpectrum) {
  TfliteBuilder b;
  const int x = b.Input("x", {8}, kShorts), y = b.Tensor("y", {}, fb::TensorType::UInt32), z = b.Tensor("z");
  b.Op("SignalEnergy", {x}, {y}).custom_options = FlexInts({{"start_index", 1}, {"end_index", 3}});
  b.Op("CAST", {y}, {z});
  b.Output(z);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 1, 3, 4, -32768, -32768, 7, 7}}})["z"],
            Floats({0, 25, 2147483648.0f, 0}));
  b.graph().operators[0]->custom_options = FlexInts({{"start_index", 1}, {"end_index", 9}});
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("'end_index' is 9: expected 0 to 4"));
}

TEST(TfliteSignal, TransformsOfFloatsAndBack) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}), f = b.Tensor("f"), y = b.Tensor("y");
  b.Op("SignalRfft", {x}, {f}).custom_options = FlexInts({{"fft_length", 8}});
  b.Op("SignalIrfft", {f}, {y}).custom_options = FlexInts({{"fft_length", 8}});
  b.Output(f).Output(y);
  auto outputs = RunTflite(b, {{"x", {1, 0, -1, 0}}});
  EXPECT_THAT(outputs["f"], Pointwise(FloatNear(1e-6f), Floats({0, 0, 1, 1, 2, 0, 1, -1, 0, 0})));
  EXPECT_THAT(outputs["y"], Pointwise(FloatNear(1e-6f), Floats({1, 0, -1, 0, 0, 0, 0, 0})));
}

std::string WhyRefused(const std::string& op, fb::TensorType type) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}, type), y = b.Tensor("y", {}, type);
  b.Op(op, {x}, {y}).custom_options = FlexInts({{"fft_length", 4}});
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported) << op;
  return result.diagnostics.unsupported.at(0).op + ": " + result.diagnostics.unsupported.at(0).reason;
}

TEST(TfliteSignal, OthersAreRefusedByName) {
  EXPECT_THAT(WhyRefused("SignalRfft", fb::TensorType::UInt8), HasSubstr("a transform of uint8"));
}

}  // namespace
}  // namespace micrort::testing
