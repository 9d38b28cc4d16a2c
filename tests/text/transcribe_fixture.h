#pragma once
// Recognizers on files, and their transcripts by plain loops.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "micrort/text/transcribe.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/text/speech_network.h"
#include "tests/text/wav_bytes.h"

namespace micrort::test {

class TranscribeFixture : public ::testing::Test {
 protected:
  static constexpr int kRate = 16000;

  // `name`.fb of the folder.
  std::string Convert(const testing::OnnxBuilder& builder, const std::string& name,
                      const std::vector<std::string>& more = {});
  // The files of a network with the caches of cross attention from the encoder, and its tokenizer.
  void WriteModel(const SpeechNetwork& network, const std::vector<std::string>& decoder_flags = {});
  void WriteTokenizer(const nlohmann::json& tokenizer = SpeechNetwork::Tokenizer());
  std::string WriteSound(const std::vector<float>& samples, uint32_t rate = kRate);
  // Tones that come and go, other ones for another seed.
  static std::vector<float> Sound(double seconds, uint32_t seed);

  // The tokens of a transcript without times, of one window.
  static std::vector<int32_t> Expected(const SpeechNetwork& network, const std::vector<float>& samples,
                                       size_t most, int32_t language = -1,
                                       const std::vector<int32_t>& before = {});
  // The segments of sound of any length, with times.
  static std::vector<text::SpeechSegment> ExpectedSegments(const SpeechNetwork& network,
                                                           const std::vector<float>& samples, size_t most);

  TemporaryFolder folder_;
};

}  // namespace micrort::test
