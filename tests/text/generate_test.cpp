// The steps between logits and text: sampling, stop words, conversations.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "micrort/text/chat.h"
#include "micrort/text/sampling.h"
#include "text/generate/stop_words.h"

namespace micrort::text {
namespace {

// The tokens of `count` draws from the same logits.
std::vector<int32_t> Drawn(const SamplingOptions& options, const std::vector<float>& logits, int count,
                           std::vector<int32_t> tokens = {}, const LogitsMask& mask = nullptr) {
  auto sampler = Sampler::Create(options, mask);
  EXPECT_TRUE(sampler.ok()) << sampler.status().message();
  std::vector<int32_t> drawn;
  for (int i = 0; i < count; ++i) {
    std::vector<float> changed = logits;
    int32_t token = -1;
    const Status chosen =
        sampler->Choose({changed.data(), changed.size()}, {tokens.data(), tokens.size()}, 0, &token);
    EXPECT_TRUE(chosen.ok()) << chosen.message();
    drawn.push_back(token);
  }
  return drawn;
}

TEST(Sampling, WithoutTemperatureTakesTheFirstOfTheBest) {
  EXPECT_EQ(Drawn({}, {1, 3, 3, 2}, 2), (std::vector<int32_t>{1, 1}));
  const LogitsMask mask = [](Span<const int32_t>, Span<float> logits) {
    logits[1] = -std::numeric_limits<float>::infinity();
  };
  EXPECT_EQ(Drawn({}, {1, 3, 3, 2}, 1, {}, mask), std::vector<int32_t>{2});
}

TEST(Sampling, DrawsAsOftenAsIsProbable) {
  SamplingOptions options;
  options.temperature = 2;
  options.seed = 5;
  constexpr int kDraws = 20000;
  const std::vector<int32_t> drawn = Drawn(options, {0, 2, -1000, 4}, kDraws);
  EXPECT_EQ(drawn, Drawn(options, {0, 2, -1000, 4}, kDraws));
  const double total = 1 + std::exp(1) + std::exp(2);
  for (const int token : {0, 1, 3}) {
    const double expected = std::exp(token == 0 ? 0 : token == 1 ? 1 : 2) / total;
    EXPECT_NEAR(std::count(drawn.begin(), drawn.end(), token) / static_cast<double>(kDraws), expected, 0.015)
        << token;
  }
  options.seed = 6;
  EXPECT_NE(drawn, Drawn(options, {0, 2, -1000, 4}, kDraws));
}

TEST(Sampling, LeavesOutWhatIsImprobable) {
  // Probabilities: 0.1, 0.2, 0.3, 0.4.
  const std::vector<float> logits = {std::log(0.1f), std::log(0.2f), std::log(0.3f), std::log(0.4f)};
  const auto least = [&](SamplingOptions options) {
    options.temperature = 1;
    const std::vector<int32_t> drawn = Drawn(options, logits, 1000);
    return *std::min_element(drawn.begin(), drawn.end());
  };
  SamplingOptions none, top_k, top_p, min_p;
  top_k.top_k = 2;
  top_p.top_p = 0.75f;
  min_p.min_p = 0.8f;
  EXPECT_EQ(least(none), 0);
  EXPECT_EQ(least(top_k), 2);
  EXPECT_EQ(least(top_p), 1);
  EXPECT_EQ(least(min_p), 3);
  top_p.top_p = 0;
  EXPECT_EQ(least(top_p), 3);
}

TEST(Sampling, PenalizesWhatHasBeenSaid) {
  SamplingOptions repetition, frequency;
  repetition.repetition_penalty = 2;
  EXPECT_EQ(Drawn(repetition, {3, 2, -1}, 1, {0})[0], 1);
  frequency.frequency_penalty = 0.6f;
  EXPECT_EQ(Drawn(frequency, {3, 2, -1}, 1, {0})[0], 0);
  EXPECT_EQ(Drawn(frequency, {3, 2, -1}, 1, {0, 0})[0], 1);
}

TEST(Sampling, RefusesWhatIsNoNumber) {
  SamplingOptions wrong;
  wrong.top_p = 2;
  EXPECT_EQ(Sampler::Create(wrong).status().code(), StatusCode::kInvalidArgument);
  auto sampler = Sampler::Create({});
  ASSERT_TRUE(sampler.ok());
  std::vector<float> logits = {1, std::nanf("")};
  int32_t token = 0;
  EXPECT_EQ(sampler->Choose({logits.data(), logits.size()}, {}, 0, &token).code(), StatusCode::kOutOfRange);
  EXPECT_EQ(sampler->Choose({}, {}, 0, &token).code(), StatusCode::kInvalidArgument);
}

TEST(StopWords, HoldBackWhatMayBeTheirBegin) {
  StopWords words({"stop", "STOP!", ""});
  std::string out;
  EXPECT_FALSE(words.Add("a st", &out));
  EXPECT_EQ(out, "a ");
  EXPECT_FALSE(words.Add("art sto", &out));
  EXPECT_EQ(out, "a start ");
  EXPECT_TRUE(words.Add("p it", &out));
  EXPECT_EQ(out, "a start ");
  StopWords other({"xx"});
  out.clear();
  EXPECT_FALSE(other.Add("ax", &out));
  EXPECT_EQ(out + "," + other.Rest(), "a,x");
}

std::string Rendered(const char* family, const std::vector<ChatMessage>& messages) {
  const auto found = ChatFamilyOf(family);
  std::vector<TextPart> parts;
  const Status rendered = found.ok() ? RenderChat(found.value(), messages, &parts) : found.status();
  if (!rendered.ok()) return std::string("? ") + rendered.message();
  std::string text;
  for (const TextPart& part : parts) text += part.text;
  return text;
}

TEST(Chat, WritesAsEachFamilyWasTrained) {
  using Role = ChatMessage::Role;
  const std::vector<ChatMessage> messages = {
      {Role::kSystem, "S"}, {Role::kUser, "Q"}, {Role::kAssistant, "A"}, {Role::kUser, "R"}};
  EXPECT_EQ(Rendered("llama2", messages),
            "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nQ [/INST] A </s><s>[INST] R [/INST]");
  EXPECT_EQ(Rendered("llama3", messages),
            "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>"
            "user<|end_header_id|>\n\n"
            "Q<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nA<|eot_id|><|start_header_id|>user<|"
            "end_header_id|>\n\n"
            "R<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n");
  EXPECT_EQ(
      Rendered("chatml", messages),
      "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n"
      "<|im_start|>user\nR<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(Rendered("gemma", messages),
            "<bos><start_of_turn>user\nS\n\nQ<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n<start_of_"
            "turn>user\nR<end_of_turn>\n"
            "<start_of_turn>model\n");
  EXPECT_EQ(Rendered("phi3", messages),
            "<|system|>\nS<|end|>\n<|user|>\nQ<|end|>\n<|assistant|>\nA<|end|>\n<|user|>\nR<|end|>\n<|"
            "assistant|>\n");
  EXPECT_EQ(Rendered("mistral", messages), "<s>[INST] S\n\nQ [/INST] A</s>[INST] R [/INST]");
  EXPECT_NE(Rendered("none", messages).find("expected one of llama2, llama3"), std::string::npos);
  EXPECT_NE(Rendered("phi3", {{Role::kAssistant, "A"}}).find("expected at most one of the system first"),
            std::string::npos);
  EXPECT_NE(Rendered("phi3", {}).find("0 messages"), std::string::npos);
}

}  // namespace
}  // namespace micrort::text
