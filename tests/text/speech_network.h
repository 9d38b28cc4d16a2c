#pragma once
// A small recognizer in Whisper's form, with random weights: as ONNX in the forms that exporters write, and
// by plain loops in double precision.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/converter/onnx_builder.h"

namespace micrort::test {

class SpeechNetwork {
 public:
  static constexpr int kBands = 80, kFrames = 100, kContext = kFrames / 2;
  static constexpr int kWidth = 16, kHeads = 2, kHead = kWidth / kHeads, kLayers = 2, kInner = 24;
  static constexpr int kLetters = 27, kPositions = 48;
  static constexpr int kSpecial = 9, kTimes = kFrames / 2 + 1;
  static constexpr int kVocabulary = kLetters + kSpecial + kTimes;

  // Tokens behind the letters.
  enum Token : int32_t {
    kEnd = kLetters,
    kStart,
    kEnglish,
    kGerman,
    kTranslate,
    kTranscribe,
    kPrevious,
    kNoSpeech,
    kNoTimestamps,
    kTime0
  };

  explicit SpeechNetwork(uint32_t seed, int width = kWidth);

  // How the decoder gets what the encoder writes, and its own caches.
  enum class Form {
    kSelfAndCross,  // keys and values of cross attention come from the encoder: past_key_cross_0 ...
    kWithPast,      // with names of Optimum: past_key_values.0.encoder.key ..., cache_position
    kNoPast,        // from encoder_hidden_states, which it reads each time; writes present.0.encoder.key ...
    kWhole,         // the encoder is in it
  };
  testing::OnnxBuilder Decoder(Form form) const;
  // `has_cross`: it writes the keys and values of cross attention, too.
  testing::OnnxBuilder Encoder(bool has_cross) const;

  // The states [kContext][width] of features [kBands][kFrames].
  std::vector<double> Encode(const std::vector<float>& features) const;
  // The logits after the last of all tokens.
  std::vector<double> Logits(const std::vector<int32_t>& tokens, const std::vector<double>& states) const;

  // Letters, a space, and Whisper's tokens; `names_times`: those of times, too.
  static nlohmann::json Tokenizer(bool names_times = true);

 private:
  friend class SpeechGraph;
  struct Weights {
    std::vector<int64_t> dims;
    std::vector<float> values;
  };
  const Weights& Get(const std::string& name) const { return weights_.at(name); }
  std::map<std::string, std::vector<float>> AllValues() const;

  int width_;
  std::map<std::string, Weights> weights_;
};

}  // namespace micrort::test
