// Static int8 and int16 of layers that share weights and bias, as the steps of an unrolled recurrence do.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "converter/ir/infer.h"
#include "converter/quantize/static_int8.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize::shared_layers {
namespace {

using testing::TestGraph;

constexpr int kWidth = 8;

// Step i reads values up to i + 1, whose means grow as well.
struct Steps {
  TestGraph g;
  observe::Calibration calibration;

  explicit Steps(int count) {
    schema::MatMulOptionsT options;
    ir::ValueId x = g.Input("x", {1, kWidth});
    const ir::ValueId weights = g.Weights("w", {kWidth, kWidth}), bias = g.Weights("b", {kWidth});
    for (int i = 0; i < count; ++i) {
      Note(x, static_cast<float>(i + 1));
      x = g.Node("step" + std::to_string(i), options, {x, weights, bias});
    }
    Note(x, 1);
    g.Output(x);
    EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  }

  // The layers' inputs 0 to 2, each once.
  std::set<ir::ValueId> Operands(size_t input) const {
    std::set<ir::ValueId> ids;
    for (const auto& node : g.graph.nodes) {
      if (node->code == schema::OpCode::MatMul) ids.insert(node->inputs[input]);
    }
    return ids;
  }
  std::set<float> Scales() const {
    std::set<float> scales;
    for (const ir::ValueId id : Operands(0)) {
      for (const float scale : g.graph.value(id).quantization.scales) scales.insert(scale);
    }
    return scales;
  }

 private:
  void Note(ir::ValueId x, float largest) {
    const std::string& name = g.graph.value(x).name;
    calibration.ranges[name] = {-largest, largest, true};
    calibration.means[name].assign(kWidth, static_cast<double>(largest) / 4);
  }
};

void ExpectShared(const Steps& steps, size_t layers) {
  EXPECT_EQ(steps.Operands(0).size(), layers);
  EXPECT_EQ(steps.Operands(1).size(), 1u);
  EXPECT_EQ(steps.Operands(2).size(), 1u);
  EXPECT_EQ(steps.Scales().size(), 1u);
}

TEST(SharedLayers, ManyHaveOneBias) {
  for (const bool is_int8 : {true, false}) {
    Steps steps(20);
    Report report;
    if (is_int8) QuantizeStatically(&steps.g.graph, steps.calibration, {}, {}, {true, false}, &report);
    if (!is_int8) QuantizeToInt16(&steps.g.graph, steps.calibration, {}, {}, &report);
    EXPECT_EQ(report.quantized, 20);
    ExpectShared(steps, 20);
  }
}

// Levels of a pyramid may have ranges of their own, which cost little beside the weights.
TEST(SharedLayers, FewKeepTheirRanges) {
  Steps steps(2);
  Report report;
  QuantizeStatically(&steps.g.graph, steps.calibration, {}, {}, {true, false}, &report);
  EXPECT_EQ(report.quantized, 2);
  EXPECT_EQ(steps.Operands(1).size(), 1u);
  EXPECT_EQ(steps.Operands(2).size(), 2u);
  EXPECT_EQ(steps.Scales().size(), 2u);
}

}  // namespace
}  // namespace micrort::quantize::shared_layers
