// Weights and activations that a narrow type cannot hold: too small for its scales, or NaN; and channels of
// which the bias alone is left.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "converter/quantize/int8_layer.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"
#include "tests/converter/converted.h"
#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"

namespace micrort::quantize {
namespace {

using testing::Converted;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OnnxBuilder;

constexpr int64_t kSize = 64;

// Of y = x * w, of matrices; w is `of_all`, but for its first element.
Report Product(float of_all, float first, QuantMode mode) {
  std::vector<float> w(kSize * kSize, of_all);
  w[0] = first;
  OnnxBuilder b;
  b.Input("x", {"4", "64"}).Floats("w", {kSize, kSize}, w).Node("MatMul", {"x", "w"}, {"y"});
  ConvertOptions options;
  options.quant = mode;
  const Converted model(b, {"y"}, options);
  EXPECT_TRUE(model.status().ok()) << model.status().message();
  return model.result().summary.quantization;
}

const QuantMode kModes[] = {QuantMode::kFp16, QuantMode::kInt8, QuantMode::kInt8Weights,
                            QuantMode::kInt4Weights};

TEST(QuantizeExtremes, SmallWeightsStayFloat) {
  for (const QuantMode mode : kModes) {
    const Report report = Product(1e-20f, 1e-20f, mode);
    ASSERT_EQ(report.exceptions.size(), 1u) << static_cast<int>(mode);
    EXPECT_THAT(report.exceptions[0].reason, HasSubstr("weights are "));
  }
}

TEST(QuantizeExtremes, WeightsThatAreNotFiniteStayFloat) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const QuantMode mode : {QuantMode::kInt8, QuantMode::kInt8Weights, QuantMode::kInt4Weights}) {
      const Report report = Product(0.5f, bad, mode);
      ASSERT_EQ(report.exceptions.size(), 1u) << static_cast<int>(mode);
      EXPECT_EQ(report.exceptions[0].reason, "weights are not finite");
    }
  }
}

TEST(QuantizeExtremes, OthersAndZerosDoNot) {
  for (const QuantMode mode : kModes) {
    EXPECT_THAT(Product(1e-4f, 0.0f, mode).exceptions, IsEmpty());
    EXPECT_THAT(Product(0.0f, 0.0f, mode).exceptions, IsEmpty());
  }
}

// The first channel has no weights, so that its output is its bias.
TEST(QuantizeExtremes, ABiasOfAChannelWithoutWeightsIsKept) {
  for (const DType bias : {DType::kInt32, DType::kInt64}) {
    testing::TestGraph g;
    const ir::ValueId x = g.Input("x", {1, 4, 4, 2});
    const ir::ValueId w = g.Constant("w", {2, 1, 1, 2}, {0, 0, 0.5f, -1});
    const ir::ValueId b = g.Constant("b", {2}, {3, -2});
    g.Output(g.Node("y", schema::Conv2DOptionsT(), {x, w, b}));
    ir::Node* const node = g.graph.nodes.back().get();
    StoredWeights stored;
    constexpr float kScale = 1e-4f;
    QuantizeLayerConstants(&g.graph, node, {kScale, nullptr, nullptr, bias}, PtqCorrection(), &stored);
    const std::vector<float>& scales = g.graph.value(node->inputs[1]).quantization.scales;
    const ir::Value& integers = g.graph.value(node->inputs[2]);
    for (size_t c = 0; c < 2; ++c) {
      const double q = bias == DType::kInt64 ? static_cast<double>(integers.as<int64_t>()[c])
                                             : static_cast<double>(integers.as<int32_t>()[c]);
      EXPECT_NEAR(q * kScale * static_cast<double>(scales[c]), c == 0 ? 3 : -2, 1e-4);
      // Factors from sums to an output of 16 bits have at least as many.
      EXPECT_LE(std::fabs(q), 0x1p41);
    }
  }
}

}  // namespace
}  // namespace micrort::quantize
