// What mnnconvert says of samples that do not fit the network.

#include "converter/quantize/sample_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "converter/ir/infer.h"
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

// What a batch normalization recorded tells apart what bias and weights leave open.
class TrainedOutputTest : public WarnAboutSamplesTest {
 protected:
  // Elements of the input are 0.5 on average and vary by 1, each on its own.
  TrainedOutputTest() {
    Observe("x", 0.0f, 0.5f);
    const ir::Node& layer = *g_.graph.nodes[0];
    const ir::Value& weights = g_.graph.value(layer.inputs[1]);
    observe::InputMoments& moments = calibration_.moments[weights.name];
    moments.sets = moments.blocks = 1;
    moments.depth = moments.block = kDepth;
    moments.rows = 10;
    moments.sums.assign(kDepth, 5.0);
    moments.products.assign(kDepth * kDepth, 0.0f);
    for (size_t i = 0; i < kDepth; ++i) {
      for (size_t j = i; j < kDepth; ++j) moments.products[i * kDepth + j] = i == j ? 12.5f : 2.5f;
    }
    const float* w = weights.as<float>();
    for (size_t c = 0; c < kChannels; ++c, w += kDepth) {
      float sum = g_.graph.value(layer.inputs[2]).as<float>()[c], squares = 0;
      for (size_t i = 0; i < kDepth; ++i) {
        sum += 0.5f * w[i];
        squares += w[i] * w[i];
      }
      found_.means.push_back(sum);
      found_.deviations.push_back(std::sqrt(squares));
    }
  }

  // Training had so many times the deviations, and means by so many deviations away.
  std::vector<std::string> WarnIfTrainedWith(float factor, float shift) {
    ir::TrainedOutput& trained = g_.graph.nodes[0]->trained;
    trained = found_;
    for (size_t c = 0; c < kChannels; ++c) {
      trained.deviations[c] *= factor;
      trained.means[c] += (c % 2 == 0 ? shift : -shift) * trained.deviations[c];
    }
    return Warn();
  }

  static constexpr size_t kDepth = 27, kChannels = 8;
  ir::TrainedOutput found_;
};

TEST_F(TrainedOutputTest, SaysNothingWhereSumsAreAsInTraining) {
  EXPECT_THAT(WarnIfTrainedWith(1.0f, 0.0f), IsEmpty());
  EXPECT_THAT(WarnIfTrainedWith(1.4f, 0.3f), IsEmpty());
}

TEST_F(TrainedOutputTest, NamesMeanAndScaleWhereSumsVaryHalfOrTwiceAsMuch) {
  EXPECT_THAT(WarnIfTrainedWith(2.0f, 0.0f),
              ElementsAre(AllOf(HasSubstr("--mean and --scale"), HasSubstr("vary 0.5 times"))));
  EXPECT_THAT(WarnIfTrainedWith(0.5f, 0.0f),
              ElementsAre(AllOf(HasSubstr("--mean and --scale"), HasSubstr("vary 2 times"))));
}

TEST_F(TrainedOutputTest, NamesMeanAndScaleWhereMeansLieElsewhere) {
  EXPECT_THAT(WarnIfTrainedWith(1.0f, 1.0f),
              ElementsAre(AllOf(HasSubstr("--mean and --scale"), HasSubstr("1 standard deviations off"))));
}

TEST_F(TrainedOutputTest, AFewChannelsThatDifferAreNoCause) {
  found_.deviations[0] *= 10.0f;
  found_.deviations[1] = 0.0f;
  found_.means[2] += 100.0f;
  EXPECT_THAT(WarnIfTrainedWith(1.0f, 0.0f), IsEmpty());
}

TEST_F(TrainedOutputTest, ChannelsThatAreNoNumbersAreLeftOut) {
  found_.deviations[0] = std::numeric_limits<float>::quiet_NaN();
  found_.means[1] = std::numeric_limits<float>::infinity();
  EXPECT_THAT(WarnIfTrainedWith(1.0f, 0.0f), IsEmpty());
  EXPECT_THAT(WarnIfTrainedWith(2.0f, 0.0f), ElementsAre(HasSubstr("vary 0.5 times")));
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
