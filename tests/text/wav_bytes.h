#pragma once
// WAV files, byte by byte.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace micrort::test {

inline std::string LittleEndian(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return text;
}

inline std::string WavChunk(const std::string& name, const std::string& content) {
  return name + LittleEndian(content.size(), 4) + content + std::string(content.size() % 2, '\0');
}

struct WavLayout {
  uint32_t tag = 1, channels = 1, rate = 16000, bits = 16;
};

inline std::string WavFormatChunk(const WavLayout& layout) {
  const uint32_t frame = layout.channels * layout.bits / 8;
  return WavChunk("fmt ", LittleEndian(layout.tag, 2) + LittleEndian(layout.channels, 2) +
                              LittleEndian(layout.rate, 4) + LittleEndian(frame * layout.rate, 4) +
                              LittleEndian(frame, 2) + LittleEndian(layout.bits, 2));
}

inline std::string WavFile(const WavLayout& layout, const std::string& data) {
  return WavChunk("RIFF", "WAVE" + WavFormatChunk(layout) + WavChunk("LIST", "odd") + WavChunk("data", data));
}

// One channel of 16 bits.
inline std::string WavOf(const std::vector<float>& samples, uint32_t rate) {
  std::string data;
  for (const float sample : samples)
    data += LittleEndian(static_cast<uint64_t>(static_cast<int64_t>(sample * 32767)), 2);
  return WavFile({1, 1, rate, 16}, data);
}

}  // namespace micrort::test
