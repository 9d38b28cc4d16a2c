// --quant auto for size on a model of next tokens.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/convert.h"
#include "tests/converter/onnx_builder.h"
#include "tests/status_matchers.h"
#include "tests/support/random.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::testing::auto_bits {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kWords = 48, kWidth = 32, kHidden = 64, kTokens = 16, kSamples = 4;

std::vector<float> Spread(size_t n, float largest, uint32_t seed) {
  std::vector<float> x(n);
  Random(seed).Fill(x, -largest, largest);
  return x;
}

// Two blocks of two layers between a table and the scores of its rows; the second adds next to nothing.
OnnxBuilder LanguageLike() {
  OnnxBuilder b;
  b.Input("input_ids", {"1", "tokens"}, ::onnx::TensorProto::INT64);
  b.Floats("table", {kWords, kWidth}, Spread(kWords * kWidth, 1.0f, 1));
  b.Node("Gather", {"table", "input_ids"}, {"x0"});
  for (const int i : {0, 1}) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    b.Floats("up" + n, {kWidth, kHidden}, Spread(kWidth * kHidden, 0.3f, 2 + static_cast<uint32_t>(i)));
    b.Floats("down" + n, {kHidden, kWidth}, Spread(kHidden * kWidth, i == 0 ? 0.3f : 0.01f, 5));
    b.Node("MatMul", {"x" + n, "up" + n}, {"u" + n}).Node("Relu", {"u" + n}, {"r" + n});
    b.Node("MatMul", {"r" + n, "down" + n}, {"d" + n}).Node("Add", {"x" + n, "d" + n}, {"x" + next});
  }
  b.Floats("head", {kWidth, kWords}, Spread(kWidth * kWords, 0.8f, 9));
  b.Node("MatMul", {"x2", "head"}, {"logits"}).Output("logits");
  return b;
}

class AutoBits : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<int64_t> tokens;
    for (int64_t i = 0; i < kSamples * kTokens; ++i) tokens.push_back(i * i * 7 % kWords);
    const std::vector<uint8_t> bytes = io::FormatNpy(DType::kInt64, {kSamples, 1, kTokens}, tokens.data());
    options_.calibration = {folder_.path() + "/tokens.npy"};
    ASSERT_THAT(
        io::WriteFileAtomically(options_.calibration[0], Span<const uint8_t>(bytes.data(), bytes.size())),
        testing::IsOk());
    options_.quant = QuantMode::kAuto;
    options_.verify = VerifyMode::kOutputs;
  }

  Status Convert(double max_loss) {
    options_.max_loss = max_loss;
    result_ = {};
    const std::string onnx = LanguageLike().Bytes();
    return ConvertBytes("test.onnx", {reinterpret_cast<const uint8_t*>(onnx.data()), onnx.size()}, options_,
                        &result_);
  }
  // Within the loss that was allowed, as --verify measures it, too.
  void ExpectLossOfAtMost(double most) {
    ASSERT_TRUE(result_.summary.quantization.choice);
    EXPECT_LE(result_.summary.quantization.choice->loss, most);
    EXPECT_LE(result_.task.next_tokens.divergence(), most + 1e-9);  // other sums of the same
    EXPECT_EQ(result_.summary.quantization.choice->measure, "KL divergence");
  }
  std::string Summary() const { return report::SummaryText(result_.summary); }

  TemporaryFolder folder_;
  ConvertOptions options_;
  ConvertResult result_;
};

TEST_F(AutoBits, ALargerLossIsASmallerFile) {
  size_t before = SIZE_MAX;
  for (const double max_loss : {0.0, 1e-6, 1e-4, 1e-3, 1e-2}) {
    SCOPED_TRACE(max_loss);
    ASSERT_THAT(Convert(max_loss), testing::IsOk());
    ExpectLossOfAtMost(max_loss);
    EXPECT_LT(result_.file.size(), before);
    before = result_.file.size();
    if (max_loss == 1e-3) {
      EXPECT_THAT(Summary(), HasSubstr("4 bits cost more accuracy here than --max-loss allows"));
    }
  }
  EXPECT_THAT(Summary(), HasSubstr("5 of 5 layers"));
}

TEST_F(AutoBits, LayersMayMultiplyIntegers) {
  options_.int8_compute = true;
  ASSERT_THAT(Convert(1e-2), testing::IsOk());
  ExpectLossOfAtMost(1e-2);
  options_.goal = AutoGoal::kSpeed;
  EXPECT_THAT(Convert(1e-2), testing::IsError(StatusCode::kInvalidArgument, HasSubstr("needs --goal size")));
}

TEST_F(AutoBits, TypesOfTheUserStay) {
  options_.layer_types = {{"logits", quantize::LayerType::kFloat32}};
  ASSERT_THAT(Convert(10), testing::IsOk());
  EXPECT_THAT(Summary(), HasSubstr("1 float32, as asked"));
  options_.layer_types = {{"logits", quantize::LayerType::kInt4Weights}};
  EXPECT_THAT(Convert(1e-9), testing::IsError(StatusCode::kUnsupported, HasSubstr("the loss is still")));
}

TEST_F(AutoBits, SpeedChoosesTypesOfActivations) {
  options_.goal = AutoGoal::kSpeed;
  ASSERT_THAT(Convert(0.1), testing::IsOk());
  EXPECT_EQ(result_.summary.quantization.choice->goal, "speed");
  EXPECT_EQ(result_.summary.quantization.choice->measure, "KL divergence");
}

}  // namespace
}  // namespace micrort::testing::auto_bits
