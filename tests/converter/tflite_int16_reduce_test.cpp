// Sums, means and extremes of int16 tensors of TensorFlow Lite.

#include "converter/emit/build_model.h"
#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_int16 {
namespace {

constexpr int32_t kRows = 6, kColumns = 5, kChannels = 7;

// Over rows and columns of an image.
TfliteBuilder OverImage(const std::string& op, const Quantized& of_x, const Quantized& of_y, bool keeps) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, kRows, kColumns, kChannels}, Type::Int16, of_x),
            y = b.Tensor(
                "y", keeps ? std::vector<int32_t>{1, 1, 1, kChannels} : std::vector<int32_t>{1, kChannels},
                Type::Int16, of_y);
  fb::ReducerOptionsT options;
  options.keep_dims = keeps;
  b.Op(op, {x, b.Integers("axes", {2, -3})}, {y}, options);
  b.Output(y);
  return b;
}

std::vector<int16_t> Channel(const std::vector<int16_t>& x, size_t c) {
  std::vector<int16_t> channel;
  for (size_t i = c; i < x.size(); i += kChannels) channel.push_back(x[i]);
  return channel;
}

const std::vector<int16_t>& Image() {
  static const std::vector<int16_t> image = RandomInt16(kRows * kColumns * kChannels, 8);
  return image;
}

TEST(TfliteInt16, SumsAndMeans) {
  constexpr float kX = 0.003f;
  for (const float y_scale : {0.003f, 0.0004f, 0.7f}) {
    for (const bool keeps : {false, true}) {
      for (const bool is_mean : {false, true}) {
        const TfliteBuilder b = OverImage(is_mean ? "MEAN" : "SUM", Scale(kX), Scale(y_scale), keeps);
        Floats expected;
        for (size_t c = 0; c < kChannels; ++c) {
          expected.push_back(
              int16_model::SumOrMean(Channel(Image(), c), is_mean, double{kX} / double{y_scale}));
        }
        EXPECT_EQ(RunTflite(b, {{"x", AsFloats(Image())}})["y"], expected);
        ExpectOneOperator(b);
      }
    }
  }
}

// Which choose elements, of one scale.
TEST(TfliteInt16, ExtremesAreTheIntegers) {
  for (const bool is_max : {false, true}) {
    const TfliteBuilder b =
        OverImage(is_max ? "REDUCE_MAX" : "REDUCE_MIN", Scale(0.02f), Scale(0.02f), false);
    Floats expected;
    for (size_t c = 0; c < kChannels; ++c) {
      const std::vector<int16_t> channel = Channel(Image(), c);
      const auto [least, largest] = std::minmax_element(channel.begin(), channel.end());
      expected.push_back(is_max ? *largest : *least);
    }
    EXPECT_EQ(RunTflite(b, {{"x", AsFloats(Image())}})["y"], expected);
    ImportedTflite imported = ImportTflite(b.Bytes());
    ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
    ASSERT_EQ(imported.graph().nodes.size(), 1u);
    EXPECT_EQ(imported.graph().nodes[0]->code, schema::OpCode::Reduce);
  }
}

// A sum over no axes gives its input another scale.
TEST(TfliteInt16, SumsOverNothingScale) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}, Type::Int16, Scale(0.5f)), y = b.Tensor("y", {3}, Type::Int16, Scale(1.0f));
  b.Op("SUM", {x, b.Integers("axes", {})}, {y}, fb::ReducerOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {100, -7, 32767}}})["y"], Floats({50, -3, 16384}));
}

TEST(TfliteInt16, LongSumsAreOfRealNumbers) {
  TfliteBuilder b;
  const int x = b.Input("x", {300, 300}, Type::Int16, Scale(0.5f)),
            y = b.Tensor("y", {}, Type::Int16, Scale(0.5f));
  b.Op("MEAN", {x, b.Integers("axes", {0, 1})}, {y}, fb::ReducerOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", Floats(90000, 32767)}})["y"], Floats({32767}));
}

TEST(TfliteInt16, FilesOfMoreOperatorsStateTheirVersion) {
  ImportedTflite imported = ImportTflite(OverImage("MEAN", Scale(0.5f), Scale(0.5f), true).Bytes());
  emit::FileModel model;
  ASSERT_TRUE(emit::BuildModel(imported.module, &model).ok());
  EXPECT_EQ(model.schema_version, emit::kSchemaVersionOfMoreInt16);
}

}  // namespace
}  // namespace micrort::testing::tflite_int16
