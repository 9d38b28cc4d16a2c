// Which tokens may follow in a transcript, and what segments they make.

#include "text/speech/speech_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "text/speech/segments.h"

namespace micrort::text {
namespace {

// Text 0 to 9, the end, a special token, and times of 2 s.
constexpr int32_t kEnd = 10, kSpecial = 11, kTime0 = 12, kCount = kTime0 + 101;

SpeechTokens Tokens() {
  SpeechTokens tokens;
  tokens.end = kEnd;
  tokens.first_timestamp = kTime0;
  tokens.suppressed = {kSpecial, 3};
  tokens.suppressed_first = {kEnd, 0};
  return tokens;
}

std::vector<int32_t> Allowed(const std::vector<int32_t>& made, bool has_times, std::vector<float> logits) {
  const SpeechTokens tokens = Tokens();
  SpeechRules(tokens, has_times).Apply({made.data(), made.size()}, {logits.data(), logits.size()});
  std::vector<int32_t> allowed;
  for (size_t i = 0; i < logits.size(); ++i)
    if (std::isfinite(logits[i])) allowed.push_back(static_cast<int32_t>(i));
  return allowed;
}

// Logits with which text is more probable than all times.
std::vector<float> TextFirst() {
  std::vector<float> logits(kCount, 0.0f);
  for (int32_t i = 0; i <= kEnd; ++i) logits[static_cast<size_t>(i)] = 9;
  return logits;
}

std::vector<int32_t> Numbers(int32_t first, int32_t last) {
  std::vector<int32_t> numbers;
  for (int32_t i = first; i <= last; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<int32_t> Together(std::vector<int32_t> a, const std::vector<int32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::vector<int32_t> kText = {0, 1, 2, 4, 5, 6, 7, 8, 9, kEnd};

TEST(SpeechRules, WithoutTimesLeaveText) {
  EXPECT_EQ(Allowed({}, false, TextFirst()), (std::vector<int32_t>{1, 2, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(Allowed({1}, false, TextFirst()), kText);
}

TEST(SpeechRules, BeginWithATimeOfTheFirstSecond) {
  EXPECT_EQ(Allowed({}, true, TextFirst()), Numbers(kTime0, kTime0 + 50));
}

TEST(SpeechRules, PairTimes) {
  EXPECT_EQ(Allowed({kTime0 + 5}, true, TextFirst()), kText);
  EXPECT_EQ(Allowed({kTime0 + 5, 1}, true, TextFirst()), Together(kText, Numbers(kTime0 + 6, kCount - 1)));
  EXPECT_EQ(Allowed({kTime0 + 5, 1, kTime0 + 9}, true, TextFirst()),
            Together({kEnd}, Numbers(kTime0 + 9, kCount - 1)));
  EXPECT_EQ(Allowed({kTime0 + 5, 1, kTime0 + 9, kTime0 + 9}, true, TextFirst()), kText);
}

TEST(SpeechRules, PreferTimesThatTogetherAreMoreProbable) {
  std::vector<float> logits(kCount, 0.0f);
  logits[1] = 4;  // less than the logarithm of 95
  EXPECT_EQ(Allowed({kTime0 + 5, 1}, true, logits), Numbers(kTime0 + 6, kCount - 1));
  logits[1] = 5;
  EXPECT_EQ(Allowed({kTime0 + 5, 1}, true, logits).front(), 0);
}

TEST(SpeechRules, SumExponentialsOfAnySize) {
  const float kInfinity = std::numeric_limits<float>::infinity();
  const float logits[] = {1000, 1000, -kInfinity, -kInfinity};
  EXPECT_NEAR(LogSumExp(logits, 0, 4), 1000 + std::log(2.0), 1e-9);
  EXPECT_EQ(LogSumExp(logits, 2, 4), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(LogSumExp(logits, 2, 2), -std::numeric_limits<double>::infinity());
}

struct Collected {
  std::vector<std::vector<int32_t>> tokens;
  std::vector<double> times;
  double advance = 0;
};

Collected Collect(const std::vector<int32_t>& made, double length = 2) {
  const SpeechTokens tokens = Tokens();
  SegmentCollector collector(tokens, length);
  Collected all;
  const auto add = [&all](const std::optional<TokenSegment>& segment) {
    if (!segment.has_value()) return;
    all.tokens.push_back(segment->tokens);
    all.times.push_back(segment->begin);
    all.times.push_back(segment->end);
  };
  for (const int32_t token : made) add(collector.Add(token));
  add(collector.Finish());
  all.advance = collector.Advance();
  return all;
}

using Segments = std::vector<std::vector<int32_t>>;
using Times = std::vector<double>;

TEST(SpeechSegments, EndWithTimes) {
  const Collected two = Collect({kTime0, 1, 2, kTime0 + 20, kTime0 + 25, 4, kTime0 + 50});
  EXPECT_EQ(two.tokens, (Segments{{1, 2}, {4}}));
  EXPECT_EQ(two.times, (Times{0, 0.4, 0.5, 1.0}));
  EXPECT_EQ(two.advance, 0);
}

TEST(SpeechSegments, LeaveTextWithoutAnEndToTheNextWindow) {
  const Collected one = Collect({kTime0, 1, 2, kTime0 + 20, kTime0 + 20, 4});
  EXPECT_EQ(one.tokens, (Segments{{1, 2}}));
  EXPECT_EQ(one.advance, 0.4);
  EXPECT_EQ(Collect({kTime0, 1, kTime0 + 20, kTime0 + 30}).advance, 0.4);
}

TEST(SpeechSegments, AreTheWholeWindowWithoutTimes) {
  const Collected one = Collect({1, 2}, 1.5);
  EXPECT_EQ(one.tokens, (Segments{{1, 2}}));
  EXPECT_EQ(one.times, (Times{0, 1.5}));
  EXPECT_EQ(one.advance, 0);
  EXPECT_TRUE(Collect({}).tokens.empty());
  EXPECT_TRUE(Collect({kTime0, kTime0}).tokens.empty());
  // Times beyond the sound are at its end.
  EXPECT_EQ(Collect({kTime0, 1, kTime0 + 90}, 1.0).times, (Times{0, 1.0}));
}

}  // namespace
}  // namespace micrort::text
