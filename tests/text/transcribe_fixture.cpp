#include "tests/text/transcribe_fixture.h"

#include <algorithm>
#include <cmath>

#include "text/audio/log_mel.h"
#include "text/speech/segments.h"
#include "text/speech/speech_rules.h"

namespace micrort::test {

std::string TranscribeFixture::Convert(const testing::OnnxBuilder& builder, const std::string& name,
                                       const std::vector<std::string>& more) {
  const std::string source = folder_ / (name + ".onnx"), target = folder_ / (name + ".fb");
  WriteFile(source, builder.Bytes());
  std::vector<std::string> flags = {source, "-o", target, "--quiet"};
  flags.insert(flags.end(), more.begin(), more.end());
  const ProcessResult converted = RunProgram("mnnconvert", flags);
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  return target;
}

void TranscribeFixture::WriteTokenizer(const nlohmann::json& tokenizer) {
  WriteFile(folder_ / "tokenizer.json", tokenizer.dump());
}

void TranscribeFixture::WriteModel(const SpeechNetwork& network,
                                   const std::vector<std::string>& decoder_flags) {
  Convert(network.Encoder(true), "encoder");
  Convert(network.Decoder(SpeechNetwork::Form::kSelfAndCross), "decoder", decoder_flags);
  WriteTokenizer();
}

std::string TranscribeFixture::WriteSound(const std::vector<float>& samples, uint32_t rate) {
  WriteFile(folder_ / "sound.wav", WavOf(samples, rate));
  return folder_ / "sound.wav";
}

std::vector<float> TranscribeFixture::Sound(double seconds, uint32_t seed) {
  std::vector<float> samples;
  const double pitch = 0.02 + 0.013 * (seed % 7);
  for (int i = 0; i < static_cast<int>(seconds * kRate); ++i) {
    const double bend = 3 * std::sin(i * 0.0004 * (1 + seed % 3));
    // Of 16 bits, so that the file has the same samples.
    const double wave = 0.5 * std::sin(i * pitch + bend) * std::sin(i * 0.0002 * (2 + seed % 5));
    samples.push_back(static_cast<float>(std::floor(wave * 32768) / 32768));
  }
  return samples;
}

namespace {

using N = SpeechNetwork;

// The encoder's output for a window.
std::vector<double> StatesOf(const SpeechNetwork& network, const std::vector<float>& samples) {
  text::LogMel mel(N::kBands, N::kFrames);
  std::vector<float> features(mel.elements());
  mel.Compute({samples.data(), std::min(samples.size(), mel.samples())}, features.data());
  return network.Encode(features);
}

int32_t LanguageOf(const SpeechNetwork& network, const std::vector<double>& states) {
  const std::vector<double> logits = network.Logits({N::kStart}, states);
  return logits[N::kGerman] > logits[N::kEnglish] ? N::kGerman : N::kEnglish;
}

// What the rules leave, all tokens computed anew for each.
std::vector<int32_t> WindowWithTimes(const SpeechNetwork& network, const text::SpeechTokens& tokens,
                                     const std::vector<double>& states, int32_t language, size_t most) {
  std::vector<int32_t> all = {N::kStart, language, N::kTranscribe}, made;
  while (made.size() < most) {
    const std::vector<double> exact = network.Logits(all, states);
    std::vector<float> logits(exact.begin(), exact.end());
    text::SpeechRules(tokens, true).Apply({made.data(), made.size()}, {logits.data(), logits.size()});
    const auto best = static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    if (best == N::kEnd) break;
    made.push_back(best);
    all.push_back(best);
  }
  return made;
}

}  // namespace

std::vector<text::SpeechSegment> TranscribeFixture::ExpectedSegments(const SpeechNetwork& network,
                                                                     const std::vector<float>& samples,
                                                                     size_t most) {
  text::SpeechTokens tokens;
  tokens.end = N::kEnd;
  tokens.first_timestamp = N::kTime0;
  for (int32_t token = N::kStart; token < N::kTime0; ++token) tokens.suppressed.push_back(token);
  tokens.suppressed_first = {N::kEnd, N::kLetters - 1};
  std::vector<text::SpeechSegment> segments;
  int32_t language = -1;
  for (size_t at = 0; at + 1600 <= samples.size();) {
    const size_t count = std::min<size_t>(kRate, samples.size() - at);
    const auto begin = samples.begin() + static_cast<ptrdiff_t>(at);
    const std::vector<double> states = StatesOf(network, {begin, begin + static_cast<ptrdiff_t>(count)});
    if (language < 0) language = LanguageOf(network, states);
    text::SegmentCollector collector(tokens, static_cast<double>(count) / kRate);
    const double from = static_cast<double>(at) / kRate;
    const auto add = [&](const std::optional<text::TokenSegment>& segment) {
      if (segment.has_value())
        segments.push_back({from + segment->begin, from + segment->end, "", segment->tokens});
    };
    for (const int32_t token : WindowWithTimes(network, tokens, states, language, most))
      add(collector.Add(token));
    add(collector.Finish());
    const auto step = static_cast<size_t>(std::lround(collector.Advance() * kRate));
    at += step == 0 ? kRate : step;
  }
  return segments;
}

std::vector<int32_t> TranscribeFixture::Expected(const SpeechNetwork& network,
                                                 const std::vector<float>& samples, size_t most,
                                                 int32_t language, const std::vector<int32_t>& before) {
  const std::vector<double> states = StatesOf(network, samples);
  std::vector<int32_t> tokens = before, made;
  if (language < 0) language = LanguageOf(network, states);
  tokens.insert(tokens.end(), {N::kStart, language, N::kTranscribe, N::kNoTimestamps});
  while (made.size() < most) {
    const std::vector<double> logits = network.Logits(tokens, states);
    int32_t best = 0;
    for (int32_t token = 0; token <= N::kEnd; ++token) {
      const bool may_follow = !made.empty() || (token != N::kEnd && token != N::kLetters - 1);
      if (may_follow && logits[static_cast<size_t>(token)] > logits[static_cast<size_t>(best)]) best = token;
    }
    if (best == N::kEnd) break;
    made.push_back(best);
    tokens.push_back(best);
  }
  return made;
}

}  // namespace micrort::test
