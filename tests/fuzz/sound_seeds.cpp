// WAV files of one and of two channels, of all widths of samples.

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

std::string Wav(uint32_t channels, uint32_t rate, uint32_t bits = 16, uint32_t tag = 1) {
  const uint32_t frame = channels * bits / 8;
  const std::string format = Number(tag, 2) + Number(channels, 2) + Number(rate, 4) +
                             Number(frame * rate, 4) + Number(frame, 2) + Number(bits, 2);
  return Chunk("RIFF",
               "WAVE" + Chunk("fmt ", format) + Chunk("LIST", "abcd") + Chunk("data", std::string(64, '1')));
}

}  // namespace

std::vector<std::string> SoundSeeds() {
  return {Wav(1, 16000),     Wav(2, 44100),        Wav(1, 8000, 8),     Wav(2, 48000, 24),
          Wav(1, 22050, 32), Wav(1, 16000, 32, 3), Wav(1, 16000, 64, 3)};
}

}  // namespace micrort::fuzz
