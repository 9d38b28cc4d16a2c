// WAV files of one and of two channels, at a rate of their own.

#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

std::string Number(uint32_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return text;
}

std::string Chunk(const std::string& name, const std::string& content) {
  return name + Number(static_cast<uint32_t>(content.size()), 4) + content;
}

std::string Wav(uint32_t channels, uint32_t rate) {
  const std::string format = Number(1, 2) + Number(channels, 2) + Number(rate, 4) +
                             Number(2 * channels * rate, 4) + Number(2 * channels, 2) + Number(16, 2);
  return Chunk("RIFF",
               "WAVE" + Chunk("fmt ", format) + Chunk("LIST", "abcd") + Chunk("data", std::string(64, 'x')));
}

}  // namespace

std::vector<std::string> SoundSeeds() { return {Wav(1, 16000), Wav(2, 44100), Wav(1, 8000)}; }

}  // namespace micrort::fuzz
