#include "examples/keyword/wav.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>

namespace examples {
namespace {

using micrort::Result;

constexpr size_t kRiffHeader = 12, kChunkHeader = 8, kFormatBytes = 16;
// Of lower rates, a short file would become a very long sound.
constexpr uint32_t kMinRate = 1000, kMaxRate = 192000;

uint32_t Number(const std::vector<uint8_t>& bytes, size_t at, size_t size) {
  uint32_t v = 0;
  for (size_t i = 0; i < size; ++i) v |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
  return v;
}

bool HasAt(const std::vector<uint8_t>& bytes, size_t at, const char* name) {
  return std::memcmp(&bytes[at], name, 4) == 0;
}

Result<std::vector<uint8_t>> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return MICRORT_ERROR(kIo, "cannot read it");
  std::vector<uint8_t> bytes, block(1 << 16);
  for (size_t n; (n = std::fread(block.data(), 1, block.size(), file.get())) > 0;)
    bytes.insert(bytes.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(n));
  return bytes;
}

Result<Sound> Parse(const std::vector<uint8_t>& bytes) {
  const auto broken = [](const char* why) {
    return MICRORT_ERROR(kInvalidModel, "expected a WAV file: %s", why);
  };
  if (bytes.size() < kRiffHeader || !HasAt(bytes, 0, "RIFF") || !HasAt(bytes, 8, "WAVE"))
    return broken("it does not begin as one");
  Sound sound;
  uint32_t channels = 0;
  for (size_t at = kRiffHeader; at + kChunkHeader <= bytes.size();) {
    const size_t begin = at + kChunkHeader;
    // Programs that write to a pipe do not know the size.
    const size_t size = std::min<size_t>(Number(bytes, at + 4, 4), bytes.size() - begin);
    if (HasAt(bytes, at, "fmt ")) {
      if (size < kFormatBytes) return broken("its format is cut short");
      channels = Number(bytes, begin + 2, 2);
      const uint32_t rate = Number(bytes, begin + 4, 4);
      if (channels == 0 || rate < kMinRate || rate > kMaxRate || Number(bytes, begin + 14, 2) != 16)
        return broken("it has no samples of 16 bits");
      sound.rate = static_cast<int>(rate);
    } else if (HasAt(bytes, at, "data")) {
      if (channels == 0) return broken("its samples come before their format");
      for (size_t i = begin; i + 2 <= begin + size; i += size_t{2} * channels)
        sound.samples.push_back(static_cast<float>(static_cast<int16_t>(Number(bytes, i, 2))) / 32768.0f);
      return sound;
    }
    at = begin + size + size % 2;
  }
  return broken("it has no samples");
}

}  // namespace

Result<Sound> ReadWav(const std::string& path) {
  auto bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status().WithPrefix("%s", path.c_str());
  auto sound = Parse(*bytes);
  if (!sound.ok()) return sound.status().WithPrefix("%s", path.c_str());
  return sound;
}

Sound Resampled(const Sound& sound, int rate) {
  if (sound.rate == rate || sound.samples.empty()) return sound;
  const double step = static_cast<double>(sound.rate) / rate;
  const auto count = static_cast<size_t>(static_cast<double>(sound.samples.size()) / step);
  Sound out = {rate, {}};
  for (size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) * step;
    const auto left = static_cast<size_t>(place);
    const size_t right = std::min(left + 1, sound.samples.size() - 1);
    const auto part = static_cast<float>(place - static_cast<double>(left));
    out.samples.push_back(sound.samples[left] * (1 - part) + sound.samples[right] * part);
  }
  return out;
}

}  // namespace examples
