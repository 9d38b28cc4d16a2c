// Texts as samples of decoders, and what mnnconvert says about next tokens.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/programs/counting_decoder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

constexpr int kTokens = 27;  // an end, and letters

// The scores of the next letter in the alphabet are 5, those of all others 0.
testing::OnnxBuilder NextLetter() {
  std::vector<float> table(kTokens * kTokens, 0.0f);
  for (int i = 0; i < kTokens; ++i) table[static_cast<size_t>(i * kTokens + i % (kTokens - 1) + 1)] = 5.0f;
  testing::OnnxBuilder builder;
  builder.Input("input_ids", {"1", "tokens"}, ::onnx::TensorProto::INT64)
      .Floats("table", {kTokens, kTokens}, table)
      .Node("Gather", {"table", "input_ids"}, {"logits"})
      .Output("logits");
  return builder;
}

class MnnconvertText : public ::testing::Test {
 protected:
  void SetUp() override {
    WriteFile(tokenizer_, Letters().dump());
    std::string text;
    for (int i = 0; i < 300; ++i) text += static_cast<char>('a' + i % 26);
    WriteFile(text_, text);
  }
  ProcessResult Convert(const testing::OnnxBuilder& model, const std::vector<std::string>& flags) {
    WriteFile(folder_ / "model.onnx", model.Bytes());
    std::vector<std::string> command = {folder_ / "model.onnx", "-o", folder_ / "model.fb", "--verify"};
    command.insert(command.end(), flags.begin(), flags.end());
    return RunProgram("mnnconvert", command);
  }
  static bool HasNoTokenizers(const ProcessResult& r) {
    return r.err.find("built without libutf8proc") != std::string::npos;
  }

  TemporaryFolder folder_;
  const std::string tokenizer_ = folder_ / "tokenizer.json", text_ = folder_ / "text.txt";
};

TEST_F(MnnconvertText, TellsPerplexityAndDivergence) {
  const std::string report = folder_ / "report.json", page = folder_ / "report.html";
  const ProcessResult r =
      Convert(NextLetter(), {"--calib", text_, "--tokenizer", tokenizer_, "--report", report, "--report",
                             page, "--json", folder_ / "summary.json"});
  if (HasNoTokenizers(r)) GTEST_SKIP() << "skipped: no tokenizers";
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out,
              HasSubstr("perplexity: 1.175; in float 1.175; KL divergence 0; 100.00 % the same tokens at 256 "
                        "positions\n"));
  for (const nlohmann::json& found :
       {nlohmann::json::parse(ReadFile(folder_ / "summary.json"))["verify"]["next_tokens"],
        nlohmann::json::parse(ReadFile(report))["next_tokens"]}) {
    EXPECT_EQ(found["positions"], 256);
    EXPECT_NEAR(found["perplexity_float"], 1 + 26 * std::exp(-5.0), 1e-5);
    EXPECT_NEAR(found["perplexity"], 1 + 26 * std::exp(-5.0), 1e-5);
    EXPECT_EQ(found["kl_divergence"], 0.0);
    EXPECT_EQ(found["same_tokens"], 1.0);
  }
  EXPECT_THAT(ReadFile(page), HasSubstr("Perplexity"));
}

// Masks are ones, and caches empty; one position has scores, which no token of the sample follows.
TEST_F(MnnconvertText, FillsTheInputsOfADecoder) {
  const ProcessResult r = Convert(Counting("tokens"), {"--calib", text_, "--tokenizer", tokenizer_});
  if (HasNoTokenizers(r)) GTEST_SKIP() << "skipped: no tokenizers";
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("\nKL divergence 0; 100.00 % the same tokens at 2 positions\n"));
}

TEST_F(MnnconvertText, GoesOnWhereCachesAreKept) {
  const ProcessResult r =
      Convert(Counting("tokens"), {"--calib", text_, "--tokenizer", tokenizer_, "--kv-cache", "256"});
  if (HasNoTokenizers(r)) GTEST_SKIP() << "skipped: no tokenizers";
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("the same tokens at 2 positions\n"));
}

TEST_F(MnnconvertText, SaysWhatATextNeeds) {
  const auto error = [&](const testing::OnnxBuilder& model, const std::vector<std::string>& flags) {
    const ProcessResult r = Convert(model, flags);
    EXPECT_EQ(r.exit_code, 1) << r.err;
    return r.err;
  };
  EXPECT_THAT(error(NextLetter(), {"--calib", text_}), HasSubstr("a text needs --tokenizer"));
  EXPECT_THAT(error(NextLetter(), {"--tokenizer", tokenizer_}), HasSubstr("--tokenizer needs --calib"));
  const std::string picture = folder_ / "a.png";
  EXPECT_THAT(error(NextLetter(), {"--calib", text_, picture, "--tokenizer", tokenizer_}),
              HasSubstr("expected texts alone beside a text, found '" + picture + "'"));
  testing::OnnxBuilder other;
  other.Input("x", {"1", "tokens"}).Node("Relu", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(error(other, {"--calib", text_, "--tokenizer", tokenizer_}),
              HasSubstr("a text needs an input of tokens, 'input_ids'"));
  WriteFile(text_, "abc");
  const ProcessResult r = Convert(NextLetter(), {"--calib", text_, "--tokenizer", tokenizer_});
  if (HasNoTokenizers(r)) GTEST_SKIP() << "skipped: no tokenizers";
  EXPECT_THAT(r.err, HasSubstr("expected at least 128 tokens, found 3"));
}

}  // namespace
}  // namespace micrort::test
