// TRANSPOSE_CONV of int16 whose output has a shape that is an input of the model, as in files that TensorFlow
// Lite Micro is tested with: the integers are those of a shape that the file states.

#include <algorithm>
#include <map>

#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_int16::transposed {
namespace {

constexpr int32_t kIn = 4, kOut = 3, kRows = 3, kColumns = 5;
constexpr float kX = 0.0119f, kY = 0.0813f;
const std::vector<float> kWeightScales = {0.0041f, 0.0043f, 0.0067f};
const std::vector<int64_t> kBias = {12345678, -34567890, 77};

struct Transposed {
  fb::Padding padding;
  int32_t stride_h, stride_w, rows, columns;

  Floats Shape() const {
    return {1, static_cast<float>(rows), static_cast<float>(columns), static_cast<float>(kOut)};
  }
};

TfliteBuilder Model(const Transposed& t, bool is_input) {
  TfliteBuilder b;
  const int shape =
      is_input ? b.Input("shape", {4}, Type::Int32) : b.Integers("shape", {1, t.rows, t.columns, kOut});
  std::vector<int8_t> weights(kOut * 3 * 4 * kIn);
  Random random(7);
  random.Fill(weights, -127, 127);
  const int w =
      b.Constant<int8_t>("w", {kOut, 3, 4, kIn}, Type::Int8, weights, {kWeightScales, {0, 0, 0}, 0});
  const int x = b.Input("x", {1, kRows, kColumns, kIn}, Type::Int16, Scale(kX)),
            bias = b.Constant<int64_t>("bias", {kOut}, Type::Int64, kBias),
            y = b.Tensor("y", {1, t.rows, t.columns, kOut}, Type::Int16, Scale(kY));
  fb::TransposeConvOptionsT options;
  options.padding = t.padding;
  options.stride_h = t.stride_h, options.stride_w = t.stride_w;
  b.Op("TRANSPOSE_CONV", {shape, w, x, bias}, {y}, options);
  b.Output(y);
  return b;
}

const std::vector<int16_t>& Image() {
  static const std::vector<int16_t> image = RandomInt16(kRows * kColumns * kIn, 8, 2000);
  return image;
}

Floats Outputs(const Transposed& t, bool is_input) {
  std::map<std::string, Floats> inputs = {{"x", AsFloats(Image())}};
  if (is_input) inputs["shape"] = t.Shape();
  return RunTflite(Model(t, is_input), inputs)["y"];
}

TEST(TfliteInt16, TransposedConvolutionsOfComputedShapes) {
  for (const auto padding : {fb::Padding::Valid, fb::Padding::Same}) {
    for (const int32_t stride : {1, 2, 5}) {
      // Smaller than what windows reach, the same, and larger.
      const int32_t rows = (kRows - 1) * stride + 3, columns = (kColumns - 1) + 4;
      for (const int32_t more : {-2, -1, 0, 1, 2, 7}) {
        const Transposed t = {padding, stride, 1, std::max(rows + more, 1), columns - more};
        const Floats known = Outputs(t, false);
        ASSERT_EQ(known.size(), static_cast<size_t>(t.rows * t.columns * kOut));
        EXPECT_EQ(Outputs(t, true), known) << "stride " << stride << ", " << t.rows << "x" << t.columns;
      }
    }
  }
}

// Windows reach two rows less than the model computes.
TEST(TfliteInt16, TransposedConvolutionsOfComputedShapesEndWithTheBias) {
  const Floats y = Outputs({fb::Padding::Valid, 2, 2, kRows * 2 + 3, kColumns * 2 + 2}, true);
  for (size_t o = 0; o < kOut; ++o) {
    const double scale = double{kX} * double{kWeightScales[o]} / double{kY};
    EXPECT_EQ(y[y.size() - kOut + o], static_cast<float>(int16_model::MultiplyWide(kBias[o], scale)));
  }
}

TEST(TfliteInt16, TransposedConvolutionsOfComputedShapesHaveNoFloats) {
  ImportedTflite imported = ImportTflite(Model({fb::Padding::Same, 2, 2, 6, 10}, true).Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  for (const auto& node : imported.graph().nodes) {
    for (const ir::ValueId id : node->outputs) EXPECT_NE(imported.graph().value(id).dtype, DType::kFloat32);
  }
}

}  // namespace
}  // namespace micrort::testing::tflite_int16::transposed
