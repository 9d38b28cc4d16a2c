// What mnnconvert says of samples that do not fit the network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "converter/ir/infer.h"
#include "converter/quantize/guards.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using micrort::testing::TestGraph;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WarnAboutSamplesTest : public ::testing::Test {
 protected:
  // One convolution with weights and biases in [-1, 1].
  WarnAboutSamplesTest() {
    g_.Output(g_.Conv3x3("y", g_.Input("x", {1, 8, 8, 3}), 8));
    EXPECT_TRUE(ir::InferShapes(g_.graph).ok());
    calibration_.samples = 100;
    Observe("y", 0.0f, 1.0f);
  }

  // Bell-shaped values.
  void Observe(const std::string& name, float mean, float deviation) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> x(50000);
    observe::Range range;
    for (float& v : x) {
      v = normal(random);
      range.min = std::min(range.min, v);
      range.max = std::max(range.max, v);
    }
    calibration_.histograms[name] = {};
    calibration_.histograms[name].Add(x.data(), x.size(), range.min, range.max);
    calibration_.ranges[name] = calibration_.extremes[name] = range;
  }
  std::vector<std::string> Warn() {
    std::vector<std::string> texts;
    for (const SampleWarning& warning : WarnAboutSamples(g_.graph, calibration_))
      texts.push_back(warning.text());
    return texts;
  }

  TestGraph g_;
  observe::Calibration calibration_;
};

TEST_F(WarnAboutSamplesTest, SaysNothingOfSamplesThatFit) {
  Observe("x", 0.0f, 0.5f);
  EXPECT_THAT(Warn(), IsEmpty());
}

TEST_F(WarnAboutSamplesTest, NamesMeanAndScaleWherePixelsAreFarTooLarge) {
  Observe("x", 127.0f, 60.0f);
  EXPECT_THAT(Warn(), ElementsAre(AllOf(HasSubstr("--mean and --scale"), HasSubstr("first layer"))));
}

TEST_F(WarnAboutSamplesTest, NamesMeanAndScaleWherePixelsAreFarTooSmall) {
  Observe("x", 0.002f, 0.001f);
  EXPECT_THAT(Warn(), ElementsAre(HasSubstr("--mean and --scale")));
}

TEST_F(WarnAboutSamplesTest, NamesTensorsThatAreAlwaysZero) {
  Observe("x", 0.0f, 0.5f);
  calibration_.ranges["y"] = calibration_.extremes["y"] = {};
  calibration_.histograms["y"] = {};
  EXPECT_THAT(Warn(),
              ElementsAre(AllOf(HasSubstr("1 tensor(s) are zero on every sample"), HasSubstr("'y'"))));
}

TEST_F(WarnAboutSamplesTest, NamesTensorsWithOutliers) {
  Observe("x", 0.0f, 0.5f);
  const float far = 500.0f;
  calibration_.histograms["y"].Add(&far, 1, 0.0f, far);
  calibration_.ranges["y"].max = calibration_.extremes["y"].max = far;
  EXPECT_THAT(Warn(), ElementsAre(AllOf(HasSubstr("'y'"), HasSubstr("percentile"))));
}

TEST_F(WarnAboutSamplesTest, AsksForMoreSamples) {
  Observe("x", 0.0f, 0.5f);
  calibration_.samples = 3;
  EXPECT_THAT(Warn(), ElementsAre(HasSubstr("only 3 samples")));
}

}  // namespace
}  // namespace micrort::quantize
